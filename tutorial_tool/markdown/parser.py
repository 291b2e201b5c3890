"""Parses Markdown into a small tree with offsets, using the fast parser or the Markdown library."""

from __future__ import annotations

import re
from collections.abc import Callable, MutableMapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from tutorial_tool.core import lazy_re
from tutorial_tool.core.offsets import Offsets, build_cell_offsets
from tutorial_tool.markdown.ast import Block, Cell, Inline
from tutorial_tool.markdown.dialects import Dialect, guess_dialect
from tutorial_tool.markdown.fast_path import inline as ordinary
from tutorial_tool.markdown.fast_path.blocks import BlockReader, UnsupportedSyntax, measure_lines
from tutorial_tool.markdown.table_rows import split_row

if TYPE_CHECKING:
    from markdown_it.token import Token

    from tutorial_tool.markdown.fast_path import blocks as ordinary_blocks
    from tutorial_tool.markdown.markdown_it.adapter import LibraryReader

    AnyToken: TypeAlias = Token | ordinary_blocks.Token


def parse_blocks(
    text: str, dialect: Dialect = Dialect.GFM, definitions: MutableMapping[str, Any] | None = None
) -> list[Block]:
    """Return the blocks of a page. Blank out front matter first; offsets count the text's characters.

    An empty mapping passed as `definitions` receives the library's link reference definitions.
    """
    text = text.replace("\r\n", " \n").replace("\r", "\n").replace("\0", "\ufffd")  # as the library, at equal length
    page = _PageReader(text, dialect, {} if definitions is None else definitions)
    return _TreeBuilder(text, page.read_tokens(), page.read_nodes).build_blocks()


class _PageReader:
    """Reads a page, leaving to the library what the fast parser does not support."""

    def __init__(self, text: str, dialect: Dialect, definitions: MutableMapping[str, Any]) -> None:
        self.text, self.dialect, self.definitions = text, dialect, definitions
        self.lines = measure_lines(text)

    @cached_property
    def library_reader(self) -> LibraryReader:
        from tutorial_tool.markdown.markdown_it.adapter import LibraryReader

        return LibraryReader(self.text, self.lines, self.dialect, self.definitions)

    def read_tokens(self) -> list[AnyToken]:
        count, starts, ends, shifts, _ = self.lines
        reader, line = BlockReader(self.text, self.lines, self.dialect), 0
        out: list[AnyToken] = []
        while line < count:
            if starts[line] + shifts[line] >= ends[line]:
                line += 1
                continue
            read: Sequence[AnyToken]
            try:
                read, line = reader.read_block(line)
            except UnsupportedSyntax:
                read, line = self.library_reader.read_block(line)
            out += read
        return out

    def read_nodes(self, content: str, offsets: Offsets) -> list[Inline]:
        """Return the inline nodes of a paragraph, a heading or a cell."""
        nodes = ordinary.read_nodes(content, offsets.pieces)
        return self.library_reader.read_nodes(content, offsets) if nodes is None else nodes


_BLOCKS = {
    "bullet_list_open": "list", "ordered_list_open": "list", "list_item_open": "item", "blockquote_open": "quote",
    "container_open": "container",
}  # fmt: skip
_CLOSING_HASHES = lazy_re.compile(r"(?:^|(?<=[ \t]))#+$")


