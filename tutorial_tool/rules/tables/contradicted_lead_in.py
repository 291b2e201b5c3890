"""A sentence that says "make sure these are enabled", or "these three", over a table or list where that is not so."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from operator import itemgetter

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.data.toggle_words import normalize_text
from tutorial_tool.markdown.document import Document, Prose, Table
from tutorial_tool.markdown.parser import Block
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._tables import find_value_columns
from tutorial_tool.rules.tables._lead_ins.counts import Count, find_counts
from tutorial_tool.rules.tables._lead_ins.states import Claim, find_claims
from tutorial_tool.site import Page

_KINDS = ("paragraph", "item", "quote", "html", "title")
_NAMED = r"(?:`[^`\n]+`|\*\*[^*\n]+\*\*)"
_NAME = lazy_re.compile(_NAMED)
_SEVERAL = lazy_re.compile(
    rf"[ \t>]*(?:[-*+]|\d+[.)])[ \t]+{_NAMED}(?:\s*(?:[,/&]|and\b|or\b)\s*(?:(?:and|or)\s+)?{_NAMED})+"
)
"""An item that starts with several names."""


@rule("tables", Severity.WARNING, english=True)
def check(page: Page) -> Iterator[Finding]:
    for lead, start, below in _find_lead_ins(page.document):
        if isinstance(below, Table):
            for claim in find_claims(lead):
                yield from _report_contradicted(page, lead, claim, below)
        for count in find_counts(lead):
            yield from _report_miscounted(page, lead, count, start, below)


def _find_lead_ins(document: Document) -> Iterator[tuple[Prose, int, Table | Block]]:
    """Yield the text directly above each table and list, at most an image apart; each text only once."""
    subjects = _find_subjects(document)
    texts = [prose for prose in document.get_prose() if prose.kind != "alt"] if subjects else []
    starts = [prose.start for prose in texts]
    last = -1
    for start, below in subjects:
        at = bisect_right(starts, start - 1) - 1
        if at > last and texts[at].place.end <= start and texts[at].kind in _KINDS:
            last = at
            yield texts[at], start, below


def _find_subjects(document: Document) -> list[tuple[int, Table | Block]]:
    """Return the tables and lists of a page with their offsets, in order."""
    tables: list[tuple[int, Table | Block]] = [(table.start, table) for table in document.tables]
    return sorted([*tables, *((block.start, block) for block in document.lists)], key=itemgetter(0))


def _report_miscounted(page: Page, lead: Prose, count: Count, start: int, below: Table | Block) -> Iterator[Finding]:
    """Report an announced number of things directly above a table or list with more or fewer."""
    document, end = page.document, lead.place.end
    if document.text[end:start].strip(" \n:*_>") or not _is_counted(count, below):
        return
    counts = _count_entries(document, start)
    sums = [sum(counts[:number]) for number in range(1, len(counts) + 1)]  # another element may interrupt a list
    if count.number not in (*sums, _count_names(document.text, below)) and counts[0] > 1:
        things = "rows" if isinstance(below, Table) else "items"
        message = f"lead-in says `{lead[count.start : count.end]}`, but {counts[0]} {things} follow"
        related = [(page, (start, below.end), f"the {things}")]
        yield page.flag(lead.locate(count.start, count.end), message, related=related)


def _count_entries(document: Document, start: int) -> list[int]:
    """Count the rows or items of the table or list at `start`, and of those after it under the same heading."""
    end = next((heading.start for heading in document.headings if heading.start > start), len(document.text))
    subjects = (item for at, item in _find_subjects(document) if start <= at < end)
    return [len(item.rows if isinstance(item, Table) else item.children) for item in subjects]


def _is_counted(count: Count, below: Table | Block) -> bool:
    """Return whether a number may count the rows or items: "you need two keys" does not count steps."""
    if isinstance(below, Table):
        return not count.items
    return not (count.things and below.info == "ordered")


def _count_names(text: str, below: Table | Block) -> int:
    """Count the things that list items name, where some begin with several: `` `on` and `off` ``."""
    if isinstance(below, Table):
        return 0
    matches = [_SEVERAL.match(text, item.start, item.end) for item in below.children]
    return sum(len(_NAME.findall(match[0])) if match else 1 for match in matches)


def _report_contradicted(page: Page, lead: Prose, claim: Claim, below: Table) -> Iterator[Finding]:
    for column in find_value_columns(below):
        settings = [
            (below.rows[value.row][0].text.strip(), value) for value in column if value.state.on is not claim.on
        ]
        opposite = [(label, value) for label, value in settings if normalize_text(label) not in normalize_text(lead)]
        if opposite:
            (label, first), all_ = opposite[0], "none" if claim.none else "all"
            message = f"lead-in says {all_} are `{claim.word}`, but `{label}` is `{first.text}`"
            related = [(page, (value.cell.start, value.cell.end), f"`{label}`") for label, value in opposite]
            yield page.flag(lead.locate(claim.start, claim.end), message, related=related)
            return
