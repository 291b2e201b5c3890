"""Resolve differences in spelling, or due to a mistake: the right text is used in all copies.

Differences are found by the variation model, as in `lint` and `compare`. Text that only some copies have is not
touched, nor is any fact: readers of no copy lose a name, a number, a link, or a word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tutorial_tool import site
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.resolve import decisions, whitespace
from tutorial_tool.adopt.resolve.decisions import Stake
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.grouping import group_by
from tutorial_tool.linter import engine
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules import get_rules
from tutorial_tool.site import Page, Site
from tutorial_tool.variants import Step
from tutorial_tool.variants.names import distinguish_variants, learn_variants
from tutorial_tool.variation.model.deviations import Deviation, score_differences
from tutorial_tool.variation.model.slots import Slot
from tutorial_tool.variation.model.tokens import Text
from tutorial_tool.variation.multi_alignment import find_changed_runs
from tutorial_tool.variation.units import include_emphasis

_SEVERITIES = (Severity.ERROR, Severity.WARNING, Severity.HINT)


@dataclass(frozen=True)
class ChoiceVariant:
    """One of the texts of a choice, with each platform's own name in it."""

    texts: Mapping[str, str]

    @property
    def platforms_by_text(self) -> Mapping[str, tuple[str, ...]]:
        """The platforms of each text."""
        out: dict[str, tuple[str, ...]] = {}
        for platform, text in self.texts.items():
            out[text] = (*out.get(text, ()), platform)
        return out


@dataclass(frozen=True)
class Choice:
    """Texts that differ, at all places with the same difference; `winner` is the index of the one to keep.

    `places` are the first locations of the variants, `score` the likelihood of a mistake in the variation model.
    """

    copy_set: CopySet
    variants: tuple[ChoiceVariant, ...]
    places: tuple[str, ...]
    slots: tuple[Slot, ...]
    score: float = 0.0
    winner: int | None = None
    reason: str = ""
    stake: Stake = Stake.WORDING
    findings: tuple[Finding, ...] = ()  # Findings of rules in these texts

    @property
    def context(self) -> str:
        """The context: the row and column of a cell, or the kind of text and its heading."""
        slot = self.slots[0]
        if slot.kind == "cell":
            return f"{slot.label} | {slot.column}"
        kind = "front matter" if slot.kind == "meta" else slot.kind
        return f"{kind} below `{slot.label}`" if slot.label and kind != "heading" else kind

    @property
    def is_open(self) -> bool:
        """Whether the choice is not made yet."""
        return self.winner is None

    @property
    def risk(self) -> tuple[int, float]:
        """A sort key by risk, worst first: the severity of findings, then the score of the model."""
        return min((_SEVERITIES.index(f.severity) for f in self.findings), default=len(_SEVERITIES)), -self.score

    @property
    def times(self) -> str:
        """How often it occurs, if several times."""
        return f" ({len(self.slots)} times)" if len(self.slots) > 1 else ""

    def locate_differences(self) -> dict[str, int]:
        """Return the offset in each platform's text of the first word that another variant does not have there."""
        texts, out = self.slots[0].texts, {}
        words = {name: _get_words(text) for name, text in texts.items()}
        for name, text in texts.items():
            own_words = words[name]
            first = [next(find_changed_runs(own_words, other))[0] for other in words.values() if other != own_words]
            index = min(min(first, default=0), max(len(text.tokens) - 1, 0))  # one text may begin like another
            out[name] = text.get_span(index, index + 1)[0] - text.start
        return out

    def contains(self, finding: Finding) -> bool:
        """Return whether a finding is in one of these texts."""
        texts = (text for slot in self.slots for text in slot.texts.values() if text.page.path == finding.span.path)
        return any(text.start <= finding.span.end and finding.span.start <= text.end for text in texts)


Ask = Callable[[Choice], int | None]  # Asks the user which variant to keep; None keeps all


@dataclass(frozen=True)
class ResolvedSet:
    """A set with resolved differences, the choices, and notes on other changes."""

    copy_set: CopySet
    choices: tuple[Choice, ...]
    notes: tuple[str, ...] = ()


def _build_step(copy_set: CopySet, pages: Mapping[str, Page], loaded: Site) -> Step:
    """Build the step of a set, whose pages are among the loaded ones, which are by path."""
    own = {platform: pages[copy.source.path] for platform, copy in copy_set.copies.items()}
    texts, ids = {platform: page.plain for platform, page in own.items()}, {platform: platform for platform in own}
    variants = distinguish_variants(learn_variants(texts, ids, {}))
    return Step(str(copy_set), copy_set.pattern, own, variants, loaded)


