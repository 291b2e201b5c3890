"""The words and forms that the slips of the rule `grammar` are made of."""

from __future__ import annotations

import re
from itertools import product
from typing import NamedTuple

from tutorial_tool.spelling.word_lists import words


class Slip(NamedTuple):
    """A pattern that is wrong nearly wherever it stands.

    `better` is what to write, as a template of the match; None where only the author knows. `needs` are lower-case
    letters of which some must stand in the text, from the beginning of a word on: a cheap look before the pattern. The
    last word of those that begin with a space is whole, and may end a sentence.
    `first`: the match begins a sentence. `unmarked`: no emphasis begins in it: `a *this is it* text`. `main`: it stands
    behind no `if` or `when`, whose clause may end in it without a comma: `if it is used add a lamp`.
    """

    pattern: re.Pattern[str]
    message: str
    better: str | None = None
    needs: tuple[str, ...] = ()
    first: bool = False
    unmarked: bool = False
    main: bool = False


SHOULD = "`{0}` should read `{1}`"
TO = "`{0}`: `to` is missing"
FORM = "`{0}`: wrong verb form"
WISH = "able|allowed|easy|easier|going|hard|have|how|like|need|needed|possible|required|simple|time|try|used|want|way"
"""What stands before `to` and a verb."""
AFTER_NOUN = (
    r"(?= (?:is|are|can|will|has|have|must|should|may|in|for|that|which|with|and|or|to|from|of|on)\b|[.,;:)](?!\w)|$)"
)
"""What a noun ends before, so that it is no part of a longer one: `these page numbers`."""
PARTICIPLE = "been|used|done|made|seen|sent|given|taken|shown|written|chosen|built|kept|found"
DETERMINER = r"the|your|our|their|its|this|that|these|those|an?|any|all|each|every|another|it|them"


def verbs() -> str:
    """What readers and programs do, in its plain form, for a pattern."""
    return "|".join(words("verbs"))


def nouns() -> str:
    """What documentation speaks of, for a pattern."""
    return "|".join(words("nouns"))


def third_persons() -> str:
    """The verbs as they stand after `it`."""
    return "|".join(map(_with_s, words("verbs")))


def continuous() -> str:
    """The verbs with `-ing`."""
    return "|".join(map(_continuous, words("verbs")))


def plurals() -> str:
    """The nouns for several things, less those that are verbs, too: `this changes`."""
    return "|".join(map(_with_s, (noun for noun in words("nouns") if noun not in words("both"))))


def pairs(first: str, second: str) -> tuple[str, ...]:
    """Each of some words before each of others; the words of a list stand between bars."""
    return tuple(map(" ".join, product(first.split("|"), second.split("|"))))


def _with_s(word: str) -> str:
    """A verb as it stands after `it`, or a noun for several things."""
    if word.endswith(("s", "sh", "ch", "x")):
        return f"{word}es"
    return f"{word[:-1]}ies" if word[-1] == "y" and word[-2] not in "aeo" else f"{word}s"


def _continuous(verb: str) -> str:
    if verb in ("get", "run", "set", "skip", "stop", "submit", "wrap"):
        return f"{verb}{verb[-1]}ing"
    return f"{verb[:-1]}ing" if verb.endswith("e") and not verb.endswith("ee") else f"{verb}ing"
