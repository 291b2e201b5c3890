"""Whether the project's data makes variants differ on purpose: with a reason, or platform by platform."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tutorial_tool.core.source import Span
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data.model.parts import Override, Row
from tutorial_tool.markdown.document import Range
from tutorial_tool.site import Page
from tutorial_tool.variants import Step


def is_intended(step: Step, page: Page, place: Range | tuple[int, int]) -> bool:
    """Return whether a difference in a rendered page is intended: all are, except those of table rows.

    Templates, parts and platform values define what differs; so does a row's `because`. What a row overrides without a
    reason is drift.
    """
    if not page.generated:
        return False
    if override := find_override(step, page, place):
        return override.because is not None
    spans = _get_spans(page, place, worded=True)
    rows = (row for table in step.model.tables.values() for row in table.rows.values())
    return not any(_is_in(cell.span, spans) for row in rows for cell in row.cells.values())


def get_reason(step: Step, places: Mapping[str, tuple[int, int]]) -> str:
    """Return the reason that the data gives for an override at one of these spans, or ""."""
    overrides = (find_override(step, step.pages[name], place) for name, place in places.items())
    reasons = (override.because for override in overrides if override)
    return next((strip_origins(reason) for reason in reasons if reason is not None), "")


def find_override(step: Step, page: Page, place: tuple[int, int]) -> Override | None:
    """Return the override of a row on one platform that a span of a rendered page comes from."""
    match = _find_row(step, page, place)
    return match[1] if match else None


def is_set_for_each(step: Step, places: Mapping[str, tuple[int, int]]) -> bool:
    """Return whether the data sets the text at these spans for each platform, and for none in general."""
    matches = [_find_row(step, step.pages[name], place) for name, place in places.items()]
    return bool(matches) and all(match is not None and match[2] not in match[0].cells for match in matches)


def _find_row(step: Step, page: Page, place: tuple[int, int]) -> tuple[Row, Override, str] | None:
    """Return the row, override and column of the text at a span, if one platform or group has it."""
    if not page.generated:
        return None
    spans = _get_spans(page, place)
    matches = [
        (row, override, column)
        for table in step.model.tables.values()
        for row in table.rows.values()
        for override in row.on.values()
        for column, cell in override.cells.items()
        if _is_in(cell.span, spans)
    ]
    return next((value for value in matches if value[1].because is None), matches[0] if matches else None)


def _get_spans(page: Page, place: tuple[int, int], *, worded: bool = False) -> list[Span]:
    """Return the source spans of the text at a span. `worded`: only those with a letter or digit."""
    start, end = place
    out = []
    for run in page.text.get_runs_between(start, max(end, start + 1)):
        text, start = page.plain[start : start + run.length], start + run.length
        if run.span is not None and not (worded and not any(map(str.isalnum, text))):
            out.append(run.span)
    return out


def _is_in(cell: Span, spans: Iterable[Span]) -> bool:
    return any(cell.overlaps(span) for span in spans)