class _TreeBuilder:
    """Builds the page tree; `read` returns the inline nodes of a paragraph, a heading or a cell."""

    def __init__(self, text: str, tokens: list[AnyToken], read: Callable[[str, Offsets], list[Inline]]) -> None:
        self.text, self.tokens, self.read = text, tokens, read
        self.starts = [0]
        at = 0
        while (at := text.find("\n", at) + 1) > 0:
            self.starts.append(at)
        self.starts.append(len(text) + 1)
        self.at = 0

    def build_blocks(self) -> list[Block]:
        out: list[Block] = []
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if token.nesting < 0:
                break
            out.append(self._build_block(token))
        return out

    def _get_range(self, token: AnyToken) -> tuple[int, int]:
        first, last = token.map or (0, 0)
        starts = self.starts
        start, end = starts[first], starts[last if last < len(starts) else -1] - 1  # the last is the end of the text
        return start, max(start, end)

    def _build_block(self, token: AnyToken) -> Block:
        self.at += 1
        start, end = self._get_range(token)
        match token.type:
            case "fence" | "code_block":
                return self._build_code(token, start, end)
            case "html_block" | "hr" | "macro" | "esm":
                kind = {"html_block": "html", "hr": "rule"}.get(token.type, token.type)
                return Block(kind, start, end)
            case "heading_open" | "paragraph_open":
                return self._build_text_block(token, start, end)
            case "table":
                return self._build_table(token, start, end)
        block = Block(_BLOCKS.get(token.type, token.type), start, end)
        if token.type == "list_item_open":
            line_end = self.text.find("\n", start, end)
            line = self.text[start : line_end if line_end >= 0 else end]
            block.number = token.info
            bullets = (at for at, char in enumerate(line) if char in "-*+")
            marker = line.find(token.info + token.markup) if token.info else next(bullets, -1)
            block.level = marker if marker >= 0 else len(line) - len(line.lstrip())
        elif block.kind == "list":
            block.info = "ordered" if token.type.startswith("ordered") else "bullet"
        elif block.kind == "container":
            block.info, block.content = token.info, token.meta.get("title")
            if block.content:
                first, last = block.content
                place = Offsets([(0, first, last - first)], first, last)
                block.inlines = self.read(self.text[first:last], place)
        block.children = self.build_blocks()
        self.at += 1  # the token that closes it
        return block

    def _build_code(self, token: AnyToken, start: int, end: int) -> Block:
        block = Block("code", start, end, info=token.info.strip(), content=(start, end))
        if token.type == "fence":
            block.fence = token.markup
            first = self.text.find("\n", start, end) + 1 or end  # a fence without a line end is empty
            closing = self.text.rfind("\n", first - 1, end)
            last_line = self.text[closing + 1 : end] if closing >= 0 else ""
            is_end = re.fullmatch(r"[ \t>]*(`{3,}|~{3,})[ \t]*", last_line)
            block.content = first, max(closing, first) if is_end else end
            mark = last_line.strip(" \t>")
            block.closed = mark.startswith(token.markup) and not mark.strip(token.markup)
        return block

    def _build_text_block(self, token: AnyToken, start: int, end: int) -> Block:
        inline = self.tokens[self.at]
        self.at += 2
        kind = "heading" if token.type == "heading_open" else "paragraph"
        block = Block(kind, start, end, level=int(token.tag[1]) if kind == "heading" else 0)
        offsets = self._map_offsets(inline, hashes=token.markup.startswith("#"))
        block.inlines = self.read(inline.content, offsets)
        if offsets.pieces:
            first, last = offsets.pieces[0], offsets.pieces[-1]
            block.content = first[1], last[1] + last[2]
        else:
            block.content = start, end
        return block

    def _map_offsets(self, token: AnyToken, *, hashes: bool) -> Offsets:
        """Map each line of an inline token's content to its page offset."""
        pieces: list[tuple[int, int, int]] = []
        at = 0
        for line, part in enumerate(token.content.split("\n"), (token.map or [0])[0]):
            begin, end = self.starts[line : line + 2]
            raw, wanted = self.text[begin : end - 1].rstrip(), part.strip()  # tabs before it may have become spaces
            if not raw.endswith(wanted) or (hashes and wanted):
                raw = _CLOSING_HASHES.sub("", raw).rstrip() if hashes else raw
            if not raw.endswith(wanted):
                return Offsets([], *self._get_range(token))
            lead = len(part) - len(part.lstrip())
            pieces.append((at + lead, begin + len(raw) - len(wanted), len(part) - lead))
            at += len(part) + 1
        return Offsets(pieces, *self._get_range(token))

    def _build_table(self, token: AnyToken, start: int, end: int) -> Block:
        first = (token.map or [0, 0])[0]
        delimiter = self.starts[first + 1], self.starts[first + 2] - 1
        lines = (first, *range(first + 2, first + 1 + len(token.meta["rows"])))
        spans = token.meta["spans"]
        rows = [
            self._build_row(line, contents, spans) for line, contents in zip(lines, token.meta["rows"], strict=True)
        ]
        return Block("table", start, end, rows=rows, delimiter=delimiter)

    def _build_row(self, line: int, contents: list[str], spans: bool) -> list[Cell]:
        """Return the cells of a line, as typed; those without a header column are empty."""
        start, end = self.starts[line], self.starts[line + 1] - 1
        cells = [Cell(*place) for place in split_row(self.text, start, end, spans=spans)]
        for cell, content in zip(cells, contents, strict=False):
            cell.inlines = self.read(content, build_cell_offsets(self.text, cell.start, cell.end, content))
        return cells


__all__ = ["Block", "Cell", "Dialect", "Inline", "guess_dialect", "parse_blocks", "split_row"]
