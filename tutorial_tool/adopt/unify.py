"""Settles drift: of texts that differ for no platform's sake, the one that evidence speaks for is everybody's.

The evidence, in this order: what other rules find in one text and not in the other; that copies name their own platform
where the others name a foreign one; the newer text, where git knows when lines were changed and days lie between; the
text of most copies. What only some copies have is not touched, and neither is what differs
in the same words in many places, unless a rule speaks against it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tutorial_tool.adopt import fits, tables
from tutorial_tool.adopt.copies import Copy, CopySet
from tutorial_tool.adopt.differences import Difference, differences, lines, lone_cells
from tutorial_tool.adopt.evidence import FOREIGN, Evidence
from tutorial_tool.adopt.lines import Column
from tutorial_tool.adopt.lines import columns as columns_of
from tutorial_tool.adopt.names import Names
from tutorial_tool.adopt.own_names import OwnNames
from tutorial_tool.adopt.units import split
from tutorial_tool.adopt.words import Vector
from tutorial_tool.finding import Finding


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
    def said(self) -> Mapping[str, tuple[str, ...]]:
        """Each text, and the platforms that say it."""
        out: dict[str, tuple[str, ...]] = {}
        for platform, text in self.texts.items():
            out[text] = (*out.get(text, ()), platform)
        return out


@dataclass(frozen=True)
class Choice:
    """Texts that differ, wherever they do so in the same way; `winner` is the index of the one that stays.

    `places` tells where each variant stands first, `around` the words beside it.
    """

    copies: CopySet
    variants: tuple[Variant, ...]
    places: tuple[str, ...]
    around: str
    times: int
    winner: int | None = None
    reason: str = ""
    findings: tuple[Finding, ...] = ()
    """What rules find in these texts."""


_BY_RULES = " in the other"
Ask = Callable[[Choice], int | None]
"""Asks a person which variant to keep; None keeps all."""


@dataclass(frozen=True)
class Unified:
    """A set whose drift is settled, what was chosen, what only some copies have, and notes on what else was done."""

    copies: CopySet
    choices: tuple[Choice, ...]
    kept: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


HABIT = 3
"""Places in which platforms differ in the same words, from which on that may be meant."""
Found = dict[tuple[tuple[str, str], ...], list[Difference]]


def found(copies: CopySet, columns: Sequence[Column], names: Names) -> Found:
    """The differences that no platform needs, by the masked text of each platform: one way to differ is one choice."""
    own = OwnNames.of(copies.platforms, names)
    out: Found = {}
    for difference in differences(copies, columns, names):
        masked = tuple((p, own.masked(difference.text(copies, p), p)) for p in difference.spans)
        if len({text for _, text in masked}) > 1:
            out.setdefault(masked, []).append(difference)
    return out


def habits(sets: Mapping[CopySet, Sequence[Column]], names: Names) -> frozenset[Vector]:
    """Differences in the text that stand in so many places that a platform may mean them: *tap* and *click*."""
    counts = Counter(
        difference.vector(one)
        for one, columns in sets.items()
        for difference in differences(one, columns, names)
        if difference.cell is None
    )
    return frozenset(vector for vector, times in counts.items() if times >= HABIT and not names.is_name(vector))


def open_choices(
    copies: CopySet, columns: Sequence[Column], names: Names, evidence: Evidence | None = None
) -> Iterator[Choice]:
    """What would have to be chosen, with what rules find there."""
    for masked, same in found(copies, columns, names).items():
        choice = _choice(copies, dict(masked), same)
        findings = evidence.at(copies, dict(masked), same) if evidence else ()
        yield replace(choice, findings=tuple(dict.fromkeys(findings)))


def unified(
    copies: CopySet, columns: Sequence[Column], names: Names, evidence: Evidence, ask: Ask | None = None
) -> Unified:
    """The set with one text wherever the evidence decides, or a person does."""
    own = OwnNames.of(copies.platforms, names)
    choices = []
    edits: dict[str, list[tuple[int, int, str]]] = {platform: [] for platform in copies.platforms}
    words: dict[tuple[int, str], str] = {}
    for masked, same in found(copies, columns, names).items():
        choice = _choice(copies, dict(masked), same, evidence, own)
        choice = _asked(choice, ask) if ask else choice
        choices.append(choice)
        if choice.winner is None:
            continue
        winner = dict(masked)[choice.variants[choice.winner].platforms[0]]
        for difference in same:
            for platform, (start, end) in difference.spans.items():
                edits[platform].append((start, end, own.unmasked(winner, platform)))
            if difference.cell is not None and len(same) > 1:
                words |= {(difference.cell, text): winner for _, text in masked}
    for platform, cell, start, end in lone_cells(copies, columns):
        text = own.masked(copies.copies[platform].text[start:end], platform)
        if (cell, text) in words:
            edits[platform].append((start, end, own.unmasked(words[cell, text], platform)))
    changed, joined = _unwrapped(_edited(copies, edits), names)
    return Unified(changed, tuple(choices), tuple(_kept(copies, columns)), tuple(joined))


def _asked(choice: Choice, ask: Ask) -> Choice:
    answer = ask(choice)
    return replace(choice, winner=answer, reason="kept by hand" if answer is None else "chosen by hand")


def _choice(
    copies: CopySet,
    masked: Mapping[str, str],
    same: Sequence[Difference],
    evidence: Evidence | None = None,
    own: OwnNames | None = None,
) -> Choice:
    groups: dict[str, list[str]] = {}
    for platform, text in masked.items():
        groups.setdefault(text, []).append(platform)
    first, members = same[0], list(groups.values())
    variants = tuple(Variant({platform: first.text(copies, platform) for platform in group}) for group in members)
    places = tuple(_place(copies, group[0], first) for group in members)
    winner, reason = _decided(copies, members, same, evidence) if evidence else (None, "")
    if own and not reason.endswith(_BY_RULES) and (naming := _naming(list(groups), members, own)) is not None:
        winner, reason = naming, "each copy names its own platform here"
    return Choice(copies, variants, places, first.around, len(same), winner, reason)


def _place(copies: CopySet, platform: str, difference: Difference) -> str:
    source = copies.copies[platform].source
    return str(source.span(difference.spans[platform][0]))


def _decided(
    copies: CopySet, groups: Sequence[Sequence[str]], same: Sequence[Difference], evidence: Evidence
) -> tuple[int | None, str]:
    """The index of the text that the evidence speaks for, and why; None where it does not."""
    found = [evidence.rules(copies, group, same) for group in groups]
    slips = {at for at, rules in enumerate(found) if FOREIGN in rules}
    weights = [float("inf") if at in slips else sum(rules.values()) for at, rules in enumerate(found)]
    if (best := _only(weights, min)) is not None:
        against = Counter(rule for at, rules in enumerate(found) if at != best for rule in rules)
        return best, f"{', '.join(against)}{_BY_RULES}"
    if any(difference.vector(copies) in evidence.habits for difference in same):
        return None, "the same in many places: a platform may need it"
    times = [evidence.newest(copies, group, same) for group in groups]
    if (best := evidence.newest_of(times)) is not None and best not in slips:
        return best, f"newer: {evidence.day(times[best])}"
    sizes = [len(group) for group in groups]
    if (best := _only(sizes, max)) is not None and best not in slips:
        return best, f"{sizes[best]} of {sum(sizes)} copies"
    return None, "nothing speaks for either"


def _naming(masked: Sequence[str], groups: Sequence[Sequence[str]], own: OwnNames) -> int | None:
    """The index of the text that several copies fill with their own names, where the others have a foreign name."""
    alike = {own.masked_as_own(text) for text in masked}
    at = next((at for at, text in enumerate(masked) if alike == {text}), None)
    return at if at is not None and len(groups[at]) > 1 else None


def _only(numbers: Sequence[float], best: Callable[[Sequence[float]], float]) -> int | None:
    """The index of the best number, where it stands once."""
    wanted = best(numbers)
    return numbers.index(wanted) if numbers.count(wanted) == 1 else None


def _edited(copies: CopySet, edits: Mapping[str, list[tuple[int, int, str]]]) -> CopySet:
    out = {}
    for platform, copy in copies.copies.items():
        text = copy.source.text
        for start, end, new in sorted(set(edits[platform]), reverse=True):
            text = text[:start] + new + text[end:]
        out[platform] = replace(copy, source=copy.source.with_text(tables.tidied(text)))
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
    own = {
        platform: replace(copy, source=copy.source.with_text(_ended(copy, texts[platform])))
        for platform, copy in copies.copies.items()
    }
    told = f"{copies}: paragraphs that the copies wrapped in different places are one line each now: {count}"
    return replace(copies, copies=own), [told]


def _ended(copy: Copy, text: str) -> str:
    return text.removesuffix("\n") if copy.lacks_final_newline else text


def _kept(copies: CopySet, columns: Sequence[Column]) -> Iterator[str]:
    """What only some copies have: one entry for units that stand together."""
    last: tuple[str, ...] | None = None
    for column, offsets in lines(columns, dict.fromkeys(copies.platforms, 0)):
        have = tuple(column)
        if all(unit.is_blank for unit in column.values()):
            continue
        if len(have) < len(copies.copies) and have != last:
            place = copies.copies[have[0]].source.span(offsets[have[0]])
            words = " ".join(re.sub(r"</?[A-Za-z][^>]*>", "", column[have[0]].text).split())
            yield f"{place}: only on {', '.join(have)}: {words[:70]}"
        last = have
