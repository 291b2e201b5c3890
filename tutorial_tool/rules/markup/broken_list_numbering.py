"""An ordered list that starts again at 1 in the published page, because what belongs to an item is not indented."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from tutorial_tool import links
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Related, Severity
from tutorial_tool.links.generators import mkdocs
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules import rule
from tutorial_tool.rules.markup._lists import numbers
from tutorial_tool.rules.markup._lists.items import Item as ListItem
from tutorial_tool.rules.markup._lists.items import Published, Reading, code_blocks
from tutorial_tool.rules.markup._lists.plain import has_only_plain_lists
from tutorial_tool.rules.markup._lists.published import LISTS, TAB, Element
from tutorial_tool.site import Page, PageFix, Site, page_facts
from tutorial_tool.site.having import having

SEVERITIES = {Dialect.PYTHON_MARKDOWN: None, Dialect.GFM: Severity.HINT}
"""GFM is also what a page is taken for whose engine nothing tells."""
_LATER = lazy_re.compile(r"^[ \t>]*(?:[-*+] +)*(?:[2-9]|\d\d+)\.[ \t]", re.MULTILINE)
_NOUNS = {
    "code": "code block", "table": "table", "box": "block", "quote": "quotation",
    "h": "heading", "hr": "rule", "p": "paragraph",
}  # fmt: skip
_BOX = lazy_re.compile(r"[ \t]*(?:===|!!!|\?\?\?)\+?[ \t]")
_ENDS = ("h", "hr")  # What cannot belong to an item


class _Item(NamedTuple):
    """A numbered item: its number as typed and as published (None: as a bullet)."""

    element: Element
    typed: int
    published: int | None
    listing: Element


class _Restart(NamedTuple):
    """An item that is published with a wrong number, the one before it in the author's count, what stands between."""

    item: _Item
    before: _Item | None
    between: list[Element]


@rule("markup", Severity.ERROR)
def check(site: Site) -> Iterator[Finding]:
    of = links.get_addresses(site)
    for page, findings in having(site, _found).items():
        yield from () if mkdocs.has_other_lists(of.get_tree(page)) else findings


@page_facts.of_each
def _found(page: Page) -> list[Finding]:
    text = page.plain
    front = page.document.front_matter
    body = front.body if front else 0
    if not _LATER.search(text, body) or has_only_plain_lists(text, body):
        return []
    findings = list(_restarted(page) if page.published_by in SEVERITIES else ())
    findings += _resumed(page) if page.published_by is Dialect.KRAMDOWN else ()
    findings = [finding for finding in findings if finding.span.start not in page.branched]
    reported = [*(finding.span.start for finding in findings), *page.branched]
    for item in _miscounted(page):
        if not any(item.listing.start <= start < item.listing.end for start in reported):
            findings.append(page.flag(item.place, _miscount(item), severity=Severity.HINT))
    return findings


def _miscounted(page: Page) -> Iterator[numbers.Miscounted]:
    """The items with another number than CommonMark gives them, and than Python-Markdown does on its pages."""
    miscounteds = list(numbers.miscounted(page.document))
    if not miscounteds or page.published_by is not Dialect.PYTHON_MARKDOWN:
        yield from miscounteds
        return
    reading = Reading(page)
    for item in miscounteds:
        shown = reading.published.get(page.plain.count("\n", 0, item.place.start))
        if shown is None or shown.number != item.number:
            yield item


def _miscount(item: numbers.Miscounted) -> str:
    if item.published is None:
        return f"list starts at {item.number}, and no item {item.number - 1} comes before it"
    return f"list item rendered as {item.published}, not as {item.number}: Markdown counts from the list's first number"


def _resumed(page: Page) -> Iterator[Finding]:
    """Lists that kramdown, which knows no other first number, begins at 1."""
    document = page.document
    for item in numbers.resumed(document) if "start=" not in page.plain else ():
        above = page.plain[: item.between.start].split("\n")[-2:][0]
        if above.strip() and item.between.kind != "html":
            continue  # without a blank line above, it is part of the item
        noun = numbers.noun(document, item.between)
        why = (
            f"the {noun} before it ends the list"
            if item.between.kind in ("heading", "rule")
            else f"the {noun} before it is not indented under item {item.number - 1}"
        )
        yield page.flag(item.place, f"kramdown publishes this item as 1, not as {item.number}: {why}")


