"""A rule's decorator is also read as source text, so that its module is loaded late: both say the same."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import pytest

from tutorial_tool import lint, rules
from tutorial_tool.core.diagnostics import Severity
from tutorial_tool.core.errors import TutorialToolError
from tutorial_tool.linter import requirements, session
from tutorial_tool.linter.config_lookup import LookupOptions
from tutorial_tool.rules import Rule, base, describe_broken_modules, get_rules

CHECKED = [rule for rule in get_rules().values() if rule.level]


@pytest.mark.parametrize("read", CHECKED, ids=lambda rule: rule.name)
def test_the_text_of_a_rule_says_what_its_module_makes(read: Rule) -> None:
    made: Rule = import_module(f"{rules.__name__}.{read.group}.{read.name.replace('-', '_')}").check
    for field in fields(Rule):
        if field.name != "declared":
            assert getattr(read, field.name) == getattr(made, field.name), field.name
    assert read.check is made.declared
    assert made.declared is not None


@pytest.mark.parametrize("rule", CHECKED, ids=lambda rule: rule.name)
def test_what_a_rule_needs_is_known(rule: Rule) -> None:
    assert rule.needs in ("", *requirements.PAGE_NEEDS, *requirements.SITE_NEEDS)


IMPORTS = """
from collections.abc import Iterator
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.rules import base, rule
from tutorial_tool.site import Page
"""
HEADER = "def check(page: Page) -> Iterator[Finding]:\n"
BODY = "    yield page.flag((0, 1), 'first character')\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of rules in place of ours."""
    (tmp_path / "rules/text").mkdir(parents=True)
    package = import_module(f"{rules.__name__}.text")
    monkeypatch.setattr(package, "__path__", [str(tmp_path / "rules/text")])
    monkeypatch.setattr(base, "FOLDER", tmp_path / "rules")
    monkeypatch.setattr(base, "BROKEN", {})
    monkeypatch.chdir(tmp_path)
    get_rules.cache_clear()
    yield tmp_path / "rules/text"
    get_rules.cache_clear()
    for path in (tmp_path / "rules/text").glob("*.py"):
        sys.modules.pop(f"{package.__name__}.{path.stem}", None)


@pytest.mark.parametrize(
    "declaration",
    [
        f'@rule("text", Severity.HINT, project=Severity.ERROR, yields_to=("misspelling",), needs="tables")\n{HEADER}{BODY}',
        '@rule(  # a comment\n    needs="tables",\n    yields_to=("misspelling",),  # ) another\n'
        '    project=Severity.ERROR,\n    severity=Severity.HINT,\n    group="text",\n)\n# a third\n'
        f"def check(  # a fourth: with a colon\n    page: Page,\n) -> Iterator[Finding]:  # a fifth\n{BODY}",
        '@base.rule("text", Severity.HINT, needs="tables", yields_to=("misspelling",), project=Severity.ERROR)\n'
        "def check(page: Page) -> Iterator[Finding]: yield page.flag((0, 1), 'first character')\n",
        "LEVEL, TABLES = Severity.HINT, 'tables'\n\n"
        f'@rule("text", LEVEL, yields_to=("misspelling",), project=Severity.ERROR, needs=TABLES)\n{HEADER}{BODY}',
    ],
)
def test_a_declaration_is_plain_python(declaration: str, folder: Path) -> None:
    (folder / "first_character.py").write_text(f"from __future__ import annotations\n{IMPORTS}\n\n{declaration}")
    declared = get_rules()["first-character"]
    assert not describe_broken_modules()
    assert (declared.severity, declared.in_project) == (Severity.HINT, Severity.ERROR)
    assert (declared.group, declared.level, declared.parameters) == ("text", "Page", frozenset())
    assert (declared.yields_to, declared.needs, declared.is_english_only) == (("misspelling",), "tables", False)
    assert declared.check is not base.find_nothing


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "ValueError: no function is decorated with `@rule(…)`"),
        ("def check(:\n", "SyntaxError: invalid syntax"),
        (f'@rule("text", Severity.HIGH)\n{HEADER}{BODY}', "KeyError: 'HIGH'"),
        (f'@rule("text", Severity.HINT, loud=True)\n{HEADER}{BODY}', "TypeError: rule() got"),
        (f'@rule("tables", Severity.HINT)\n{HEADER}{BODY}', "ValueError: the rule is of the group `tables`"),
        (f'@rule("text", Severity.HINT)\n{HEADER}    (\n', "SyntaxError: '(' was never closed"),
        (f'NAME = MISSING\n@rule("text", Severity.HINT)\n{HEADER}{BODY}', "NameError: name 'MISSING'"),
    ],
)
def test_a_broken_module_is_named_and_the_other_rules_run(text: str, reason: str, folder: Path) -> None:
    start = f"from __future__ import annotations\n{IMPORTS}\n\n"
    (folder / "first_character.py").write_text(f'{start}@rule("text", Severity.HINT)\n{HEADER}{BODY}')
    (folder / "broken_one.py").write_text(f"{start}{text}")
    Path("page.md").write_text("# Title\n")
    with pytest.raises(TutorialToolError) as raised:
        lint("page.md")
    assert str(raised.value).startswith(f"{folder / 'broken_one.py'}: this rule cannot be loaded: {reason}")
    outcome = session.run(session.Request(LookupOptions(Path.cwd()), (Path("page.md"),)))
    assert [finding.rule for finding in outcome.findings] == ["first-character"]
