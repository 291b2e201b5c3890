"""Fast parser for common blocks: paragraphs, headings, fenced code, tables, and lists of these.

It creates the tokens that the Markdown library would, or gives up: at a quotation, a tag, a container, a definition, an
indentation by tabs, or wherever else one has to know all of CommonMark. From that line on, the library then reads that
one block. Most pages of most sites never need it, and loading it takes as long as linting a page. Tests ensure that
both agree.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Any, NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.dialects import HAS_SPANS, JSX, Dialect
from tutorial_tool.markdown.table_rows import MOST_ADDED, WHITE, fit_row, is_table, split_columns


class Token:
    """The attributes of a token that the page tree uses, whichever parser made it."""

    __slots__ = ("content", "info", "map", "markup", "meta", "nesting", "tag", "type")

    def __init__(
        self,
        kind: str,
        nesting: int,
        lines: list[int],
        content: str = "",
        info: str = "",
        markup: str = "",
        tag: str = "",
    ) -> None:
        self.type, self.nesting, self.map, self.content = kind, nesting, lines, content
        self.info, self.markup, self.tag = info, markup, tag
        self.meta: dict[str, Any] = {}


class Lines(NamedTuple):
    """The start and end of each line, its leading blanks and tabs, and its indentation in columns.

    Each list has one more item, for the end of the text.
    """

    number: int
    starts: list[int]
    ends: list[int]
    shifts: list[int]
    columns: list[int]


def measure_lines(text: str) -> Lines:
    """Return the starts, ends and indentation of a page's lines."""
    lines = text.split("\n")
    if not lines[-1].strip(" \t"):
        lines.pop()  # what follows the last line end
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    ends = [start - 1 for start in starts[1:]]
    shifts = [0] * (len(lines) + 1)
    columns = shifts.copy()
    for number, line in enumerate(lines):
        if line.startswith((" ", "\t")):
            words = line.lstrip(" \t")
            shifts[number] = columns[number] = len(line) - len(words)
            if "\t" in line:
                columns[number] = len(line[: shifts[number]].expandtabs(4))
    return Lines(len(lines), [*starts[:-1], len(text)], [*ends, len(text)], shifts, columns)


SIGNS = frozenset("`~>*-_+[<#!?=:/{;$(%|ie0123456789")
"""First characters of blocks other than paragraphs; the letters are those of MDX's `import` and `export`."""
_MARKER = lazy_re.compile(r"(?P<sign>[-+*]|(?P<number>[0-9]{1,9})[.)])(?P<gap>[ \t]*)")
_RULE = lazy_re.compile(r"(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}")
_HEADING = lazy_re.compile(r"#{1,6}(?![^ \t\n])")
_FENCE = lazy_re.compile(r"(`{3,}|~{3,})([^\n]*)")
_UNSURE = (
    "[^", "[TOC]", "!!!", "???", "///", "$$", "{{", "{%", "{#", "{:", "{.", "{ ", "{/", "<", "=", ";",
)  # fmt: skip
"""The start of a block whose end only the library can find."""
_MAX_LIST_DEPTH = 8  # Maximum depth of nested lists


class UnsupportedSyntax(Exception):
    """The syntax on a line must be read by the Markdown library."""


