"""Slots that a variant lacks, against what the others suggest: rows, sentences, sections."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from math import log2

from tutorial_tool import variants
from tutorial_tool.core.diagnostics import Severity
from tutorial_tool.core.scripts import TELLING_WORDS, squeeze_word
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variation.model.signals import get_foreign_names, is_identifier
from tutorial_tool.variation.model.slots import Slot, build_slots, is_family
from tutorial_tool.variation.model.substitutions import MIN_SLOTS
from tutorial_tool.variation.model.tokens import Text
from tutorial_tool.variation.model.weights import LOUD, WORTH_A_LOOK, compute_score, format_score
from tutorial_tool.variation.units import OWN

_NORMAL_SHARE = 0.1  # Normal share of missing slots in the sections of a page


@dataclass(frozen=True, eq=False)
class MissingSlot:
    """A slot that the variant lacks, and that `others` have.

    `signals` are the reasons, whose weighted sum is the `score`, in bits.
    """

    slot: Slot
    variant_id: str
    others: tuple[str, ...]
    signals: Mapping[str, float]
    score: float

    @property
    def severity(self) -> Severity:
        """The severity: a warning for a missing row with a high score, a fact; otherwise a hint at most."""
        if self.slot.kind == "row" and self.score >= LOUD:
            return Severity.WARNING
        return Severity.HINT if self.score >= WORTH_A_LOOK else Severity.OFF

    @property
    def place(self) -> tuple[int, int]:
        """The offsets in the variant's page of what precedes the missing text."""
        return self.slot.gaps[self.variant_id].preceding

    @property
    def text(self) -> str:
        """The text that the first variant with this slot has there."""
        return " ".join(next(iter(self.slot.texts.values())).typed.split())

    def format_evidence(self) -> tuple[str, ...]:
        """Return the evidence: each signal with its weight."""
        return (format_score(self.signals),)


def find_missing(step: Step) -> tuple[MissingSlot, ...]:
    """Return all slots worth reporting that variants of a step lack. Computed once."""
    return variants.get_cached(step, _find_reportable)


def _find_reportable(step: Step) -> tuple[MissingSlot, ...]:
    slots = build_slots(step)
    having = Counter(chain.from_iterable(slot.texts for slot in slots))
    lacking = Counter(chain.from_iterable(slot.gaps for slot in slots))
    shares = {name: _compute_share(lacking[name], having[name]) for name in step.pages}
    scored = (missing for slot in slots if slot.gaps for missing in _weigh_slot(step, slot, shares))
    return tuple(missing for missing in scored if missing.severity is not Severity.OFF)


def _compute_share(lacking: int, having: int) -> float:
    """Return the share of its slots that a page lacks, leaving out the one being scored."""
    return (lacking - 1) / (lacking + having - 1) if lacking and lacking + having >= MIN_SLOTS else 0.0


def _weigh_slot(step: Step, slot: Slot, shares: Mapping[str, float]) -> Iterator[MissingSlot]:
    having, lacking = tuple(slot.texts), tuple(slot.gaps)
    if len(having) == 1 < len(lacking):
        return
    common = _measure_text_signals(step, slot)
    typed = {_normalize_text(text.typed) for text in slot.texts.values()}
    for name in lacking:
        gap, words = slot.gaps[name], step.pages[name].get_cached(_normalize_page)
        signals = {
            **common,
            "votes": log2(len(having)),
            "lacking, too": log2(len(lacking)),
            "other text instead": float(gap.extra_count),
            "a product of several": float(slot.kind == "row" and is_family(step)),
            "page is shorter": max(0.0, shares[name] - _NORMAL_SHARE),
            "elsewhere on the page": float(any(text in words for text in typed)),
            "page uses the key": float(slot.kind == "row" and _uses_identifier(slot.label, step.pages[name])),
        }
        counted = {signal: value for signal, value in signals.items() if value}
        yield MissingSlot(slot, name, having, counted, compute_score(counted))


def _measure_text_signals(step: Step, slot: Slot) -> dict[str, float]:
    """Measure the signals of the text itself, regardless of the variant."""
    keys = Counter(text.key for text in slot.texts.values())
    usual = max(keys.values())
    name = next(name for name, text in slot.texts.items() if keys[text.key] == usual)
    text = slot.texts[name]
    foreign = get_foreign_names(step, name)
    names = any(key == OWN or squeeze_word(key) in foreign for key in text.key)
    return {
        f"lacks: {slot.kind}": 1.0,
        "names a platform": float(names),
        "all differ": 1 - usual / len(slot.texts),
        "short": float(slot.kind not in ("row", "section") and len(text.key) < TELLING_WORDS),
        "key is code": float(slot.kind == "row" and _is_code(text, slot.label)),
        "tables differ": (slot.kind == "row") * (1 - slot.agreement),
    }


def _is_code(text: Text, label: str) -> bool:
    """Return whether a row is named by an identifier, such as an option: these vary by platform."""
    word = label.strip("*_ ")
    is_option = " " not in word and (word[:1].islower() or word[1:].lower() != word[1:] or not word.isalpha())
    return is_option or any(token.is_code for token in text.tokens[:1])


def _uses_identifier(label: str, page: Page) -> bool:
    """Return whether a page has the identifier that names a row, in code or text."""
    word = label.strip("`*_ ")
    is_there = is_identifier(word) and word[0] != "<" and word in page.plain
    return is_there and re.search(rf"(?<![\w.-]){re.escape(word)}(?![\w-])", page.plain) is not None


def _normalize_page(page: Page) -> str:
    return _normalize_text(page.plain)


def _normalize_text(text: str) -> str:
    return " ".join(text.lower().split())
