"""The rules' manuals as pages of a site."""

from __future__ import annotations

from typing import Any

from tutorial_tool import lazy_re, manual
from tutorial_tool.finding import Severity
from tutorial_tool.rules import GROUPS, Rule, all_rules

_EXAMPLE = lazy_re.compile(r'(?<= )title="(bad|fixed|good)\b[^"]*"')
MARK = "rules:"
"""In a `nav` of MkDocs, `rules:` stands for these pages."""


def pages(folder: str) -> dict[str, str]:
    """Every rule's manual, and a page that lists them, as Markdown by path."""
    rules = all_rules()
    out = {f"{folder}/{rule.name}.md": _page(rule) for rule in rules.values()}
    return {f"{folder}/index.md": _index(), **out}


def nav(folder: str) -> list[Any]:
    """The pages as entries of MkDocs' `nav`: by group."""
    groups = [{group: [f"{folder}/{rule.name}.md" for rule in _of(group)]} for group in GROUPS if _of(group)]
    return [f"{folder}/index.md", *groups]


def _of(group: str) -> list[Rule]:
    return [rule for rule in all_rules().values() if rule.group == group]


def _page(rule: Rule) -> str:
    text = _EXAMPLE.sub(lambda found: f'title="{found[1].capitalize()}"', manual.readable(rule.manual))
    heading, _, rest = text.strip().partition("\n")
    return f"{heading}\n\n*{rule.group}* · {_severity(rule)}\n{rest}\n"


def _severity(rule: Rule) -> str:
    if rule.severity is rule.in_project:
        return _word(rule.severity)
    return f"{_word(rule.severity)}; in a project with a `platforms.yaml`: {_word(rule.in_project)}"


def _word(severity: Severity) -> str:
    return "off by default" if severity is Severity.OFF else str(severity)


def _index() -> str:
    out = ["# Rules", "", "`tutorial-tool explain RULE` prints the same pages in a terminal.", ""]
    for group in GROUPS:
        if not _of(group):
            continue
        out += [f"## {group}", "", "| Rule | Severity | What it finds |", "| --- | --- | --- |"]
        for rule in _of(group):
            summary = rule.summary.replace("|", "\\|")
            out.append(f"| [`{rule.name}`]({rule.name}.md) | {_severity(rule)} | {summary} |")
        out.append("")
    return "\n".join(out)
