"""Table rows: a library rule that creates one token for each table, and the cells as typed."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from tutorial_tool.core import lazy_re

if TYPE_CHECKING:
    from markdown_it.rules_block import StateBlock

WHITE = "\t\n\v\f\r \u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
"""The white space that the library strips from content."""
MOST_ADDED = 1 << 16  # Maximum cells that all rows may lack together; later lines are not part of the table
_DELIMITER = lazy_re.compile(r"(?!-[ \t])[|:-][|: \t-]+")
_ALIGNED = lazy_re.compile(r":?-+:?")


def parse_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse a table, with its cells in the token's `meta`.

    The library's own rule creates nine tokens for a row of two cells, and reads it character by character.
    """
    return _parse_table(state, start, end, silent, spans=False)


def parse_table_with_spans(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse a table for Python-Markdown and kramdown, where a pipe in a code span separates no cells."""
    return _parse_table(state, start, end, silent, spans=True)


def _parse_table(state: StateBlock, start: int, end: int, silent: bool, *, spans: bool) -> bool:
    if start + 2 > end or state.is_code_block(start):
        return False
    if state.sCount[start + 1] < state.blkIndent or state.is_code_block(start + 1):  # the next line is in another block
        return False
    if not is_table(get_line(state, start), get_line(state, start + 1)):
        return False
    if silent:
        return True
    header = split_columns(get_line(state, start), spans)
    around, state.parentType = state.parentType, "table"
    rows = [header, *_read_rows(state, start + 2, end, len(header), spans)]
    state.parentType = around
    state.line = start + 1 + len(rows)
    token = state.push("table", "table", 0)
    token.map, token.meta["rows"], token.meta["spans"] = [start, state.line], rows, spans
    return True


def _read_rows(state: StateBlock, start: int, end: int, width: int, spans: bool) -> list[list[str]]:
    """Return the cells of the rows below the header, as many in each as the header has."""
    rows: list[list[str]] = []
    ends = state.md.block.ruler.getRules("blockquote")  # as the library does: what ends a quotation ends a table
    added = 0
    for line in range(start, end):
        if state.sCount[line] < state.blkIndent or any(rule(state, line, end, True) for rule in ends):
            break
        text = get_line(state, line)
        if not text.strip(WHITE) or state.is_code_block(line):
            break
        cells = split_columns(text, spans)
        added += width - len(cells)
        if added > MOST_ADDED:
            break
        rows.append(fit_row(cells, width))
    return rows


def get_line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


# A line


def is_table(header: str, delimiter: str) -> bool:
    """Return whether two lines start a table (GFM 0.29, 4.10), as the library reads them."""
    if "|" not in header or not _DELIMITER.fullmatch(delimiter):
        return False
    marks = [mark.strip(WHITE) for mark in delimiter.split("|")]
    marks = marks[not marks[0] : len(marks) - (len(marks) > 1 and not marks[-1])]
    return all(map(_ALIGNED.fullmatch, marks)) and 0 < len(marks) == len(split_columns(header, False))


def split_columns(line: str, spans: bool) -> list[str]:
    """Return the texts between the pipes of a line."""
    if spans and _may_hide_pipes(line):
        return [cell.replace(_HIDDEN, "|") for cell in split_columns(_hide_pipes(line), False)]
    line = line.strip(WHITE)
    cells = [cell.replace("\\|", "|") for cell in _PIPE.split(line)] if "\\" in line else line.split("|")
    first, last = not cells[0], len(cells) - (not cells[-1])
    return [cell.strip(WHITE) for cell in cells[first:last]]


def fit_row(cells: list[str], width: int) -> list[str]:
    """Return exactly as many cells as the header has."""
    return [*cells[:width], *[""] * (width - len(cells))]


_PIPE = lazy_re.compile(r"(?<!\\)\|")  # A cell separator


_HIDDEN = "\0"  # Replaces a pipe that separates no cells; no parsed text has this character
_TICKS = lazy_re.compile(r"\\?`+")


def _may_hide_pipes(line: str) -> bool:
    """Return whether a pipe may be in a code span: a cheap check before reading each character."""
    return "`" in line and ("``" in line or any("|" in code for code in line.split("`")[1::2]))


def _hide_pipes(line: str) -> str:
    """Return a line of the same length with the pipes in its code spans masked."""
    out, at, shown = [], 0, 0
    ticks = list(_TICKS.finditer(line))
    closing = _find_closing_ticks([len(run[0].lstrip("\\")) for run in ticks])
    while at < len(ticks):
        end = 0 if ticks[at][0][0] == "\\" else closing[at]
        if end:
            first, last = ticks[at].end(), ticks[end].start()
            out += [line[shown:first], line[first:last].replace("|", _HIDDEN)]
            shown = last
        at = end + 1 if end else at + 1
    return "".join([*out, line[shown:]])


def _find_closing_ticks(lengths: list[int]) -> list[int]:
    """Return, for each run of backticks, the index of the next run of equal length; 0 if there is none."""
    later: dict[int, int] = {}
    out = [0] * len(lengths)
    for at in range(len(lengths) - 1, -1, -1):
        out[at] = later.get(lengths[at], 0)
        later[lengths[at]] = at
    return out


# Cells as typed

_AROUND = lazy_re.compile(r"(?:[ \t]*+(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*+[ \t]*+")
"""Markers of quotations and list items: no table row starts with one."""
_EDGE = lazy_re.compile(r"\\.?|\|", re.DOTALL)  # An escaped character, or a cell separator


def split_row(text: str, start: int, end: int, *, spans: bool = False) -> list[tuple[int, int]]:
    """Return the spans of the cells of a table line, without the surrounding white space.

    `spans`: whether a pipe in a code span separates no cells.
    """
    line = text[start:end]
    if spans and _may_hide_pipes(line):
        line = _hide_pipes(line)
    indent = len(line) - len(line.lstrip(" \t"))
    if line.startswith("|", indent) and "\\" not in line:  # most lines of most tables
        return _split_pipes(line.rstrip(), indent + 1, start)
    edges = [start + match.start() for match in _EDGE.finditer(line) if match[0] == "|"]
    around = _AROUND.match(line)
    begin = start + (around.end() if around else 0)
    bounds = [*([] if edges and edges[0] == begin else [begin - 1]), *edges]
    last = start + len(line.rstrip())
    if not edges or edges[-1] != last - 1 or edges[-1] == begin:
        bounds.append(last)
    out = []
    for left, right in pairwise(bounds):
        inner = line[left + 1 - start : right - start]
        stripped = inner.lstrip()
        low = left + 1 + len(inner) - len(stripped)
        out.append((low, low + len(stripped.rstrip())))
    return out


def _split_pipes(line: str, first: int, start: int) -> list[tuple[int, int]]:
    """Return the spans of the cells of a line, from its `first` character on; the line starts at `start`."""
    texts = line[first:].split("|")
    if len(texts) > 1 and not texts[-1]:
        texts.pop()
    out, at = [], start + first
    for text in texts:
        words = text.lstrip()
        low = at + len(text) - len(words)
        out.append((low, low + len(words.rstrip())))
        at += len(text) + 1
    return out
