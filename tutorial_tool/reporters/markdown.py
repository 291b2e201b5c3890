"""Findings as a Markdown table, for the summary of a CI job or a comment on a change."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import MAX_TEXT, Finding, shorten_text
from tutorial_tool.reporters.full import format_platforms, format_summary, get_last_line
from tutorial_tool.reporters.ranking import sort_by_severity
from tutorial_tool.reporters.safe_text import make_visible

MAX_COMMENT_SIZE = 60_000  # Maximum characters or bytes of a table: a comment on GitHub has at most 65,536
CODE = lazy_re.compile(r"`([^`]*)`")
_SPECIAL = lazy_re.compile(r"[\\`*_\[\]<>&|~$]|:(?=//)|(?<=www)\.|@(?=\w)", re.IGNORECASE)
"""Characters of markup, links, and mentions."""


def render(findings: Sequence[Finding], *, files_at: str = "", complete: bool = True, notes: Sequence[str] = ()) -> str:
    """Render a table. `files_at` is the URL of the linted files, "" for no links; `notes` go below it."""
    if not findings:
        summary = format_summary(findings, complete).rstrip(".")
        heading = f"### tutorial-tool: {summary[0].lower()}{summary[1:]}"
        return "".join(f"{line}\n" for line in (heading, *([""] * bool(notes)), *map(_escape_text, notes)))
    first, *further = format_summary(findings).splitlines()
    lines = (f"### tutorial-tool: {first}", "", *_render_table(findings, files_at), *further, *map(_escape_text, notes))
    return "".join(f"{line}\n" for line in lines)


def _render_table(findings: Sequence[Finding], files_at: str) -> Iterator[str]:
    shown, room = [], MAX_COMMENT_SIZE
    for row in (_render_row(finding, files_at) for finding in sort_by_severity(findings)):
        if (room := room - len(row) - 1) < 0:
            break
        shown.append(row)
    yield from ("| Severity | Where | What | Rule |", "| --- | --- | --- | --- |", *shown, "")
    if len(shown) < len(findings):
        yield f"The most severe {len(shown)} of {len(findings)} are shown."


def _render_row(finding: Finding, files_at: str) -> str:
    message = f"{_render_message(finding.message)}{_escape_text(format_platforms(finding))}"
    return f"| {finding.severity} | {_render_location(finding, files_at)} | {message} | {_render_code(finding.rule)} |"


def _render_location(finding: Finding, files_at: str) -> str:
    line, column = finding.span.position
    name = _escape_text(f"{make_visible(finding.span.path)}:{line}:{column}")
    if not files_at:
        return name
    path = quote(finding.span.path.encode("utf-8", "surrogatepass"), safe="/")
    last = get_last_line(finding.span)
    return f"[{name}]({files_at}/{path}#L{line}{f'-L{last}' if last > line else ''})"


def _render_message(text: str) -> str:
    """Render a message on one line, with text in backticks as code."""
    line = " ".join(make_visible(part) for part in text.split("\n"))
    parts = CODE.split(shorten_text(line, MAX_TEXT))
    return "".join(_render_code(part) if number % 2 else _escape_text(part) for number, part in enumerate(parts))


def _render_code(text: str) -> str:
    return f"<code>{_escape_text(text)}</code>"


def _escape_text(text: str) -> str:
    return _SPECIAL.sub(lambda match: f"{match[0]}<!-- -->" if match[0] == "@" else f"&#{ord(match[0])};", text)
