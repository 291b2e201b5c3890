"""Which of several texts the evidence speaks for, and why; or why it speaks for none.

In this order: what other rules find in one text and not in the other; that copies name their own platform where the
others name a foreign one; the newer text, where git knows when lines were changed and days lie between; the text of
most copies. What platforms may mean is left as it is, however new or frequent one of the texts is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.lines import Column
from tutorial_tool.adopt.names import Names
from tutorial_tool.adopt.names.own_names import OwnNames
from tutorial_tool.adopt.unify import meant
from tutorial_tool.adopt.unify.differences import Difference, differences
from tutorial_tool.adopt.unify.evidence import FOREIGN, Evidence
from tutorial_tool.adopt.words.pieces import Vector, is_name

HABIT = 3
"""Places in which platforms differ in the same words, from which on that may be meant."""
Decision = tuple[int | None, str]
"""The index of the text that stays, and why; None where each does."""


def habits(sets: Mapping[CopySet, Sequence[Column]], names: Names) -> frozenset[Vector]:
    """Differences in the text that stand in so many places that a platform may mean them."""
    counts = Counter(
        difference.vector(one)
        for one, columns in sets.items()
        for difference in differences(one, columns, names)
        if difference.cell is None
    )
    return frozenset(vector for vector, times in counts.items() if times >= HABIT and not is_name(vector))


def decided(copies: CopySet, texts: Sequence[meant.Texts], same: Sequence[Difference], evidence: Evidence) -> Decision:
    """The decision about texts, masked, each by the platforms that have it, in all the places where they differ so."""
    groups = [list(own) for own in texts]
    if meant.are_marked(texts):
        return None, "labels or code differ: each may be right"
    found = [evidence.rules(copies, group, same) for group in groups]
    slips = {at for at, rules in enumerate(found) if FOREIGN in rules}
    weights = [float("inf") if at in slips else sum(rules.values()) for at, rules in enumerate(found)]
    if (best := _only(weights, min)) is not None:
        against = Counter(rule for at, rules in enumerate(found) if at != best for rule in rules)
        return best, f"{', '.join(against)} in the other{'s' if len(groups) > 2 else ''}"
    if reason := _may_be_meant(copies, texts, same, evidence):
        return None, reason
    times = [evidence.newest(copies, group, same) for group in groups]
    if (best := evidence.newest_of(times)) is not None and best not in slips:
        return best, f"newer: {evidence.day(times[best])}"
    sizes = [len(group) for group in groups]
    best = _only(sizes, max)
    if best is None or best in slips or 2 * sizes[best] <= sum(sizes):
        return None, "nothing speaks for either" if len(groups) == 2 else "nothing speaks for one of them"
    if any(difference.cell is not None for difference in same) and meant.are_values(texts):
        return None, "settings differ: each may be right"
    if reason := meant.more_or_other(texts, texts[best], evidence.said):
        return None, reason
    return best, f"{sizes[best]} of {sum(sizes)} copies"


def _may_be_meant(
    copies: CopySet, texts: Sequence[meant.Texts], same: Sequence[Difference], evidence: Evidence
) -> str | None:
    if any(difference.is_address for difference in same):
        return "addresses differ: each may be right"
    if any(difference.vector(copies) in evidence.habits for difference in same):
        return "the same in many places: a platform may need it"
    return meant.habit(texts, evidence.said)


def naming(masked: Sequence[str], groups: Sequence[Sequence[str]], own: OwnNames) -> int | None:
    """The index of the text that several copies fill with their own names, where the others have a foreign name."""
    alike = {own.masked_as_own(text) for text in masked}
    at = next((at for at, text in enumerate(masked) if alike == {text}), None)
    return at if at is not None and len(groups[at]) > 1 else None


def _only(numbers: Sequence[float], best: Callable[[Sequence[float]], float]) -> int | None:
    """The index of the best number, where it stands once."""
    wanted = best(numbers)
    return numbers.index(wanted) if numbers.count(wanted) == 1 else None
