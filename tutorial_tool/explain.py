"""The manuals of the rules, for the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import click

from tutorial_tool import lazy_re, manual
from tutorial_tool.finding import Severity
from tutorial_tool.rules import GROUPS, Rule

_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.HINT: "cyan", Severity.OFF: "bright_black"}
_INLINE = lazy_re.compile(r"(?P<tick>`+)(?P<code>.+?)(?P=tick)|\*\*(?P<bold>.+?)\*\*")


def rule_page(rule: Rule) -> str:
    """A rule's manual, with its group and severity under the heading."""
    lines = manual.readable(rule.manual).strip().splitlines()
    told = f"{rule.group} · {_severities(rule)}"
    return "\n".join([_heading(lines[0]), told, *_styled(lines[1:])]) + "\n"


def _severities(rule: Rule) -> str:
    plain = _colored(rule.severity)
    return plain if rule.severity is rule.in_project else f"{plain}; in a project {_colored(rule.in_project)}"


def _colored(severity: Severity, width: int = 0) -> str:
    return click.style(f"{severity:<{width}}", fg=_COLORS[severity])


def _heading(line: str) -> str:
    return click.style(line.lstrip("# "), bold=True)


def _styled(lines: list[str]) -> Iterator[str]:
    fence = ""
    for line in lines:
        if not fence and line.startswith(("```", "~~~")):
            fence = line[: len(line) - len(line.lstrip("`~"))]
            yield _title(line)
        elif fence and line.strip() == fence:
            fence = ""
        elif fence:
            yield f"    {line}".rstrip()
        else:
            yield _heading(line) if line.startswith("#") else _INLINE.sub(_shown, line)


def _title(line: str) -> str:
    """What a code block shows: the title of its fence."""
    found = re.search(r'title="([^"]*)"', line)
    return click.style(f"  {found[1]}:", dim=True) if found else ""


def _shown(match: re.Match[str]) -> str:
    return click.style(match[0], fg="cyan") if match["code"] else click.style(match["bold"], bold=True)


def listing(rules: Mapping[str, Rule], groups: Iterable[str] = GROUPS) -> str:
    """The rules of some groups, each with its severity in a project and what it finds."""
    width = max(map(len, rules))
    out = []
    for group in groups:
        out.append(click.style(group, bold=True))
        out += [
            f"  {rule.name:<{width}}  {_colored(rule.in_project, 7)}  {rule.summary}"
            for rule in rules.values()
            if rule.group == group
        ]
        out.append("")
    return "\n".join(out)
