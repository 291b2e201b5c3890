"""The rules about copies, scored on labelled sets: tests/copies tells what they are and how labels are read."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tutorial_tool import site, variants
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.linter import engine
from tutorial_tool.rules import get_rules

CASES = sorted(path.parent for path in (Path(__file__).parent / "copies").glob("*/labels.yaml"))
RULES = (
    "missing-row", "mixed-values", "conflicting-value", "row-order", "column-mismatch", "repeated-description",
    "missing-section", "missing-text", "drifted-emphasis", "missing-step", "foreign-name", "foreign-image", "foreign-link", "base-path-drift", "repeated-navigation",
)  # fmt: skip
"""The rules that are scored. Not those about wording: on public pages, most such differences are intended, so that they
are hints at most (`benchmarks/accuracy/variants.py`)."""
PRECISION, RECALL = 0.95, 0.90
OTHERWISE = {
    "missing-row": (0.95, 0.74),  # a row that one copy alone has: of 11 in 31 public trees, none is a mistake
    "conflicting-value": (0.95, 0.89),
    "foreign-name": (0.95, 0.77),  # a name that stands on its own page in the same text may be meant on both
    "missing-text": (0.55, 0.90),
    "foreign-image": (0.95, 0.89),
    "foreign-link": (0.95, 0.80),
    "repeated-navigation": (0.95, 0.80),  # a single link that a page has twice: none in 29 public trees
}
"""Rules that are right, or find it, less often than they should: see the score of each kind of evidence."""


class Label(NamedTuple):
    rule: str
    places: frozenset[tuple[str, int]]


class Score(NamedTuple):
    found: Counter[str]
    false: list[str]
    missed: list[str]
    labels: Counter[str]


def labels(case: Path) -> dict[str, Any]:
    said = yaml.safe_load((case / "labels.yaml").read_text(encoding="utf-8"))
    assert isinstance(said, dict)
    return said


def label(entry: dict[str, Any]) -> Label:
    told = entry.get("any_of") or [f"{entry['path']}:{entry['line']}"]
    pairs = (place.rsplit(":", 1) for place in told)
    return Label(entry["rule"], frozenset((path, int(line)) for path, line in pairs))


def loaded(case: Path) -> site.Site:
    pages = sorted(path for path in case.rglob("*") if path.suffix in (".md", ".mdx"))
    return site.load_plain(pages, case)


@cache
def findings(case: Path) -> tuple[Finding, ...]:
    config = Config(select=RULES, severity_overrides=(("drifted-emphasis", Severity.HINT),))
    return tuple(finding for finding in engine.run(loaded(case), config) if finding.rule in RULES)


def places(finding: Finding) -> set[tuple[str, int]]:
    """The lines that a finding marks, those of its related places among them."""
    spans = [finding.span, *(related.span for related in finding.related)]
    return {(span.path, line) for span in spans for line in range(span.position.line, span.end_position.line + 1)}


@cache
def scored() -> Score:
    found: Counter[str] = Counter()
    false, missed = [], []
    wanted: Counter[str] = Counter()
    for case in CASES:
        left = [label(entry) for entry in labels(case)["findings"]]
        wanted.update(each.rule for each in left)
        for finding in findings(case):
            hit = next((each for each in left if each.rule == finding.rule and each.places & places(finding)), None)
            if hit is None:
                false.append(f"{case.name}/{finding}")
            else:
                found[finding.rule] += 1
                left.remove(hit)
        missed += [f"{case.name}: {each.rule} {sorted(each.places)}" for each in left]
    return Score(found, false, missed, wanted)


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_a_rule_about_copies_is_right_and_finds_what_a_reviewer_would(rule: str) -> None:
    score = scored()
    assert get_rules()[rule].group in ("tables", "drift", "navigation", "images")
    false = [line for line in score.false if f": {rule}: " in line]
    missed = [line for line in score.missed if f": {rule} " in line]
    hits = score.found[rule]
    assert score.labels[rule], "no set has such a defect"
    precision, recall = OTHERWISE.get(rule, (PRECISION, RECALL))
    assert hits >= precision * (hits + len(false)), "\n".join(false)
    assert hits >= recall * score.labels[rule], "\n".join(missed)


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_the_sets_of_copies_are_found_and_named(case: Path) -> None:
    expected = [dict(sorted(entry.items())) for entry in labels(case)["sets"]]
    found = [
        dict(sorted((page.source.path, step.variants[id_].name) for id_, page in step.pages.items()))
        for step in variants.find_steps(loaded(case))
    ]
    assert sorted(found, key=sorted) == sorted(expected, key=sorted)


def test_a_picture_in_whose_place_another_one_stands_is_told_once(tmp_path: Path) -> None:
    text = (
        "# Install on {0}\n\nOpen the settings of the phone, and look for the device in {0} there.\n\n"
        "![The start](../images/{1}-start.png)\n\nThe list of devices shows all that were found nearby.\n\n"
        "![The devices of the phone](../images/{2}-devices.png)\n\nPress the button when it is green in {0}.\n"
    )
    (tmp_path / "images").mkdir()
    for name in ("Flutter", "Unity", "Android"):
        for picture in ("start", "devices"):
            (tmp_path / f"images/{name.lower()}-{picture}.png").write_bytes(f"{name} {picture}".encode())
        (tmp_path / name.lower()).mkdir()
        shown = "flutter" if name == "Unity" else name.lower()
        (tmp_path / name.lower() / "install.md").write_text(text.format(name, name.lower(), shown))
    pages = sorted(tmp_path.rglob("*.md"))
    assert [finding.rule for finding in engine.run(site.load_plain(pages, tmp_path), Config())] == [
        "unused-image",
        "foreign-image",
    ]
