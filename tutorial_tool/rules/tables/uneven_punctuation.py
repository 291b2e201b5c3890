"""A full stop in one cell of a column and not in the others, or the other way round."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.document import Table, TableCell
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._tables import iter_column
from tutorial_tool.rules.base import FACTOR
from tutorial_tool.site import Page, PageFix

_SENTENCE = lazy_re.compile(r"[^\W\d_][^\n]*[^\W_](?P<stop>\.?)")
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
    ends: dict[bool, list[TableCell]] = {True: [], False: []}
    for _, cell in iter_column(table, index):
        text = cell.text.strip()
        match = _SENTENCE.fullmatch(text)
        if match and len(_WORD.findall(text)) >= _MIN_WORDS and not _INNER.search(text):
            ends[bool(match["stop"])].append(cell)
    odd, usual = sorted(ends.values(), key=len)
    if len(usual) < FACTOR * len(odd):
        return
    stopped = odd is ends[True]
    message = "extra period; the other cells of the column have none" if stopped else "missing period"
    for cell in odd:
        start, end = cell.text.locate(0, len(cell.text.rstrip()))
        place = (end - 1, end) if stopped else (start, end)
        edit = (end - 1, end, "") if stopped else (end, end, ".")
        yield page.flag(place, message, fix=PageFix("as in the other cells", (edit,)))
