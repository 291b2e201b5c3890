"""Format the documentation of rules for the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import click

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Severity
from tutorial_tool.docs import rule_manual
from tutorial_tool.docs.rule_manual import Example, Mark
from tutorial_tool.rules import GROUPS, Rule

_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.HINT: "cyan", Severity.OFF: "bright_black"}
_INLINE = lazy_re.compile(r"(?P<tick>`+)(?P<code>.+?)(?P=tick)|\*\*(?P<bold>.+?)\*\*")


def rule_page(rule: Rule) -> str:
    """Format a rule's page, with its group, severity and fix below the heading, and examples as `lint` prints them."""
    lines = rule.manual.strip().splitlines()
    option = "" if rule.documentation else rule_manual.fixability(rule.manual)
    facts = f"{rule.group} · {_severities(rule)}" + (f" · fixable with {option}" if option else "")
    own = () if rule.documentation else rule_manual.examples(rule.manual.lstrip())
    return (
        "\n".join([_heading(lines[0]), facts, *_styled(lines[1:], {example.line: example for example in own})]) + "\n"
    )


def _severities(rule: Rule) -> str:
    plain = _colored(rule.severity)
    return plain if rule.severity is rule.in_project else f"{plain}; in a project {_colored(rule.in_project)}"


def _colored(severity: Severity, width: int = 0) -> str:
    return click.style(f"{severity:<{width}}", fg=_COLORS[severity])


def _heading(line: str) -> str:
    return click.style(line.lstrip("# "), bold=True)


def _styled(lines: list[str], examples: Mapping[int, Example]) -> Iterator[str]:
    fence = ""
    for number, line in enumerate(lines, 2):
        if not fence and line.startswith(("```", "~~~")):
            fence = line[: len(line) - len(line.lstrip("`~"))]
            if example := examples.get(number):
                yield from _example(example)
        elif fence and line.strip() == fence:
            fence, example = "", None
        elif fence:
            yield from () if example else [f"    {line}".rstrip()]
        else:
            yield _heading(line) if line.startswith("#") else _INLINE.sub(_shown, line)


def _shown(match: re.Match[str]) -> str:
    return click.style(match[0], fg="cyan") if match["code"] else click.style(match["bold"], bold=True)


def _example(example: Example) -> Iterator[str]:
    """A block of a manual: what it shows, its files, and below their lines what is found there."""
    title = rule_manual.name_example(example.kind, unsafe=example.unsafe)
    given = ", ".join(f"{key}: {value}" for key, value in example.config)
    yield click.style(f"  {title}{f' ({given})' if given else ''}:", dim=True)
    for path, text in example.files.items():
        if len(example.files) > 1:
            yield click.style(f"  {path}", dim=True)
        at = 0
        for line in text.splitlines():
            yield f"    {line}".rstrip()
            end = at + len(line)
            for mark in example.marks:
                if mark.path == path and at <= mark.end <= end:
                    yield _underline(mark, max(mark.start - at, len(line) - len(line.lstrip())), mark.end - at)
            at = end + 1


def _underline(mark: Mark, start: int, end: int) -> str:
    """The line below another with the place of a finding and its message, as `lint` prints it."""
    on = f" [{', '.join(mark.platforms)}]" if mark.platforms else ""
    start = min(start, end)
    return "    " + " " * start + click.style(f"{'^' * max(end - start, 1)} {mark.message}{on}", fg="red")


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
