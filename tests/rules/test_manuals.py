"""Every rule does what its manual says, and every manual says what its rule does."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.rules.manual import bench, expected, told
from tutorial_tool import rules
from tutorial_tool.core.diagnostics import Severity
from tutorial_tool.docs import rule_manual
from tutorial_tool.docs.rule_manual import Example
from tutorial_tool.rules import GROUPS, LEVELS, Rule, all_rules

RULES = list(all_rules().values())
FOLDER = Path(rules.__file__).parent


@cache
def examples(name: str) -> tuple[Example, ...]:
    return tuple(rule_manual.examples(next(FOLDER.glob(f"*/{name}.md")).read_text(encoding="utf-8")))


def of_kind(kind: str) -> list[object]:
    """The examples of a kind in all manuals that can be read; the others fail their own test."""
    out: list[object] = []
    for rule in RULES:
        try:
            found = examples(rule.name)
        except (StopIteration, rule_manual.Malformed):
            continue
        for index, example in enumerate(found):
            if example.kind == kind:
                out.append(pytest.param(rule, index, id=f"{rule.name}:{example.line}"))
    return out


@pytest.mark.parametrize(("rule", "index"), of_kind("bad"))
def test_a_bad_example_is_found_as_marked(
    rule: Rule, index: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    example = examples(rule.name)[index]
    found = bench(tmp_path, example, only=rule).findings()
    assert told(found, example.marks) == expected(example)
    assert {finding.rule for finding in found} == {rule.name}


@pytest.mark.parametrize(("rule", "index"), of_kind("fixed"))
def test_fixing_gives_the_fixed_example(
    rule: Rule, index: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    wanted = examples(rule.name)[index]
    bad = next(example for example in reversed(examples(rule.name)[:index]) if example.kind == "bad")
    on = bench(tmp_path, bad, only=rule)
    first = on.fixed(unsafe=wanted.unsafe)
    assert {path: first[path] for path in wanted.files} == wanted.files
    assert {path: first[path] for path in bad.files.keys() - wanted.files.keys()} == {
        path: bad.files[path] for path in bad.files.keys() - wanted.files.keys()
    }
    assert on.fixed(unsafe=wanted.unsafe) == first, "a second run changes something"


@pytest.mark.parametrize(("rule", "index"), of_kind("good"))
def test_a_good_example_is_good(rule: Rule, index: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    example = examples(rule.name)[index]
    found = bench(tmp_path, example, beside=rule).findings()
    of_others = [f for f in found if f.severity.reaches(Severity.WARNING) and f.rule not in example.also]
    assert [str(f) for f in found if f.rule == rule.name] == []
    assert [str(f) for f in of_others] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_manual_is_whole(rule: Rule) -> None:
    text = rule.manual
    lines = text.splitlines()
    assert lines[0] == f"# {rule.name}"
    assert lines[1] == lines[3] == "", "the second paragraph is one line"
    assert rule.summary == lines[2]
    assert re.fullmatch(r"[A-Z`].*[.:?)]", lines[2]), "a sentence"
    kinds = [example.kind for example in examples(rule.name)]
    if rule.check is not None:
        assert {"bad", "good"} <= set(kinds), "a rule is shown by what it finds and by what it leaves alone"
    assert "fixed" not in kinds or kinds.index("bad") < kinds.index("fixed")


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.check], ids=lambda rule: rule.name)
def test_a_fix_is_shown(rule: Rule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = {example.kind for example in examples(rule.name)}
    bad = [example for example in examples(rule.name) if example.kind == "bad"]
    for index, example in enumerate(bad):
        folder = tmp_path / f"{index}"
        folder.mkdir()
        monkeypatch.chdir(folder)
        found = bench(folder, example, only=rule).findings()
        assert "fixed" in kinds or not any(finding.fix for finding in found), "the manual shows no `fixed` example"


def test_every_rule_has_a_manual_and_every_manual_a_rule() -> None:
    manuals = {path.stem for path in FOLDER.glob("*/*.md")}
    assert manuals == {rule.name for rule in RULES}


def test_rules_are_declared_well() -> None:
    for rule in RULES:
        assert rule.group in GROUPS, rule.name
        assert rule.check is None or rule.level in LEVELS, f"{rule.name}: {rule.level}"
        assert rule.wants <= {"config", "found"}, rule.name


def test_what_rules_yield_to_exists_and_never_goes_round() -> None:
    yields = {rule.name: set(rule.yields_to) for rule in RULES}
    assert set().union(*yields.values()) <= yields.keys()
    while free := {name for name, others in yields.items() if not others & yields.keys()}:
        yields = {name: others for name, others in yields.items() if name not in free}
    assert not yields, f"these yield to each other: {', '.join(sorted(yields))}"
