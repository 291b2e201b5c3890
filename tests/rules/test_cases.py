"""Every rule does what its page shows and what its cases, in `cases/<rule>/*.md`, expect."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.rules.case_runner import bench, describe, expected
from tutorial_tool import rules
from tutorial_tool.core.diagnostics import Severity
from tutorial_tool.docs import rule_manual
from tutorial_tool.docs.rule_manual import Example
from tutorial_tool.rules import GROUPS, LEVELS, Rule, get_rules

RULES = list(get_rules().values())
PAGES = Path(rules.__file__).parent
CASES = Path(__file__).parent / "cases"
SECTIONS = ("Why it matters", "Example", "How to fix", "When to ignore it", "Options")
MOST_LINES = {"a rule page": 150, "a file of cases": 400}


def page(rule: Rule) -> Path:
    return PAGES / rule.group / f"{rule.name}.md"


def case_files(rule: Rule) -> list[Path]:
    return sorted((CASES / rule.name).glob("*.md"))


@cache
def examples(path: Path) -> tuple[Example, ...]:
    return tuple(rule_manual.parse_examples(path.read_text(encoding="utf-8")))


def all_examples(rule: Rule) -> list[Example]:
    return [example for path in (page(rule), *case_files(rule)) for example in examples(path)]


def of_kind(kind: str) -> list[object]:
    """The examples of a kind in all files that can be read; the others fail their own test."""
    params: list[object] = []
    for rule in RULES:
        for path in (page(rule), *case_files(rule)):
            try:
                in_file = examples(path)
            except (FileNotFoundError, rule_manual.MalformedManual):
                continue
            for index, example in enumerate(in_file):
                if example.kind == kind:
                    params.append(pytest.param(rule, path, index, id=f"{rule.name}/{path.stem}:{example.line}"))
    return params


@pytest.mark.parametrize(("rule", "path", "index"), of_kind("bad"))
def test_a_bad_example_is_found_as_marked(
    rule: Rule, path: Path, index: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    example = examples(path)[index]
    findings = bench(tmp_path, example, only=rule).findings()
    assert describe(findings, example.marks) == expected(example)
    assert {finding.rule for finding in findings} == {rule.name}


@pytest.mark.parametrize(("rule", "path", "index"), of_kind("fixed"))
def test_fixing_gives_the_fixed_example(
    rule: Rule, path: Path, index: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    fixed = examples(path)[index]
    bad = next(example for example in reversed(examples(path)[:index]) if example.kind == "bad")
    on_disk = bench(tmp_path, bad, only=rule)
    first = on_disk.fixed(unsafe=fixed.unsafe)
    assert {name: first[name] for name in fixed.files} == fixed.files
    assert {name: first[name] for name in bad.files.keys() - fixed.files.keys()} == {
        name: bad.files[name] for name in bad.files.keys() - fixed.files.keys()
    }
    assert on_disk.fixed(unsafe=fixed.unsafe) == first, "a second run changes something"


@pytest.mark.parametrize(("rule", "path", "index"), of_kind("good"))
def test_a_good_example_is_good(
    rule: Rule, path: Path, index: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    example = examples(path)[index]
    findings = bench(tmp_path, example, beside=rule).findings()
    of_others = [f for f in findings if f.severity.is_at_least(Severity.WARNING) and f.rule not in example.also]
    assert [str(f) for f in findings if f.rule == rule.name] == []
    assert [str(f) for f in of_others] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_page_is_complete(rule: Rule) -> None:
    lines = rule.documentation_text.splitlines()
    assert lines[0] == f"# {rule.name}"
    assert lines[1] == lines[3] == "", "the second paragraph is one line"
    assert rule.summary == lines[2]
    assert re.fullmatch(r"[A-Z`].*[.:?)]", lines[2]), "a sentence"
    assert len(lines) <= MOST_LINES["a rule page"]
    sections = [line.removeprefix("## ") for line in _outside_fences(lines) if line.startswith("## ")]
    assert sections == [title for title in SECTIONS if title != "Options" or title in sections]
    if rule.check is not None:
        assert "bad" in {example.kind for example in examples(page(rule))}, "the page shows what the rule finds"


def _outside_fences(lines: list[str]) -> list[str]:
    return [block for block in rule_manual.iter_content("\n".join(lines)) if isinstance(block, str)]


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.check], ids=lambda rule: rule.name)
def test_cases_are_complete(rule: Rule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cases of what a rule finds, of what it leaves alone, and of its fix, if it has one."""
    cases = all_examples(rule)
    kinds = {example.kind for example in cases}
    assert {"bad", "good"} <= kinds
    options = [
        [example.unsafe for example in fixed if example.kind == "fixed"] for fixed in (examples(page(rule)), cases)
    ]
    assert [bool(fixes) for fixes in options] in ([True, True], [False, False]), (
        "the page shows the fix, if there is one"
    )
    assert all(options[0]) is all(options[1]), "the page shows a safe fix, if there is one"
    for index, example in enumerate(example for example in cases if example.kind == "bad" and "fixed" not in kinds):
        folder = tmp_path / f"{index}"
        folder.mkdir()
        monkeypatch.chdir(folder)
        findings = bench(folder, example, only=rule).findings()
        assert not any(finding.fix for finding in findings), "no `fixed` example shows the fix"


def test_every_page_and_every_file_of_cases_belongs_to_a_rule() -> None:
    names = {rule.name for rule in RULES}
    assert {path.stem for path in PAGES.glob("*/*.md")} == names
    files = list(CASES.rglob("*.md"))
    assert {path.relative_to(CASES).parts[0] for path in files} <= names
    assert {len(path.relative_to(CASES).parts) for path in files} == {2}
    for path in files:
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0].startswith(f"# {path.parent.name}: ")
        assert len(lines) <= MOST_LINES["a file of cases"], path.name


def test_rules_are_declared_well() -> None:
    for rule in RULES:
        assert rule.group in GROUPS, rule.name
        assert rule.check is None or rule.level in LEVELS, f"{rule.name}: {rule.level}"
        assert rule.parameters <= {"config", "findings"}, rule.name


def test_what_rules_yield_to_exists_and_never_goes_round() -> None:
    yields = {rule.name: set(rule.yields_to) for rule in RULES}
    assert set().union(*yields.values()) <= yields.keys()
    while free := {name for name, others in yields.items() if not others & yields.keys()}:
        yields = {name: others for name, others in yields.items() if name not in free}
    assert not yields, f"these yield to each other: {', '.join(sorted(yields))}"
