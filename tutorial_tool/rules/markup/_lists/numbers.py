"""Numbers of list items as typed and as any Markdown renders them, and lists that continue an earlier one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import find_line_start
from tutorial_tool.markdown.document import Document, Range
from tutorial_tool.markdown.parser import Block, Dialect
from tutorial_tool.markdown.shortcodes import MAX_LENGTH

_MARKER = lazy_re.compile(r"\d+[.)]")
_BETWEEN = {
    "code": "code block", "table": "table", "container": "box", "quote": "quotation", "html": "HTML", "list": "list",
    "heading": "heading", "rule": "rule", "macro": "macro",
}  # fmt: skip


class ResumedItem(NamedTuple):
    """An item that continues the count in a separate list: its number and span, and the block before it."""

    number: int
    place: Range
    between: Block


class MiscountedItem(NamedTuple):
    """An item whose number is rendered differently. `published` is None if it is the first of its list."""

    number: int
    place: Range
    published: int | None
    listing: Block


def find_resumed_items(document: Document) -> Iterator[ResumedItem]:
    """Find lists whose first number follows the last one of the previous list."""
    inner = (block.children for block, _ in document.walk() if block.children and block.kind != "list")
    for blocks in (document.blocks, *inner):
        before = 0
        for index, block in enumerate(blocks):
            numbers = _get_numbers(block)
            if numbers and before and numbers[0] == before + 1 and blocks[index - 1].kind != "list":
                yield ResumedItem(numbers[0], _find_marker(document.text, block.children[0]), blocks[index - 1])
            before = numbers[-1] if numbers else before


def describe_block(document: Document, block: Block) -> str:
    """Return what to call a block between two lists."""
    if block.kind == "paragraph":
        typed = document.text[block.start : block.end].lstrip()
        return "image" if typed.startswith(("![", "<img")) else "paragraph"
    return _BETWEEN.get(block.kind, "text")


def find_miscounted_items(document: Document) -> Iterator[MiscountedItem]:
    """Find the first misnumbered item of each list, and lists that begin in the middle.

    Every Markdown counts from a list's first number, except Python-Markdown and kramdown, which count from 1: that is
    reported elsewhere.
    """
    text = document.text
    begin = len(text) - len(text[document.body_start :].lstrip())
    is_first = document.dialect not in (Dialect.PYTHON_MARKDOWN, Dialect.KRAMDOWN)
    for listing in document.lists:
        numbers = _get_numbers(listing)
        if not numbers:
            continue
        item = next((i for i, number in enumerate(numbers) if number != numbers[0] + i), None)
        if item is not None and len(set(numbers)) > 1:
            yield MiscountedItem(numbers[item], _find_marker(text, listing.children[item]), numbers[0] + item, listing)
        elif is_first and numbers[0] > 1 and not _is_continued(text, begin, listing.start, numbers[0] - 1):
            yield MiscountedItem(numbers[0], _find_marker(text, listing.children[0]), None, listing)


def _is_continued(text: str, begin: int, start: int, number: int) -> bool:
    """Return whether a line before offset `start` begins with the number, or no text is before it.

    The text begins at offset `begin`. Also True if the search reaches its limit before that.
    """
    if start <= begin:
        return True  # a file that starts with the list is part of another
    first, at = max(start - MAX_LENGTH, 0), start
    while (at := text.rfind(str(number), first, at)) >= 0:
        line = text[find_line_start(text, at) : at]
        end = at + len(str(number))
        if text[end : end + 1] in (".", ")", "*", "<") and not line.strip(" \t>*-+#<li"):
            return True
    return first > 0  # the search limit was reached


def _get_numbers(block: Block) -> Sequence[int]:
    if block.kind != "list" or block.info != "ordered":
        return ()
    return [int(item.number) for item in block.children if item.number.isdecimal() and len(item.number) < 10]


def _find_marker(text: str, item: Block) -> Range:
    match = _MARKER.search(text, item.start, item.end)
    return Range(*match.span()) if match else Range(item.start, item.start)
