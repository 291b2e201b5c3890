"""The deviations of a step: slots in which a variant differs from what the others suggest, with scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tutorial_tool import variants
from tutorial_tool.core.diagnostics import MAX_QUOTED, Severity
from tutorial_tool.core.scripts import MAX_TERM_WORDS
from tutorial_tool.variants import Step
from tutorial_tool.variation.model.alignment import find_blocks, locate_place
from tutorial_tool.variation.model.differences import Difference
from tutorial_tool.variation.model.kinds import Kind, classify_difference
from tutorial_tool.variation.model.signals import is_foreign, measure_signals
from tutorial_tool.variation.model.slots import Slot, build_slots, is_family
from tutorial_tool.variation.model.substitutions import get_differences, learn_substitutions, record_answers
from tutorial_tool.variation.model.tokens import Text
from tutorial_tool.variation.model.weights import FACTS, LOUD, VARYING, WORTH_A_LOOK, compute_score, format_score

_OWN = frozenset((Kind.NAME, Kind.ORDER, Kind.SYNONYM))  # Differences only in what a variant calls something
_MAY_BE_OWN = frozenset(  # Kinds of differences that a platform may need
    (Kind.WORD, Kind.WORDING, Kind.VALUE, Kind.NUMBER, Kind.VERSION, Kind.CODE, Kind.CODE_NAME, Kind.EXTRA_WORD)
)
_OWN_SIGNALS = ("substitution", "own vocabulary", "own code agrees")


@dataclass(frozen=True, eq=False)
class Deviation:
    """A slot whose value is not the expected one.

    `variant_id` is the variant that deviates, and `others` those that have the expected value. `signals` are the
    reasons, whose weighted sum is the `score`, in bits.
    """

    difference: Difference
    kind: Kind
    signals: Mapping[str, float]
    score: float
    others: tuple[str, ...]

    @property
    def slot(self) -> Slot:
        """The slot that the variants have in common."""
        return self.difference.slot

    @property
    def variant_id(self) -> str:
        """The variant that deviates."""
        return self.difference.variant_id

    @property
    def severity(self) -> Severity:
        """The severity of the deviation.

        A contradiction of fact, or of the page's own code, is a warning if its score is high enough. Wording is a hint
        at most, as is a name where the others have none.
        """
        is_fact = self.kind in FACTS and "no name expected" not in self.signals
        if (is_fact or "own code has the expected name" in self.signals) and self.score >= LOUD:
            return Severity.WARNING
        return Severity.HINT if self.score >= WORTH_A_LOOK else Severity.OFF

    @property
    def is_platform_specific(self) -> bool:
        """Whether the difference is platform-specific: it recurs, or each variant has its own value there."""
        if self.severity is not Severity.OFF:
            return False
        if self.kind not in _MAY_BE_OWN:
            return self.kind in _OWN
        difference, count = self.difference, len(self.slot.texts)
        is_short = max(len(difference.actual), len(difference.expected)) <= MAX_TERM_WORDS
        is_each_its_own = count > 2 and difference.votes == 1 and difference.third == count - 2 and is_short
        return is_each_its_own or any(signal in self.signals for signal in _OWN_SIGNALS)

    @property
    def place(self) -> tuple[int, int]:
        """The offsets of the difference in the variant's page; of its neighbors if words are missing."""
        return self.difference.whole_text.get_span(*self.difference.span)

    @property
    def other_place(self) -> tuple[int, int]:
        """The offsets of the expected words in the page of the first of the others."""
        return self.difference.reference_text.get_span(*self.difference.other_span)

    @property
    def text(self) -> str:
        """The text typed there; empty if words are missing."""
        return self._get_typed_text(self.variant_id, self.difference.span)

    @property
    def expected(self) -> str:
        """The text that one of the others has there."""
        return self._get_typed_text(self.difference.reference_id, self.difference.other_span)

    def _get_typed_text(self, name: str, span: tuple[int, int]) -> str:
        if span[0] == span[1]:
            return ""
        text = self.slot.texts[name]
        return " ".join(text.page.plain[slice(*text.get_span(*span))].split())

    def format_evidence(self, step: Step) -> tuple[str, ...]:
        """Return the evidence: each variant's text around the difference, then the weighted signals."""
        rows = []
        for name, text in self.slot.texts.items():
            first, _ = locate_place(find_blocks(self.difference.whole_text.key, text.key), self.difference.span)
            rows.append(f"{step.variants[name].name}: {_excerpt_text(text, first)}")
        return (*rows, format_score(self.signals))


