"""Whether platforms may mean what they say in other words: no evidence of drift, and no reason to make one text of it.

A web page clicks where a phone taps. What copies differ in may be meant where each platform keeps to its own word,
where addresses or numbers differ, and where one says something more.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from rapidfuzz import fuzz

from tutorial_tool.adopt.names.topics import EMPTY
from tutorial_tool.adopt.resolve.turning import turning
from tutorial_tool.core import lazy_re
from tutorial_tool.variation.wording import NUMBERS, differing, is_unit, other_units

TWICE = 2
"""How often a platform says a word of its own, for that to be a habit."""
MOST_WORDS = 2
"""Words on either side of a difference in terms: more are wording."""
ALIKE = 80
"""How alike two words are, in percent, that are one, spelled in two ways."""
_WORD = lazy_re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_NUMBER = lazy_re.compile(rf"\d+(?:[.,]\d+)*|\b(?:once|twice|{'|'.join(sorted(NUMBERS))})\b", re.IGNORECASE)
_BOUND = lazy_re.compile(
    r"(?:\b(?P<bound>up to|at (?:most|least)|(?:more|less|fewer) than|about|above|after|before|below|from|over|to|under"
    r"|until|within)\s+)?(?P<number>(?<![^\s(\[])[-−+<>≤≥±~]\s?\d+(?:[.,]\d+)*|\d+(?:[.,]\d+)*)",
    re.IGNORECASE,
)
"""A number with its sign, and the word that makes a bound of it."""
_AT_NUMBER = lazy_re.compile(r"\d[ \u00a0]?\Z")
_MARKED = lazy_re.compile(r"`+[^`\n]+`+|\*\*[^*\n]+\*\*|(?<!\w)__[^_\n]+__(?!\w)|<(?:b|strong|kbd|code)>[^<\n]*")
"""Code, and what stands in bold."""
TARGET = lazy_re.compile(r"\]\([^)\s]*|(?:href|src)=[\"'][^\"'\s]*|\w+://[^\s)\"'>]*")
"""Where a link leads to."""
_ENDINGS = ("ing", "ed", "es", "s")
Texts = Mapping[str, str]
"""What differs, by platform."""


@lru_cache(20_000)
def stem(word: str) -> str:
    """A word without the endings of verbs and plurals: `taps` and `tapped` are `tap`."""
    small = word.lower().replace("’", "'")
    for ending in _ENDINGS:
        bare = small.removesuffix(ending)
        if bare != small and len(bare) > 2:
            return bare[:-1] if ending in ("ing", "ed") and bare[-1] == bare[-2] and bare[-1] not in "ls" else bare
    return small


def vocabulary(read: Iterable[tuple[str, str]]) -> dict[str, Counter[str]]:
    """How often each platform says each word, and each two side by side, in the texts that readers read there."""
    out: dict[str, Counter[str]] = defaultdict(Counter)
    for platform, text in read:
        words = [stem(word) for word in _WORD.findall(text)]
        out[platform].update([*words, *map(" ".join, pairwise(words))])
    return out


def habit(groups: Sequence[Texts], said: Mapping[str, Counter[str]]) -> str | None:
    """Why texts may be meant however new or frequent one of them is: each platform keeps to a word of its own."""
    for mine, theirs, words, others in _terms(groups):
        never = not _count(said[theirs], words) and not _count(said[mine], others)
        often = max(_count(said[mine], words), _count(said[theirs], others))
        if words and others and never and often >= TWICE:
            return f"{theirs} never says '{words[0]}', and {mine} never '{others[0]}': both may be meant"
    for mine, theirs, phrase, other in _phrases(groups):
        keys = _key(phrase), _key(other)
        never = not said[theirs][keys[0]] and not said[mine][keys[1]]
        if never and max(said[mine][keys[0]], said[theirs][keys[1]]) >= TWICE:
            return f"{theirs} never says '{phrase}', and {mine} never '{other}': both may be meant"
    return None


def more_or_other(groups: Sequence[Texts], winner: Texts, said: Mapping[str, Counter[str]]) -> str | None:
    """Why the text of most copies may not be right for all: numbers, what turns the sense around, something more, a
    word that one never says."""
    if any(_differ_in_a_number(one, other) for _, _, one, other in _pairs(groups)):
        return "they differ in a number"
    if any(_count_other_things(one, other) for _, _, one, other in _pairs(groups)):
        return "they differ in what a number counts"
    if told := next(filter(None, (turning(one, other) for _, _, one, other in _pairs(groups))), None):
        return f"{told}: choose by hand"
    for mine, theirs, one, other in _pairs(groups):
        stretches = list(_stretches(one, other))
        if all(left.strip() and not right.strip() for left, right in stretches) and any(
            telling(left) for left, _ in stretches
        ):
            return f"{mine} says more than {theirs}: that may be meant"
    return _own_words(groups, winner, said)


def _own_words(groups: Sequence[Texts], winner: Texts, said: Mapping[str, Counter[str]]) -> str | None:
    """Which words of a platform the text of most copies lacks, or which of that text it never says."""
    for mine, theirs, words, others in _terms(groups):
        new = [word for word in words if not _count(said[theirs], [word])]
        if new and others and mine in winner:
            return f"{theirs} never says '{new[0]}': its own word may be meant"
    for mine, theirs, one, other in _pairs(groups):
        words = [word for left, _ in _stretches(one, other) for word in telling(left)]
        own = [word for word in words if not any(_count(said[platform], [word]) for platform in winner)]
        if mine not in winner and theirs in winner and len(own) > 1:
            return f"only {mine} says '{own[0]}' and '{own[1]}': that may be meant"
    for mine, theirs, words, _ in _terms(groups):
        own = [word for word in words if not any(_count(said[platform], [word]) for platform in winner)]
        if mine not in winner and theirs in winner and own and _count(said[mine], own[:1]) >= TWICE:
            return f"only {mine} says '{own[0]}', and more than once: that may be meant"
    for mine, theirs, phrase, _ in _phrases(groups):
        key = _key(phrase)
        if (
            mine not in winner
            and theirs in winner
            and said[mine][key] >= TWICE
            and not any(said[p][key] for p in winner)
        ):
            return f"only {mine} says '{phrase}', and more than once: that may be meant"
    return None


def are_marked(groups: Sequence[Texts]) -> bool:
    """Whether texts differ in what they mark as code, or in bold, as what a product's screens say."""
    return len({tuple(_MARKED.findall(text)) for own in groups for text in own.values()}) > 1


