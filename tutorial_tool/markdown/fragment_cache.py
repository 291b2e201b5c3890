"""A cache of parsed page fragments: pages made from one template for several platforms share most.

A page is cut after a blank line where the next line cannot continue anything above it. The blocks of a fragment are
then those of the whole page, shifted by its start. A page for which that is not certain is not cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.parser import Block, Cell, Dialect, Inline, parse_blocks

_REACHING = r"[ \t]*(?::::|///|: |<[!?]|<(?:script|pre|style|textarea)\b)"
_FIRST, _LATER = (lazy_re.compile(before + _REACHING, re.IGNORECASE) for before in ("", "\n"))
"""Lines of blocks that may extend past a blank line: containers with a closing line, definitions, raw HTML with an end
condition of its own (CommonMark 0.31, 4.6, kinds 1 to 5)."""
_CUT = lazy_re.compile(r"\n\n(?:(?=\*\*[^\s*])|(?![\s\d*+:-]))")
"""The start of a line that is neither indented nor a list item, so that it cannot continue the list above."""
_MARKED = lazy_re.compile(r"[#<\[{]|===|\n[ \t>]*(?:=+|-+)[ \t]*(?:\n|\Z)")
"""What a fragment has if it may have a heading, link, image, tag, attribute list, or content tab."""
_FENCE = lazy_re.compile(r"^( {0,3})(`{3,}|~{3,})([^\n]*)$", re.MULTILINE)

_Known = dict[str, list[Block]]


class FragmentCache:
    """Parsed fragments. Those unused since the last but one call of `begin_load` are dropped."""

    def __init__(self) -> None:
        self._asked: _Known = {}
        self._before: _Known = {}

    def begin_load(self) -> None:
        """Start another load of a project."""
        self._before, self._asked = self._asked, {}

    def get_blocks(self, text: str, start: int, dialect: Dialect, *, marked: bool = False) -> list[Block] | None:
        """Return the blocks of a page whose body starts at `start`; None if it must be parsed as a whole.

        With `marked`, fragments that can't contain a heading, link, image, tag or attribute list are left out.
        """
        fences = _find_fences(text, start)
        if dialect is not Dialect.PYTHON_MARKDOWN or fences is None or _has_global_syntax(text, start):
            return None
        out: list[Block] = []
        for first, last in _split_body(text, start, fences):
            piece = text[first:last]
            if not marked or _MARKED.search(piece):
                out += [_shift_block(block, first) for block in self._get_parsed(piece)]
        return out

    def _get_parsed(self, piece: str) -> list[Block]:
        cached = self._asked.get(piece)
        if cached is None:  # another thread may call `begin_load`: look each dictionary up once
            cached = self._before.get(piece)
            cached = self._asked[piece] = parse_blocks(piece, Dialect.PYTHON_MARKDOWN) if cached is None else cached
        return cached


def _has_global_syntax(text: str, start: int) -> bool:
    """Return whether anything in the body may extend past a blank line or affect the whole page."""
    if "]:" in text or "\r" in text or "\0" in text:
        return True
    return bool(_FIRST.match(text, start) or _LATER.search(text, start))


def _find_fences(text: str, start: int) -> list[tuple[int, int]] | None:
    """Return the spans of fenced code outside lists and quotations; None where that is uncertain."""
    if "```" not in text and "~~~" not in text:
        return []
    out, opened = [], None
    for match in _FENCE.finditer(text, start):
        indent, marks, rest = match.groups()
        if opened is None:
            alone = match.start() == start or text.startswith("\n\n", match.start() - 2)
            if indent or not alone or (marks[0] == "`" and "`" in rest):
                return None
            opened = match
        elif marks.startswith(opened[2]) and not rest.strip(" \t"):
            out.append((opened.start(), match.end()))
            opened = None
    return [*out, (opened.start(), len(text))] if opened else out


def _split_body(text: str, start: int, fences: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    first = start
    for match in _CUT.finditer(text, start):
        at = match.end()
        if at > first and not any(low < at < high for low, high in fences):
            yield first, at
            first = at
    yield first, len(text)


# Blocks, shifted. These functions run for each node of each page, so they name each field.


def _shift_block(block: Block, by: int) -> Block:
    content, delimiter = block.content, block.delimiter
    return Block(
        block.kind,
        block.start + by,
        block.end + by,
        block.children and [_shift_block(child, by) for child in block.children],
        _shift_inlines(block.inlines, by),
        block.level,
        block.info,
        block.number,
        content and (content[0] + by, content[1] + by),
        block.rows
        and [
            [Cell(cell.start + by, cell.end + by, _shift_inlines(cell.inlines, by)) for cell in row]
            for row in block.rows
        ],
        delimiter and (delimiter[0] + by, delimiter[1] + by),
        block.fence,
        block.closed,
    )


def _shift_inlines(inlines: Sequence[Inline], by: int) -> Sequence[Inline]:
    return inlines and [
        Inline(
            inline.kind,
            inline.start + by,
            inline.end + by,
            inline.text,
            _shift_inlines(inline.children, by),
            inline.href,
            inline.title,
            inline.target and (inline.target[0] + by, inline.target[1] + by),
            inline.inner and (inline.inner[0] + by, inline.inner[1] + by),
            inline.exact,
        )
        for inline in inlines
    ]
