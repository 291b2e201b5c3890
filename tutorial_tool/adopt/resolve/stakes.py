"""What a reader would lose or gain if copies had one text: only spellings can be exchanged without a loss."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import combinations, starmap

from rapidfuzz import fuzz

from tutorial_tool.adopt.names.naming import ALIKE
from tutorial_tool.adopt.names.topics import EMPTY
from tutorial_tool.adopt.resolve.turning import turning
from tutorial_tool.core import lazy_re
from tutorial_tool.spelling import lists
from tutorial_tool.spelling.regional import respellings
from tutorial_tool.variation.wording import NUMBERS, differing, is_unit, other_units


class Stake(StrEnum):
    """What differs. The order is that in which a report groups choices."""

    MISTAKE = "mistakes that the linter finds"
    SPELLING = "spelling"
    NUMBER = "numbers and units"
    OPPOSITE = "negations and opposites"
    TARGET = "links, paths and references"
    CODE = "code and labels"
    FRONT_MATTER = "front matter"
    NAME = "names"
    SETTING = "settings"
    ADDITION = "words that only some copies have"
    WORDING = "wording"


TARGET = lazy_re.compile(
    r"\]\([^)\s]*|\[[^\[\]\n]+\](?:\[[^\]\n]*\])?(?!\()|(?:href|src)=[\"'][^\"'\s]*|\w+://[^\s)\"'>]*"
)
"""Where a link points to: an address, or a reference to a definition."""
_MOST_WORDS = 2  # Words of a cell that is the value of a setting
_NUMBER = lazy_re.compile(rf"\d+(?:[.,]\d+)*|\b(?:once|twice|{'|'.join(sorted(NUMBERS))})\b", re.IGNORECASE)
_BOUND = lazy_re.compile(
    r"(?:\b(?P<bound>up to|at (?:most|least)|(?:more|less|fewer) than|about|above|after|before|below|from|over|to|under"
    r"|until|within)\s+)?(?P<number>(?<![^\s(\[])[-−+<>≤≥±~]\s?\d+(?:[.,]\d+)*|\d+(?:[.,]\d+)*)",
    re.IGNORECASE,
)
"""A number with its sign, and the word that makes a bound of it."""
_AT_NUMBER = lazy_re.compile(r"\d[ \u00a0]?\Z")
_MARKED = lazy_re.compile(
    r"`+[^`\n]+`+|\*\*?[^*\n]+\*\*?|(?<!\w)__?[^_\n]+__?(?!\w)|<(?:b|strong|i|em|kbd|code)>[^<\n]*"
)
"""Code, and what is emphasized: labels and types."""
_WORD = lazy_re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_TOKEN = lazy_re.compile(r"[\w.,:%°+−/-]*\d(?:[\w.,:%°+−/-]*[\w%°+])?|\w+(?:['’]\w+)*|[^\w\s]")
"""A number with all that is written together with it, a word, or a character."""
_LIGHT = frozenset("'\"’‘“”-‐–—")  # Marks whose lack changes no fact; commas and stops part sentences, but for the last
_ENDS = " .,;:…"
_HYPHEN = lazy_re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_QUOTES = str.maketrans("’‘", "''")
Texts = Mapping[str, str]  # What differs, by platform


def at_stake(texts: Sequence[Texts], *, is_cell: bool = False) -> Stake:
    """What readers of some copies would lose if all had the text of one of them: the gravest."""
    pairs = [
        (text, other) for left, right in combinations(texts, 2) for text in left.values() for other in right.values()
    ]

    def differ(by: Callable[[str, str], object]) -> bool:
        return any(by(text, other) for text, other in pairs)

    checks: tuple[tuple[Stake, Callable[[], bool]], ...] = (
        (Stake.NUMBER, lambda: differ(_differ_in_a_number)),
        (Stake.OPPOSITE, lambda: differ(turning)),
        (Stake.TARGET, lambda: have_other_targets(texts)),
        (Stake.CODE, lambda: are_marked(texts)),
        (Stake.SETTING, lambda: is_cell and all(map(_is_value, (text for pair in pairs for text in pair)))),
        (Stake.SPELLING, lambda: all(starmap(is_spelling, pairs))),
        (Stake.ADDITION, lambda: differ(_adds_words) or any(_adds_words(other, text) for text, other in pairs)),
        (Stake.NAME, lambda: differ(_differ_in_a_name)),
    )
    return next((stake for stake, applies in checks if applies()), Stake.WORDING)


def is_spelling(text: str, other: str) -> bool:
    """Whether two texts have the same words: case, hyphens, light marks and regional spelling aside.

    A word with capitals inside, or of capitals only, is a name or a unit and has to be the same.
    """
    return _are_same_words(text, other) or _are_same_words(_HYPHEN.sub("", text), _HYPHEN.sub("", other))


def _are_same_words(name: str, other: str) -> bool:
    left, right = (_tokens(text) for text in (name, other))
    return len(left) == len(right) and all(map(_is_same_word, left, right))


def _tokens(text: str) -> list[str]:
    return [match[0] for match in _TOKEN.finditer(text.rstrip(_ENDS)) if match[0] not in _LIGHT]


def _is_same_word(text: str, other: str) -> bool:
    if text == other:
        return True
    if (
        not all(word.islower() or word.istitle() for word in (text, other))
        or text.lower() in NUMBERS
        or other.lower() in NUMBERS
    ):
        return False
    text, other = (word.lower().translate(_QUOTES) for word in (text, other))
    return text == other or (
        lists.known(text)
        and lists.known(other)
        and ((text, other) in respellings(text) or (other, text) in respellings(other))
    )


def are_marked(groups: Sequence[Texts]) -> bool:
    """Whether texts differ in what they mark as code, or in bold, as what a product's screens say."""
    return len({tuple(_MARKED.findall(text)) for own in groups for text in own.values()}) > 1


