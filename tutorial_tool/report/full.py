"""Findings for people: a heading, the source line with the place marked, related places, what to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import click

from tutorial_tool.finding import Finding, Severity
from tutorial_tool.report.visible import visible, width
from tutorial_tool.source import Span

COLUMNS = 110
"""How much of a source line is shown, in characters."""
_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.HINT: "cyan"}


def render(findings: Sequence[Finding], *, color: bool = False) -> str:
    out = [line for finding in findings for line in (*_finding(finding, color), "")]
    return "".join(f"{line}\n" for line in [*out, summary(findings)])


def _finding(finding: Finding, color: bool) -> Iterator[str]:
    lines = [finding.span.position.line, *(related.span.position.line for related in finding.related)]
    gutter = len(str(max(lines)))
    yield colored(f"{finding.severity}[{finding.rule}]", finding.severity, color) + f": {visible(finding.message)}"
    yield from _frame(finding.span, gutter, finding.severity, color)
    for related in finding.related:
        yield f"{' ' * gutter} = {visible(related.message)}"
        yield from _frame(related.span, gutter, None, color)
    if finding.platforms:
        yield f"{' ' * gutter} = on {', '.join(finding.platforms)}"
    if finding.fix:
        option = "--fix" if finding.fix.safe else "--unsafe-fixes"
        yield f"{' ' * gutter} = fix ({option}): {visible(finding.fix.title)}"


def _frame(span: Span, gutter: int, severity: Severity | None, color: bool) -> Iterator[str]:
    """The line of a span, or its first and last, with the span underlined."""
    line, column = span.position
    yield f"{' ' * gutter}--> {visible(span.path)}:{line}:{column}"
    if not span.source.text:
        return
    bar = _styled(" |", color)
    yield f"{' ' * gutter}{bar}"
    last = span.source.position(max(span.end - 1, span.start)).line
    for number in dict.fromkeys((line, last)):
        if number > line + 1:
            yield f"{'…':>{gutter}}{bar}"
        start = max(span.start, span.source.line_start(number))
        end = min(span.end, span.source.line_end(number))
        text, before, marked = _window(
            span.source.line_text(number), start - span.source.line_start(number), end - start
        )
        mark = "^" if severity else "-"
        yield f"{_styled(f'{number:>{gutter}} |', color)} {text}".rstrip()
        underline = colored(mark * max(marked, 1), severity, color)
        yield f"{' ' * gutter}{bar} {' ' * before}{underline}"


def _window(line: str, at: int, length: int) -> tuple[str, int, int]:
    """What is shown of a line, and where in it the place begins and how wide it is, in columns."""
    length = min(length, COLUMNS)
    first = 0 if at + length <= COLUMNS else max(at - (COLUMNS - length) // 2, 0)
    last = min(len(line), first + COLUMNS)
    lead, trail = "…" * (first > 0), "…" * (last < len(line))
    before = width(lead + visible(line[first:at]))
    return lead + visible(line[first:last]) + trail, before, width(visible(line[at : at + length]))


def summary(findings: Sequence[Finding]) -> str:
    """How much was found, and how much of it can be fixed."""
    if not findings:
        return "Nothing found."
    counts = Counter(finding.severity for finding in findings)
    kinds = [_counted(counts[severity], severity) for severity in Severity if counts[severity]]
    files = len({finding.span.path for finding in findings})
    text = f"Found {', '.join(kinds[:-1])}{' and ' * (len(kinds) > 1)}{kinds[-1]} in {_counted(files, 'file')}."
    safe = sum(1 for finding in findings if finding.fix and finding.fix.safe)
    unsafe = sum(1 for finding in findings if finding.fix) - safe
    more = f" ({unsafe} more with --unsafe-fixes)" if unsafe else ""
    return text + (f"\n{safe} can be fixed with --fix{more}." if safe or unsafe else "")


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'s' * (count != 1)}"


def platforms(finding: Finding) -> str:
    return f" ({', '.join(finding.platforms)})" if finding.platforms else ""


def colored(text: str, severity: Severity | None, color: bool) -> str:
    return click.style(text, fg=_COLORS.get(severity or Severity.OFF, "blue"), bold=True) if color else text


def _styled(text: str, color: bool) -> str:
    return click.style(text, fg="blue", bold=True) if color else text