class BlockReader:
    """Reads the blocks of a page, one after another."""

    def __init__(self, text: str, lines: Lines, dialect: Dialect) -> None:
        self.text, self.lines, self.tokens = text, lines, list[Token]()
        self.jsx, self.myst, self.spans = dialect in JSX, dialect is Dialect.MYST, dialect in HAS_SPANS
        self.code = dialect is not Dialect.MDX
        """Whether four spaces of indentation make a line code."""
        self.depth = 0
        """The number of lists around the current block."""
        self.around = -1
        """The indentation of the innermost list's parent; -1 outside of lists."""

    def read_block(self, line: int) -> tuple[list[Token], int]:
        """Return the tokens of the block that starts on a line, and the number of the line after it.

        Raises: UnsupportedSyntax if the library must read this block.
        """
        self.tokens, self.depth, self.around = [], 0, -1
        after = self._read_block(line, 0)
        return self.tokens, after

    def _read_blocks(self, line: int, base: int) -> int:
        """Read blocks indented by `base`; return the next line that is not blank after them."""
        starts, ends, shifts, columns = self.lines[1:]
        while True:
            while line < self.lines.number and starts[line] + shifts[line] >= ends[line]:
                line += 1
            if line >= self.lines.number or columns[line] < base:
                return line
            line = self._read_block(line, base)

    def _read_block(self, line: int, base: int) -> int:
        shift = self._get_indent(line)
        if shift - base > 3:
            raise UnsupportedSyntax
        at = self.lines.starts[line] + shift
        match self._detect_kind(line, at):
            case "text":
                return self._read_paragraph(line, base)
            case "heading":
                return self._read_heading(line, at)
            case "fence":
                return self._read_fence(line, at, base)
            case "item":
                return self._read_list(line, base)
            case "table":
                return self._read_table(line, base)
            case "rule":
                self.tokens.append(Token("hr", 0, [line, line + 1]))
                return line + 1
        raise UnsupportedSyntax

    def _get_indent(self, line: int) -> int:
        """Return the indentation of a line, which may consist of spaces only.

        Raises: UnsupportedSyntax if it has tabs.
        """
        shift = self.lines.shifts[line]
        if shift != self.lines.columns[line]:
            raise UnsupportedSyntax
        return shift

    def _detect_kind(self, line: int, at: int) -> str:
        """Return the kind of block that starts at `at`: text, heading, fence, item, table, rule or quote."""
        text, sign, end = self.text, self.text[at], self.lines.ends[line]
        if sign not in SIGNS:
            return "text"
        if sign in "0123456789-+*_":
            return self._detect_marker_kind(at, end)
        if sign in "`~":
            match = _FENCE.match(text, at, end)
            return "fence" if match and not (sign == "`" and "`" in match[2]) else "text"
        if sign == "#":
            return "heading" if _HEADING.match(text, at, end) else "text"
        if sign in "|>":
            return "table" if sign == "|" else "quote"
        if self._is_unsure(sign, at, end):
            raise UnsupportedSyntax
        return "text"

    def _is_unsure(self, sign: str, at: int, end: int) -> bool:
        """Return whether only the library can tell what starts at `at`."""
        if sign == ":" and not self.text[at + 1 : end][:1].isalpha():
            return True
        is_code = self.jsx and self.text.startswith(("import", "export", "{"), at)
        return is_code or (self.myst and sign in "(%") or self.text.startswith(_UNSURE, at)

    def _detect_marker_kind(self, at: int, end: int) -> str:
        """Return the kind of block that starts with a digit or with a list or rule marker."""
        text, sign = self.text, self.text[at]
        if sign in "-*_" and _RULE.fullmatch(text, at, end):
            return "rule"
        if sign == "_":
            return "text"
        match = _MARKER.match(text, at, end)
        if match and (match["gap"] or match.end() == end):
            return "item"
        if sign == "+" or (sign == "-" and ("|" in text[at:end] or "8<" in text[at:end])):
            raise UnsupportedSyntax
        return "text"

    # Paragraphs, headings, code

    def _read_paragraph(self, line: int, base: int) -> int:
        starts, ends, shifts, columns = self.lines[1:]
        after, last = line + 1, self.lines.number
        is_bracketed = self.text.startswith("[", starts[line] + shifts[line])
        while True:
            if is_bracketed and "]:" in self.text[starts[after - 1] : ends[after - 1]]:
                raise UnsupportedSyntax  # a definition: the next line may be one, too
            if after >= last or starts[after] + shifts[after] >= ends[after]:
                break
            if columns[after] - base <= 3:
                if self._starts_other_block(after, base):
                    break
            elif self._get_indent(after) and not self.code and self.text[starts[after] + shifts[after]] in SIGNS:
                raise UnsupportedSyntax  # it may start another block
            after += 1
        if base:
            parts = [self.text[starts[at] + min(base, shifts[at]) : ends[at]] for at in range(line, after)]
            content = "\n".join(parts).strip(WHITE)
        else:
            content = self.text[starts[line] : ends[after - 1]].strip(WHITE)
        lines = [line, after]
        self.tokens += (
            Token("paragraph_open", 1, lines, tag="p"),
            Token("inline", 0, lines, content),
            Token("paragraph_close", -1, [], tag="p"),
        )
        return after

    def _starts_other_block(self, line: int, base: int) -> bool:
        """Return whether a line after a line of a paragraph starts another block."""
        shift = self._get_indent(line)
        at, end = self.lines.starts[line] + shift, self.lines.ends[line]
        if self.text[at] not in SIGNS:
            return False
        if not self.text[at:end].strip("-= \t"):
            raise UnsupportedSyntax  # it underlines a heading
        kind = self._detect_kind(line, at)
        if kind == "table":
            raise UnsupportedSyntax
        return kind != "text" and (kind != "item" or self._can_interrupt(at, end, shift, base))

    def _can_interrupt(self, at: int, end: int, shift: int, base: int) -> bool:
        """Return whether an item may interrupt a paragraph: ordered ones must start with 1.

        Source: CommonMark 0.31, 5.3.
        """
        match = _MARKER.match(self.text, at, end)
        if match is None or match.end() == end or (shift < base and shift - self.around >= 4):
            raise UnsupportedSyntax
        return shift < base or match["number"] is None or int(match["number"]) == 1

    def _read_heading(self, line: int, at: int) -> int:
        typed = self.text[at : self.lines.ends[line]].rstrip(" \t")
        words = typed.lstrip("#")
        marks = typed[: len(typed) - len(words)]
        bare = words.rstrip("#")
        content = (bare if bare.endswith((" ", "\t")) else words).strip(WHITE)
        lines, tag = [line, line + 1], f"h{len(marks)}"
        self.tokens += (
            Token("heading_open", 1, lines, markup=marks, tag=tag),
            Token("inline", 0, lines, content),
            Token("heading_close", -1, [], markup=marks, tag=tag),
        )
        return line + 1

    def _read_fence(self, line: int, at: int, base: int) -> int:
        starts, ends, shifts, columns = self.lines[1:]
        opening = _FENCE.match(self.text, at)
        assert opening is not None
        marks, info = opening[1], opening[2]
        if info.lstrip().startswith("{"):
            raise UnsupportedSyntax  # a directive, to some
        for after in range(line + 1, self.lines.number):
            begin, end = starts[after] + shifts[after], ends[after]
            if begin < end and columns[after] < base:
                break
            if not self.text.startswith(marks, begin) or self.text[begin:end].rstrip(" \t").strip(marks[0]):
                continue
            if columns[after] - base < 4:
                self.tokens.append(Token("fence", 0, [line, after + 1], info=info, markup=marks, tag="code"))
                return after + 1
            if not self.code:
                break
        raise UnsupportedSyntax  # it is unclosed

    # Tables

    def _read_table(self, line: int, base: int) -> int:
        if not self._is_row(line + 1, base) or not is_table(self._get_line(line), self._get_line(line + 1)):
            raise UnsupportedSyntax
        rows = [split_columns(self._get_line(line), self.spans)]
        width, after, added = len(rows[0]), line + 2, 0
        while self._is_row(after, base):
            cells = split_columns(self._get_line(after), self.spans)
            added += width - len(cells)
            if added > MOST_ADDED:
                raise UnsupportedSyntax
            rows.append(fit_row(cells, width))
            after += 1
        token = Token("table", 0, [line, after], tag="table")
        token.meta |= {"rows": rows, "spans": self.spans}
        self.tokens.append(token)
        return after

    def _is_row(self, line: int, base: int) -> bool:
        """Return whether the line below a table row is a row, too."""
        starts, ends, shifts, _ = self.lines[1:]
        if line >= self.lines.number or (at := starts[line] + shifts[line]) >= ends[line]:
            return False
        shift = self._get_indent(line)
        if shift >= base and (self.text[at] != "|" or (shift - base >= 4 and not self.code)):
            raise UnsupportedSyntax
        return base <= shift < base + 4

    def _get_line(self, line: int) -> str:
        starts, ends, shifts, _ = self.lines[1:]
        return self.text[starts[line] + shifts[line] : ends[line]]

    # Lists

    def _read_list(self, line: int, base: int) -> int:
        if self.depth >= _MAX_LIST_DEPTH:
            raise UnsupportedSyntax
        marker = self._match_marker(line)
        ordered, sign = marker["number"] is not None, self.text[marker.end("sign") - 1]
        lines, outside = [line, 0], self.around
        kind = "ordered_list" if ordered else "bullet_list"
        self.tokens.append(Token(f"{kind}_open", 1, lines, markup=sign))
        self.depth, self.around = self.depth + 1, base
        while True:
            line = self._read_item(line, marker, sign)
            if line >= self.lines.number or not base <= (shift := self._get_indent(line)):
                break
            if shift - base >= 4:
                if not self.code:
                    raise UnsupportedSyntax
                break
            at = self.lines.starts[line] + shift
            if self.text[at] not in "0123456789-+*" or self._detect_marker_kind(at, self.lines.ends[line]) != "item":
                break
            marker = self._match_marker(line)
            if self.text[marker.end("sign") - 1] != sign:
                break
        self.depth, self.around = self.depth - 1, outside
        lines[1] = line
        self.tokens.append(Token(f"{kind}_close", -1, [], markup=sign))
        return line

    def _match_marker(self, line: int) -> re.Match[str]:
        """Return the match of an item's marker followed by one to four spaces and text."""
        starts, ends, shifts, _ = self.lines[1:]
        match = _MARKER.match(self.text, starts[line] + shifts[line], ends[line])
        if match is None or match.end() == ends[line] or not match["gap"].isspace() or match["gap"].strip(" "):
            raise UnsupportedSyntax
        if len(match["gap"]) > 4 or self._may_be_table(line):
            raise UnsupportedSyntax
        return match

    def _may_be_table(self, line: int) -> bool:
        """Return whether an item's first line may be a table header, since one of the two takes precedence."""
        starts, ends, shifts, _ = self.lines[1:]
        if "|" not in self.text[starts[line] : ends[line]] or line + 1 >= self.lines.number:
            return False
        below = starts[line + 1] + shifts[line + 1]
        return below < ends[line + 1] and self.text[below] in "|-:"

    def _read_item(self, line: int, marker: re.Match[str], sign: str) -> int:
        lines, shifts, columns = [line, 0], self.lines.shifts, self.lines.columns
        before = shifts[line]
        self.tokens.append(Token("list_item_open", 1, lines, info=marker["number"] or "", markup=sign))
        shifts[line] = columns[line] = marker.end() - self.lines.starts[line]
        try:
            lines[1] = self._read_blocks(line, shifts[line])
        finally:
            shifts[line] = columns[line] = before
        self.tokens.append(Token("list_item_close", -1, [], markup=sign))
        return lines[1]
