"""The words and forms that the slips of the rule `grammar` are made of."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple


class Slip(NamedTuple):
    """A pattern that is wrong nearly wherever it stands.

    `better` is what to write, as a template of the match; None where only the author knows. `needs` are lower-case
    letters of which some must stand in the text, from the beginning of a word on: a cheap look before the pattern.
    `first`: the match begins a sentence.
    """

    pattern: re.Pattern[str]
    message: str
    better: str | None = None
    needs: tuple[str, ...] = ()
    first: bool = False


SHOULD = "`{0}` should read `{1}`"
TO = "`{0}`: `to` is missing"
FORM = "`{0}`: the verb has the wrong form"
WISH = "able|allowed|easy|easier|going|hard|have|how|like|need|needed|possible|required|simple|time|try|used|want|way"
"""What stands before `to` and a verb."""
DETERMINER = r"the|your|our|their|its|this|that|these|those|an?|any|all|each|every|another|it|them"


@cache
def _listed(name: str) -> tuple[str, ...]:
    text = (Path(__file__).parent / "words" / f"{name}.txt").read_text(encoding="utf-8")
    return tuple(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def verbs() -> str:
    """What readers and programs do, in its plain form, for a pattern."""
    return "|".join(_listed("verbs"))


def nouns() -> str:
    """What documentation speaks of, for a pattern."""
    return "|".join(_listed("nouns"))


def third_persons() -> str:
    """The verbs as they stand after `it`."""
    return "|".join(map(_third, _listed("verbs")))


def continuous() -> str:
    """The verbs with `-ing`."""
    return "|".join(map(_continuous, _listed("verbs")))


def plurals() -> str:
    """The nouns for several things, less those that are verbs, too: `this changes`."""
    return "|".join(map(_plural, (noun for noun in _listed("nouns") if noun not in _listed("both"))))


def pairs(first: str, second: str) -> tuple[str, ...]:
    """Each of some words before each of others; the words of a list stand between bars."""
    return tuple(map(" ".join, product(first.split("|"), second.split("|"))))


def _third(verb: str) -> str:
    if verb.endswith(("s", "sh", "ch", "x")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if verb[-1] == "y" and verb[-2] not in "aeo" else f"{verb}s"


def _plural(noun: str) -> str:
    return _third(noun)


def _continuous(verb: str) -> str:
    if verb in ("get", "run", "set", "skip", "stop", "submit", "wrap"):
        return f"{verb}{verb[-1]}ing"
    return f"{verb[:-1]}ing" if verb.endswith("e") and not verb.endswith("ee") else f"{verb}ing"
