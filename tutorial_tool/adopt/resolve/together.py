"""Which decisions stand or fall together: those about one sentence, and those about the same words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.names.own_names import OwnNames
from tutorial_tool.adopt.resolve.deciding import Decision
from tutorial_tool.adopt.resolve.differences import Difference
from tutorial_tool.adopt.resolve.meant import telling
from tutorial_tool.adopt.resolve.terms import terms

SENTENCE = "something else in the same sentence stays open"
MIXED = "no copy has all of the sentence as it would be"
UNDECIDED = Decision(None, "")
"""Until the text of several differences is decided as one."""
TERM = "the same words stay open elsewhere"


@dataclass(frozen=True)
class Decided:
    """Texts that differ, by platform, in these places, and the decision about them."""

    texts: Mapping[str, str]
    places: Sequence[Difference]
    decision: Decision

    @property
    def is_open(self) -> bool:
        return self.decision.winner is None

    @property
    def winners(self) -> frozenset[str]:
        """The platforms whose text stays; all, where each does, or where one spelling is right."""
        if self.decision.winner is None or self.decision.is_certain:
            return frozenset(self.texts)
        text = list(dict.fromkeys(self.texts.values()))[self.decision.winner]
        return frozenset(platform for platform, own in self.texts.items() if own == text)

    def opened(self, reason: str) -> Decided:
        return replace(self, decision=Decision(None, reason))


def joined(copies: CopySet, found: Sequence[Decided], own: OwnNames) -> Iterator[Decided]:
    """The differences of a sentence as one, where the same copies differ in them: open if one of them is.

    What stands between them is the same in all copies.
    """
    waiting: Decided | None = None
    for one in found:
        if waiting and _go_together(copies, waiting, one, own):
            place = waiting.places[0].to(one.places[0])
            texts = {p: own.masked(place.text(copies, p), p) for p in place.spans}
            left = [each.decision for each in (waiting, one) if each.is_open and each.decision is not UNDECIDED]
            waiting = Decided(texts, [place], left[0] if left else UNDECIDED)
            continue
        if waiting:
            yield waiting
        waiting = one
    if waiting:
        yield waiting


def _go_together(copies: CopySet, one: Decided, other: Decided, own: OwnNames) -> bool:
    if len(one.places) > 1 or len(other.places) > 1 or one.decision.is_certain or other.decision.is_certain:
        return False
    first, second = one.places[0], other.places[0]
    if first.is_address or second.is_address or first.sentence != second.sentence:
        return False
    if _partition(one) != _partition(other):
        return False
    between = {(p, copies.copies[p].text[end : second.spans[p][0]]) for p, (_, end) in first.spans.items()}
    return len({own.masked(text, platform) for platform, text in between}) == 1


def _partition(one: Decided) -> frozenset[frozenset[str]]:
    """The platforms by the text that they have."""
    groups = (frozenset(p for p, own in one.texts.items() if own == text) for text in one.texts.values())
    return frozenset(groups)


def bound(found: Sequence[Decided], own: OwnNames) -> list[Decided]:
    """The decisions, with those left open that would settle half of a sentence, or a term in some places only."""
    out = list(found)
    sentences = list(_by(found, lambda place: [place.sentence]))
    alike = list(_by(found, lambda place: (term for term in terms(place, own) if all(map(telling, term[2:])))))
    while changes := dict([*_half(out, sentences), *_elsewhere(out, alike)]):
        for at, reason in changes.items():
            out[at] = out[at].opened(reason)
    return out


def _by(found: Sequence[Decided], keys: Callable[[Difference], Iterable[object]]) -> Iterator[list[int]]:
    """The indexes of the decisions that share a key, where several do."""
    groups: dict[object, dict[int, None]] = {}
    for at, one in enumerate(found):
        for place in one.places:
            for key in keys(place):
                groups.setdefault(key, {})[at] = None
    yield from (list(group) for group in groups.values() if len(group) > 1)


def _half(found: Sequence[Decided], sentences: Iterable[Sequence[int]]) -> Iterator[tuple[int, str]]:
    for group in sentences:
        settled = [at for at in group if not found[at].is_open and not found[at].decision.is_certain]
        if any(found[at].is_open for at in group):
            yield from ((at, SENTENCE) for at in settled)
        elif not frozenset.intersection(*(found[at].winners for at in group)):
            yield from ((at, MIXED) for at in settled)


def _elsewhere(found: Sequence[Decided], alike: Iterable[Sequence[int]]) -> Iterator[tuple[int, str]]:
    for group in alike:
        if any(found[at].is_open for at in group):
            yield from ((at, TERM) for at in group if not found[at].is_open and not found[at].decision.is_certain)
