"""List items of a page as parsed by CommonMark and by Python-Markdown, and edits that make both agree."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import TAB
from tutorial_tool.markdown.parser import Block
from tutorial_tool.rules.markup._lists.published import LISTS, UNREAD, Element, find_verbatim_lines, parse_page
from tutorial_tool.site import Page, PageFix

_MARKER = lazy_re.compile(r"(?:[-*+]|\d+[.)])(?=[ \t]|$)")


class Item(NamedTuple):
    """A list item as CommonMark parses it: its lines (0-based), its marker's column, its nesting depth."""

    first: int
    last: int
    column: int
    depth: int
    block: Block


class PublishedItem(NamedTuple):
    """An item as Python-Markdown renders it; `number` is None for a bullet."""

    depth: int
    number: int | None


class PageLists:
    """The lists of a page, parsed both ways."""

    def __init__(self, page: Page) -> None:
        self.page, self.text = page, page.plain
        self.body = page.document.body_start
        self.lines = self.text.split("\n")
        self.starts = [0, *accumulate(len(line) + 1 for line in self.lines)]

    @cached_property
    def root(self) -> Element:
        """The result of Python-Markdown, parsed once for all rules."""
        cache: dict[object, Element] = self.page.document.cache
        if parse_page not in cache:
            cache[parse_page] = parse_page(self.text, self.body)
        return cache[parse_page]

    @cached_property
    def published_items(self) -> dict[int, PublishedItem]:
        return index_published_items(self.root)

    @cached_property
    def verbatim_lines(self) -> dict[int, int]:
        """The first lines of fenced code and raw HTML, each mapped to the last line."""
        return find_verbatim_lines(self.lines)

    @cached_property
    def _sections(self) -> list[int]:
        """The offsets that no list can span: headings, and the start and end of the page."""
        headings = [block.start for block in self.page.document.blocks if block.kind == "heading"]
        return [self.body, *(start for start in headings if start > self.body), len(self.text) + 1]

    @cached_property
    def lists(self) -> list[list[Item]]:
        """The items of each outermost list.

        Lists in raw HTML or in a definition, whose columns count from there, are skipped, and lists with items that
        share a line.
        """
        out: list[list[Item]] = []
        if self.root.tag == UNREAD:
            return out
        for block in _find_outermost_lists(self.page.document.blocks):
            items = list(self._iter_items(block, 0))
            hidden = any(start <= items[0].first <= end for start, end in self.verbatim_lines.items())
            if not hidden and len({item.first for item in items}) == len(items):
                out.append(items)
        return out

    def _iter_items(self, listing: Block, depth: int) -> Iterator[Item]:
        for item in listing.children:
            first, last = self._get_line_number(item.start), self._get_line_number(max(item.end - 1, item.start))
            yield Item(first, last, item.level, depth, item)
            for child in item.children:
                if child.kind == "list":
                    yield from self._iter_items(child, depth + 1)

    def _get_line_number(self, offset: int) -> int:
        return bisect_right(self.starts, offset) - 1

    def get_span(self, first: int, last: int) -> tuple[int, int]:
        """Return the span from the first character of a line to the last one of another."""
        indent = len(self.lines[first]) - len(self.lines[first].lstrip())
        return self.starts[first] + indent, self.starts[last] + len(self.lines[last].rstrip())

    def find_marker(self, number: int) -> tuple[int, int]:
        """Return the span of a line's list marker in the page."""
        match = _MARKER.search(self.lines[number])
        start, end = match.span() if match else (0, len(self.lines[number]))
        return self.starts[number] + start, self.starts[number] + end

    def find_misnumbered(self, items: list[Item]) -> Item | None:
        """Return the first item of lists numbered 1, 2, 3 that is rendered with another number."""
        wrong = [item for listing in _group_siblings(items) if (item := self._find_misnumbered_in(listing))]
        return min(wrong, key=lambda item: item.first, default=None)

    def _find_misnumbered_in(self, listing: list[Item]) -> Item | None:
        if not self._is_numbered(listing):
            return None
        numbers = (value and value.number for value in (self.published_items.get(item.first) for item in listing))
        pairs = zip(listing, numbers, strict=True)
        return next((item for item, number in pairs if str(number) != item.block.number), None)

    def _is_numbered(self, listing: list[Item]) -> bool:
        """Return whether a list is numbered in the form that Python-Markdown supports: `1.`, `2.`, `3.`."""
        counted = all(item.block.number == str(number) for number, item in enumerate(listing, 1))
        return counted and len(listing) > 1 and self.text[self.find_marker(listing[0].first)[1] - 1] == "."

    def build_fix(self, items: list[Item]) -> PageFix | None:
        """Build a fix with blank lines and four spaces per level; None if the two parsers still disagree then.

        None, too, if a line would have to be indented less.
        """
        shifts = dict(self._compute_shifts(items))
        if any(shift < 0 for shift in shifts.values()):
            return None
        for blank in self._iter_blank_line_sets(items):
            edits = {number: "\n" * (number in blank) + " " * shifts.get(number, 0) for number in blank | shifts.keys()}
            if edits and self._is_fixed_by(items, edits):
                return PageFix("add blank lines, and four spaces per level", self.build_edits(edits))
        return None

    def _iter_blank_line_sets(self, items: list[Item]) -> Iterator[set[int]]:
        """Yield sets of lines that may need a blank line before them, smallest first."""
        publisheds = {item.first: self.published_items.get(item.first) for item in items if item.depth == 0}
        deeper = {first for first, item in publisheds.items() if item is not None and item.depth > 0}
        hidden = {first for first, item in publisheds.items() if item is None}
        for wanted in (set(), {items[0].first}, {items[0].first} | deeper, {items[0].first} | deeper | hidden):
            yield {number for number in wanted if number and self.lines[number - 1].strip()}

    def _compute_shifts(self, items: list[Item]) -> Iterator[tuple[int, int]]:
        """Yield the spaces to add to each line: four per level, and four more for an item's blocks."""
        base, owner, shift, head = items[0].column, items[0], 0, 0
        starts, in_text = {item.first: item for item in items}, True
        for number in range(items[0].first, max(item.last for item in items) + 1):
            line = self.lines[number]
            width = len(line) - len(line.lstrip(" "))
            if item := starts.get(number):
                owner, shift, head, in_text = item, base + TAB * item.depth - item.column, width, True
            elif not line.strip():
                in_text = False
            elif not in_text:
                owner = next(item for item in reversed(items) if item.first <= number <= item.last)
                least = base + TAB * (owner.depth + 1)
                if width < least and not (head < width and shift >= least - width):
                    head, shift = width, least - width
            if shift and line.strip():
                yield number, shift

    def build_edits(self, edits: Mapping[int, str]) -> tuple[tuple[int, int, str], ...]:
        """Return edits as (start, end, text) from the text to insert before each line."""
        return tuple((self.starts[number], self.starts[number], new) for number, new in sorted(edits.items()))

    def parse_edited(self, edits: Mapping[int, str]) -> tuple[Element, int]:
        """Parse the sections that edits touch, with the edits applied; also return their first line."""
        first, last = self.starts[min(edits)], self.starts[max(edits)]
        start = self._sections[bisect_right(self._sections, first) - 1]
        end = self._sections[bisect_right(self._sections, last)]
        pieces, at = [], start
        for offset, _, new in self.build_edits(edits):
            pieces += [self.text[at:offset], new]
            at = offset
        return parse_page("".join([*pieces, self.text[at:end]])), self._get_line_number(start)

    def _is_fixed_by(self, items: list[Item], edits: Mapping[int, str]) -> bool:
        root, begin = self.parse_edited(edits)
        after = index_published_items(root)
        if count_code_blocks(root) > count_code_blocks(self.parse_edited(dict.fromkeys(edits, ""))[0]):
            return False
        added = [number for number, new in edits.items() if new.startswith("\n")]
        counted = {item.first for listing in _group_siblings(items) if self._is_numbered(listing) for item in listing}
        for item in items:
            value = after.get(item.first + sum(number <= item.first for number in added) - begin)
            if value is None or value.depth != item.depth:
                return False
            if item.first in counted and str(value.number) != item.block.number:
                return False
        return True


