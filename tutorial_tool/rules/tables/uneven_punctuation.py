"""A full stop in one cell of a column and not in the others, or the other way round."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.document import Table
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._tables import iter_column
from tutorial_tool.rules.base import FACTOR
from tutorial_tool.site import Page, PageFix

_SENTENCE = lazy_re.compile(r"[^\W\d_][^\n]*[^\W_]\.?")
_INNER = lazy_re.compile(r"[.!?:;]\s|\betc\.$|\.\.$")
_WORD = lazy_re.compile(r"\b[a-z]+\b")
_MIN_WORDS = 3  # Minimum lowercase words of a phrase; a name or label has fewer


@rule("tables", Severity.OFF)
def check(page: Page) -> Iterator[Finding]:
    for table in page.document.tables:
        for index in range(len(table.header)):
            yield from _report_uneven(page, table, index)


def _report_uneven(page: Page, table: Table, index: int) -> Iterator[Finding]:
    """Report cells of one sentence or phrase whose ending differs from most of the column."""
    cells = [cell for _, cell in iter_column(table, index) if _is_phrase(cell.text.strip())]
    stopped_cells = [cell for cell in cells if cell.text.rstrip().endswith(".")]
    odd, usual = sorted((stopped_cells, [cell for cell in cells if cell not in stopped_cells]), key=len)
    if len(usual) < FACTOR * len(odd):
        return
    stopped = odd is stopped_cells
    message = "extra period; the other cells of the column have none" if stopped else "missing period"
    for cell in odd:
        start, end = cell.text.locate(0, len(cell.text.rstrip()))
        place, edit = ((end - 1, end), (end - 1, end, "")) if stopped else ((start, end), (end, end, "."))
        yield page.flag(place, message, fix=PageFix("as in the other cells", (edit,)))


def _is_phrase(text: str) -> bool:
    """Return whether a text is one sentence or phrase."""
    is_whole = _SENTENCE.fullmatch(text) and not _INNER.search(text)
    return bool(is_whole) and len(_WORD.findall(text)) >= _MIN_WORDS
