"""HTML tables of a page: header cells with scope, state badges, and a scroll container for wide tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.publishing.html.html import ATTRIBUTES, RAW, extract_text, parse_attributes, render_start_tag

_EDGE = lazy_re.compile(
    rf"{RAW}|<(?P<end>/?)(?P<name>h[1-6]|table)\b(?P<attrs>{ATTRIBUTES})>", re.DOTALL | re.IGNORECASE
)
_CELL_EDGE = lazy_re.compile(rf"<(?P<end>/?)(?P<name>t[hdr])\b(?P<attrs>{ATTRIBUTES})>", re.IGNORECASE)


@dataclass(frozen=True)
class StateTable:
    """A data table as a page shows it: headings, whether the first column holds the keys, and states.

    `states` maps a column's number to its allowed words, each with whether it means on or off, if either.
    """

    headings: tuple[str, ...]
    has_key_column: bool
    states: Mapping[int, Mapping[str, bool | None]] = field(default_factory=dict)


class TableContent(NamedTuple):
    """The published content of a table, with its headings and data table."""

    headings: tuple[str, ...]
    declared: StateTable | None
    html: str


class _Element(NamedTuple):
    """An element without a nested one of its kind: the offsets of its tags, and its attributes as written."""

    name: str
    attrs: str
    start: int
    content_start: int
    content_end: int
    end: int


def render_tables(
    html: str, tables: Sequence[StateTable], words: Mapping[str, str], cache: dict[str, TableContent] | None
) -> str:
    """Return the page with rendered tables. Those with a class belong to others and stay unchanged.

    `cache` holds the tables of pages that were rendered with the same `tables`: many pages share them.
    """
    cache = {} if cache is None else cache
    out, offset, heading = [], 0, ""
    for element in _find_elements(html, _EDGE):
        inside = html[element.content_start : element.content_end]
        if element.name != "table":
            heading = extract_text(inside)
        elif "class" not in parse_attributes(f"<table{element.attrs}>"):
            cells = cache.get(inside) or cache.setdefault(inside, _render_cells(inside, tables))
            out += [html[offset : element.start], _render_table(element.attrs, cells, heading, words)]
            offset = element.end
    return "".join([*out, html[offset:]])


def _find_elements(html: str, edges: re.Pattern[str]) -> Iterator[_Element]:
    """Yield elements with an end tag. Nested tables are layout, so neither is yielded."""
    opened: re.Match[str] | None = None
    depth = 0
    for edge in edges.finditer(html):
        name = edge["name"] and edge["name"].lower()
        if not name:
            continue
        if not edge["end"]:
            depth = depth + 1 if opened and depth and opened["name"].lower() == name == "table" else 1
            opened = edge
        elif opened and opened["name"].lower() == name:
            if depth == 1:
                yield _Element(name, opened["attrs"], opened.start(), opened.end(), edge.start(), edge.end())
            depth = 0
            opened = None


def _render_cells(inside: str, tables: Sequence[StateTable]) -> TableContent:
    rows = list(_find_rows(inside))
    titles = tuple(extract_text(inside[cell.content_start : cell.content_end]) for cell in rows[0]) if rows else ()
    declared = next((table for table in tables if table.headings == titles), None)
    out, offset = [], 0
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            out += [inside[offset : cell.start], _render_cell(cell, inside, column, declared, header=number == 0)]
            offset = cell.end
    return TableContent(titles, declared, "".join([*out, inside[offset:]]))


def _render_table(attributes: str, cells: TableContent, heading: str, words: Mapping[str, str]) -> str:
    container = {"class": "tt-table"}
    if cells.declared:
        container |= {"data-copy": words.get("copy-table", ""), "data-copied": words.get("table-copied", "")}
    scroll = {
        "class": "tt-scroll",
        "role": "group",
        "tabindex": "0",
        "aria-label": heading or ", ".join(cells.headings),
    }
    opening = render_start_tag("div", _drop_empty(container)) + render_start_tag("div", _drop_empty(scroll))
    return f'{opening}<table class="tt-rows"{attributes}>{cells.html}</table></div></div>'


def _drop_empty(values: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in values.items() if value}


def _find_rows(inside: str) -> Iterator[list[_Element]]:
    opened: re.Match[str] | None = None
    row: list[_Element] = []
    for edge in _CELL_EDGE.finditer(inside):
        name = edge["name"].lower()
        if name == "tr":
            if row:
                yield row
            row = []
        elif not edge["end"]:
            opened = edge
        elif opened and opened["name"].lower() == name:
            row.append(_Element(name, opened["attrs"], opened.start(), opened.end(), edge.start(), edge.end()))
            opened = None
    if row:
        yield row


def _render_cell(cell: _Element, html: str, column: int, declared: StateTable | None, *, header: bool) -> str:
    inside = html[cell.content_start : cell.content_end]
    if cell.name == "th":
        scope = "" if "scope" in parse_attributes(f"<th{cell.attrs}>") else f' scope="{"col" if header else "row"}"'
        return f"<th{cell.attrs}{scope}>{inside}</th>"
    if declared and declared.has_key_column and column == 0 and not header:
        return f'<th{cell.attrs} scope="row">{inside}</th>'
    words = declared.states.get(column, {}) if declared else {}
    if (word := extract_text(inside)) in words:
        return f"<td{cell.attrs}>{_render_badge(inside, words[word])}</td>"
    return html[cell.start : cell.end]


def _render_badge(inside: str, is_on: bool | None) -> str:
    """Return a state badge: its text with a symbol whose shape distinguishes on from off."""
    kind = "" if is_on is None else " tt-state-on" if is_on else " tt-state-off"
    return f'<span class="tt-state{kind}">{inside}</span>'
