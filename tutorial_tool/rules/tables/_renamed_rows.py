"""Rows that one copy of a table calls otherwise than all others, by another number, or otherwise than it calls its own,
as in another language: for the rule `drifted-cell`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.markdown.document import TableCell
from tutorial_tool.rules._shared._copies import lone
from tutorial_tool.variants import Step
from tutorial_tool.variation.tables import Copy, all_keys, placed

_DIGITS = lazy_re.compile(r"\d+")
_VERSION = lazy_re.compile(r"\d\.\d")
_STYLES = {
    "snake": lazy_re.compile(r"[a-z][a-z\d]*(?:_[a-z\d]+)+"),
    "kebab": lazy_re.compile(r"[a-z][a-z\d]*(?:-[a-z\d]+)+"),
    "camel": lazy_re.compile(r"[a-z][a-z\d]*(?:[A-Z][a-z\d]*)+"),
    "pascal": lazy_re.compile(r"(?:[A-Z][a-z\d]+){2,}"),
    "upper": lazy_re.compile(r"[A-Z][A-Z\d]*(?:_[A-Z\d]+)+"),
}
"""How languages write names of several words."""
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
    if len(said) == 1 and scripts.count(" ".join(said.pop())) >= _SAID and _count(text, typed[name]) == 1:
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


class Styled(NamedTuple):
    """A key that is written as on the copies `others`, and not as the other keys of its table are, such as `usual`."""

    name: str
    others: tuple[str, ...]
    cell: TableCell
    usual: TableCell
    there: TableCell


def in_another_style(step: Step) -> Iterator[tuple[Styled, Copy]]:
    """The key of several words that alone is written as in another language: `max_retries` beside `ConnectTimeout`.

    Each with the table that has it.
    """
    for copies in placed(step):
        names = {name: [copy.shown(key) for key in copy.keys] for name, copy in copies.items()}
        usual = {name: _usual_style(found) for name, found in names.items()}
        for name, copy in copies.items():
            odd = [key for key in copy.keys if _style(copy.shown(key)) not in ("", usual[name])]
            if not usual[name] or len(odd) != 1 or step.pages[name].generated:
                continue
            typed = copy.shown(odd[0])
            others = tuple(each for each in copies if usual[each] == _style(typed) and typed in names[each])
            if others and _count(step.pages[name].plain, typed) == 1:
                like = next(key for key in copy.keys if _style(copy.shown(key)) == usual[name])
                there = next(key for key in copies[others[0]].keys if copies[others[0]].shown(key) == typed)
                cells = copy.key_cell(odd[0]), copy.key_cell(like), copies[others[0]].key_cell(there)
                yield Styled(name, others, *cells), copy


def is_rewritten(mine: str, theirs: str, shared: Sequence[str]) -> bool:
    """Whether one key is another in other letters, `--LTO` for `--lto`, where `shared` are those that all copies have.

    That languages write names of several words otherwise is no slip: then one of the shared ones must be of several.
    """
    if bare(mine) != bare(theirs) or mine == theirs or " " in mine:
        return False
    if mine.startswith("-") and theirs.startswith("-"):
        return any(key.startswith("-") and _style(key.lstrip("-")) == _style(theirs.lstrip("-")) for key in shared)
    return any(style and style == _style(theirs) for style in map(_style, shared))


def are_in_styles(names: Iterable[str]) -> bool:
    """Whether all are one name of several words, as languages write it: `idle_timeout`, `idleTimeout`."""
    found = {name.strip() for name in names}
    return len(set(map(bare, found))) == 1 and all(map(_style, found))


def in_the_style_of(name: str, others: Sequence[str]) -> str:
    """What others call a row: in the style of a name, where they write it in several; "" where none has that."""
    return next((other for other in others if len(set(others)) == 1 or _style(other) == _style(name)), "")


def bare(name: str) -> str:
    """The letters and digits of a name, however it is written."""
    return "".join(filter(str.isalnum, name.casefold()))


def _style(name: str) -> str:
    """How a name of several words is written; "" for one word, or another text."""
    return next((style for style, pattern in _STYLES.items() if pattern.fullmatch(name)), "")


def _usual_style(names: Sequence[str]) -> str:
    """How all names of several words but one are written, if they are several."""
    counts = Counter(filter(None, map(_style, names))).most_common()
    is_usual = counts and counts[0][1] >= _KEYS and counts[0][1] >= sum(count for _, count in counts) - 1
    return counts[0][0] if is_usual else ""
