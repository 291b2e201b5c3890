"""Find words near another word, and words composed of others."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from tutorial_tool.core import lazy_re
from tutorial_tool.core.grouping import group_by
from tutorial_tool.core.source import count_common_start
from tutorial_tool.spelling import lists, software_terms

_PREFIXES = tuple(
    "anti auto bi co counter cross cyber de dis down en ex extra fore hyper il im in inter intra ir macro mega meta"
    " micro mid mini mis mono multi nano non omni out over para poly post pre pro pseudo re retro self semi sub super"
    " sur tele trans tri ultra un under uni up".split()
)
_SUFFIXES = tuple(
    "s es ed d ing ings er ers r rs or ors ly able ably ability ible ibility ness ment ments ful less ish ism ist ists"
    " ity ities ive al ally ation ations ion ions ize izes ized izer izing ization ise ises ised iser ising isation ify"
    " ified ifies like wise ward wards ware hood ship y ies ied ier iest est th".split()
)
_ONCE = frozenset(("s", "y"))  # Suffixes that never occur twice in a word
_AFTER_E = frozenset(("d", "r", "rs"))
_DOUBLED = lazy_re.compile(r"(?:[^aeiou]|qu)[aeiou]([^aeiou])\1$")
_MIN_PART_LETTERS = 3  # Minimum letters of a word in a compound
MIN_SLIP = 5  # Minimum letters of a word that may be a slip: text and code have shorter ones by chance
MIN_NAME = 8  # Minimum letters of a name that rarely resembles a word by chance: `nteract` does
LONGEST = 40  # Maximum letters of a word with neighbors or parts: longer ones have millions of candidates
_SHORT_OF, _LONGER_THAN = 5, 7
"""Minimum letters of a word with a missing letter, and with an extra one: `statfs` is no slip."""
_MIN_PART_FREQUENCY = 2_000_000  # Minimum frequency of a word in a compound; half of it allows `mesage`, 2026-11


def is_made_of(word: str, has: Callable[[str], bool]) -> bool:
    """Return whether a lowercase word is derived from words that `has` knows, or composed of two of them."""
    return len(word) <= LONGEST and (_is_derived(word, has, 2) or is_composed(word, has))


def _is_derived(word: str, has: Callable[[str], bool], depth: int) -> bool:
    """Return whether at most two affixes derive the word from a known one of four letters or more."""
    stems = [word[len(p) :] for p in _PREFIXES if word.startswith(p)] + list(_iter_stems(word))
    stems = [stem for stem in stems if len(stem) > 3]
    return any(map(has, stems)) or (depth > 1 and any(_is_derived(stem, has, depth - 1) for stem in stems))


def _iter_stems(word: str) -> Iterator[str]:
    """Yield the words of which the word may be an inflection or derivation.

    Misspelled forms, such as `recordd` and `measureed`, yield none that is known.
    """
    for suffix in _SUFFIXES:
        stem = word[: -len(suffix)]
        if not word.endswith(suffix) or len(stem) < 3 or stem[-1] == suffix in _ONCE:  # `stepss`, `automaticallyy`
            continue
        vowel = suffix[0] in "aeio"
        if suffix in _AFTER_E:
            if stem[-1] == "e":
                yield stem
            continue
        if not vowel or stem[-1] != "e" or stem[-2] in "eoy":
            yield stem
        if vowel:
            yield stem + "e"  # cacheable
        if suffix[0] == "i":
            yield stem + "y"  # carried
        if suffix.startswith(("iz", "is")):
            yield stem + "ic"  # dynamize
        if vowel and _DOUBLED.search(stem):
            yield stem[:-1]  # diagrammed, but not `loadding`, `sendding`


def is_composed(word: str, has: Callable[[str], bool]) -> bool:
    """Return whether a lowercase word is composed of two frequent ones that `has` knows."""

    def is_part(part: str) -> bool:
        return has(part) and lists.get_frequency(part) >= _MIN_PART_FREQUENCY

    halves = ((word[:i], word[i:]) for i in range(_MIN_PART_LETTERS, len(word) - _MIN_PART_LETTERS + 1))
    return any(is_part(a) and (is_part(b) or is_part(b.removesuffix("s"))) for a, b in halves)


def iter_unknown_stems(word: str) -> Iterator[str]:
    """Yield the words, in no dictionary, of which a word may be a form: `mmap` of `mmaped` and `mmapping`."""
    for suffix in ("ed", "ing", "s"):
        whole = word.removesuffix(suffix)
        stems = (whole, whole[:-1]) if suffix != "s" and _DOUBLED.search(whole) else (whole,)
        for stem in stems if whole != word else ():
            if len(stem) > _MIN_PART_LETTERS and not lists.is_known(stem):
                yield stem


_MAX_EDITS = 2  # Maximum edits of a slip


def is_far(word: str, other: str) -> bool:
    """Return whether two words are more than two edits apart: `seeked` is no slip for `sought`."""
    from rapidfuzz.distance import OSA

    return OSA.distance(word, other) > _MAX_EDITS


ENDINGS = ("ing", "ed", "ly", "ize", "us", "s", "or", "er")


def is_other_form(word: str, other: str) -> bool:
    """Return whether only the first word has the ending of a form.

    `documentating` and `configurator` are no slips for `documentation` and `configuration`.
    """
    if len(word) < MIN_SLIP or word.endswith("eed") or word == f"{other}s" or other.startswith(word):
        return False  # `superseed`, `informations`, `portugues`
    return any(word.endswith(ending) and not other.endswith(ending) for ending in ENDINGS)


def generate_edits(word: str) -> set[str]:
    """Return all strings one edit away: a letter dropped, added or replaced, or two adjacent ones swapped."""
    halves = [(word[:i], word[i:]) for i in range(len(word) + 1)]
    out = {a + b[1:] for a, b in halves if b}
    out |= {a + b[1] + b[0] + b[2:] for a, b in halves if len(b) > 1}
    for letter in string.ascii_lowercase:
        out |= {a + letter + b for a, b in halves}
        out |= {a + letter + b[1:] for a, b in halves if b}
    return out - {word}


@cache
def find_neighbors(word: str) -> tuple[tuple[str, float], ...]:
    """Return the English words one edit away with their frequencies, most frequent first."""
    return rank_neighbors(generate_edits(word)) if len(word) <= LONGEST else ()


def rank_neighbors(words: Iterable[str]) -> tuple[tuple[str, float], ...]:
    """Return the English ones of some words with their frequencies, most frequent first."""
    matches = ((word, count) for word, count in lists.iter_known(words) if software_terms.can_propose(word))
    return tuple(sorted(matches, key=lambda pair: (-pair[1], pair[0])))


_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


@cache
def _get_adjacent_keys(key: str) -> frozenset[str]:
    """Return the keys around one on most keyboards for English."""
    places = {letter: (row, at + row / 2) for row, letters in enumerate(_ROWS) for at, letter in enumerate(letters)}
    row, at = places[key]
    return frozenset(k for k, (r, a) in places.items() if k != key and abs(r - row) < 2 and abs(a - at) <= 1)


def _is_slip_of_equal_length(word: str, other: str) -> bool:
    first, *others = [at for at in range(len(word)) if word[at] != other[at]] or [0]
    if len(others) == 1:
        return word[first] == other[others[0]] and word[others[0]] == other[first] and others[0] == first + 1
    return not others and first > 0 and other[first] in _get_adjacent_keys(word[first])


def is_slip(word: str, other: str) -> bool:
    """Return whether a word is a typing slip for another; both are of letters from a to z.

    Two letters are swapped, one is doubled, an adjacent key is pressed, one inside is missing or, in a long word,
    extra. A letter before or after a word makes a name or another word: `gzip`, `codec`.
    """
    if word in _PREFIXES:
        return False
    if len(word) == len(other):
        return _is_slip_of_equal_length(word, other)
    short, long = sorted((word, other), key=len)
    at = count_common_start(short, long)  # after any equal letters
    if short != long[:at] + long[at + 1 :]:
        return False
    if at and long[at] == long[at - 1]:
        return word is short or long[0] != long[1]
    return len(word) >= (_SHORT_OF if word is short else _LONGER_THAN) and 0 < at < len(long) - 1


class FrequentWords:
    """The frequent words of a corpus, searchable for similar ones."""

    def __init__(self, counts: Mapping[str, int]) -> None:
        self._counts = counts
        self._lengths = group_by(counts, len)

    def find_nearest(self, word: str, distance: int) -> list[tuple[str, int, int]]:
        """Return the words within `distance` edits: (word, edits, count), nearest and most frequent first."""
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        scorer: Any = OSA.distance  # the overloads do not match what `extract` expects
        near: list[tuple[str, int, int]] = []
        for length in range(len(word) - distance, len(word) + distance + 1):
            choices: Iterable[str] = self._lengths.get(length, ())
            for match, edits_, _ in process.extract(word, choices, scorer=scorer, score_cutoff=distance, limit=None):
                near.append((match, int(edits_), self._counts[match]))
        return sorted(near, key=lambda result: (result[1], -result[2], result[0]))
