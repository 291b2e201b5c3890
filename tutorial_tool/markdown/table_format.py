"""How a table is written in Markdown: its delimiter row, what stands around its cells, and whether they are padded."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from tutorial_tool.core import lazy_re

CELL = "{}"  # What stands for a cell in the form of a row
_PIPE = lazy_re.compile(r"(?<!\\)\|")
_RULE = lazy_re.compile(r"([ \t]*)(:?)-+(:?)([ \t]*)")
_LEAST = 3  # Characters of a padded cell, at least: those of the dashes below it


class TableStyle(NamedTuple):
    """Without a `delimiter`, it is `| --- | --- |`; without a `row`, one space stands on either side of each cell.

    Rows have pipes at their ends where the delimiter row has them; an empty cell is one space. `padded` cells are as
    wide as the widest of their column, and as their dashes in the delimiter row.
    """

    delimiter: str = ""
    row: str = ""
    padded: bool = False

    def get_options(self) -> dict[str, str | bool]:
        """What it says, beside the usual."""
        return {key: value for key, value in self._asdict().items() if value}


USUAL = TableStyle()


def find_problem(form: TableStyle, columns: int) -> str | None:
    """What is wrong with a form for a table of so many columns."""
    if form.row and form.row.count(CELL) != columns:
        return f"'row' has {form.row.count(CELL)} of {CELL}, and the table has {columns} columns"
    rules = split_cells(form.delimiter) if form.delimiter else []
    if rules and (len(rules) != columns or not all(map(_RULE.fullmatch, rules))):
        return f"'delimiter' must be a row of {columns} cells of dashes, such as `{_build_delimiter(columns)}`"
    return None


def split_cells(line: str) -> list[str]:
    """The cells of a line, with the white space around them."""
    bare = line.strip()
    matches = _PIPE.split(bare)
    return matches[bare.startswith("|") : len(matches) - (len(matches) > 1 and not matches[-1])]


def render_lines(grid: Sequence[Sequence[str]], form: TableStyle = USUAL) -> Iterator[list[str]]:
    """The lines of a table whose cells are given row by row, the head first: each line as its pieces, in order."""
    delimiter = form.delimiter or _build_delimiter(len(grid[0]))
    edges = _get_edges(form, delimiter, len(grid[0]))
    if not form.padded:
        head, *rows = (_join_pieces(row, edges if form.row else _fit_edges(row, edges)) for row in grid)
        yield from (head, [delimiter], *rows)
        return
    dashes = [len(rule) - around for rule, around in zip(split_cells(delimiter), _measure_padding(edges), strict=True)]
    widths = [max(least, needed) for least, needed in zip(dashes, _measure_columns(grid), strict=True)]
    sides = [_get_alignment(cell) for cell in split_cells(delimiter)]
    head, *rows = (_join_pieces(row, edges, list(map(_compute_padding, row, widths, sides))) for row in grid)
    yield from (head, list(_stretch_delimiter(delimiter, edges, widths)), *rows)


def _build_delimiter(columns: int) -> str:
    return "| --- " * columns + "|"


def _get_edges(form: TableStyle, delimiter: str, columns: int) -> list[str]:
    """What stands before, between and behind the cells of a row."""
    if form.row:
        return form.row.split(CELL)
    first, last = ("| " if delimiter.startswith("|") else ""), (" |" if delimiter.rstrip().endswith("|") else "")
    return [first, *[" | "] * (columns - 1), last]


def _fit_edges(row: Sequence[str], edges: Sequence[str]) -> list[str]:
    """What stands around the cells of a row, with one space instead of two where a cell is empty."""
    pairs = zip(row, pairwise(edges), strict=True)
    return [edges[0], *(after[not cell and before.endswith(" ") :] for cell, (before, after) in pairs)]


def _measure_padding(edges: Sequence[str]) -> list[int]:
    """The characters beside each cell, up to the pipes."""
    return [len(before.rpartition("|")[2]) + len(behind.partition("|")[0]) for before, behind in pairwise(edges)]


def _measure_columns(grid: Sequence[Sequence[str]]) -> list[int]:
    """The width of each column, by what its cells need."""
    return [max(_LEAST, *map(_measure_width, column)) for column in zip(*grid, strict=True)]


def _join_pieces(row: Sequence[str], edges: Sequence[str], around: Sequence[tuple[str, str]] = ()) -> list[str]:
    """The pieces of a line, with more white space `around` its cells."""
    out = [edges[0]]
    for at, (cell, edge) in enumerate(zip(row, edges[1:], strict=True)):
        before, after = around[at] if around else ("", "")
        out += [before, cell, after + edge]
    return out


def _get_alignment(rule: str) -> str:
    """Where the cells of a column stand, as the colons of its rule tell: `:` on either side, or on both."""
    match = _RULE.fullmatch(rule)
    return match[2] + ">" * bool(match[3]) if match else ""


def _compute_padding(cell: str, width: int, side: str) -> tuple[str, str]:
    """The spaces before and behind a cell that is padded to a width."""
    lack = width - _measure_width(cell)
    before = {">": lack, ":>": lack // 2}.get(side, 0)
    return " " * before, " " * (lack - before)


def _stretch_delimiter(delimiter: str, edges: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    """A delimiter row whose cells are as wide as those of the rows."""
    yield "|" if delimiter.startswith("|") else ""
    for at, (cell, width, around) in enumerate(
        zip(split_cells(delimiter), widths, _measure_padding(edges), strict=True)
    ):
        rule = _RULE.fullmatch(cell)
        assert rule is not None
        dashes = width + around - sum(len(rule[group]) for group in (1, 2, 3, 4))
        yield f"{'|' if at else ''}{rule[1]}{rule[2]}{'-' * max(dashes, 1)}{rule[3]}{rule[4]}"
    yield "|" if delimiter.rstrip().endswith("|") else ""


def _measure_width(text: str) -> int:
    """The columns of a terminal that a text takes."""
    return len(text) + sum(unicodedata.east_asian_width(c) in "WF" for c in text) if not text.isascii() else len(text)


def find_styles(line_texts: Sequence[str]) -> Iterator[TableStyle]:
    """The forms in which a table may be written that stands in these lines, the simplest first."""
    yield USUAL
    head, delimiter, *rows = line_texts
    usual = delimiter == _build_delimiter(len(split_cells(delimiter)))
    yield TableStyle("" if usual else delimiter)
    full = next((row for row in (*rows, head) if all(cell.strip() for cell in split_cells(row))), None)
    if full is not None and CELL not in full:
        edges = "|".join(re.sub(r"\S(?:.*\S)?", CELL, part) for part in _PIPE.split(full))
        yield TableStyle("" if usual else delimiter, edges)
    if len({len(split_cells(line)) for line in line_texts}) == 1:
        yield from (TableStyle(text, padded=True) for text in _shorten_delimiter(delimiter, [head, *rows]))


def _shorten_delimiter(delimiter: str, rows: Sequence[str]) -> Iterator[str]:
    """The delimiter row of a padded table with no more dashes than it needs; "" for the usual one."""
    needed = _measure_columns([[cell.strip() for cell in split_cells(row)] for row in rows])
    parts = _PIPE.split(delimiter)
    first = delimiter.startswith("|")
    for at, width in enumerate(needed):
        part, spaces = parts[at + first], 2 if delimiter.startswith("|") or 0 < at < len(needed) - 1 else 1
        if len(part) - spaces <= width:
            parts[at + first] = re.sub("-+", "---", part)
    text = "|".join(parts)
    yield "" if text == _build_delimiter(len(needed)) else text
