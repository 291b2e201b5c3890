"""Find changed badges of cells: the same word, which now has another state or none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data.toggle_words import get_state
from tutorial_tool.diff import PageChange
from tutorial_tool.diff.sides import SidePage
from tutorial_tool.site.figures import strip_markdown


class _Place(NamedTuple):
    """The location of a word that may have a badge."""

    table: str
    column: str
    word: str


def find_changes(old: SidePage, new: SidePage) -> Iterator[PageChange]:
    """Yield the words in tables of both pages whose badge differs."""
    was, is_ = _find_badges(old), _find_badges(new)
    tables = new.site.model.tables
    for place in is_.keys() & was.keys() if was != is_ else ():
        if was[place] != is_[place]:
            table = tables[place.table]
            within = strip_origins(strip_markdown(table.columns[place.column]))
            yield PageChange("badge", "changed", was[place], is_[place], within, about=place.word, source=table.key)


def _find_badges(side_page: SidePage) -> dict[_Place, str]:
    """Return the badge of each word in the tables of the data on a page."""
    if side_page.page.place is None:
        return {}
    model, platform = side_page.site.model, side_page.page.place.platform
    return {
        _Place(id_, column, word): _describe_badge(word, side_page) if cell.text in allowed else "no badge"
        for id_, columns in side_page.page.tables
        for column in columns
        for allowed in [model.tables[id_].values.get(column, ())]
        for row in model.tables[id_].get_rows(platform)
        if (cell := row.get_cell(column, platform)) and (word := strip_origins(strip_markdown(cell.text)))
    }


def _describe_badge(word: str, side_page: SidePage) -> str:
    state = get_state(word, side_page.site.model.states)
    return "a badge without a symbol" if state is None else "a badge for on" if state.on else "a badge for off"
