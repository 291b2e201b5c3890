"""English words: whether one is known, and how often it and pairs of words are used."""

from __future__ import annotations

from functools import cache

from tutorial_tool.spelling import build, store

COMMON = 1_000_000
"""How often a word that only the frequency list has must be counted to be known: that list has misspellings too."""


@cache
def _tables() -> store.Tables:
    return store.load(build.key(), build.read)


def known(word: str) -> bool:
    """Whether a word, in any case and with `'s` or without, is English: in the dictionary, or common without it."""
    count = _tables().words[_plain(word)]
    return count > 0 or count <= -COMMON


def listed(word: str) -> bool:
    """Whether any list has the word, even as a rare one that may be a misspelling."""
    return _tables().words[_plain(word)] != 0


def frequency(word: str) -> float:
    """How often the word was counted in a corpus of 10¹² words; 0 where nobody did, 1 for a rare one."""
    return abs(_tables().words[word.lower()])


def pair_frequency(first: str, second: str) -> float:
    """How often the two words were counted one after the other; 0 below 6.4 million."""
    return _tables().pairs[f"{first.lower()} {second.lower()}"]


def _plain(word: str) -> str:
    word = word.lower().replace("’", "'")
    return word[:-2] if word.endswith("'s") else word.rstrip("'")
