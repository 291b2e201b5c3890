"""Lists that CommonMark and Python-Markdown read differently."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from tutorial_tool.finding import Finding, Severity
from tutorial_tool.parser import Block, Dialect
from tutorial_tool.rules import rule
from tutorial_tool.rules._published_lists import Element, read, verbatim
from tutorial_tool.site import Page, PageFix
from tutorial_tool.traced import plain

_ITEM = re.compile(r"^[ \t>]*(?:[-*+]|\d+[.)])[ \t]", re.MULTILINE)
_MARKER = re.compile(r"(?:[-*+]|\d+[.)])(?=[ \t]|$)")


class _Item(NamedTuple):
    """A list item as CommonMark reads it: its lines, its marker's column, how many items it stands in."""

    first: int
    last: int
    column: int
    depth: int
    block: Block


class _Lines(NamedTuple):
    text: str
    starts: list[int]

    def number(self, offset: int) -> int:
        return bisect_right(self.starts, offset) - 1

    def line(self, number: int) -> str:
        return self.text[self.starts[number] : self.starts[number + 1] - 1]


@rule("markup", Severity.OFF, project=Severity.WARNING, yields_to=("restarted-list",))
def check(page: Page) -> Iterator[Finding]:
    text = plain(page.text)
    if page.dialect not in (Dialect.PYTHON_MARKDOWN, Dialect.GFM) or not _ITEM.search(text):
        return
    lines = _Lines(text, [0, *accumulate(len(line) + 1 for line in text.split("\n"))])
    front = page.document.front_matter
    published = _published(text, front.body if front else 0)
    opaque = verbatim(text.split("\n"))
    for top in _outermost(page.document.blocks):
        items = list(_items(top, lines, 0))
        hidden = any(start <= items[0].first <= end for start, end in opaque.items()) if items else True
        wrong = [] if hidden else [item for item in items if published.get(item.first) != item.depth]
        if wrong and len({item.first for item in items}) == len(items):
            yield _flagged(page, lines, items, wrong[0], published)


def _published(text: str, body: int) -> dict[int, int]:
    """The depth of each item that Python-Markdown publishes, by its line."""
    out: dict[int, int] = {}

    def visit(element: Element, depth: int) -> None:
        for child in element.children:
            if child.tag == "li":
                out[child.first] = depth
            visit(child, depth + (child.tag == "li"))

    visit(read(text, body), 0)
    return out


def _outermost(blocks: list[Block]) -> Iterator[Block]:
    for block in blocks:
        if block.kind == "list":
            yield block
        elif block.kind == "container":
            yield from _outermost(block.children)


def _items(listing: Block, lines: _Lines, depth: int) -> Iterator[_Item]:
    for item in listing.children:
        first, last = lines.number(item.start), lines.number(max(item.end - 1, item.start))
        yield _Item(first, last, item.level, depth, item)
        for child in item.children:
            if child.kind == "list":
                yield from _items(child, lines, depth + 1)


def _flagged(page: Page, lines: _Lines, items: list[_Item], wrong: _Item, published: dict[int, int]) -> Finding:
    line = lines.line(wrong.first)
    marker = _MARKER.search(line)
    start, end = marker.span() if marker else (0, len(line))
    place = lines.starts[wrong.first] + start, lines.starts[wrong.first] + end
    fix = _fix(page, lines, items, wrong)
    return page.flag(place, _message(line, wrong, published.get(wrong.first)), fix=fix)


def _message(line: str, wrong: _Item, depth: int | None) -> str:
    if depth is None and re.match(r"\s*\d+\)", line):
        return "Python-Markdown knows no list with `)`: this is published as text"
    if depth is None:
        return "Python-Markdown publishes this list as text: it wants a blank line before it, and four spaces a level"
    if depth < wrong.depth:
        return "Python-Markdown publishes this nested item on an outer level: it wants four spaces a level"
    return "Python-Markdown publishes this item on a deeper level"


# How to mend it


def _fix(page: Page, lines: _Lines, items: list[_Item], wrong: _Item) -> PageFix | None:
    """Put a blank line before the list and indent by four spaces a level, where all is read alike then."""
    top = items[0]
    edits: dict[int, str] = {}
    if top.first and lines.line(top.first - 1).strip():
        edits[top.first] = "\n"
    base = top.column
    ends = iter(range(top.first, max(item.last for item in items) + 1))
    shift, starts = 0, {item.first: item for item in items}
    for number in ends:
        line = lines.line(number)
        if item := starts.get(number):
            shift = base + 4 * item.depth - item.column
        elif line.strip():
            shift = _content_shift(line, number, items, base, shift)
        if shift < 0:
            return None
        if shift and line.strip():
            edits[number] = edits.get(number, "") + " " * shift
    return PageFix("indent by four spaces", _edits(lines, edits)) if _mends(page, lines, items, edits) else None


def _content_shift(line: str, number: int, items: list[_Item], base: int, shift: int) -> int:
    """What a line that belongs to an item needs: the text right below its marker nothing, other blocks four spaces."""
    item = next(item for item in reversed(items) if item.first <= number <= item.last)
    begins = next((child for child in item.block.children if child.kind != "list" and child.start > item.block.start), None)
    if begins is None:
        return shift
    indent = len(line) - len(line.lstrip(" "))
    return max(shift, base + 4 * (item.depth + 1) - indent) if indent < base + 4 * (item.depth + 1) else shift


def _edits(lines: _Lines, edits: dict[int, str]) -> tuple[tuple[int, int, str], ...]:
    return tuple((lines.starts[number], lines.starts[number], new) for number, new in sorted(edits.items()))


def _mends(page: Page, lines: _Lines, items: list[_Item], edits: dict[int, str]) -> bool:
    """Whether Python-Markdown reads the items as CommonMark does, in the text with the edits."""
    pieces, at = [], 0
    for start, _, new in _edits(lines, edits):
        pieces += [lines.text[at:start], new]
        at = start
    front = page.document.front_matter
    published = _published("".join([*pieces, lines.text[at:]]), front.body if front else 0)
    moved = int(edits.get(items[0].first, "").startswith("\n"))
    return bool(edits) and all(published.get(item.first + moved) == item.depth for item in items)
