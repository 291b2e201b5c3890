"""A number, a unit or a "not" in which a sentence contradicts that of other copies: for the rule `drifted-wording`."""

from __future__ import annotations

import re
from typing import NamedTuple

from rapidfuzz.distance import OSA

from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.rules._shared._copies import Verdict, named, quoted
from tutorial_tool.rules._shared._item_references import are_one_item
from tutorial_tool.spelling import lists
from tutorial_tool.variants import Step, Variant
from tutorial_tool.variation import Unit, masked
from tutorial_tool.variation.wording import denies, differing, other_units, turns

_NUMBER_BEFORE = lazy_re.compile(r"\d[\d.,]*\s$")
_FORBIDS = lazy_re.compile(r"\b(?:do|must|should|may)(?: not|n['’]t)\b(?! (?:need|have)\b)|\bnever\b", re.IGNORECASE)
_LONG, _WORDS = 40, 3
"""Characters of a sentence in which a reader has to look for what differs, and words of that at most."""
_AGREE = 2
"""Copies that agree on a word, at least, which another one has mistyped."""
_LETTERS = 5
"""Letters of such a word, at least."""
_FEW = 2
"""In how many places two sentences differ that say the same but for what turns one of them."""


class Pair(NamedTuple):
    """A sentence of the odd page, and the one that it should answer to."""

    unit: Unit
    other: str
    theirs: Unit
    verdict: Verdict
    agreeing: tuple[str, ...]
    """The variants that say what `theirs` says."""


def turned(step: Step, name: str, pair: Pair) -> Finding | None:
    """A number, or a word such as "not", that makes two sentences, equal else, say different things: told alone.

    Another unit, or a "not" that is lost from what a reader must not do, is more than a hint where two copies or more
    agree, word for word. That something is not supported may be so on one platform.
    """
    few = differing(pair.unit.masked, pair.theirs.masked)
    for left, right in differing(pair.unit.text, pair.theirs.text) if len(few) <= _FEW else ():
        here = _unnamed(step.variants[name], pair.unit.text, left)
        there = _unnamed(step.variants[pair.other], pair.theirs.text, right)
        mine, theirs = pair.unit.text[slice(*here)], pair.theirs.text[slice(*there)]
        if are_one_item(step, (name, pair.unit, mine), (pair.other, pair.theirs, theirs)):
            continue
        if other_units(mine, theirs):
            here, there = _amount(pair.unit.text, *here), _amount(pair.theirs.text, *there)
        if turns(mine, theirs) and (step.pages[name].may_be_english or not denies(mine, theirs)):
            forbids = _forbids(pair.unit.text, here) or _forbids(pair.theirs.text, there)
            sure = len(pair.agreeing) > 1 and len(few) == 1 and (forbids or other_units(mine, theirs))
            return turn(step, name, pair, here, there, Severity.WARNING if sure else None)
    return None


def mistyped(step: Step, name: str, pair: Pair) -> Finding | None:
    """A word that no list knows, one letter off the word that two copies or more have in a sentence, equal else: told
    alone."""
    few = differing(pair.unit.text, pair.theirs.text)
    if len(few) != 1 or len(pair.agreeing) < _AGREE or not step.pages[name].may_be_english:
        return None
    ((here, there),) = few
    mine, theirs = pair.unit.text[slice(*here)].lower(), pair.theirs.text[slice(*there)].lower()
    if min(len(mine), len(theirs)) < _LETTERS or not (mine.isalpha() and theirs.isalpha()):
        return None
    is_slip = OSA.distance(mine, theirs) == 1 and not (mine.startswith(theirs) or theirs.startswith(mine))
    return turn(step, name, pair, here, there) if is_slip and lists.known(theirs) and not lists.known(mine) else None


def turn(
    step: Step,
    name: str,
    pair: Pair,
    here: tuple[int, int],
    there: tuple[int, int],
    severity: Severity | None = None,
) -> Finding:
    """What makes two sentences say different things: the places in the two texts, one of which may be empty."""
    place, message = put(step, name, pair, here, there)
    related = [(step.pages[pair.other], pair.theirs.place, f"what {step.variants[pair.other].name} says")]
    return step.pages[name].flag(place, message, related=related, severity=severity)


def put(
    step: Step, name: str, pair: Pair, here: tuple[int, int], there: tuple[int, int]
) -> tuple[tuple[int, int], str]:
    """The place on the page of what differs in two texts, one of which may lack it, and the words for that."""
    here = _unnamed(step.variants[name], pair.unit.text, here)
    there = _unnamed(step.variants[pair.other], pair.theirs.text, there)
    message = _told(step, pair, pair.unit.text[slice(*here)], pair.theirs.text[slice(*there)])
    return pair.unit.at(*here) if here[0] < here[1] else pair.unit.place, message


def few_words(step: Step, name: str, pair: Pair, least: int = _LONG) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """The places in two texts of `least` characters of the few words in which alone they differ: who reads of these
    need not look for them."""
    texts, variants = (pair.unit.text, pair.theirs.text), (step.variants[name], step.variants[pair.other])
    if min(map(len, texts)) < least or len(differing(pair.unit.masked, pair.theirs.masked)) != 1:
        return None
    found = [
        (here, there)
        for here, there in differing(*texts)
        if masked(texts[0][slice(*here)], variants[0]) != masked(texts[1][slice(*there)], variants[1])
    ]
    words = [scripts.count(text[slice(*place)]) for each in found for text, place in zip(texts, each, strict=True)]
    is_one = len(found) == 1 and max(words) <= _WORDS
    return found[0] if is_one else None


def _unnamed(variant: Variant, text: str, place: tuple[int, int]) -> tuple[int, int]:
    """A stretch of a text without the name of its own variant at its begin."""
    for match in variant.pattern.finditer(text):
        if match.start() <= place[0] < match.end() <= place[1]:
            rest = text[match.end() : place[1]]
            return place[1] - len(rest.lstrip()), place[1]
    return place


def _told(step: Step, pair: Pair, mine: str, theirs: str) -> str:
    """What a sentence says that was turned."""
    mine, theirs = (" ".join(said.split()) for said in (mine, theirs))
    what = f"`{mine}` here, and `{theirs}`" if theirs else f"`{mine}` stands here, and is missing"
    what = what if mine else f"`{theirs}` is missing here, and stands"
    reason = f" ({pair.verdict.reason})" if pair.verdict.reason else ""
    return f"{what} on {named(step, pair.agreeing)}: {quoted(pair.theirs.text, pair.unit.text)}{reason}"


def _forbids(text: str, place: tuple[int, int]) -> bool:
    """Whether a word belongs to what a reader must not do."""
    return any(match.start() < place[1] and place[0] < match.end() for match in _FORBIDS.finditer(text))


def _amount(text: str, start: int, end: int) -> tuple[int, int]:
    """Where a unit stands with the number before it."""
    number = _NUMBER_BEFORE.search(text, 0, start)
    return (number.start() if number else start), end