def _restarted(page: Page) -> Iterator[Finding]:
    """What Python-Markdown publishes with other numbers; all of it where that is known to publish the page."""
    reading = Reading(page)
    broken = [(restarts, parent) for parent in reading.root.walk() for restarts in _broken(parent)]
    is_known = SEVERITIES[page.published_by] is None
    if not is_known:  # only what ends the list in CommonMark, too: all else is published as its author typed it
        resumed = {page.plain.count("\n", 0, item.place.start) for item in numbers.resumed(page.document)}
        broken = [(restarts, parent) for restarts, parent in broken if restarts[0].item.element.first in resumed]
    findings = [
        _flagged(page, reading, restarts, in_quote=parent.tag == "quote")
        for restarts, parent in broken
        if not _is_unsure(reading, restarts[0].item.element.first, restarts[0].between)
    ]
    if is_known or len(findings) < 2:
        yield from findings
    else:  # a habit of the page, which may be right where it is published
        others = [Related(finding.span, "also here") for finding in findings[1:]]
        yield replace(findings[0], related=(*findings[0].related, *others))
    if is_known:
        reported = {restart.item.element.first for restarts, _ in broken for restart in restarts}
        yield from _misnumbered(page, reading, reported)


# What is broken


def _is_unsure(reading: Reading, line: int, between: Sequence[Element] = ()) -> bool:
    """Whether it cannot be told how an item is published: no blank line is above it in a tab or box, where
    Python-Markdown has taken out code blocks and inner boxes by then; or an extension's `///` opens its list."""
    above = range(line - 1, -1, -1)
    first = next(
        (number for number in above if not re.match(r"[ \t]*(?:\d+\.[ \t]|[ \t]|$)", reading.lines[number])), 0
    )
    if reading.lines[first].startswith("///"):
        return True
    if between or not reading.lines[line - 1].strip():
        return False
    width = _width(reading.lines[line])
    for number in above:
        if reading.lines[number].strip() and _width(reading.lines[number]) < width:
            width = _width(reading.lines[number])
            if _BOX.match(reading.lines[number]):
                return True
    return False


def _broken(parent: Element) -> Iterator[list[_Restart]]:
    """The broken lists among an element's children: for each, where it starts again."""
    restarts: list[_Restart] = []
    before: _Item | None = None
    for item in _numbered(parent):
        goes_on = before is not None and item.typed == before.typed + 1
        if before is None or item.listing is not before.listing:
            if restarts and not goes_on:
                yield restarts
                restarts = []
            if item.published != item.typed and (goes_on or _is_first(parent, item)):
                between = _between(parent, before.listing, item.listing) if before and goes_on else []
                restarts.append(_Restart(item, before if goes_on else None, between))
        before = item
    if restarts:
        yield restarts


def _is_first(parent: Element, item: _Item) -> bool:
    """Whether a list begins with a number that it cannot have. A file that begins so is a part of another."""
    begins_page = parent.first == 0 and parent.children[0] is item.listing
    return item.typed > 1 and item.published == 1 and not begins_page


def _numbered(parent: Element) -> Iterator[_Item]:
    for listing in parent.children:
        if listing.tag in LISTS:
            for index, element in enumerate(listing.children, 1):
                if element.typed is not None:
                    yield _Item(element, element.typed, index if listing.tag == "ol" else None, listing)


def _between(parent: Element, first: Element, second: Element) -> list[Element]:
    low, high = (next(i for i, child in enumerate(parent.children) if child is element) for element in (first, second))
    return parent.children[low + 1 : high]


# What to say


def _misnumbered(page: Page, reading: Reading, reported: set[int]) -> Iterator[Finding]:
    """Lists that go on, but with other numbers, for what is nested in them. `told`: lines of items with a finding."""
    for items in reading.lists:
        item = None if reported.intersection(entry.first for entry in items) else reading.misnumbered(items)
        if item and not _is_unsure(reading, item.first):
            result = reading.published.get(item.first)
            shown = "text" if result is None else _shown(result.number)
            message = f"{_published(page)} as {shown}, not as {item.block.number}: {_cause(item, result)}"
            place = reading.marker(item.first)
            fix = _as_sure(page, reading.fix(items))
            yield page.flag(place, message, fix=fix, severity=SEVERITIES[page.published_by])


