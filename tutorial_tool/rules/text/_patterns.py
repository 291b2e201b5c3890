"""The mistakes that `grammar` finds, from `words/slips.txt`: data, most with a bad and a good example."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.spelling import word_lists

MODALS = ("can", "could", "must", "should", "will", "would", "may", "might", "cannot")
NOUN_VERBS = dict(
    line.split(" = ") for line in word_lists.read_lines("noun-verbs")
)  # Nouns that are two words as a verb
_SHOULD = "`{0}` should read `{1}`"
NAME = lazy_re.compile(r"(?<!\?P)<(\w+?)(_?)>")  # With `_` after each word of a list
_FLAGS = frozenset(("unmarked", "main", "running", "exact", "hint"))


class Slip(NamedTuple):
    """A pattern that is wrong nearly wherever it matches.

    `better` is the replacement, as a template of the match; None if only the author knows, "" if a noun is used as a
    verb. `needs` are lowercase letters at the start of a word, and `pairs` are whole words and those of which one must
    follow, which may end a sentence. Some of them must be in the text: a cheap check before the pattern.

    A named group must be in the table of that name, and `<name>` in `better` is the form that agrees there. `first`:
    the match begins a sentence. Flags: `unmarked`: no emphasis begins in it. `main`: no clause with `if` or `when`
    precedes it. `running`: it is in a paragraph, since items and cells are brief. `exact`: the source has the same
    characters, except for code, since a component leaves two spaces. `hint`: only style guides object.
    """

    pattern: re.Pattern[str]
    message: str
    better: str | None
    needs: list[str]
    pairs: list[tuple[list[str], frozenset[str]]]
    first: bool
    flags: frozenset[str]
    bad: str  # A text that has the mistake, and a correct one; "" if the cases show it
    good: str


def read_slips() -> Iterator[Slip]:
    """Yield the blocks of the list, in order."""
    lists, block = _derive_lists(), dict[str, str]()
    for line in word_lists.read_lines("slips"):
        key, _, value = line.partition(": ")
        if key.startswith("list "):
            lists[key.removeprefix("list ")] = value
            continue
        if key == "needs" and block:
            yield _build_slip(block, lists)
            block = {}
        block[key.removesuffix(":")] = value
    yield _build_slip(block, lists)


def _derive_tables() -> dict[str, dict[str, str]]:
    """Build the words that each named group may match, each with the form that agrees in its place."""
    verbs, nouns, more, both = map(word_lists.read_words, ("only-verbs", "nouns", "count-nouns", "both"))
    bases = {verb: _add_s(verb) for verb in verbs}
    all_nouns = {noun: _add_s(noun) for noun in (*nouns, *more)}
    only = {noun: plural for noun, plural in all_nouns.items() if noun not in both}
    tables = {"base": bases, "noun": all_nouns, "singular": only}
    others = {"third": bases, "plurals": all_nouns, "plural": only}
    return tables | {name: {form: word for word, form in table.items()} for name, table in others.items()}


def _derive_lists() -> dict[str, str]:
    """Build the word lists that are derived from others."""
    verbs, nouns = map(word_lists.read_words, ("verbs", "nouns"))
    tables = {name: "|".join(table) for name, table in TABLES.items()}
    return tables | {
        "verbs": "|".join(verbs),
        "nouns": "|".join(nouns),
        "third_persons": "|".join(THIRD_PERSONS),
        "continuous": "|".join(map(_build_continuous, verbs)),
        "modals": "|".join(MODALS),
        "noun_verbs": "|".join(NOUN_VERBS),
    }


def _build_slip(block: dict[str, str], lists: dict[str, str]) -> Slip:
    needs, pattern = (
        NAME.sub(lambda name: lists[name[1]].replace("|", f"{name[2]}|") + name[2], block[key])
        for key in ("needs", "pattern")
    )
    return Slip(
        lazy_re.compile(pattern),
        block.get("message", _SHOULD),
        block.get("better"),
        *_expand_needs(needs.removeprefix("^")),
        first=needs.startswith("^"),
        flags=_FLAGS.intersection(block),
        bad=block.get("bad", ""),
        good=block.get("good", ""),
    )


def _expand_needs(text: str) -> tuple[list[str], list[tuple[list[str], frozenset[str]]]]:
    needs: list[str] = []
    pairs: list[tuple[list[str], frozenset[str]]] = []
    for need in text.split(", "):
        first, plus, second = need.replace("_", " ").rpartition("+ ")
        words = first.removesuffix(" ").split("|")
        followers, letters = _split_letters(second, is_follower=bool(first))
        pairs += [(words, followers)] if followers else []
        needs += (" ".join(pair) if plus else pair[1] for pair in product(words, letters))
    return needs, pairs


@cache
def _split_letters(text: str, *, is_follower: bool) -> tuple[frozenset[str], list[str]]:
    """Return the whole words that must follow another, and all other letters."""
    letters = text.split("|")
    followers = frozenset(word for word in letters if is_follower and word[-1] == " " and word[:-1].isalpha())
    return frozenset(map(str.rstrip, followers)), [word for word in letters if word not in followers]


def _add_s(word: str) -> str:
    """Return the third person form of a verb, or the plural of a noun."""
    if word.endswith(("s", "sh", "ch", "x")):
        return f"{word}es"
    return f"{word[:-1]}ies" if word[-1] == "y" and word[-2] not in "aeo" else f"{word}s"


def _build_continuous(verb: str) -> str:
    if verb in ("get", "run", "set", "skip", "stop", "submit", "wrap"):
        return f"{verb}{verb[-1]}ing"
    return f"{verb[:-1]}ing" if verb.endswith("e") and not verb.endswith("ee") else f"{verb}ing"


THIRD_PERSONS = tuple(map(_add_s, word_lists.read_words("verbs")))
TABLES = _derive_tables()
SLIPS = tuple(read_slips())
START = 4  # Length of the prefix by which required words that may continue are indexed
_SIGN = lazy_re.compile(r"([^\w\s]|\d)(.*)")
_Letters = dict[str, list[str]]
_Slips = dict[str, list[int]]  # The numbers of patterns


def _index_needs() -> tuple[dict[str, tuple[_Slips, _Letters]], _Letters, re.Pattern[str], _Letters, _Slips]:
    slips = group_pairs((need, number) for number, slip in enumerate(SLIPS) for need in slip.needs)
    pairs: dict[str, tuple[tuple[frozenset[str], int], ...]] = {}
    phrases: dict[str, _Letters] = {}
    by_sign: _Letters = {}
    signs = []
    for number, slip in enumerate(SLIPS):
        for firsts, followers in slip.pairs:
            pairs |= {word: (*pairs.get(word, ()), (followers, number)) for word in firsts}
    for need in slips:
        first, _, rest = need.lstrip().partition(" ")
        if " " in need and first.isalpha():
            phrases.setdefault(first, {}).setdefault(rest[:1] if rest[:1].isalpha() else "", []).append(need)
        elif match := _SIGN.search(need):
            sign, before, after = map(re.escape, (match[1], need[: match.end(1)], match[2]))
            signs.append(f"{sign}(?<={before})(?={after})")
            by_sign.setdefault(match[1] + match[2][:2] * (len(match[2]) > 1), []).append(need)
    by_word = {word: (_index_followers(pairs.get(word, ())), phrases.get(word, {})) for word in pairs | phrases}
    by_start = group_pairs((need[:START], need) for need in slips if need.isalpha())
    return by_word, by_start, lazy_re.compile("|".join(signs)), by_sign, slips


@cache
def _index_followers(needs: tuple[tuple[frozenset[str], int], ...]) -> _Slips:
    """Index patterns by the second word, once for all first words with the same patterns, such as most nouns."""
    return group_pairs((word, number) for followers, number in needs for word in followers)


NEEDS = _index_needs()
"""The letters that patterns need: by first word and the next one's first letter, with the patterns that need two whole
words; by first letters; and by a sign in them, after a pattern for it; and the patterns by these letters."""
