"""Rows that one copy of a table calls by another number than all others, and that are the same else: for the rule
`drifted-cell`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tutorial_tool import lazy_re, unspaced
from tutorial_tool.align.tables import Copy, all_keys
from tutorial_tool.document import TableCell
from tutorial_tool.rules._copies import lone
from tutorial_tool.variants import Step

_DIGITS = lazy_re.compile(r"\d+")
_VERSION = lazy_re.compile(r"\d\.\d")
_LONG = 3
"""Digits of a number that names a thing, and is not that of the row."""
_KEYS = 2
"""Keys that all copies type alike, at least."""
_SAID = 4
"""Words beside the key of a row that tell which one it is."""


class Renamed(NamedTuple):
    """The key of a row as one copy has it, and as all `others` have it."""

    name: str
    others: tuple[str, ...]
    cell: TableCell
    usual: TableCell


def renumbered(step: Step, copies: Mapping[str, Copy]) -> Iterator[Renamed]:
    """The only row whose key has other digits on one of three copies or more: `K-500` where all others say `K-503`."""
    found = _odd_row(copies)
    if not found or len(copies) < len(step.pages) or any(page.generated for page in step.pages.values()):
        return
    cells = {name: copies[name].table.rows[number][copies[name].key_column] for name, number in found.items()}
    typed = {name: copies[name].typed(cell) for name, cell in cells.items()}
    name, others = lone(typed)
    if not name or not _differ_in_digits(typed[name], typed[others[0]]):
        return
    said = {tuple(map(copies[each].cell_text, copies[each].beside_key(at))) for each, at in found.items()}
    text = step.pages[name].plain
    if len(said) == 1 and unspaced.count(" ".join(said.pop())) >= _SAID and _count(text, typed[name]) == 1:
        yield Renamed(name, others, cells[name], cells[others[0]])


def _odd_row(copies: Mapping[str, Copy]) -> dict[str, int]:
    """The number of the only row whose key not all copies type alike, if they have as many rows; none if not."""
    if len({len(copy.keys) for copy in copies.values()}) != 1:
        return {}
    typed = {key: {copy.shown(key) for copy in copies.values() if key in copy.keys} for key in all_keys(copies)}
    alike = {key for key, said in typed.items() if len(said) == 1 and all(key in copy.keys for copy in copies.values())}
    odd = {name: [number for key, number in copy.keys.items() if key not in alike] for name, copy in copies.items()}
    if len(alike) < _KEYS or any(len(numbers) != 1 for numbers in odd.values()):
        return {}
    return {name: numbers[0] for name, numbers in odd.items()}


def _differ_in_digits(mine: str, theirs: str) -> bool:
    """Whether two keys differ in digits alone, and are no versions."""
    if _VERSION.search(mine) or _VERSION.search(theirs):
        return False
    is_named = any(map(str.isalpha, mine)) or len(mine) >= _LONG
    return is_named and _DIGITS.sub("#", mine) == _DIGITS.sub("#", theirs)


def _count(text: str, word: str) -> int:
    return len(re.findall(rf"(?<!\w){re.escape(word)}(?!\w)", text))
