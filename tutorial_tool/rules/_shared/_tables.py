"""Settings tables as rules compare them: columns, keys and states, within one page or across variants."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.data.toggle_words import State, get_state
from tutorial_tool.markdown.document import MASK, Table, TableCell

_SETTING = lazy_re.compile(
    r"\b(?:settings?|options?|parameters?|params?|propert(?:y|ies)|fields?|attributes?|arguments?|variables?|flags?"
    r"|toggles?|keys?|preferences?|permissions?)\b",
    re.IGNORECASE,
)
_LITERAL = lazy_re.compile(r"\b(?:default|example|type|sample|format|possible|allowed|accepted|return)", re.IGNORECASE)
_ITEM = lazy_re.compile(r"[\w.-]+")
_LIST = lazy_re.compile(r"\s*[\w.-]+(?:\s*[,、/|]\s*[\w.-]+)+\s*")  # A list of allowed values


class Value(NamedTuple):
    """A cell that holds nothing but a state."""

    row: int
    cell: TableCell
    state: State

    @property
    def text(self) -> str:
        return self.cell.text.strip()

    @property
    def place(self) -> tuple[int, int]:
        """The span of the text, without the surrounding spaces."""
        text = self.cell.text
        start = len(text) - len(text.lstrip())
        return text.locate(start, len(text.rstrip()))


def get_source_text(page_text: str, cell: TableCell) -> str:
    """Return the source of a cell, including markup and code, so that two keys in code differ."""
    return " ".join(page_text[cell.start : cell.end].split())


def iter_column(table: Table, index: int) -> Iterator[tuple[int, TableCell]]:
    """Yield the cells of a column below the header with their row numbers; skip rows that are too short."""
    for number, row in enumerate(table.rows):
        if index < len(row):
            yield number, row[index]


def is_settings(table: Table) -> bool:
    """Return whether the first column names settings, each of which occurs once."""
    return bool(table.header) and len(table.header) > 1 and _SETTING.search(table.header[0].text) is not None


def find_values(table: Table, index: int, words: Mapping[str, State] | None = None) -> list[Value]:
    """Return the states in a column of values; none if most of its cells hold other text.

    A column of literals (`Default`, `Example`) says what to type, not a state. `words` are the state words of a project
    that defines its own.
    """
    if index >= len(table.header) or _LITERAL.search(table.header[index].text):
        return []
    cells = [(row, cell) for row, cell in iter_column(table, index) if cell.text.strip(MASK + " -–—")]
    result = [Value(row, cell, state) for row, cell in cells if (state := get_state(cell.text, words))]
    values = [value for value in result if not _is_choice(table.rows[value.row], value)]
    return values if len(values) >= 2 and len(values) >= 0.6 * len(cells) else []


def _is_choice(row: Sequence[TableCell], value: Value) -> bool:
    """Return whether another cell of the row lists the value as one of several to type: `select, drag`."""
    listed = (cell.text for cell in row if cell is not value.cell and _LIST.fullmatch(cell.text))
    return any(value.text.lower() in map(str.lower, _ITEM.findall(text)) for text in listed)


def find_value_columns(table: Table) -> Iterator[list[Value]]:
    """Yield the columns that hold states, except the first column, which holds the keys."""
    for index in range(1, len(table.header)):
        if value := find_values(table, index):
            yield value
