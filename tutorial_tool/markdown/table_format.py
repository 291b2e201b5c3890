"""The style of a Markdown table: its delimiter row, the text around its cells, and padding."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from tutorial_tool.core import lazy_re

CELL = "{}"  # The placeholder for a cell in the format of a row
_PIPE = lazy_re.compile(r"(?<!\\)\|")
_RULE = lazy_re.compile(r"([ \t]*)(:?)-+(:?)([ \t]*)")
_MIN_CELL_WIDTH = 3  # Minimum characters of a padded cell: the dashes below it


class TableStyle(NamedTuple):
    """A table style. Without `row`, each cell has one space on each side.

    Without `delimiter`, the delimiter row is `| --- | --- |`. Rows have outer pipes where the delimiter row has them;
    an empty cell is one space. `padded` cells are as wide as the widest cell and the dashes of their column.
    """

    delimiter: str = ""
    row: str = ""
    padded: bool = False


USUAL = TableStyle()


def find_problem(form: TableStyle, columns: int) -> str | None:
    """Return what is wrong with a style for a table with this number of columns."""
    if form.row and form.row.count(CELL) != columns:
        return f"`row` has {form.row.count(CELL)} of {CELL}, and the table has {columns} columns"
    rules = split_cells(form.delimiter) if form.delimiter else []
    if rules and (len(rules) != columns or not all(map(_RULE.fullmatch, rules))):
        return f"`delimiter` must be a row of {columns} cells of dashes, such as `{_build_delimiter(columns)}`"
    return None


def split_cells(line: str) -> list[str]:
    """Return the cells of a line, with the surrounding white space."""
    bare = line.strip()
    matches = _PIPE.split(bare)
    return matches[bare.startswith("|") : len(matches) - (len(matches) > 1 and not matches[-1])]


def render_lines(grid: Sequence[Sequence[str]], form: TableStyle) -> Iterator[list[str]]:
    """Yield the lines of a table, given as rows of cells with the header first; each line as its pieces."""
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
    yield from (head, list(_extend_delimiter(delimiter, edges, widths)), *rows)


def _build_delimiter(columns: int) -> str:
    return "| --- " * columns + "|"


def _get_edges(form: TableStyle, delimiter: str, columns: int) -> list[str]:
    """Return the text before, between and after the cells of a row."""
    if form.row:
        return form.row.split(CELL)
    first, last = ("| " if delimiter.startswith("|") else ""), (" |" if delimiter.rstrip().endswith("|") else "")
    return [first, *[" | "] * (columns - 1), last]


def _fit_edges(row: Sequence[str], edges: Sequence[str]) -> list[str]:
    """Return the text around the cells of a row, with one space instead of two at an empty cell."""
    pairs = zip(row, pairwise(edges), strict=True)
    return [edges[0], *(after[not cell and before.endswith(" ") :] for cell, (before, after) in pairs)]


def _measure_padding(edges: Sequence[str]) -> list[int]:
    """Return the number of padding characters around each cell, up to the pipes."""
    return [len(before.rpartition("|")[2]) + len(behind.partition("|")[0]) for before, behind in pairwise(edges)]


def _measure_columns(grid: Sequence[Sequence[str]]) -> list[int]:
    return [max(_MIN_CELL_WIDTH, *map(_measure_width, column)) for column in zip(*grid, strict=True)]


def _join_pieces(row: Sequence[str], edges: Sequence[str], around: Sequence[tuple[str, str]] = ()) -> list[str]:
    """Return the pieces of a line, with extra white space `around` its cells."""
    out = [edges[0]]
    for at, (cell, edge) in enumerate(zip(row, edges[1:], strict=True)):
        before, after = around[at] if around else ("", "")
        out += [before, cell, after + edge]
    return out


def _get_alignment(rule: str) -> str:
    """Return a column's alignment from its delimiter cell: `:` left, `>` right, `:>` centered; "" if unset."""
    match = _RULE.fullmatch(rule)
    return match[2] + ">" * bool(match[3]) if match else ""


def _compute_padding(cell: str, width: int, side: str) -> tuple[str, str]:
    """Return the spaces before and after a cell padded to a width."""
    lack = width - _measure_width(cell)
    before = {">": lack, ":>": lack // 2}.get(side, 0)
    return " " * before, " " * (lack - before)


def _extend_delimiter(delimiter: str, edges: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    """Yield the pieces of a delimiter row as wide as the other rows."""
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
    return len(text) + sum(unicodedata.east_asian_width(c) in "WF" for c in text) if not text.isascii() else len(text)


def find_styles(line_texts: Sequence[str]) -> Iterator[TableStyle]:
    """Yield the styles that may reproduce the table on these lines, simplest first."""
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
    """Yield the delimiter row of a padded table with no more dashes than needed; "" for the default one."""
    needed = _measure_columns([[cell.strip() for cell in split_cells(row)] for row in rows])
    parts = _PIPE.split(delimiter)
    first = delimiter.startswith("|")
    for at, width in enumerate(needed):
        part, spaces = parts[at + first], 2 if delimiter.startswith("|") or 0 < at < len(needed) - 1 else 1
        if len(part) - spaces <= width:
            parts[at + first] = re.sub("-+", "---", part)
    text = "|".join(parts)
    yield "" if text == _build_delimiter(len(needed)) else text