def _flagged(page: Page, reading: Reading, restarts: list[_Restart], *, in_quote: bool) -> Finding:
    first = restarts[0]
    related = []
    for restart in restarts:
        if restart is not first:
            message = f"published as {_shown(restart.item.published)}, not as {restart.item.typed}"
            related.append((page, reading.marker(restart.item.element.first), message))
        related += [
            (page, reading.place(element.first, element.last), "this ends the list") for element in restart.between
        ]
    related.sort(key=lambda place: place[1])
    shown = _shown(first.item.published)
    why = _reason(reading, first)
    return page.flag(
        reading.marker(first.item.element.first),
        f"{_published(page)} as {shown}, not as {first.item.typed}: {why}",
        related=related,
        fix=None if in_quote else _as_sure(page, _fix(reading, restarts)),
        severity=SEVERITIES[page.published_by],
    )


def _published(page: Page) -> str:
    """The begin of a message: what is certain where the engine is known, and what would be where it is not."""
    return "Python-Markdown would render this list item" if SEVERITIES[page.published_by] else "list item rendered"


def _as_sure(page: Page, fix: PageFix | None) -> PageFix | None:
    """A fix that is safe only where the engine is known: another one may publish the list as it is typed."""
    return fix._replace(safe=False) if fix and SEVERITIES[page.published_by] else fix


def _cause(item: ListItem, result: Published | None) -> str:
    if result is None or result.depth > item.depth:
        return "add a blank line before it"
    if result.depth < item.depth:
        return "indent it by four spaces, below the item that it belongs to"
    if result.number is None and item.block.number == "1":
        return "only text separates it from the list before it"
    return "indent what is nested above it by four spaces"


def _shown(published: int | None) -> str:
    return "a bullet" if published is None else str(published)


def _reason(reading: Reading, restart: _Restart) -> str:
    if restart.before is None or not restart.between:
        return "a new list starts at 1"
    if ends := next((element for element in restart.between if element.tag in _ENDS), None):
        return f"the {_NOUNS[ends.tag]} before it ends the list"
    return f"indent the {_noun(reading, restart.between[0])} after item {restart.before.typed} by four spaces"


def _noun(reading: Reading, element: Element) -> str:
    text = reading.lines[element.first].strip()
    if element.tag == "p" and text.startswith(("```", "~~~")):
        return "code block"
    if element.tag == "p" and (text.startswith("![") or text.lower().startswith("<img")):
        return "image"
    if element.tag == "p" and text.startswith("<!--"):
        return "comment"
    if element.tag == "p" and (tag := re.match(r"</?([A-Za-z][\w-]*)", text)):
        return f"`<{tag[1]}>`"
    return _NOUNS.get(element.tag, "text")


# How to mend it


def _fix(reading: Reading, restarts: list[_Restart]) -> PageFix | None:
    """Indent what stands between the items, so that it belongs to the item before it; no number is touched."""
    edits: dict[int, str] = {}
    for restart in restarts:
        if restart.before is None or any(element.tag in _ENDS for element in restart.between):
            return None
        edits.update(_indented(reading, restart))
    if not edits or not _mends(reading, restarts, edits):
        return None
    return PageFix("indent what belongs to the items", reading.placed(edits))


def _indented(reading: Reading, restart: _Restart) -> Iterator[tuple[int, str]]:
    """The spaces to put before lines between two items, by their numbers."""
    assert restart.before is not None
    low, high = restart.before.element.first + 1, restart.item.element.first
    first = min((element.first for element in restart.between), default=high)
    least = _width(reading.lines[high]) // TAB * TAB + TAB
    head = shift = 0
    inside, begun = -1, False
    for number in range(low, high):
        text = reading.lines[number]
        begun = begun or not text.strip() or number >= first or re.match(r" {1,3}(?:\d+\.|[*+-]) ", text) is not None
        if not begun or not text.strip():
            continue
        width = _width(text)
        if number > inside:
            if width < least and not (shift and width > head):
                head, shift = width, least - width
            inside = reading.verbatim.get(number, number)
        if shift:
            yield number, " " * shift


def _width(line: str) -> int:
    expanded = line.expandtabs(TAB)
    return len(expanded) - len(expanded.lstrip(" "))


def _mends(reading: Reading, restarts: list[_Restart], edits: dict[int, str]) -> bool:
    """Whether the items are published with their numbers then, and no text has become code."""
    after, begin = reading.edited(edits)
    before, _ = reading.edited(dict.fromkeys(edits, ""))
    matches = {item.element.first + begin: item.published for element in after.walk() for item in _numbered(element)}
    mended = all(matches.get(restart.item.element.first) == restart.item.typed for restart in restarts)
    return mended and code_blocks(after) <= code_blocks(before)