@dataclass(frozen=True)
class Evidence:
    """The sets as steps for the variation model, and the findings in their text, by path."""

    steps: Mapping[CopySet, Step]
    findings: Mapping[str, Sequence[Finding]]

    @classmethod
    def collect(cls, sets: Iterable[CopySet], root: Path) -> Evidence:
        """Collect the evidence for copies whose paths are relative to `root`."""
        sets = list(sets)
        texts = {copy.source.path: copy.source.text for copy_set in sets for copy in copy_set.copies.values()}
        loaded = site.load_plain([root / path for path in texts], root, texts, dialect=Dialect.PYTHON_MARKDOWN)
        by_path = {page.path: page for page in loaded.pages}
        steps = {item: _build_step(item, by_path, loaded) for item in sets}
        off = tuple(name for name, rule in get_rules().items() if rule.severity is Severity.OFF)  # not reported
        findings = engine.run(loaded, Config(root, select=("text",), ignore=off))
        return cls(steps, group_by(findings, lambda finding: finding.span.path))

    def find_choices(self, copy_set: CopySet) -> Iterator[Choice]:
        """Yield the places of a set that are not specific to a platform, with the decisions by evidence."""
        step = self.steps[copy_set]
        by_slot = group_by(score_differences(step), lambda deviation: deviation.slot)
        by_texts: dict[tuple[tuple[str, str], ...], list[Slot]] = {}
        for slot, deviations in by_slot.items():
            if any(_is_choice(deviation) for deviation in deviations):
                by_texts.setdefault(tuple((name, text.typed) for name, text in slot.texts.items()), []).append(slot)
        for slots in by_texts.values():
            yield self._build_choice(copy_set, step, slots, by_slot[slots[0]])

    def _build_choice(
        self, copy_set: CopySet, step: Step, slots: Sequence[Slot], deviations: Sequence[Deviation]
    ) -> Choice:
        slot = slots[0]
        groups = list(group_by(slot.texts, lambda name: _get_words(slot.texts[name])).values())
        choice = Choice(
            copy_set,
            tuple(ChoiceVariant({name: _get_marked_text(slot.texts[name]) for name in group}) for group in groups),
            tuple(str(text.page.source.span(text.start)) for text in (slot.texts[group[0]] for group in groups)),
            tuple(slots),
            max(deviation.score for deviation in deviations),
        )
        findings = [f for page in step.pages.values() for f in self.findings.get(page.path, ()) if choice.contains(f)]
        decision = decisions.decide(step, slot, groups, deviations, findings)
        return replace(choice, findings=tuple(findings), **decision._asdict())


def _get_marked_text(text: Text) -> str:
    """Return a text with adjacent markers of emphasis and code, which are not part of its span."""
    return text.page.plain[slice(*include_emphasis(text.page.plain, text.start, text.end))]


def _is_choice(deviation: Deviation) -> bool:
    """Return whether a deviation needs a choice: code and labels do not, unless they look like a mistake."""
    if deviation.severity is not Severity.OFF:
        return True
    is_code = deviation.slot.kind in ("code", "image")
    text = deviation.difference.whole_text
    return not (is_code or deviation.is_platform_specific or decisions.is_literal(text, *deviation.place))


def _get_words(text: Text) -> tuple[str, ...]:
    """Return the words of a text as typed, but a name as what it is."""
    return tuple(token.key if token.key != token.text.lower() else token.text for token in text.tokens)


def find_open_choices(copy_set: CopySet, evidence: Evidence) -> Iterator[Choice]:
    """Yield the choices of a set with their findings, all of them open."""
    yield from (replace(choice, winner=None, reason="") for choice in evidence.find_choices(copy_set))


def apply_decisions(copy_set: CopySet, evidence: Evidence, ask: Ask | None = None) -> ResolvedSet:
    """Apply the decisions by evidence, or by the user, to a set, and unify its white space."""
    choices = [_ask_person(choice, ask) if ask else choice for choice in evidence.find_choices(copy_set)]
    edits: dict[str, dict[tuple[int, int], str]] = {platform: {} for platform in copy_set.platforms}
    for choice in choices:
        for slot in choice.slots if choice.winner is not None else ():
            kept_platforms = choice.variants[choice.winner or 0].texts.keys()
            source = next(iter(kept_platforms))
            for name, text in slot.texts.items():
                if name not in kept_platforms:
                    edits[name][text.start, text.end] = decisions.replace_names(slot.texts[source], text) or text.typed
    changed, leveled = whitespace.normalize(_apply_edits(copy_set, edits))
    return ResolvedSet(changed, tuple(choices), tuple(leveled))


def _ask_person(choice: Choice, ask: Ask) -> Choice:
    answer = ask(choice)
    return replace(choice, winner=answer, reason="kept by hand" if answer is None else "chosen manually")


def _apply_edits(copy_set: CopySet, edits: Mapping[str, Mapping[tuple[int, int], str]]) -> CopySet:
    """Apply edits to a set; of two that overlap, such as a sentence and its link, apply the later one."""
    edited = {}
    for platform, copy in copy_set.copies.items():
        text, last_start = copy.source.text, len(copy.source.text)
        for (start, end), new in sorted(edits[platform].items(), reverse=True):
            if end <= last_start:
                text, last_start = text[:start] + new + text[end:], start
        edited[platform] = replace(copy, source=copy.source.replace_text(text))
    return replace(copy_set, copies=edited)
