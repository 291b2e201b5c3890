"""Rows between pipes that are published as text: no delimiter row makes them a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Document, Range
from tutorial_tool.markdown.parser import Block, split_row

_ROW = lazy_re.compile(r"[ \t>]*\|(?=[^\n]*\|[ \t]*$)")
_NO_ROW = lazy_re.compile(r"\|\||\{%|\+[-=]|[-=]\+")  # What other markup has between pipes, a template, or a drawing
_RULE = lazy_re.compile(r"[|=_~:–—―‐ \t-]+")  # A row that parts the header from the others, with whatever sign
_LINK = lazy_re.compile(r"!?\[[^\n]*\]\([^\n]*\)")


class Rows(NamedTuple):
    """Rows without a delimiter row: the first, the place for one, and the place of one that is no delimiter row.

    `is_parted`: only blank lines stand between them and a table with as many cells. `is_last`: nothing follows them in
    their paragraph, which would be a row, too.
    """

    first: Range
    below: int
    rule: Range | None
    cells: int
    is_parted: bool
    is_last: bool


def undelimited(document: Document) -> Iterator[Rows]:
    """What looks like a table on a page, and has no delimiter row."""
    before: tuple[Block, Block | None] | None = None
    for block, parent in document.walk():
        if block.kind == "paragraph" and document.text.find("|", block.start, block.end) >= 0:
            table = before[0] if before and before[0].kind == "table" and before[1] is parent else None
            if rows := _rows(document.text, block, table):
                yield rows
        before = block, parent


def _rows(text: str, block: Block, table: Block | None) -> Rows | None:
    """The first rows in a row of a paragraph. `table` is the block before it, if it is one."""
    lines: list[Range] = []
    at = block.start
    for line in text[block.start : block.end].split("\n"):
        match = _ROW.match(line)
        if match:
            lines.append(Range(at + match.end() - 1, at + len(line.rstrip())))
        elif lines:
            break
        at += len(line) + 1
    if not lines or _NO_ROW.search(text, block.start, block.end) or not _is_table(text, lines):
        return None
    cells = len(split_row(text, *lines[0]))
    is_parted = table is not None and len(table.rows[0]) == cells and lines[0].start == block.start > table.end
    if len(lines) < 2 and not is_parted:
        return None
    rule = lines[1] if len(lines) > 1 and _RULE.fullmatch(text, *lines[1]) else None
    is_last = not text[lines[-1].end : block.end].strip()
    return Rows(lines[0], lines[0].end, rule, cells, is_parted, is_last)


def _is_table(text: str, lines: list[Range]) -> bool:
    """Whether rows have the same number of cells, a header that says something, and are no other markup."""
    rows = [[text[start:end] for start, end in split_row(text, *line)] for line in lines]
    if len(rows[0]) < 2 or any(len(row) != len(rows[0]) for row in rows) or any("{{" in cell for cell in rows[0]):
        return False
    if not _is_padded(text, lines[0]) or all(_LINK.fullmatch(cell) for row in rows for cell in row):
        return False  # a formula, a bar of links
    return all(any(map(str.isalnum, cell)) for cell in rows[0][1:]) and any(map(str.isalnum, "".join(rows[-1])))


def _is_padded(text: str, line: Range) -> bool:
    """Whether the pipes have spaces beside them everywhere or nowhere: `|A| + |B|` is a formula."""
    row = text[line.start : line.end]
    return row[1].isspace() or not any(f"{space}|" in row or f"|{space}" in row for space in " \t")
