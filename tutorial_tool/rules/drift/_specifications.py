"""Lists of facts about each device or plan, in which copies differ as a rule: for the rule `drifted-wording`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tutorial_tool import variants, variation
from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.variants import Step
from tutorial_tool.variation import SectionRow, Unit
from tutorial_tool.variation.wording import differing, is_retyped

_WORDS = 12
"""Words of a fact, at most."""
_SENTENCE = lazy_re.compile(
    r"[.!?:;。！？]$|\b(?:an?|(?i:are|be|can|do|does|has|have|if|is|it|may|must|should|than|that|the|then|this|to|was|when"
    r"|will|you|your))\b"
)
"""What a sentence has, and a fact such as `2x USB 3.0` has not."""
_USUAL = 2 / 3
"""The share of the other copies that have a fact which is no device's own."""
_FACTS = 2
"""Facts with a number that each of three copies or more has, on average, in a list of them; of two, twice as many."""


def are_own_facts(step: Step, row: Mapping[str, Unit], name: str, other: str) -> bool:
    """Whether what two copies have in a place are facts of two devices, in a list in which most facts are.

    Then none of them is odd. A word that is typed in two ways is no fact.
    """
    mine, theirs = row[name], row[other]
    if not (_is_fact(mine) and _is_fact(theirs)):
        return False
    if (name, mine.place.start) not in variants.kept(step, _own_facts):
        return False
    pairs = differing(mine.text, theirs.text)
    return not all(is_retyped(mine.text[slice(*here)], theirs.text[slice(*there)]) for here, there in pairs)


def _own_facts(step: Step) -> frozenset[tuple[str, int]]:
    """Where the facts of each variant begin that stand in lists of what each device has of its own."""
    return frozenset(
        (name, unit.place.start)
        for row in variation.of(step).sections
        if _are_of_each(row)
        for name, unit in _facts(row)
    )


def _are_of_each(row: SectionRow) -> bool:
    """Whether most facts with a number that the copies of a section have are those of few copies."""
    told: dict[str, set[str]] = {name: set() for name in row.sections}
    for name, unit in _facts(row):
        if any(map(str.isdigit, unit.text)):
            told[name].add(unit.masked.lower())
    every = [(name, text) for name, texts in told.items() for text in texts]
    if len(told) < 2 or len(every) < (_FACTS if len(told) > 2 else 2 * _FACTS) * len(told):
        return False
    usual = (sum(text in texts for texts in told.values()) - 1 >= _USUAL * (len(told) - 1) for _, text in every)
    return 2 * sum(usual) < len(every)


def _facts(row: SectionRow) -> Iterator[tuple[str, Unit]]:
    return ((name, unit) for name, section in row.sections.items() for unit in section.units if _is_fact(unit))


def _is_fact(unit: Unit) -> bool:
    """Whether a text is an item of a list, and no sentence."""
    is_item = unit.kind == "sentence" and unit.prose is not None and unit.prose.kind == "item"
    return is_item and scripts.count(unit.text) <= _WORDS and _SENTENCE.search(unit.text) is None
