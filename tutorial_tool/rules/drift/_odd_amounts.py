"""A number, a unit or a "not" that all other copies have otherwise, where each has words of its own besides: for the
rule `drifted-wording`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.rules._shared._copies import Verdict, intended, lone
from tutorial_tool.rules._shared._item_references import are_one_item
from tutorial_tool.rules._shared._turned import Pair, turn
from tutorial_tool.rules.drift._own_sentences import are_of_opposites
from tutorial_tool.rules.drift._own_wording import words_apart
from tutorial_tool.rules.drift._specifications import are_own_facts
from tutorial_tool.variants import Step
from tutorial_tool.variation import Unit, slots
from tutorial_tool.variation.wording import denies, differing, is_unit

_NUMBER = scripts.Expression(r"(?<![\w.,:/#-])\d+(?:[.,:]\d+)*(?![\w%/-]|[.,:]\d)")
_SIGNED = lazy_re.compile(
    r"(?<![^\s(\[])(?:[<>≤≥±~€$£]\s?|[-−](?=\d))?\d+(?:[.,]\d+)*(?![\w.,:/-]*\d)(?:\s?(?:[%‰]|°[CF]?)(?!\w))?"
)
"""A number with what stands beside it as a part of it."""
_SIGNS = "<>≤≥±~€$£-%‰°CF"
"""What that may be."""
_BEFORE = lazy_re.compile(r"([^\W\d]+)\W{1,2}$")
_AFTER = lazy_re.compile(r"\W?([^\W\d]+)")
_LONG = 4
"""Digits of a number that names a thing, as a port does, and that each platform may have of its own."""
_FEW = 2
"""In how many places two sentences differ at most that say one thing of two platforms."""


class _Amount(NamedTuple):
    """A number with its unit, if it has one, where it stands in the text, and the words beside it."""

    value: str
    place: tuple[int, int]
    before: str
    after: str

    @property
    def names_a_thing(self) -> bool:
        """Whether it is part of a name, or a version."""
        is_version = "." in self.value and not self.value[-1:].isalpha()
        return self.before.istitle() or is_version or (self.value.isdigit() and len(self.value) >= _LONG)


def odd_amounts(step: Step, row: Mapping[str, Unit]) -> Iterator[Finding]:
    """What is odd in one of three sentences or more, each of which differs from the others in a few words besides."""
    if len(row) < 3 or len({unit.masked for unit in row.values()}) == 1:
        return
    numbers = {name: list(_amounts(unit)) for name, unit in row.items() if any(map(str.isdigit, unit.text))}
    if len(numbers) == len(row) and len({len(found) for found in numbers.values()}) == 1:
        for amounts in zip(*numbers.values(), strict=True):
            yield from _odd(step, row, dict(zip(numbers, amounts, strict=True)))
    yield from _denied(step, row)


def odd_signs(step: Step, row: Mapping[str, Unit]) -> Iterator[Finding]:
    """What stands before or behind a number on all of several sentences but one, which has another sign, or none:
    `-20` for `20`, `<5` for `>5`. The words are the same. A sign that the page has in other places, too, is its own."""
    texts = [unit.masked for unit in row.values()]
    if len(row) < 3 or len(set(texts)) == 1 or any(differing(texts[0], text) for text in texts[1:]):
        return
    found = {name: list(_SIGNED.finditer(unit.text)) for name, unit in row.items()}
    if len({len(each) for each in found.values()}) > 1:
        return
    for matches in zip(*found.values(), strict=True):
        told = dict(zip(found, matches, strict=True))
        name, others = lone({id_: _shown(match) for id_, match in told.items()})
        if not name or intended(step, step.pages[name], row[name].place):
            continue
        mine, theirs = told[name], told[others[0]]
        if _shown(mine).strip(_SIGNS) == _shown(theirs).strip(_SIGNS) and (
            step.pages[name].plain.count(mine[0].strip()) == 1 or _shown(mine).isdigit()
        ):
            yield turn(step, name, _pair(row, name, others), mine.span(), theirs.span())


def _shown(match: re.Match[str]) -> str:
    """A number with its signs, blanks aside."""
    return "".join(match[0].split()).replace("−", "-")


def _amounts(unit: Unit) -> Iterator[_Amount]:
    for match in _NUMBER.finditer(unit.text):
        before, after = _BEFORE.search(unit.text, 0, match.start()), _AFTER.match(unit.text, match.end())
        end = after.end() if after and is_unit(after[1]) else match.end()
        words = (before[1] if before else "", after[1] if after else "")
        yield _Amount(unit.text[match.start() : end], (match.start(), end), *words)


def _odd(step: Step, row: Mapping[str, Unit], amounts: Mapping[str, _Amount]) -> Iterator[Finding]:
    name, others = lone({name: amount.value for name, amount in amounts.items()})
    if not name or not _answer(amounts.values()) or not _are_alike(step, row, name, others):
        return
    mine, theirs = amounts[name], amounts[others[0]]
    one, two = (name, row[name], mine.value), (others[0], row[others[0]], theirs.value)
    if are_one_item(step, one, two) or are_own_facts(step, row, name, others[0]):
        return
    if not any(slots.apart(step, (name, mine.value), (id_, theirs.value), row[name].place) for id_ in others):
        yield turn(step, name, _pair(row, name, others), mine.place, theirs.place)


def _answer(amounts: Collection[_Amount]) -> bool:
    """Whether numbers count one thing: the word before or after them is the same, and they are no names."""
    if any(amount.names_a_thing for amount in amounts):
        return False
    beside = ({amount.before.lower() for amount in amounts}, {amount.after.lower() for amount in amounts})
    return any(len(words) == 1 and "" not in words for words in beside)


def _denied(step: Step, row: Mapping[str, Unit]) -> Iterator[Finding]:
    """A "not" that one lacks, or only one has."""
    for name in row if all(step.pages[name].may_be_english for name in row) else ():
        others = tuple(other for other in row if other != name)
        first = _denial(row[name], row[others[0]])
        if first is None or not all(_denial(row[name], row[other]) for other in others[1:]):
            continue
        variants = step.variants[name], step.variants[others[0]]
        is_own = are_of_opposites(variants, row[name].masked, row[others[0]].masked)
        if not is_own and _are_alike(step, row, name, others) and _say_much_the_same(row[name], row[others[0]]):
            yield turn(step, name, _pair(row, name, others), *first)
            return


def _denial(mine: Unit, theirs: Unit) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Where one of two sentences denies what the other says."""
    pairs = differing(mine.text, theirs.text)
    return next((pair for pair in pairs if denies(mine.text[slice(*pair[0])], theirs.text[slice(*pair[1])])), None)


def _are_alike(step: Step, row: Mapping[str, Unit], name: str, others: tuple[str, ...]) -> bool:
    """Whether a sentence of a page that people write differs from the others in a few places only."""
    if intended(step, step.pages[name], row[name].place):
        return False
    return all(len(differing(row[name].masked, row[other].masked)) <= _FEW for other in others)


def _say_much_the_same(mine: Unit, theirs: Unit) -> bool:
    """Whether two sentences have half of their words in common, or more."""
    longest = max(scripts.count(mine.masked), scripts.count(theirs.masked))
    return 2 * max(words_apart(mine, theirs), words_apart(theirs, mine)) <= longest


def _pair(row: Mapping[str, Unit], name: str, others: tuple[str, ...]) -> Pair:
    return Pair(row[name], others[0], row[others[0]], Verdict((name,), others), others)