def have_other_targets(groups: Sequence[Texts]) -> bool:
    """Whether texts differ in where their links point to."""
    return len({tuple(TARGET.findall(text)) for own in groups for text in own.values()}) > 1


def _is_value(text: str) -> bool:
    return len(text.split()) <= _MOST_WORDS and not text.endswith((".", "!", "?"))


def _adds_words(text: str, other: str) -> bool:
    stretches = list(_stretches(text, other))
    return all(left.strip() and not right.strip() for left, right in stretches) and any(
        content_words(left) for left, _ in stretches
    )


def _differ_in_a_name(text: str, other: str) -> bool:
    """Whether a word with a capital has no other word, or another one, in its place."""
    return any(
        word[:1].isupper() and word.lower() not in right.lower()
        for left, right in (*_stretches(text, other), *_stretches(other, text))
        for word in content_words(left)[int(text.startswith(left) or other.startswith(left)) :]
    )


def content_words(text: str) -> list[str]:
    """The words of a text that are more than a joint between others."""
    return [word for word in _WORD.findall(text) if len(word) > 1 and word.lower() not in EMPTY]


def _differ_in_a_number(text: str, other: str) -> bool:
    stretches = _stretches(text, other)
    if _bounds(text) != _bounds(other) or any(_numbers(left) != _numbers(right) for left, right in stretches):
        return True
    return any(
        _AT_NUMBER.search(text, 0, left[0]) is not None and _are_other_things(text[slice(*left)], other[slice(*right)])
        for left, right in differing(text, other)
    )


def _numbers(text: str) -> list[str]:
    return [number.lower() for number in _NUMBER.findall(text)]


def _bounds(text: str) -> list[tuple[str, str]]:
    """The numbers of a text with their signs, each with the word that makes a bound of it: `over 5`, `-20`."""
    return [((match["bound"] or "").lower(), match["number"].replace("−", "-")) for match in _BOUND.finditer(text)]


def _are_other_things(left: str, right: str) -> bool:
    if is_unit(left) and is_unit(right):
        return other_units(left, right)
    return bool(content_words(left) and content_words(right)) and fuzz.ratio(left.lower(), right.lower()) < ALIKE


def _stretches(text: str, other: str) -> Iterator[tuple[str, str]]:
    """What two texts say in each place where they differ."""
    for left, right in differing(text, other):
        yield text[slice(*left)], other[slice(*right)]
