"""Findings for people: a heading, the marked source line, related locations, the remedy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, takewhile

import click

from tutorial_tool.core.diagnostics import MAX_LISTED, Finding, Related, Severity, format_count, join_names, join_series
from tutorial_tool.core.grouping import group_by
from tutorial_tool.core.source import MAX_COLUMNS, Span
from tutorial_tool.reporters.ranking import sort_by_severity
from tutorial_tool.reporters.safe_text import make_visible, measure_width

MAX_FRAMES = 3  # Maximum findings of a rule in a file that all get a frame, and related spans of one
_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.HINT: "cyan"}


def render(findings: Sequence[Finding], *, color: bool = False, why: bool = False, complete: bool = True) -> str:
    """Render all findings, most severe first; many of one rule in a file get one line each after the first."""
    lines = [
        line for group in _group_alike(sort_by_severity(findings)) for line in (*_render_group(group, color, why), "")
    ]
    return "".join(f"{line}\n" for line in [*lines, format_summary(findings, complete)])


def _group_alike(findings: Sequence[Finding]) -> Iterator[list[Finding]]:
    """Yield findings in order, grouped by rule, severity and file where there are many."""
    groups = group_by(findings, _get_group_key)
    for finding in findings:
        group = groups[_get_group_key(finding)]
        if len(group) <= MAX_FRAMES:
            yield [finding]
        elif finding is group[0]:
            yield group


def _get_group_key(finding: Finding) -> tuple[str, str, str]:
    return finding.rule, finding.severity, finding.span.path


def _render_group(findings: Sequence[Finding], color: bool, why: bool) -> Iterator[str]:
    first, *others = findings
    yield from render_finding(first, color)
    yield from format_evidence(first) if why else ()
    if others:
        yield f"    and {len(others)} more in this file:"
    for finding in others:
        line, column = finding.span.position
        yield f"    {line}:{column}: {make_visible(finding.message)}{format_platforms(finding)}"
        yield from format_evidence(finding) if why else ()


def render_finding(finding: Finding, color: bool, *, related: bool = True) -> Iterator[str]:
    """Yield the lines of one finding: heading, frame, related locations, platforms, fix."""
    shown = finding.related if related else ()
    framed = shown[:MAX_FRAMES]
    spans = [finding.span, *(item.span for item in framed)]
    gutter = len(str(max(map(get_last_line, spans))))
    note = _build_margin(" =", gutter, color)
    yield (
        color_text(f"{finding.severity}[{finding.rule}]", finding.severity, color)
        + f": {make_visible(finding.message)}"
    )
    yield from _render_frame(finding.span, gutter, finding.severity, color)
    for item in framed:
        yield from _render_frame(item.span, gutter, None, color, make_visible(item.message))
    yield from (f"{note} {line}" for line in _format_related(shown[len(framed) :]))
    if finding.platforms:
        yield f"{note} on {make_visible(join_names(finding.platforms))}"
    if finding.fix:
        option = "--fix" if finding.fix.safe else "--unsafe-fixes"
        yield f"{note} fix ({option}): {make_visible(finding.fix.title)}"


def _format_related(related: Sequence[Related]) -> Iterator[str]:
    """Yield further related locations, one per line, and the number of omitted ones."""
    max_listed = MAX_LISTED - MAX_FRAMES
    for item in related[:max_listed]:
        line, column = item.span.position
        yield f"{make_visible(item.message)} ({make_visible(item.span.path)}:{line}:{column})"
    if len(related) > max_listed:
        yield f"and {len(related) - max_listed} more places"


def format_evidence(finding: Finding) -> Iterator[str]:
    """Yield the evidence of a finding, one line for each piece."""
    return (f"    {make_visible(line)}" for line in finding.why)


def _render_frame(span: Span, gutter: int, severity: Severity | None, color: bool, label: str = "") -> Iterator[str]:
    """Yield the first and last line of a span, underlined and labeled; with `severity`, the line before as context."""
    line, column = span.position
    place = f"{_build_margin('-->', gutter, color)} {make_visible(span.path)}:{line}:{column}"
    if not span.source.text:
        yield f"{place} {label}".rstrip()
        return
    yield place
    yield _build_margin(" |", gutter, color)
    if severity and line > 1 and (before := span.source.get_line_text(line - 1)).strip():
        yield f"{_style_gutter(f'{line - 1:>{gutter}} |', color)} {_clip_line(before, 0, 0)[0]}".rstrip()
    last = get_last_line(span)
    for number in dict.fromkeys((line, last)):
        if number > line + 1:
            yield _build_margin(" |", gutter, color, "…")
        yield from _render_marked_line(span, number, gutter, severity, color, label if number == last else "")


def _render_marked_line(
    span: Span, number: int, gutter: int, severity: Severity | None, color: bool, label: str
) -> Iterator[str]:
    """Yield a source line, the mark below the part that the span covers, and a label next to that, or below it."""
    first = span.source.get_line_start(number)
    start, end = max(span.start, first), min(span.end, span.source.get_line_end(number))
    text, before, marked = _clip_line(span.source.get_line_text(number), start - first, max(end - start, 0))
    yield f"{_style_gutter(f'{number:>{gutter}} |', color)} {text}".rstrip()
    mark = ("^" if severity else "-") * max(marked, 1)
    bar = _build_margin(" |", gutter, color) + " "
    beside = f" {label}" if label and before + marked + measure_width(label) < MAX_COLUMNS else ""
    yield f"{bar}{' ' * before}{color_text(mark, severity, color)}{beside}"
    if label and not beside:
        yield bar + label


def get_last_line(span: Span) -> int:
    """Return the 1-based line of a span's last character: a line end belongs to the line before it."""
    return span.source.get_position(max(span.end - 1, span.start)).line


