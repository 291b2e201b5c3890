"""The values that copies of a settings table recommend: which columns hold them, and when two words say one thing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.data.toggle_words import State, folded
from tutorial_tool.markdown.document import TableCell
from tutorial_tool.variation.tables import Copy, shared_columns
from tutorial_tool.variation.wording import NUMBERS

_SHORT = 3  # Words of a cell that holds a value, and no description
_LETTERS = 8  # How many letters a value has at most in scripts that have no blanks between words
_LITERAL = lazy_re.compile(r"\b(?:type|example|sample|format|version|package|class|method|platforms?)\b", re.IGNORECASE)
_VALUE = lazy_re.compile(r"[-+]?\d[\d.,_]*\s?(?:%|[a-z]{1,3})?|true|false|on|off|yes|no", re.IGNORECASE)
_WORDS = lazy_re.compile(r"[(]?[^\W_]+(?:[-'’ %()]{1,2}[^\W_]+)*[)]?")
"""A value in words, and no identifier, list, path or paragraph."""


def value_columns(copies: Mapping[str, Copy]) -> Iterator[str]:
    """The titles of columns that hold values on every copy: short texts, that are no literals of a platform."""
    for title in shared_columns(copies)[1:]:
        if _is_each_s_own(copies, title):
            continue
        cells = [
            folded(row[copy.columns.index(title)].text)
            for copy in copies.values()
            for row in copy.table.rows
            if copy.columns.index(title) < len(row)
        ]
        filled = [cell for cell in cells if cell]
        short = sum(map(is_short, filled))
        if filled and not _LITERAL.search(title) and short >= 0.6 * len(filled) and not _has_sentences(copies, title):
            yield title


def _has_sentences(copies: Mapping[str, Copy], title: str) -> bool:
    """Whether most cells of a column end with a full stop: they describe, however short they are."""
    columns = [(copy, copy.columns.index(title)) for copy in copies.values()]
    texts = [row[at].text.strip() for copy, at in columns for row in copy.table.rows if at < len(row)]
    return 2 * sum(text.endswith(".") and " " in text for text in texts) > len(texts)


def _is_each_s_own(copies: Mapping[str, Copy], title: str) -> bool:
    """Whether a column is headed otherwise on each copy: by the platform, or what it has of its own."""
    heads = {copy.titles[copy.columns.index(title)] for copy in copies.values()}
    return len(heads) == len(copies)


def is_short(text: str) -> bool:
    """Whether a text may be a value: it has few words."""
    words = len(text.split())
    return words <= _SHORT and scripts.letters(text) <= _LETTERS


def is_value(typed: str) -> bool:
    """Whether what is typed, as code or not, is a number, with its unit, or a state: no platform's own."""
    return _VALUE.fullmatch(typed.strip("`*_ ")) is not None


def is_mixed(cells: Iterable[TableCell], words: Mapping[str, State]) -> bool:
    """Whether values differ in the kind of word more than in what they say: `Yes`, `Allowed`; `5`, `five`.

    `words` are those for states.
    """
    texts = sorted({folded(cell.text) for cell in cells}, key=len)
    if len(set(map(numeral, texts))) < len(texts):
        return True
    if any("\ufffc" in text for text in texts):
        return False  # code is no word for a state
    known = [words.get(text) for text in texts]
    if any(known) and not all(known):
        return not any(char.isdigit() for text in texts for char in text)
    return (
        len(texts) == 2
        and all(map(_WORDS.fullmatch, texts))
        and not known[0]
        and re.search(rf"\b{re.escape(texts[0])}\b", texts[1]) is not None
    )


def numeral(text: str) -> str:
    """A value with its number in figures, as `five minutes` may have it in words."""
    number, _, unit = text.partition(" ")
    return f"{NUMBERS.get(number, number)} {unit}".strip()
