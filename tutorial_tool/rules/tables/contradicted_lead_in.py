"""A sentence that says "make sure these are enabled", or "these three", over a table or list where that is not so."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from operator import itemgetter
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.data.toggle_words import folded, states
from tutorial_tool.markdown.document import Document, Prose, Table
from tutorial_tool.markdown.parser import Block
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._tables import Value, value_columns
from tutorial_tool.rules.tables._lead_ins.counts import Count, counts
from tutorial_tool.rules.tables._lead_ins.states import Claim, claims
from tutorial_tool.site import Page

_KINDS = ("paragraph", "item", "quote", "html", "title")
_ITEM = lazy_re.compile(
    r"\s*(?P<label>[^:\n]{2,80}?)\s*(?::|[-–—=→]|\bis\b|\()\s*(?P<value>[A-Za-z ]{2,14}?)\)?[.;,]?\s*"
)
_NAMED = r"(?:`[^`\n]+`|\*\*[^*\n]+\*\*)"
_NAME = lazy_re.compile(_NAMED)
_SEVERAL = lazy_re.compile(
    rf"[ \t>]*(?:[-*+]|\d+[.)])[ \t]+{_NAMED}(?:\s*(?:[,/&]|and\b|or\b)\s*(?:(?:and|or)\s+)?{_NAMED})+"
)
"""An item that begins with several names."""
_AS_IT_IS = lazy_re.compile(
    r"\b(?:current|present|previous|before|initial|original|old|factory|required|optional|supported|available)\b",
    re.IGNORECASE,
)
"""A header over what a reader finds, and not over what is to be done."""


class _Told(NamedTuple):
    """What a row or item says of its setting, and where."""

    label: str
    value: str
    place: tuple[int, int]
    on: bool


@rule("tables", Severity.WARNING, english=True)
def check(page: Page) -> Iterator[Finding]:
    for lead, start, below in _leads(page.document):
        for claim in claims(lead):
            yield from _contradicted(page, lead, claim, below)
        for count in counts(lead):
            yield from _miscounted(page, lead, count, start, below)


def _leads(document: Document) -> Iterator[tuple[Prose, int, Table | Block]]:
    """The text right above each table and list, at most a picture away; the first speaks for itself alone."""
    subjects = _subjects(document)
    texts = [prose for prose in document.prose() if prose.kind != "alt"] if subjects else []
    starts = [prose.begin for prose in texts]
    last = -1
    for start, below in subjects:
        at = bisect_right(starts, start - 1) - 1
        if at > last and texts[at].place.end <= start and texts[at].kind in _KINDS:
            last = at
            yield texts[at], start, below


def _subjects(document: Document) -> list[tuple[int, Table | Block]]:
    """The tables and lists of a page with their places, in its order."""
    tables: list[tuple[int, Table | Block]] = [(table.start, table) for table in document.tables]
    return sorted([*tables, *((block.start, block) for block in document.lists)], key=itemgetter(0))


def _miscounted(page: Page, lead: Prose, count: Count, start: int, below: Table | Block) -> Iterator[Finding]:
    """A number of things that are to follow, right above a table or list with more of them, or fewer."""
    document, end = page.document, lead.place.end
    if document.text[end:start].strip(" \n:*_>") or not _is_counted(count, below):
        return
    heading = next((heading.start for heading in document.headings if heading.start > start), len(document.text))
    held = [_count(item) for at, item in _subjects(document) if start <= at < heading]
    sums = [sum(held[:number]) for number in range(1, len(held) + 1)]  # a list may be interrupted
    if count.number not in (*sums, _names(document.text, below)) and held[0] > 1:
        things = "rows" if isinstance(below, Table) else "items"
        message = f"lead-in says `{lead[count.start : count.end]}`, but {held[0]} {things} follow"
        related = [(page, (start, below.end), f"the {things}")]
        yield page.flag(lead.at(count.start, count.end), message, related=related)


def _is_counted(count: Count, below: Table | Block) -> bool:
    """Whether a number may be that of the rows or items: "you need two keys" is none of steps."""
    if isinstance(below, Table):
        return not count.items
    return not (count.things and below.info == "ordered")


def _names(text: str, below: Table | Block) -> int:
    """How many things the items of a list name, where some begin with more than one: `` `on` and `off` ``."""
    if isinstance(below, Table):
        return 0
    matches = [_SEVERAL.match(text, item.start, item.end) for item in below.children]
    return sum(len(_NAME.findall(match[0])) if match else 1 for match in matches)


def _count(subject: Table | Block) -> int:
    return len(subject.rows) if isinstance(subject, Table) else len(subject.children)


def _contradicted(page: Page, lead: Prose, claim: Claim, below: Table | Block) -> Iterator[Finding]:
    for column in _columns(below, claim) if isinstance(below, Table) else [list(_items(page, below))]:
        opposite = [item for item in column if item.on is not claim.on and folded(item.label) not in folded(lead)]
        if not opposite or (claim.orders and len(opposite) == len(column)):  # all are what a reader finds
            continue
        first, value = opposite[0], "none" if claim.none else "all"
        message = f"lead-in says {value} are `{claim.word}`, but `{first.label}` is `{first.value}`"
        related = [(page, item.place, f"`{item.label}`") for item in opposite]
        yield page.flag(lead.at(claim.start, claim.end), message, related=related)
        return


def _columns(table: Table, claim: Claim) -> Iterator[list[_Told]]:
    """What each column tells of its settings, as far as it may tell what these should be."""
    for column in value_columns(table):
        index = table.rows[column[0].row].index(column[0].cell)
        if claim.orders and (_AS_IT_IS.search(table.header[index].text) or _is_answer(column)):
            continue
        yield [
            _Told(table.rows[value.row][0].text.strip(), value.text, (value.cell.start, value.cell.end), value.state.on)
            for value in column
        ]


def _is_answer(column: list[Value]) -> bool:
    """Whether a column tells yes or no to a question of its own."""
    return all(folded(value.text) in ("yes", "no") for value in column)


def _items(page: Page, below: Block) -> Iterator[_Told]:
    """What each item of a list tells of a setting."""
    for prose in page.document.prose():
        if prose.kind == "item" and below.start <= prose.place.start < below.end:
            match = _ITEM.fullmatch(prose)
            state = states().get(folded(match["value"])) if match else None
            if match and state:
                yield _Told(match["label"].strip(), match["value"], prose.at(*match.span("value")), state.on)