def _clip_line(line: str, start: int, length: int) -> tuple[str, int, int]:
    """Return the visible part of a line, with the start and width of the span in it, in columns."""
    window = max(start - MAX_COLUMNS, 0)
    cells = [make_visible(character) for character in line[window : start + MAX_COLUMNS]]
    span_start = start - window
    span_end = min(span_start + length, len(cells))
    shown_start = 0
    if window or measure_width("".join(cells[:span_end])) > MAX_COLUMNS:
        room = MAX_COLUMNS - measure_width("".join(cells[span_start:span_end]))
        shown_start = span_start - _count_fitting(cells[:span_start][::-1], room // 2)
    shown_end = shown_start + _count_fitting(cells[shown_start:], MAX_COLUMNS)
    lead, trail = "…" * (window + shown_start > 0), "…" * (window + shown_end < len(line))
    before = lead + "".join(cells[shown_start:span_start])
    width = measure_width("".join(cells[span_start : min(span_end, shown_end)]))
    return lead + "".join(cells[shown_start:shown_end]) + trail, measure_width(before), width


def _count_fitting(cells: Sequence[str], room: int) -> int:
    """Return how many of the first cells fit into `room` columns."""
    widths = accumulate(measure_width(cell) for cell in cells)
    return sum(1 for _ in takewhile(lambda columns: columns <= room, widths))


def format_summary(findings: Sequence[Finding], complete: bool = True) -> str:
    """Return the counts of findings and fixes; `complete` is false if a part of the run failed."""
    if not findings:
        return "Nothing found." if complete else "Not everything was checked. Nothing found in the rest."
    counts = Counter(finding.severity for finding in findings)
    kinds = [format_count(counts[severity], severity) for severity in Severity if counts[severity]]
    files = len({finding.span.path for finding in findings})
    text = f"Found {join_series(kinds)} in {format_count(files, 'file')}."
    fixes = [finding.fix.safe for finding in findings if finding.fix]
    return "\n".join([text, *_format_fixable(fixes.count(True), fixes.count(False))])


def _format_fixable(safe: int, unsafe: int) -> Iterator[str]:
    if safe:
        more = f" ({unsafe:,} more with --unsafe-fixes)" if unsafe else ""
        yield f"{safe:,} can be fixed with --fix{more}."
    elif unsafe:
        yield f"{unsafe:,} can be fixed with --unsafe-fixes."


def format_platforms(finding: Finding) -> str:
    """Return the platforms of a finding in parentheses after a space, or ""."""
    return f" ({make_visible(join_names(finding.platforms))})" if finding.platforms else ""


def color_text(text: str, severity: Severity | None, color: bool) -> str:
    return click.style(text, fg=_COLORS.get(severity or Severity.OFF, "blue"), bold=True) if color else text


def _build_margin(sign: str, gutter: int, color: bool, text: str = "") -> str:
    """Return what stands before a line that has no number."""
    return f"{text:>{gutter}}{_style_gutter(sign, color)}"


def _style_gutter(text: str, color: bool) -> str:
    return click.style(text, fg="blue", bold=True) if color else text
