"""Format the documentation of rules for the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import click

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Severity
from tutorial_tool.core.grouping import group_by
from tutorial_tool.docs import rule_manual
from tutorial_tool.docs.rule_manual import Example, Mark
from tutorial_tool.reporters.safe_text import wrap_beside
from tutorial_tool.rules import GROUPS, Rule

_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.HINT: "cyan", Severity.OFF: "bright_black"}
_INLINE = lazy_re.compile(
    r"(?P<tick>`+)(?P<code>.+?)(?P=tick)|\*\*(?P<bold>.+?)\*\*|(?<!!)\[(?P<link>[^\]\[]+)\]\([\w./#-]+\.md[^()\s]*\)"
)


def format_rule(rule: Rule) -> str:
    """Format a rule's page, with its group, severity and fix below the heading, and examples as `lint` prints them."""
    lines = rule.documentation_text.strip().splitlines()
    option = "" if rule.documentation else rule_manual.find_fix_option(rule.documentation_text)
    facts = f"{rule.group} · {_format_severities(rule)}" + (f" · fixable with {option}" if option else "")
    examples = () if rule.documentation else rule_manual.parse_examples(rule.documentation_text.lstrip())
    return (
        "\n".join(
            [_style_heading(lines[0]), facts, *_style_lines(lines[1:], {example.line: example for example in examples})]
        )
        + "\n"
    )


def _format_severities(rule: Rule) -> str:
    plain = _color_severity(rule.severity)
    return plain if rule.severity is rule.in_project else f"{plain}; in a project {_color_severity(rule.in_project)}"


def _color_severity(severity: Severity, width: int = 0) -> str:
    return click.style(f"{severity:<{width}}", fg=_COLORS[severity])


def _style_heading(line: str) -> str:
    return click.style(line.lstrip("# "), bold=True)


def _style_lines(lines: list[str], examples: Mapping[int, Example]) -> Iterator[str]:
    fence = ""
    for number, line in enumerate(lines, 2):
        if fence:
            if line.strip() == fence:
                fence, example = "", None
            elif not example:
                yield f"    {line}".rstrip()
        elif line.startswith(("```", "~~~")):
            fence = line[: len(line) - len(line.lstrip("`~"))]
            if example := examples.get(number):
                yield from _format_example(example)
        else:
            yield _style_heading(line) if line.startswith("#") else _INLINE.sub(_style_inline, line)


def _style_inline(match: re.Match[str]) -> str:
    if match["link"]:  # to another page of the guide: its text is the name of a rule, or says enough
        return match["link"]
    return click.style(match[0], fg="cyan") if match["code"] else click.style(match["bold"], bold=True)


def _format_example(example: Example) -> Iterator[str]:
    """Yield an example of a rule's documentation: its title, its files, and findings below their lines."""
    title = rule_manual.get_example_title(example.kind, unsafe=example.unsafe)
    options = ", ".join(f"{key}: {value}" for key, value in example.config)
    yield click.style(f"  {title}{f' ({options})' if options else ''}:", dim=True)
    marks = group_by(example.marks, lambda mark: mark.path)
    for path, text in example.files.items():
        if len(example.files) > 1:
            yield click.style(f"  {path}", dim=True)
        start = 0
        for line in text.splitlines():
            yield f"    {line}".rstrip()
            end = start + len(line)
            for mark in marks.get(path, ()):
                if start <= mark.end <= end:
                    indentation = len(line) - len(line.lstrip())
                    yield _underline_mark(mark, max(mark.start - start, indentation), mark.end - start)
            start = end + 1


def _underline_mark(mark: Mark, start: int, end: int) -> str:
    """Return the line that marks a finding below its source line, with the message as in `lint`."""
    on = f" [{', '.join(mark.platforms)}]" if mark.platforms else ""
    start = min(start, end)
    return "    " + " " * start + click.style(f"{'^' * max(end - start, 1)} {mark.message}{on}", fg="red")


def format_list(rules: Mapping[str, Rule], groups: Iterable[str] = GROUPS) -> str:
    """Return the rules of some groups, each with its severity in a project and its summary."""
    width = max(map(len, rules))
    out = []
    for group in groups:
        out.append(click.style(group, bold=True))
        out += [
            wrap_beside(f"  {rule.name:<{width}}  {_color_severity(rule.in_project, 7)}  ", rule.summary)
            for rule in rules.values()
            if group in rule.selectors
        ]
        out.append("")
    return "\n".join(out)
