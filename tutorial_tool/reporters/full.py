"""Findings for people: a heading, the source line with the place marked, related places, what to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, takewhile

import click

from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.source import Span
from tutorial_tool.reporters.visible import visible, width

COLUMNS = 110
"""How much of a source line is shown, in columns of a terminal."""
_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.HINT: "cyan"}


def render(findings: Sequence[Finding], *, color: bool = False, why: bool = False) -> str:
    out = [
        line for finding in findings for line in (*_finding(finding, color), *(evidence(finding) if why else ()), "")
    ]
    return "".join(f"{line}\n" for line in [*out, summary(findings)])


def _finding(finding: Finding, color: bool) -> Iterator[str]:
    spans = [finding.span, *(related.span for related in finding.related)]
    gutter = len(str(max(map(last_line, spans))))
    note = " " * gutter + _styled(" =", color)
    yield colored(f"{finding.severity}[{finding.rule}]", finding.severity, color) + f": {visible(finding.message)}"
    yield from _frame(finding.span, gutter, finding.severity, color)
    for related in finding.related:
        yield f"{note} {visible(related.message)}".rstrip()
        yield from _frame(related.span, gutter, None, color)
    if finding.platforms:
        yield f"{note} on {visible(', '.join(finding.platforms))}"
    if finding.fix:
        option = "--fix" if finding.fix.safe else "--unsafe-fixes"
        yield f"{note} fix ({option}): {visible(finding.fix.title)}"


def evidence(finding: Finding) -> Iterator[str]:
    """Why the finding is one, a line for each piece of evidence."""
    return (f"    {visible(line)}" for line in finding.why)


def _frame(span: Span, gutter: int, severity: Severity | None, color: bool) -> Iterator[str]:
    """The line of a span, or its first and last, underlined; for a finding's own place, after the line before it."""
    line, column = span.position
    yield f"{' ' * gutter}{_styled('-->', color)} {visible(span.path)}:{line}:{column}"
    if not span.source.text:
        return
    bar = _styled(" |", color)
    yield f"{' ' * gutter}{bar}"
    if severity and line > 1 and (before := span.source.line_text(line - 1)).strip():
        yield f"{_styled(f'{line - 1:>{gutter}} |', color)} {_window(before, 0, 0)[0]}".rstrip()
    last = last_line(span)
    for number in dict.fromkeys((line, last)):
        if number > line + 1:
            yield f"{'…':>{gutter}}{bar}"
        yield from _marked(span, number, gutter, severity, color)


def _marked(span: Span, number: int, gutter: int, severity: Severity | None, color: bool) -> Iterator[str]:
    """One source line, and below it the mark under the part of it that the span covers."""
    first = span.source.line_start(number)
    start, end = max(span.start, first), min(span.end, span.source.line_end(number))
    text, before, marked = _window(span.source.line_text(number), start - first, max(end - start, 0))
    yield f"{_styled(f'{number:>{gutter}} |', color)} {text}".rstrip()
    mark = ("^" if severity else "-") * max(marked, 1)
    yield f"{' ' * gutter}{_styled(' |', color)} {' ' * before}{colored(mark, severity, color)}"


def last_line(span: Span) -> int:
    """The line of a span's last character, from 1: a line end belongs to the line that it ends."""
    return span.source.position(max(span.end - 1, span.start)).line


def _window(line: str, at: int, length: int) -> tuple[str, int, int]:
    """What is shown of a line, and where in it the place begins and how wide it is, in columns."""
    near = max(at - COLUMNS, 0)
    cells = [visible(character) for character in line[near : at + COLUMNS]]
    place = at - near
    end = min(place + length, len(cells))
    first = 0
    if near or width("".join(cells[:end])) > COLUMNS:
        room = COLUMNS - width("".join(cells[place:end]))
        first = place - _fitting(cells[:place][::-1], room // 2)
    last = first + _fitting(cells[first:], COLUMNS)
    lead, trail = "…" * (near + first > 0), "…" * (near + last < len(line))
    before = lead + "".join(cells[first:place])
    return lead + "".join(cells[first:last]) + trail, width(before), width("".join(cells[place : min(end, last)]))


def _fitting(cells: Sequence[str], room: int) -> int:
    """How many of the cells, from the first, fit into `room` columns."""
    taken = accumulate(width(cell) for cell in cells)
    return sum(1 for _ in takewhile(lambda columns: columns <= room, taken))


def summary(findings: Sequence[Finding]) -> str:
    """How much was found, and how much of it can be fixed."""
    if not findings:
        return "Nothing found."
    counts = Counter(finding.severity for finding in findings)
    kinds = [_counted(counts[severity], severity) for severity in Severity if counts[severity]]
    files = len({finding.span.path for finding in findings})
    text = f"Found {', '.join(kinds[:-1])}{' and ' * (len(kinds) > 1)}{kinds[-1]} in {_counted(files, 'file')}."
    fixes = [finding.fix.safe for finding in findings if finding.fix]
    return "\n".join([text, *_fixable(fixes.count(True), fixes.count(False))])


def _fixable(safe: int, unsafe: int) -> Iterator[str]:
    if safe:
        more = f" ({unsafe} more with --unsafe-fixes)" if unsafe else ""
        yield f"{safe} can be fixed with --fix{more}."
    elif unsafe:
        yield f"{unsafe} can be fixed with --unsafe-fixes."


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'s' * (count != 1)}"


def platforms(finding: Finding) -> str:
    """The platforms that a finding concerns, in brackets after a blank, or nothing."""
    return f" ({visible(', '.join(finding.platforms))})" if finding.platforms else ""


def colored(text: str, severity: Severity | None, color: bool) -> str:
    return click.style(text, fg=_COLORS.get(severity or Severity.OFF, "blue"), bold=True) if color else text


def _styled(text: str, color: bool) -> str:
    return click.style(text, fg="blue", bold=True) if color else text
