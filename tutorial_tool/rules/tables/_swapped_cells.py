"""Two cells of a row that stand the other way round on one copy: for the rule `conflicting-value`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from tutorial_tool.data.toggle_words import folded
from tutorial_tool.markdown.document import TableCell
from tutorial_tool.rules._shared._copies import lone
from tutorial_tool.variation import OWN
from tutorial_tool.variation.copied_values import is_short
from tutorial_tool.variation.tables import Copy, all_keys, shared_columns, values

_COPIES = 3
"""Copies that are compared: of two, each may have its own."""


class Swapped(NamedTuple):
    """The row of a key in which one copy has in each of two columns what all `others` have in the other one."""

    name: str
    others: tuple[str, ...]
    key: str
    titles: tuple[str, str]
    cells: tuple[TableCell, TableCell]
    there: tuple[TableCell, TableCell]


def swapped(copies: Mapping[str, Copy]) -> Iterator[Swapped]:
    """The rows that all copies have, and one has the other way round."""
    if len(copies) < _COPIES:
        return
    titles = [title for title in shared_columns(copies)[1:] if title.strip() != OWN]
    for key in all_keys(copies):
        rows = {title: values(copies, key, title) for title in titles}
        for one, two in combinations(titles, 2):
            if found := _in_row(copies, key, (one, two), (rows[one], rows[two])):
                yield found


def _in_row(
    copies: Mapping[str, Copy], key: str, titles: tuple[str, str], row: tuple[Mapping[str, TableCell], ...]
) -> Swapped | None:
    if any(len(cells) < len(copies) for cells in row):
        return None
    said = {name: tuple(folded(copy.typed(cells[name])) for cells in row) for name, copy in copies.items()}
    name, others = lone(said)
    if not name or said[name] != said[others[0]][::-1] or not all(text and is_short(text) for text in said[name]):
        return None
    mine, theirs = ((cells[0], cells[1]) for cells in ([each[id_] for each in row] for id_ in (name, others[0])))
    return Swapped(name, others, key, titles, mine, theirs)
