"""What varies by platform, learned from all slots of a tutorial: how often variants replace a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

from tutorial_tool import variants
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variants.persistence import register_persistent
from tutorial_tool.variation.model.alignment import TokenKeys
from tutorial_tool.variation.model.differences import Difference, find_differences
from tutorial_tool.variation.model.slots import build_slots
from tutorial_tool.variation.units import OWN

MIN_SLOTS = 3  # Minimum slots for a share of them to be meaningful
_Answers = dict[tuple[str, tuple[Any, ...]], float]  # The results of queries
Substitution = tuple[str, TokenKeys, TokenKeys]  # A variant, its text, and the text of most others in the same slot


@dataclass(frozen=True, eq=False)
class StepCounts:
    """What the slots of one step show.

    `substitutions` counts the texts in which a variant has one thing for another, equal ones once; `words` the texts
    with a word, by variant; `slots` the slots of each variant, and `apart` those in which it differs from most others.
    """

    substitutions: Mapping[Substitution, int]
    words: Mapping[str, Mapping[str, int]]
    slots: Mapping[str, int]
    apart: Mapping[str, int]
    numbers: tuple[int, int] = (0, 0)  # Slots in which numbers differ, and slots in which all variants have numbers


class TutorialCounts:
    """What the slots of a step and the other steps of its tutorial show, counted on request.

    `asked` are the queries so far, each a name and its arguments: while their results are the same, whatever was
    computed from them is valid. `known` are results of earlier queries of the same steps.
    """

    def __init__(self, steps: Sequence[StepCounts], known: _Answers) -> None:
        self._steps, self._known = steps, known
        self.asked: _Answers = {}

    def answer(self, query: str, *arguments: Any) -> float:
        """Return the result of a query of `_QUERIES`, counted once."""
        question = query, arguments
        if question not in self._known:
            self._known[question] = _QUERIES[query](self._steps, *arguments)
        self.asked[question] = self._known[question]
        return self.asked[question]

    def count_support(self, difference: Difference) -> int:
        """Count the other texts in which the variant makes the same substitution."""
        return int(self.answer("support", _get_substitution(difference)))

    def count_texts(self, name: str, word: str, most: int | None = None) -> int:
        """Count the texts of a variant that have a word, up to `most`."""
        return int(self.answer("texts", name, word, most))

    def count_texts_here(self, name: str, word: str) -> int:
        """Count the texts of the variant's page in this step that have a word."""
        return int(self.answer("texts here", name, word))


def _measure_number_variation(steps: Sequence[StepCounts]) -> float:
    """Return the share of slots with numbers, leaving one out, in which these differ."""
    differing, number = (sum(step.numbers[at] for step in steps) for at in (0, 1))
    return (differing - 1) / (number - 1) if number >= MIN_SLOTS else 0.0


def _count_support(steps: Sequence[StepCounts], substitution: Substitution) -> int:
    return max(0, sum(step.substitutions.get(substitution, 0) for step in steps) - 1)


def _count_texts(steps: Sequence[StepCounts], name: str, word: str, most: int | None = None) -> int:
    count = sum(step.words.get(name, {}).get(word, 0) for step in steps)
    return count if most is None else min(count, most)


def _measure_share_elsewhere(steps: Sequence[StepCounts], name: str, words: tuple[str, ...]) -> float:
    """Return how often a variant has words in other steps, relative to its own name; rounded to tenths."""
    everywhere, here = (min(_count_texts(counted, name, word) for word in words) for counted in (steps, steps[:1]))
    return round((everywhere - here) / (1 + _count_texts(steps, name, OWN)), 1)


def _measure_share_apart(steps: Sequence[StepCounts], name: str, usual: float) -> float:
    """Return the share of slots in which a variant differs from most others, beyond the usual share."""
    slots = sum(step.slots.get(name, 0) for step in steps)
    if slots < MIN_SLOTS:
        return 0.0
    return max(0.0, sum(step.apart.get(name, 0) for step in steps) / slots - usual)


_QUERIES: Mapping[str, Callable[..., float]] = {
    "number variation": _measure_number_variation,
    "support": _count_support,
    "texts": _count_texts,
    "texts here": lambda steps, name, word: _count_texts(steps[:1], name, word),
    "share elsewhere": _measure_share_elsewhere,
    "share apart": _measure_share_apart,
}
"""The queries by the names under which their results are stored."""


def get_differences(step: Step) -> tuple[Difference, ...]:
    """Return the differences in all slots of a step. Computed once."""
    return variants.get_cached(step, _find_all_differences)


def _find_all_differences(step: Step) -> tuple[Difference, ...]:
    slots = (slot for slot in build_slots(step) if not slot.is_container)
    return tuple(chain.from_iterable(map(find_differences, slots)))


def _iter_numbers(key: TokenKeys) -> Iterator[str]:
    """Return the numbers of a text, except versions of the platform: a number after its own name."""
    return (word for before, word in pairwise(("", *key)) if word.isdigit() and before != OWN)


def learn_substitutions(step: Step) -> TutorialCounts:
    """Learn from the slots of a step and the other steps of its tutorial what varies by variant."""
    related = variants.find_related_steps(variants.copy_unobserved(step))
    counts = [variants.get_cached(other, _count_slots) for other in (step, *related)]
    return TutorialCounts(counts, step.first_page.get_cached(_create_answers, *counts))


def _create_answers(_page: Page, *_counts: StepCounts) -> _Answers:
    """Return an empty cache of answers; `get_cached` keeps it while the counts are the same objects."""
    return {}


def record_answers(step: Step, learned: TutorialCounts) -> None:
    """Keep what is computed from a step valid while the results of all its queries are the same."""
    variants.record_answer(step, _answer_questions, tuple(learned.asked.values()), tuple(learned.asked))


def _answer_questions(step: Step, questions: tuple[tuple[str, tuple[Any, ...]], ...]) -> tuple[float, ...]:
    learned = learn_substitutions(step)
    return tuple(learned.answer(query, *arguments) for query, arguments in questions)


def _get_substitution(difference: Difference) -> Substitution:
    return difference.variant_id, difference.actual, difference.expected


@register_persistent
def _count_slots(step: Step) -> StepCounts:
    shown: dict[Substitution, set[TokenKeys]] = {}
    apart: dict[str, set[int]] = {}
    for difference in get_differences(step):
        name = difference.variant_id
        shown.setdefault(_get_substitution(difference), set()).add(difference.slot.texts[name].key)
        if difference.votes > difference.against:
            apart.setdefault(name, set()).add(id(difference.slot))
    words: dict[str, Counter[str]] = {}
    slots: Counter[str] = Counter()
    differing = with_numbers = 0
    for slot in build_slots(step):
        numbers = {tuple(_iter_numbers(text.key)) for text in slot.texts.values()}
        if not slot.is_container and len(slot.texts) > 1 and all(numbers):
            with_numbers += 1
            differing += len(numbers) > 1
        for name, text in slot.texts.items() if not slot.is_container else ():
            slots[name] += len(slot.texts) > 1
            words.setdefault(name, Counter()).update(set(text.key))
    substitutions = {substitution: len(texts) for substitution, texts in shown.items()}
    apart_counts = {name: len(matches) for name, matches in apart.items()}
    plain = {name: dict(counted) for name, counted in words.items()}
    return StepCounts(substitutions, plain, dict(slots), apart_counts, (differing, with_numbers))
