"""Which of several texts the evidence speaks for, and why; or why it speaks for none.

A text with a mistake that the linter finds loses to one that differs from it in that alone. Where copies differ in
spelling only, the text of most of them stays, or, where no text has a majority, the newer one. Nothing else is settled:
a fact that one copy has, or a word that a platform may mean, is never lost to a majority or a date.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.names.own_names import OwnNames
from tutorial_tool.adopt.resolve import stakes
from tutorial_tool.adopt.resolve.differences import MARKED, OF_PAGE, Difference
from tutorial_tool.adopt.resolve.evidence import Evidence
from tutorial_tool.adopt.resolve.slips import Slips
from tutorial_tool.adopt.resolve.stakes import Stake

Groups = Mapping[str, Sequence[str]]  # Masked texts, and the platforms that have each
_REASONS = {
    Stake.NUMBER: "a number or what it counts differs: each may be right",
    Stake.OPPOSITE: "one text says the opposite of another: choose manually",
    Stake.TARGET: "links or paths differ: each may be right",
    Stake.CODE: MARKED,
    Stake.FRONT_MATTER: OF_PAGE,
    Stake.NAME: "one text has a name that another lacks: that may be intended",
    Stake.SETTING: "settings differ: each may be right",
    Stake.ADDITION: "one text says more than another: that may be intended",
    Stake.WORDING: "the wording differs: a platform may need it",
}


@dataclass(frozen=True)
class Decision:
    """The index of the text that stays, and why; None where each does. `stake` is what readers would lose or gain.

    `is_certain` where one spelling is right, whatever else may differ in the sentence.
    """

    winner: int | None
    reason: str
    stake: Stake = Stake.WORDING
    is_certain: bool = False


def decided(copies: CopySet, groups: Groups, same: Sequence[Difference], evidence: Evidence, own: OwnNames) -> Decision:
    """The decision about texts in all the places where they differ so."""
    stake = _stake(copies, groups, same)
    slips = [evidence.slips(copies, group, same) for group in groups.values()]
    is_own = stake in (Stake.FRONT_MATTER, Stake.CODE, Stake.TARGET)
    if decision := None if is_own else _by_rules(slips, list(groups), own):
        return decision
    if stake is not Stake.SPELLING:
        stays = next((difference.stays for difference in same if difference.stays), "")
        return Decision(None, stays or _REASONS[stake], stake)
    if any(slip.findings for slip in slips):
        return Decision(None, f"{', '.join(slips[0].rules)} in one of the texts", stake)
    return _by_copies(copies, groups, same, evidence)


def _stake(copies: CopySet, groups: Groups, same: Sequence[Difference]) -> Stake:
    """What readers would lose: what the places tell, or else the texts themselves, with the words beside them."""
    stays = {difference.stays for difference in same}
    if OF_PAGE in stays:
        return Stake.FRONT_MATTER
    if stays - {""}:
        return Stake.CODE
    if any(difference.is_address for difference in same):
        return Stake.TARGET
    before, after = same[0].beside(copies)
    texts = [dict.fromkeys(group, f"{before}{text}{after}") for text, group in groups.items()]
    return stakes.at_stake(texts, is_cell=same[0].cell is not None)


def _by_rules(slips: Sequence[Slips], masked: Sequence[str], own: OwnNames) -> Decision | None:
    """The text with the fewest slips, where each of the others differs from it in its slips alone."""
    best = _only([slip.weight for slip in slips], min)
    if best is None:
        return None
    others = [slip for slip in slips if slip is not slips[best]]
    if not all(item.are_all(own.unmasked(masked[best], item.platform)) for item in others):
        return None
    rules = dict.fromkeys(rule for item in others for rule in item.rules if rule not in slips[best].rules)
    reason = f"{', '.join(rules)} in the other{'s' if len(others) > 1 else ''}"
    return Decision(best, reason, Stake.MISTAKE, is_certain=True)


def _by_copies(copies: CopySet, groups: Groups, same: Sequence[Difference], evidence: Evidence) -> Decision:
    """The spelling of most copies; where none has a majority, the newest."""
    sizes = [len(group) for group in groups.values()]
    best = _only(sizes, max)
    if best is not None and 2 * sizes[best] > sum(sizes):
        return Decision(best, f"{sizes[best]} of {sum(sizes)} copies", Stake.SPELLING)
    times = [evidence.newest(copies, group, same) for group in groups.values()]
    if (newest := evidence.newest_of(times)) is not None:
        return Decision(newest, f"newer: {evidence.day(times[newest])}", Stake.SPELLING)
    return Decision(None, f"no evidence for {'either' if len(groups) == 2 else 'one of them'}", Stake.SPELLING)


def _only(numbers: Sequence[float], best: Callable[[Sequence[float]], float]) -> int | None:
    """The index of the best number, where it stands once."""
    wanted = best(numbers)
    return numbers.index(wanted) if numbers.count(wanted) == 1 else None


def bound(decisions: Sequence[tuple[Sequence[Difference], Decision]]) -> Iterator[Decision]:
    """The decisions, with a spelling left open where something else in its sentence is."""
    open_in = {place.sentence for places, decision in decisions if decision.winner is None for place in places}
    for places, decision in decisions:
        is_bound = not decision.is_certain and any(place.sentence in open_in for place in places)
        reason = "something else in the same sentence stays open"
        yield Decision(None, reason, decision.stake) if is_bound and decision.winner is not None else decision
