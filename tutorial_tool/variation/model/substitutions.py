"""What varies with the platform, learned from all slots of a tutorial: how often a variant says a thing, and where
others say another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tutorial_tool import variants
from tutorial_tool.variants import Step
from tutorial_tool.variation.model.columns import Key
from tutorial_tool.variation.model.differences import Difference, find_differences
from tutorial_tool.variation.model.slots import build_slots

_FEW = 3
"""Slots with numbers, at least, that tell how numbers vary."""
Swap = tuple[str, Key, Key]
"""A variant, what it says, and what most others say in the same slot."""


@dataclass(frozen=True, eq=False)
class Substitutions:
    """`swaps` counts the different texts in which a variant says one thing for another; `words` those that have a word,
    by variant; `slots` the slots of each variant, and `apart` those in which it differs from what most others say."""

    swaps: Mapping[Swap, int]
    words: Mapping[str, Counter[str]]
    slots: Mapping[str, int]
    apart: Mapping[str, int]
    numbers: tuple[int, int] = (0, 0)
    """In how many slots numbers differ, and in how many all variants have some."""

    @property
    def numbers_vary(self) -> float:
        """The share of slots with numbers, one left out, in which these differ."""
        differing, every = self.numbers
        return (differing - 1) / (every - 1) if every >= _FEW else 0.0

    def support(self, difference: Difference) -> int:
        """In how many other texts the variant says the same thing for the same."""
        return max(0, self.swaps.get((difference.name, difference.own, difference.expected), 0) - 1)

    def says(self, name: str, word: str) -> int:
        """How many texts of a variant have a word."""
        return self.words[name][word] if name in self.words else 0


def differences_of(step: Step) -> tuple[Difference, ...]:
    """The differences in all slots of a step. Made once."""
    return variants.kept(step, _differences)


def _differences(step: Step) -> tuple[Difference, ...]:
    return tuple(found for slot in build_slots(step) if not slot.is_whole for found in find_differences(slot))


def learn_substitutions(step: Step) -> Substitutions:
    """What the slots of a step, and of the other steps of its tutorial, tell of its variants. Made once."""
    return variants.kept(step, _learn_all)


def _learn_all(step: Step) -> Substitutions:
    return _added([_of_step(step), *(_of_step(other) for other in variants.others(step))])


def _of_step(step: Step) -> Substitutions:
    return variants.kept(step, _learn)


def _learn(step: Step) -> Substitutions:
    shown: dict[Swap, set[Key]] = {}
    apart: dict[str, set[int]] = {}
    for found in differences_of(step):
        shown.setdefault((found.name, found.own, found.expected), set()).add(found.slot.texts[found.name].key)
        if found.votes > found.against:
            apart.setdefault(found.name, set()).add(id(found.slot))
    words: dict[str, Counter[str]] = {}
    slots: Counter[str] = Counter()
    differing = with_numbers = 0
    for slot in build_slots(step):
        numbers = {tuple(key for key in text.key if key.isdigit()) for text in slot.texts.values()}
        if not slot.is_whole and len(slot.texts) > 1 and all(numbers):
            with_numbers += 1
            differing += len(numbers) > 1
        for name, text in slot.texts.items() if not slot.is_whole else ():
            slots[name] += len(slot.texts) > 1
            words.setdefault(name, Counter()).update(set(text.key))
    counts = {swap: len(texts) for swap, texts in shown.items()}
    apart_counts = {name: len(found) for name, found in apart.items()}
    return Substitutions(counts, words, slots, apart_counts, (differing, with_numbers))


def _added(parts: Iterable[Substitutions]) -> Substitutions:
    swaps: Counter[Swap] = Counter()
    words: dict[str, Counter[str]] = {}
    slots: Counter[str] = Counter()
    apart: Counter[str] = Counter()
    differing = with_numbers = 0
    for part in parts:
        differing, with_numbers = differing + part.numbers[0], with_numbers + part.numbers[1]
        swaps.update(part.swaps)
        slots.update(part.slots)
        apart.update(part.apart)
        for name, counts in part.words.items():
            words.setdefault(name, Counter()).update(counts)
    return Substitutions(swaps, words, slots, apart, (differing, with_numbers))
