"""Resolves differences: of texts that differ in spelling, or by a mistake, the right one becomes everybody's.

What only some copies have is not touched, nor any fact: readers of no copy lose a name, a number, a link or a word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.lines import Column
from tutorial_tool.adopt.lines import columns as columns_of
from tutorial_tool.adopt.lines.units import split
from tutorial_tool.adopt.names import FEW, Names
from tutorial_tool.adopt.names.own_names import OwnNames
from tutorial_tool.adopt.resolve import deciding, spaces
from tutorial_tool.adopt.resolve.differences import Difference, differences
from tutorial_tool.adopt.resolve.evidence import Evidence
from tutorial_tool.adopt.resolve.stakes import Stake
from tutorial_tool.adopt.resolve.turning import turning
from tutorial_tool.adopt.template import fits
from tutorial_tool.core.diagnostics import Finding, Severity

_GRAVITY = (Severity.ERROR, Severity.WARNING, Severity.HINT)


@dataclass(frozen=True)
class Variant:
    """One of the texts that a choice is between, as each of the platforms that have it fills it with its own name."""

    texts: Mapping[str, str]

    @property
    def first(self) -> str:
        return next(iter(self.texts.values()))

    @property
    def platforms(self) -> tuple[str, ...]:
        return tuple(self.texts)

    @property
    def platforms_by_text(self) -> Mapping[str, tuple[str, ...]]:
        """Each text, and the platforms that say it."""
        out: dict[str, tuple[str, ...]] = {}
        for platform, text in self.texts.items():
            out[text] = (*out.get(text, ()), platform)
        return out


@dataclass(frozen=True)
class Choice:
    """Texts that differ, wherever they do so in the same way; `winner` is the index of the one that stays.

    `places` tells where each variant stands first.
    """

    copies: CopySet
    variants: tuple[Variant, ...]
    places: tuple[str, ...]
    differences: tuple[Difference, ...]
    winner: int | None = None
    reason: str = ""
    stake: Stake = Stake.WORDING
    findings: tuple[Finding, ...] = ()  # What rules find in these texts

    @property
    def around(self) -> str:
        return self.differences[0].around

    @property
    def is_each_ones_own(self) -> bool:
        """Whether three platforms or more all say something else, as they do of ports: nobody has to choose."""
        return FEW < len(self.variants) == sum(len(variant.texts) for variant in self.variants)

    @property
    def is_open(self) -> bool:
        """Whether somebody should choose."""
        return self.winner is None and (bool(self.findings) or not self.is_each_ones_own)

    @property
    def harm(self) -> tuple[int, int, int]:
        """How harmful an open choice may be, the worst first: what rules find, or what turns the sense around, then
        one copy against the others."""
        gravest = min((_GRAVITY.index(finding.severity) for finding in self.findings), default=len(_GRAVITY))
        if any(turning(variant.first, other.first) for variant, other in combinations(self.variants, 2)):
            gravest = min(gravest, _GRAVITY.index(Severity.WARNING))
        sizes = [len(variant.texts) for variant in self.variants]
        return gravest, max(sizes) == 1, -max(sizes)

    @property
    def times(self) -> int:
        return len(self.differences)

    def has(self, finding: Finding) -> bool:
        """Whether a finding stands in one of these texts."""
        spans = (
            difference.spans[platform]
            for platform, copy in self.copies.copies.items()
            if copy.source.path == finding.span.path
            for difference in self.differences
            if platform in difference.spans
        )
        return any(start <= finding.span.end and finding.span.start <= end for start, end in spans)


Ask = Callable[[Choice], int | None]  # Asks a person which variant to keep; None keeps all


@dataclass(frozen=True)
class Resolved:
    """A set whose drift is settled, what was chosen, and notes on what else was done."""

    copies: CopySet
    choices: tuple[Choice, ...]
    notes: tuple[str, ...] = ()


Found = dict[tuple[tuple[str, str], ...], list[Difference]]


def found(copies: CopySet, columns: Sequence[Column], names: Names) -> Found:
    """The differences that no platform needs, by the masked text of each platform: one way to differ is one choice."""
    own = OwnNames.of(copies.platforms, names)
    out: Found = {}
    for difference in differences(copies, columns, names):
        texts = {p: difference.text(copies, p) for p in difference.spans}
        masked = tuple((p, own.masked(text, p)) for p, text in texts.items())
        same = len({text for _, text in masked}) == 1
        if not same and not all(own.is_name(text) for _, text in masked):
            out.setdefault(masked, []).append(difference)
    return out


def open_choices(
    copies: CopySet, columns: Sequence[Column], names: Names, evidence: Evidence | None = None
) -> Iterator[Choice]:
    """What would have to be chosen, with what rules find there."""
    for masked, same in found(copies, columns, names).items():
        choice = _choice(copies, dict(masked), same)
        findings = tuple(dict.fromkeys(evidence.at(copies, dict(masked), same) if evidence else ()))
        found_in = replace(choice, findings=findings)
        if found_in.is_open:
            yield found_in


def resolved(
    copies: CopySet, columns: Sequence[Column], names: Names, evidence: Evidence, ask: Ask | None = None
) -> Resolved:
    """The set with one text wherever the evidence decides, or a person does."""
    own = OwnNames.of(copies.platforms, names)
    choices = []
    edits: dict[str, list[tuple[int, int, str]]] = {platform: [] for platform in copies.platforms}
    differing = [(dict(masked), same) for masked, same in found(copies, columns, names).items()]
    decisions = [deciding.decided(copies, _groups(texts), same, evidence, own) for texts, same in differing]
    places = [same for _, same in differing]
    for (texts, same), decision in zip(
        differing, deciding.bound(list(zip(places, decisions, strict=True))), strict=True
    ):
        choice = _choice(copies, texts, same)
        choice = replace(choice, winner=decision.winner, reason=decision.reason, stake=decision.stake)
        choice = _asked(choice, ask) if ask else choice
        choices.append(choice)
        if choice.winner is None:
            continue
        winner = texts[choice.variants[choice.winner].platforms[0]]
        for difference in same:
            for platform, (start, end) in difference.spans.items():
                edits[platform].append((start, end, own.unmasked(winner, platform)))
    changed, leveled = spaces.leveled(_edited(copies, edits))
    changed, joined = _unwrapped(changed, names)
    notes = (*leveled, *joined)
    return Resolved(changed, tuple(choices), notes)


def _asked(choice: Choice, ask: Ask) -> Choice:
    answer = ask(choice)
    return replace(choice, winner=answer, reason="kept by hand" if answer is None else "chosen manually")


def _groups(masked: Mapping[str, str]) -> dict[str, list[str]]:
    """The texts, and the platforms that have each."""
    groups: dict[str, list[str]] = {}
    for platform, text in masked.items():
        groups.setdefault(text, []).append(platform)
    return groups


def _choice(copies: CopySet, masked: Mapping[str, str], same: Sequence[Difference]) -> Choice:
    first, members = same[0], _groups(masked).values()
    variants = tuple(Variant({platform: first.text(copies, platform) for platform in group}) for group in members)
    places = tuple(_place(copies, group[0], first) for group in members)
    return Choice(copies, variants, places, tuple(same))


def _place(copies: CopySet, platform: str, difference: Difference) -> str:
    source = copies.copies[platform].source
    return str(source.span(difference.spans[platform][0]))


def _edited(copies: CopySet, edits: Mapping[str, list[tuple[int, int, str]]]) -> CopySet:
    out = {}
    for platform, copy in copies.copies.items():
        text = copy.source.text
        for start, end, new in sorted(set(edits[platform]), reverse=True):
            text = text[:start] + new + text[end:]
        out[platform] = replace(copy, source=copy.source.with_text(text))
    return replace(copies, copies=out)


def _unwrapped(copies: CopySet, names: Names) -> tuple[CopySet, list[str]]:
    """The set with paragraphs on one line where the copies wrap them in different places; and what was done."""
    texts = dict.fromkeys(copies.platforms, "")
    count = 0
    for column in columns_of({platform: split(copy.text) for platform, copy in copies.copies.items()}):
        joined = fits.is_wrapped_otherwise(column, names)
        count += joined
        for platform, unit in column.items():
            texts[platform] += unit.unwrapped if joined else unit.text
    if not count:
        return copies, []
    own = {}
    for platform, copy in copies.copies.items():
        text = texts[platform].removesuffix("\n" * copy.lacks_final_newline)
        own[platform] = replace(copy, source=copy.source.with_text(text))
    message = f"{copies}: paragraphs that the copies wrapped in different places are one line each now: {count}"
    return replace(copies, copies=own), [message]
