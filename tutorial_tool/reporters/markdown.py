"""Findings as a table in Markdown, for the summary of a CI job or a comment on a change."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from urllib.parse import quote

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.reporters.full import last_line, platforms, summary
from tutorial_tool.reporters.ranking import by_severity
from tutorial_tool.reporters.visible import visible

MOST = 200  # How many findings the table has at most: nobody reads more
ROOM = 60_000  # Characters that the table may take: a comment on GitHub holds 65,536
LONGEST = 300  # Characters of a message that are shown
CODE = lazy_re.compile(r"`([^`]*)`")
_SPECIAL = lazy_re.compile(r"[\\`*_\[\]<>&|~$]|:(?=//)|(?<=www)\.|@(?=\w)", re.IGNORECASE)
"""What would be markup, a link, or call somebody who has that name."""


def render(findings: Sequence[Finding], *, files_at: str = "", complete: bool = True, notes: Sequence[str] = ()) -> str:
    """`files_at` is the URL of the files as they were linted, empty for no links; `notes` are lines below the table."""
    if not findings:
        rstrip = summary(findings, complete).rstrip(".")
        heading = f"### tutorial-tool: {rstrip[0].lower()}{rstrip[1:]}"
        return "".join(f"{line}\n" for line in (heading, *([""] * bool(notes)), *map(_text, notes)))
    first, *further = summary(findings).splitlines()
    return "".join(
        f"{line}\n"
        for line in (f"### tutorial-tool: {first}", "", *_table(findings, files_at), *further, *map(_text, notes))
    )


def _table(findings: Sequence[Finding], files_at: str) -> Iterator[str]:
    gravest = by_severity(findings)[:MOST]
    rows = [_row(finding, files_at) for finding in gravest]
    ends = accumulate(len(row) + 1 for row in rows)
    shown = [row for row, end in zip(rows, ends, strict=True) if end <= ROOM]
    yield from ("| Severity | Where | What | Rule |", "| --- | --- | --- | --- |", *shown, "")
    if len(shown) < len(findings):
        yield f"The most severe {len(shown)} of {len(findings)} are shown."


def _row(finding: Finding, files_at: str) -> str:
    what = f"{_message(finding.message)}{_text(platforms(finding))}"
    return f"| {finding.severity} | {_place(finding, files_at)} | {what} | {_code(finding.rule)} |"


def _place(finding: Finding, files_at: str) -> str:
    line, column = finding.span.position
    name = _text(f"{visible(finding.span.path)}:{line}:{column}")
    if not files_at:
        return name
    path = quote(finding.span.path.encode("utf-8", "surrogatepass"), safe="/")
    last = last_line(finding.span)
    return f"[{name}]({files_at}/{path}#L{line}{f'-L{last}' if last > line else ''})"


def _message(text: str) -> str:
    """A message on one line, what it has in backticks as code."""
    line = " ".join(visible(part) for part in text.split("\n"))
    line = line if len(line) <= LONGEST else line[: LONGEST - 1].rstrip() + "…"
    parts = CODE.split(line)
    return "".join(_code(part) if number % 2 else _text(part) for number, part in enumerate(parts))


def _code(text: str) -> str:
    return f"<code>{_text(text)}</code>"


def _text(text: str) -> str:
    """Text that stands for itself: references are never read as markup."""
    return _SPECIAL.sub(lambda match: f"{match[0]}<!-- -->" if match[0] == "@" else f"&#{ord(match[0])};", text)