def have_other_addresses(groups: Sequence[Texts]) -> bool:
    """Whether texts differ in where their links lead to."""
    return len({tuple(TARGET.findall(text)) for own in groups for text in own.values()}) > 1


def are_values(groups: Sequence[Texts]) -> bool:
    """Whether the texts of a cell are values of a setting, and no sentences."""
    texts = [text for own in groups for text in own.values()]
    return all(len(text.split()) <= MOST_WORDS and not text.endswith((".", "!", "?")) for text in texts)


def _count(said: Counter[str], words: Iterable[str]) -> int:
    return sum(said[stem(word)] for word in words)


def _key(phrase: str) -> str:
    return " ".join(map(stem, phrase.split()))


def telling(text: str) -> list[str]:
    """The words of a text that are more than a joint between others."""
    return [word for word in _WORD.findall(text) if len(word) > 1 and word.lower() not in EMPTY]


def _differ_in_a_number(one: str, other: str) -> bool:
    stretches = _stretches(one, other)
    return _bounds(one) != _bounds(other) or any(_numbers(left) != _numbers(right) for left, right in stretches)


def _numbers(text: str) -> list[str]:
    return [number.lower() for number in _NUMBER.findall(text)]


def _bounds(text: str) -> list[tuple[str, str]]:
    """The numbers of a text with their signs, each with the word that makes a bound of it: `over 5`, `-20`."""
    return [((match["bound"] or "").lower(), match["number"].replace("−", "-")) for match in _BOUND.finditer(text)]


def _count_other_things(one: str, other: str) -> bool:
    """Whether two texts have words behind a number that are not the same: 30 seconds, 30 minutes."""
    return any(
        _AT_NUMBER.search(one, 0, left[0]) is not None and _are_other_things(one[slice(*left)], other[slice(*right)])
        for left, right in differing(one, other)
    )


def _are_other_things(left: str, right: str) -> bool:
    if is_unit(left) and is_unit(right):
        return other_units(left, right)
    return bool(telling(left) and telling(right)) and fuzz.ratio(left.lower(), right.lower()) < ALIKE


def _stretches(one: str, other: str) -> Iterator[tuple[str, str]]:
    """What two texts say in each place where they differ."""
    for left, right in differing(one, other):
        yield one[slice(*left)], other[slice(*right)]


def _terms(groups: Sequence[Texts]) -> Iterator[tuple[str, str, list[str], list[str]]]:
    """The telling words that answer to each other, where no more than a word or two do."""
    for mine, theirs, one, other in _pairs(groups):
        for left, right in _stretches(one, other):
            if any(len(text.split()) > MOST_WORDS for text in (left, right)):
                continue
            own = [{stem(word): word for word in telling(text)} for text in (left, right)]
            words, others = ([word for key, word in own[i].items() if key not in own[1 - i]] for i in (0, 1))
            if not any(fuzz.ratio(word.lower(), other.lower()) >= ALIKE for word in words for other in others):
                yield mine, theirs, words, others


def _phrases(groups: Sequence[Texts]) -> Iterator[tuple[str, str, str, str]]:
    """Words that answer to each other, with a telling word that stands beside both: `pull request`, `merge request`."""
    for mine, theirs, one, other in _pairs(groups):
        for left, right in differing(one, other):
            words, others = _WORD.findall(one[slice(*left)]), _WORD.findall(other[slice(*right)])
            if (
                not (_are_term(words) and _are_term(others))
                or fuzz.ratio(words[-1].lower(), others[-1].lower()) >= ALIKE
            ):
                continue
            after, behind = _WORD.search(one, left[1]), _WORD.search(other, right[1])
            if after and behind and after[0] == behind[0] and telling(after[0]):
                yield mine, theirs, f"{words[-1]} {after[0]}", f"{others[-1]} {after[0]}"
            before, ahead = _WORD.findall(one[: left[0]]), _WORD.findall(other[: right[0]])
            if before and ahead and before[-1] == ahead[-1] and telling(before[-1]):
                yield mine, theirs, f"{before[-1]} {words[0]}", f"{before[-1]} {others[0]}"


def _are_term(words: Sequence[str]) -> bool:
    """Whether words are few, and each of them tells something."""
    return 0 < len(words) <= MOST_WORDS and all(map(telling, words))


def _pairs(groups: Sequence[Texts]) -> Iterator[tuple[str, str, str, str]]:
    """The texts of any two platforms that differ, either first."""
    for one in groups:
        for other in groups:
            if one is not other:
                yield from ((p, q, text, theirs) for p, text in one.items() for q, theirs in other.items())