def _excerpt_text(text: Text, token: int) -> str:
    """Return a text, or the excerpt of a long one around one of its tokens."""
    at = max(text.start, *(token.start for token in text.tokens[: token + 1]), 0)
    before, behind = text.page.plain[text.start : at], text.page.plain[at : text.end]
    words = " ".join((before + behind).split())
    first = max(0, min(len(" ".join(before.split())) - MAX_QUOTED // 2, len(words) - MAX_QUOTED))
    shown = words[first : first + MAX_QUOTED]
    return "…" * (first > 0) + shown + "…" * (first + len(shown) < len(words))


def find_deviations(step: Step) -> tuple[Deviation, ...]:
    """Return all deviations of a step worth reporting, in the order of its slots. Computed once."""
    return variants.get_cached(step, _find_reportable)


def _find_reportable(step: Step) -> tuple[Deviation, ...]:
    scored = score_differences(step)
    return tuple(_drop_mirrored(deviation for deviation in scored if deviation.severity is not Severity.OFF))


def score_differences(step: Step) -> tuple[Deviation, ...]:
    """Return a scored deviation for every difference of a step; most are not worth reporting."""
    learned = learn_substitutions(step)
    differences = get_differences(step)
    kinds = [classify_difference(difference, is_foreign(step, difference)) for difference in differences]
    rows, columns = _count_differing_cells(differences), _compute_column_shares(step, differences)
    deviations, is_of_family = [], is_family(step)
    for difference, kind in zip(differences, kinds, strict=True):
        signals = measure_signals(learned, difference, kind)
        row, column = _get_row_key(difference), _get_column_key(difference)
        signals.update(_measure_cell(difference, kind, rows[row] - 1, columns.get(column, 0.0)))
        if is_of_family and kind in VARYING:
            signals.pop("votes", None)
            signals["a product of several"] = 1.0
        score = compute_score(signals)
        deviations.append(Deviation(difference, kind, signals, score, _find_others(difference)))
    record_answers(step, learned)
    return tuple(deviations)


def _get_row_key(difference: Difference) -> tuple[str, str, str]:
    slot = difference.slot
    return (slot.kind, slot.label if slot.kind == "cell" else "", difference.variant_id)


def _count_differing_cells(differences: Iterable[Difference]) -> Counter[tuple[str, str, str]]:
    """Count the differing cells of each row, by variant: a platform-specific row differs in several."""
    cells = {(*_get_row_key(difference), difference.slot.column) for difference in differences}
    return Counter((kind, label, name) for kind, label, name, _ in cells)


def _get_column_key(difference: Difference) -> tuple[int, str, str]:
    return (difference.slot.table, difference.slot.column, difference.variant_id)


def _compute_column_shares(step: Step, differences: Iterable[Difference]) -> Mapping[tuple[int, str, str], float]:
    """Compute in which share of the other cells of a column a variant differs.

    A platform-specific column has platform-specific values.
    """
    in_cells = (difference for difference in differences if difference.slot.kind == "cell")
    cells = {(*_get_column_key(difference), id(difference.slot)) for difference in in_cells}
    differing = Counter((table, column, name) for table, column, name, _ in cells)
    slots = (slot for slot in build_slots(step) if slot.kind == "cell")
    totals = Counter((slot.table, slot.column, name) for slot in slots for name in slot.texts)
    return {key: (count - 1) / (totals[key] - 1) for key, count in differing.items() if totals[key] > 1}


def _measure_cell(difference: Difference, kind: Kind, other_cells: int, column_share: float) -> dict[str, float]:
    """Measure how many other cells of its row and column differ, too."""
    signals = {}
    if column_share and kind in (Kind.VALUE, Kind.NUMBER, Kind.CASE):
        signals["column differs"] = column_share
    if difference.slot.kind == "cell" and other_cells and kind in FACTS:
        signals["other cells of the row"] = float(other_cells)
    return signals


def _find_others(difference: Difference) -> tuple[str, ...]:
    """Return the variants whose whole text supports the expected value; at least one."""
    support = difference.reference_text.key[slice(*difference.other_span)]
    others = {name: text for name, text in difference.slot.texts.items() if name != difference.variant_id}
    alike = [name for name, text in others.items() if _contains_part(text.key, support, difference)]
    return tuple(dict.fromkeys((difference.reference_id, *alike)))


def _contains_part(key: tuple[str, ...], part: tuple[str, ...], difference: Difference) -> bool:
    length = len(part)
    if not length:
        return not set(difference.actual) <= set(key)
    return any(key[at : at + length] == part for at in range(len(key) - length + 1))


def _drop_mirrored(deviations: Iterator[Deviation]) -> Iterator[Deviation]:
    """Yield, where there are two variants, only the side of a difference that is more likely wrong."""
    reported: set[tuple[int, tuple[str, ...], tuple[str, ...]]] = set()
    for deviation in deviations:
        difference = deviation.difference
        if len(difference.slot.texts) == 2:
            if (id(difference.slot), difference.expected, difference.actual) in reported:
                continue
            reported.add((id(difference.slot), difference.actual, difference.expected))
        yield deviation
