"""Which of several texts the evidence speaks for, and why; or why it speaks for none.

In this order: what other rules find in one text, where the others differ from it in that alone; that copies name their
own platform where the others name a foreign one; the newer text, where git knows when lines were changed and days lie
between; the text of most copies. What platforms may mean is left as it is, however new or frequent one of the texts is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.lines import Column
from tutorial_tool.adopt.names import Names
from tutorial_tool.adopt.names.own_names import OwnNames
from tutorial_tool.adopt.resolve import elsewhere, meant
from tutorial_tool.adopt.resolve.differences import MARKED, Difference, differences
from tutorial_tool.adopt.resolve.evidence import Evidence
from tutorial_tool.adopt.resolve.slips import Slips
from tutorial_tool.adopt.resolve.terms import Term, terms

HABIT = 3
"""Places in which platforms differ in the same words, from which on that may be meant."""
UNCHECKED = "a link from the root of the site is not checked: choose by hand"
Groups = Mapping[str, Sequence[str]]
"""Masked texts, and the platforms that have each."""


@dataclass(frozen=True)
class Decision:
    """The index of the text that stays, and why; None where each does.

    `is_certain` where one spelling is right, whatever else may differ in the sentence.
    """

    winner: int | None
    reason: str
    is_certain: bool = False


def habits(sets: Mapping[CopySet, Sequence[Column]], names: Names) -> frozenset[Term]:
    """Words that differ in so many places that a platform may mean them."""
    counts = Counter(
        term
        for one, columns in sets.items()
        for own in [OwnNames.of(one.platforms, names)]
        for difference in differences(one, columns, names)
        for term in terms(difference, own)
    )
    return frozenset(term for term, times in counts.items() if times >= HABIT)


def decided(copies: CopySet, groups: Groups, same: Sequence[Difference], evidence: Evidence, own: OwnNames) -> Decision:
    """The decision about texts in all the places where they differ so."""
    if meant.are_marked(_texts(groups)):
        return Decision(None, MARKED)
    slips = [evidence.slips(copies, group, same) for group in groups.values()]
    if (found := _by_rules(slips, list(groups), own)) is not None:
        if _is_unchecked(copies, same, slips, found.winner, own):
            return Decision(None, UNCHECKED)
        return found
    if (at := naming(list(groups), list(groups.values()), own)) is not None:
        return Decision(at, "each copy names its own platform here", is_certain=True)
    mended: dict[str, list[int]] = {}
    for at, one in enumerate(slips):
        mended.setdefault(own.masked(one.mended, one.platform), []).append(at)
    members = {text: [p for at in alike for p in slips[at].platforms] for text, alike in mended.items()}
    best, reason = _by_copies(copies, members, same, evidence, own)
    if best is None:
        return Decision(None, reason)
    winner = min(list(mended.values())[best], key=lambda at: slips[at].weight)
    if slips[winner].weight > min(one.weight for one in slips):
        return Decision(None, f"{', '.join(slips[winner].rules)} in the text that would stay ({reason})")
    return Decision(winner, reason)


def _by_rules(slips: Sequence[Slips], masked: Sequence[str], own: OwnNames) -> Decision | None:
    """The text with the fewest slips, where each of the others differs from it in its slips alone."""
    best = _only([one.weight for one in slips], min)
    if best is None:
        return None
    others = [one for one in slips if one is not slips[best]]
    if not all(one.are_all(own.unmasked(masked[best], one.platform)) for one in others):
        return None
    rules = dict.fromkeys(rule for one in others for rule in one.rules if rule not in slips[best].rules)
    return Decision(best, f"{', '.join(rules)} in the other{'s' if len(others) > 1 else ''}", is_certain=True)


def _is_unchecked(
    copies: CopySet, same: Sequence[Difference], slips: Sequence[Slips], winner: int | None, own: OwnNames
) -> bool:
    """Whether a link that leads nowhere loses to one of which nobody knows where it leads: from the root of a site."""
    if winner is None or not any(difference.is_address for difference in same):
        return False
    best = slips[winner]
    others = [one for one in slips if one is not best]
    are_mended = all(one.mended == own.unmasked(own.masked(best.text, best.platform), one.platform) for one in others)
    return not are_mended and any(
        difference.address(copies, best.platform).startswith("/")
        and not all(difference.address(copies, one.platform).startswith("/") for one in others)
        for difference in same
    )


def _by_copies(
    copies: CopySet, groups: Groups, same: Sequence[Difference], evidence: Evidence, own: OwnNames
) -> tuple[int | None, str]:
    """The index of the newest text, or of that of most copies, and why."""
    before, after = same[0].beside(copies)
    texts = _texts({f"{before}{text}{after}": group for text, group in groups.items()})
    sizes = [len(group) for group in groups.values()]
    if reason := _may_be_meant(texts, same, evidence, own):
        return None, reason
    times = [evidence.newest(copies, group, same) for group in groups.values()]
    if (best := evidence.newest_of(times)) is not None:
        against = _against(copies, groups, best, same, own)
        return (None, against) if against else (best, f"newer: {evidence.day(times[best])}")
    best = _only(sizes, max)
    if best is None or 2 * sizes[best] <= sum(sizes):
        return None, "nothing speaks for either" if len(groups) == 2 else "nothing speaks for one of them"
    if any(difference.cell is not None for difference in same) and meant.are_values(_texts(groups)):
        return None, "settings differ: each may be right"
    if reason := meant.more_or_other(texts, texts[best], evidence.said) or _against(copies, groups, best, same, own):
        return None, reason
    return best, f"{sizes[best]} of {sum(sizes)} copies"


def _against(copies: CopySet, groups: Groups, best: int, same: Sequence[Difference], own: OwnNames) -> str | None:
    """Why a text is not the others' that is newer, or that most copies have."""
    texts = list(groups)
    for text, platforms in groups.items():
        if own.names(text) and not own.names(texts[best]):
            return f"{platforms[0]} says its own name here: that may be meant"
    return elsewhere.repeated(copies, same, groups[texts[best]], own)


def _texts(groups: Groups) -> list[meant.Texts]:
    return [dict.fromkeys(group, text) for text, group in groups.items()]


def _may_be_meant(
    texts: Sequence[meant.Texts], same: Sequence[Difference], evidence: Evidence, own: OwnNames
) -> str | None:
    if any(difference.is_address for difference in same) or meant.have_other_addresses(texts):
        return "addresses differ: each may be right"
    if stays := next((difference.stays for difference in same if difference.stays), None):
        return stays
    if any(not evidence.habits.isdisjoint(terms(difference, own)) for difference in same):
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
