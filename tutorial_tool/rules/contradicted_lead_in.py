"""A sentence that says "make sure these are enabled", or "these three", over a table or list where that is not so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool import lazy_re
from tutorial_tool.document import Prose, Table
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.parser import Block
from tutorial_tool.rules import rule
from tutorial_tool.rules._tables import value_columns
from tutorial_tool.site import Page
from tutorial_tool.states import folded, states

_LEAD_IN = lazy_re.compile(
    r"\b(?:make sure|ensure|verify|confirm|check|be sure)\b(?: that)?(?P<what>[^.:;?!]*?)"
    r"\b(?P<said>(?:(?:is|are|be) |to )?(?:all |both )?"
    r"(?:(?P<on>enabled|checked|ticked|selected|turned on|switched on)"
    r"|(?P<off>disabled|unchecked|unticked|deselected|turned off|switched off)))\b"
    r"(?! (?:or|and|only|if|when|unless|except|as|according)\b|/)",
    re.IGNORECASE,
)
_POINTS_DOWN = lazy_re.compile(r"\b(?:following|these|all|below|both)\b", re.IGNORECASE)
_HEDGE = lazy_re.compile(
    r"\b(?:unless|except|other than|as (?:shown|follows|described|listed|indicated)|according"
    r"|or (?:not|disabled|unchecked)"
    r"|recommended (?:setting|value)s?)\b",
    re.IGNORECASE,
)
_ITEM = lazy_re.compile(
    r"\s*(?P<label>[^:\n]{2,80}?)\s*(?::|[-–—=→]|\bis\b|\()\s*(?P<value>[A-Za-z ]{2,14}?)\)?[.;,]?\s*"
)
_NUMBERS = {word: number for number, word in enumerate("two three four five six seven eight nine ten".split(), 2)}
_COUNT = lazy_re.compile(
    rf"\b(?P<down>(?:the )?following|one of (?:the|these)(?: following)?|these|those) "
    rf"(?P<count>{'|'.join(_NUMBERS)}|[2-9]|10) [a-z][\w-]*",
    re.IGNORECASE,
)
_ENDS = lazy_re.compile(r"(?: [a-z][\w-]*)?[.:]?\s*", re.IGNORECASE)
"""What may stand between such a count and the end of its text."""


class _Told(NamedTuple):
    """What a row or item says of its setting, and where."""

    label: str
    value: str
    place: tuple[int, int]


@rule("tables", Severity.WARNING, english=True)
def check(page: Page) -> Iterator[Finding]:
    document = page.document
    subjects: list[tuple[int, Table | Block]] = [(table.start, table) for table in document.tables]
    subjects += [(block.start, block) for block in document.lists]
    subjects.sort(key=lambda subject: subject[0])
    texts = [prose for prose in document.prose() if prose.kind in ("paragraph", "item", "quote", "html", "title")]
    for prose in texts:
        if "abled" in prose or "check" in prose or "select" in prose or "tick" in prose or "turned" in prose:
            for match in _LEAD_IN.finditer(prose):
                yield from _contradicted(page, prose, match, subjects)
        for match in _COUNT.finditer(prose) if "these" in prose or "ollowing" in prose or "those" in prose else ():
            yield from _miscounted(page, prose, match, subjects)


def _miscounted(
    page: Page, prose: Prose, match: re.Match[str], subjects: list[tuple[int, Table | Block]]
) -> Iterator[Finding]:
    """A number of things that are to follow, right above a table or list with more of them, or fewer."""
    is_last = _ENDS.fullmatch(prose, match.end())
    if not is_last and match["down"].lower() in ("these", "those"):
        return  # it may look back
    text, end = page.document.text, prose.place.end
    start, below = next(((start, subject) for start, subject in subjects if start >= end), (end, None))
    if below is None or text[end:start].strip(" \n:*_>"):
        return
    said = _NUMBERS.get(match["count"].lower()) or int(match["count"])
    heading = next((heading.start for heading in page.document.headings if heading.start > start), len(text))
    counts = [_count(subject) for at, subject in subjects if start <= at < heading]
    sums = [sum(counts[:number]) for number in range(1, len(counts) + 1)]  # a list may be interrupted
    if said not in sums and counts[0] > 1:
        things = "rows" if isinstance(below, Table) else "items"
        message = f"`{match['count']}` are to follow, and {counts[0]} {things} do"
        yield page.flag(prose.at(*match.span("count")), message, related=[(page, (start, below.end), f"the {things}")])


def _count(subject: Table | Block) -> int:
    return len(subject.rows) if isinstance(subject, Table) else len(subject.children)


def _contradicted(
    page: Page, prose: Prose, match: re.Match[str], subjects: list[tuple[int, Table | Block]]
) -> Iterator[Finding]:
    if not _POINTS_DOWN.search(match["what"]) or _HEDGE.search(prose):
        return
    end = prose.place.end
    below = next((subject for start, subject in subjects if start >= end), None)
    if below is None or not _follows(page, end, below):
        return
    opposite = [told for told in _told(page, below, on=match["on"] is None) if folded(told.label) not in folded(prose)]
    if opposite:
        said = match["on"] or match["off"]
        first = opposite[0]
        message = f"`{said}` is said of all of these, but `{first.label}` is `{first.value}` below"
        related = [(page, told.place, f"`{told.label}`") for told in opposite]
        yield page.flag(prose.at(*match.span("said")), message, related=related)


def _follows(page: Page, end: int, below: Table | Block) -> bool:
    """Whether the table or list is what stands next, at most a picture away."""
    between = [prose for prose in page.document.prose() if end <= prose.place.start < below.start]
    return all(prose.kind == "alt" for prose in between)


def _told(page: Page, below: Table | Block, *, on: bool) -> Iterator[_Told]:
    """The rows or items whose state is on, or those whose state is off."""
    if isinstance(below, Table):
        for column in value_columns(below):
            for value in column:
                if value.state.on is on:
                    text = value.cell.text
                    label = below.rows[value.row][0].text.strip()
                    yield _Told(label, text.strip(), (value.cell.start, value.cell.end))
        return
    for prose in page.document.prose():
        if prose.kind == "item" and below.start <= prose.place.start < below.end:
            match = _ITEM.fullmatch(prose)
            state = states().get(folded(match["value"])) if match else None
            if match and state and state.on is on:
                yield _Told(match["label"].strip(), match["value"], prose.at(*match.span("value")))
