"""Recognize words with two spellings: `colour` and `color`, `diagramed` and `diagrammed`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from tutorial_tool.core import lazy_re
from tutorial_tool.spelling import lists

_DOUBLED = lazy_re.compile(r"([bdfgklmnprst])\1(ed|ing|er|ers|ation|ations|able)$")
_SINGLE = lazy_re.compile(r"[aeiou][bdfgklmnprst](ed|ing|er|ers|ation|ations|able)$")
_REGIONS = (
    (lazy_re.compile(r"our(s|ed|ing|ful|ite|ites|able|al|ally)?$"), r"or\1"),
    (lazy_re.compile(r"is(e|es|ed|ing|er|ers|ation|ations)$"), r"iz\1"),
    (lazy_re.compile(r"ys(e|ed|ing|er|ers)$"), r"yz\1"),
    (lazy_re.compile(r"tre(s)?$"), r"ter\1"),
    (lazy_re.compile(r"ogue(s)?$"), r"og\1"),
    (lazy_re.compile(r"ence(s)?$"), r"ense\1"),
)
"""British endings and their American spelling; `analyses` is also a plural noun."""
_TWO_WORDS = ("dialog", "metre")
"""Start of words with two meanings: a dialogue is no dialog box, and a metre is no meter."""


def is_regional(word: str) -> bool:
    """Return whether a word has an ending that is spelled differently in Britain and America."""
    return any(pattern.search(word) for pattern, _ in _REGIONS)


@cache
def find_respellings(word: str) -> tuple[tuple[str, str], ...]:
    """Return pairs of the word and another spelling: with a single consonant, or the American one."""
    return tuple(_iter_respellings(word)) if word.isascii() and word.isalpha() else ()


def _iter_respellings(word: str) -> Iterator[tuple[str, str]]:
    if match := _DOUBLED.search(word):
        single = word[: match.start() + 1] + match[2]
        if len(single) > 5 and _SINGLE.search(single) and not _are_different_words(word, single):
            yield word, single
    for pattern, american in _REGIONS:
        if len(word) > 5 and pattern.search(word) and not word.startswith(_TWO_WORDS):
            yield word, pattern.sub(american, word)


def _are_different_words(doubled: str, single: str) -> bool:
    """Return whether the two are forms of two words, as `planned` and `planed`.

    That is so if the single form is of a verb in -e.
    """
    stem = re.sub(r"(?:ed|ers?|ing|ations?|able)$", "", single)
    return lists.get_frequency(stem + "e") > 0 and not doubled.startswith(stem + "e")
