"""Settings tables as rules compare them: their columns, keys and states, within one page or across variants."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from tutorial_tool.document import MASK, Table, TableCell

_SETTING = re.compile(
    r"\b(?:settings?|options?|parameters?|params?|propert(?:y|ies)|fields?|attributes?|arguments?|variables?|flags?"
    r"|toggles?|keys?|preferences?|permissions?)\b",
    re.IGNORECASE,
)
_LITERAL = re.compile(r"\b(?:default|example|type|sample|format|possible|allowed|accepted|return)", re.IGNORECASE)
_SPACE = re.compile(r"\s+")


class State(NamedTuple):
    """What a value says: `on` or off, with a `kind` of word; kinds of one `group` mean the same."""

    group: int
    kind: int
    on: bool


class Value(NamedTuple):
    """A cell that holds a state and nothing else."""

    row: int
    cell: TableCell
    state: State


def folded(text: str) -> str:
    """A text as cells are compared: without case, white space at the ends and a final full stop."""
    return _SPACE.sub(" ", text).strip(" *_").rstrip(".").strip().lower()


def source_text(page_text: str, cell: TableCell) -> str:
    """What is typed in a cell, markup and code included: two keys in code differ."""
    return _SPACE.sub(" ", page_text[cell.start : cell.end]).strip()


def column(table: Table, index: int) -> Iterator[tuple[int, TableCell]]:
    """The cells of a column below the header, each with the number of its row; rows that are too short have none."""
    for number, row in enumerate(table.rows):
        if index < len(row):
            yield number, row[index]


def is_settings(table: Table) -> bool:
    """Whether the first column names settings, so that each stands there once."""
    return bool(table.header) and len(table.header) > 1 and _SETTING.search(table.header[0].text) is not None


@cache
def states() -> Mapping[str, State]:
    """The words for states, in lower case."""
    out: dict[str, State] = {}
    text = (files("tutorial_tool.rules") / "words" / "states.txt").read_text(encoding="utf-8")
    group = 0
    for kind, line in enumerate(text.splitlines()):
        group += not line
        for on, words in zip((True, False), [] if line[:1] in ("", "#") else line.split("|"), strict=False):
            out.update((word.strip(), State(group, kind, on)) for word in words.split(","))
    return out


def values(table: Table, index: int) -> list[Value]:
    """The states that a column tells, where it is a column of values: none where most of its cells hold other text.

    A column of literals (`Default`, `Example`) tells what to type, not a state.
    """
    if index >= len(table.header) or _LITERAL.search(table.header[index].text):
        return []
    cells = [(row, cell) for row, cell in column(table, index) if cell.text.strip(MASK + " -–—")]
    told = [Value(row, cell, states()[folded(cell.text)]) for row, cell in cells if folded(cell.text) in states()]
    return told if len(told) >= 2 and len(told) >= 0.6 * len(cells) else []


def value_columns(table: Table) -> Iterator[list[Value]]:
    """The columns that tell states, the first column aside: it holds the keys."""
    for index in range(1, len(table.header)):
        if told := values(table, index):
            yield told
