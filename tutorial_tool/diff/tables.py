"""Find the changes in a table: columns, rows by their first cells, and cells by row and column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rapidfuzz import fuzz

from tutorial_tool.core.similarity import ALIKE
from tutorial_tool.core.source import Span
from tutorial_tool.diff import PageChange
from tutorial_tool.diff.words import find_first_difference
from tutorial_tool.markdown.document import Table, TableCell
from tutorial_tool.site import Page
from tutorial_tool.variation.tables import get_typed_text


def find_changes(old: Table, new: Table, was: Page, is_: Page, section: str) -> Iterator[PageChange]:
    """Yield the changes between two versions of a table."""
    before, after = _get_titles(old, was), _get_titles(new, is_)
    if before != after:
        source = _locate(is_, new.header[0]) if new.header else None
        yield PageChange("columns", "changed", " | ".join(before), " | ".join(after), section, source=source)
    rows, others = _index_rows(old, was), _index_rows(new, is_)
    pairs = _pair_rows(rows, others, was, is_)
    for key, cells in others.items():
        if key not in pairs:
            yield PageChange("row", "added", "", _get_row_text(cells, is_), section, key, source=_locate(is_, cells[0]))
            continue
        cell_changes, source = _compare_cells(rows[pairs[key]], cells, (before, after), (was, is_))
        if cell_changes:
            yield PageChange("row", "changed", "", "", section, key, cell_changes, source=source)
    for key, cells in rows.items():
        if key not in pairs.values():
            text, place = _get_row_text(cells, was), _locate(was, cells[0])
            yield PageChange("row", "removed", text, "", section, key, before=place)
    common = [pairs[key] for key in others if key in pairs]
    order = [key for key in rows if key in common]
    if order != common:
        source = _locate(is_, new.header[0])
        texts = ", ".join(order), ", ".join(common)
        yield PageChange("table", "moved", *texts, section, about="the rows", source=source)


def _get_titles(table: Table, page: Page) -> list[str]:
    return [get_typed_text(page, cell) for cell in table.header]


def _get_row_text(cells: list[TableCell], page: Page) -> str:
    return " | ".join(get_typed_text(page, cell) for cell in cells)


def _locate(page: Page, cell: TableCell) -> Span:
    return page.get_source_span(cell.start, cell.end)[0]


def _locate_difference(page: Page, cell: TableCell, before: str, after: str) -> Span:
    """Return the source of the first word of a cell that differs."""
    if page.plain[cell.start : cell.end] != after:  # its white space differs
        return _locate(page, cell)
    offset = cell.start + find_first_difference(before, after)
    return page.get_source_span(offset, min(offset + 1, cell.end))[0]


def _index_rows(table: Table, page: Page) -> dict[str, list[TableCell]]:
    """Return the rows by their first cells; repeated ones get a number."""
    out: dict[str, list[TableCell]] = {}
    for row in table.rows:
        if row:
            key = first = get_typed_text(page, row[0])
            count = 1
            while key in out:
                count += 1
                key = f"{first} ({count})"
            out[key] = row
    return out


def _pair_rows(
    old: Mapping[str, list[TableCell]], new: Mapping[str, list[TableCell]], was: Page, is_: Page
) -> dict[str, str]:
    """Return the old row for each new one: the one with the same key, else the most similar unmatched one."""
    pairs = {key: key for key in new if key in old}
    free = [key for key in old if key not in pairs]
    for key in [key for key in new if key not in pairs]:
        scores = {other: fuzz.ratio(_get_row_text(old[other], was), _get_row_text(new[key], is_)) for other in free}
        nearest = max(scores, key=lambda other: scores[other], default=None)
        if nearest is not None and scores[nearest] >= ALIKE:
            pairs[key] = nearest
            free.remove(nearest)
    return pairs


def _compare_cells(
    old: list[TableCell], new: list[TableCell], titles: tuple[list[str], list[str]], pages: tuple[Page, Page]
) -> tuple[tuple[tuple[str, str, str], ...], Span | None]:
    """Return the cells that differ, with their column titles, and the source of the first difference."""
    before = {title: get_typed_text(pages[0], cell) for title, cell in zip(titles[0], old, strict=False)}
    out, source = [], None
    for title, cell in zip(titles[1], new, strict=False):
        text = get_typed_text(pages[1], cell)
        if title in before and before[title] != text:
            out.append((title, before[title], text))
            source = source or _locate_difference(pages[1], cell, before[title], text)
    return tuple(out), source