def count_code_blocks(root: Element) -> int:
    """Count the blocks that become code only because of their indentation."""
    return sum(element.tag == "code" for element in root.walk())


def index_published_items(root: Element) -> dict[int, PublishedItem]:
    """Index the rendered items by the line on which they begin."""
    out: dict[int, PublishedItem] = {}

    def visit(element: Element, depth: int) -> None:
        for index, child in enumerate(element.children, 1):
            if child.tag == "li":
                out[child.first] = PublishedItem(depth, index if element.tag == LISTS[0] else None)
            visit(child, depth + (child.tag == "li"))

    visit(root, 0)
    return out


def _find_outermost_lists(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        if block.kind == "list" and block.children:
            yield block
        elif block.kind == "container" and block.info != "definition":
            yield from _find_outermost_lists(block.children)


def _group_siblings(items: list[Item]) -> Iterator[list[Item]]:
    """Group the items of each list: those at one depth between two at a lesser depth."""
    open_: list[list[Item]] = []
    for item in items:
        while len(open_) > item.depth + 1:
            yield open_.pop()
        if len(open_) == item.depth + 1 and bool(open_[-1][0].block.number) is not bool(item.block.number):
            yield open_.pop()
        if len(open_) <= item.depth:
            open_.append([])
        open_[-1].append(item)
    yield from open_
