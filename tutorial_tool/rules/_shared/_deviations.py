"""Reports deviations of the variation model: which of them a rule reports, and with which message."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.scripts import MAX_TERM_WORDS
from tutorial_tool.rules._shared._copies import format_variant_names, quote_text
from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.variants import Step
from tutorial_tool.variation.model.deviations import Deviation, find_deviations
from tutorial_tool.variation.model.intentions import find_override, get_reason, is_intended, is_set_for_each
from tutorial_tool.variation.model.kinds import Kind
from tutorial_tool.variation.units import OWN

_NAMED_SLOTS = {"heading": "heading differs: ", "meta": "front matter differs: ", "cell": "", "code": ""}
"""Slots that the message names instead of quoting their text."""


def select_deviations(step: Step, findings: Findings, is_ours: Callable[[Deviation], bool]) -> Iterator[Deviation]:
    """Yield the deviations of a step that a rule reports.

    Intended ones are skipped, and those where another rule has found something at least as severe, here or in the text
    that the others have: then this page may be the one that is right.
    """
    for deviation in find_deviations(step):
        page = step.pages[deviation.variant_id]
        if is_ours(deviation) and not _is_intended(step, deviation):
            at_place = findings.find_on_page(page, deviation.place) + _find_mistakes_of_others(
                step, deviation, findings
            )
            if all(finding.severity.rank > deviation.severity.rank for finding in at_place):
                yield deviation


def _find_mistakes_of_others(step: Step, deviation: Deviation, findings: Findings) -> list[Finding]:
    """Return the findings that are about the text of the others: inside of it, and at least half of it."""
    span = step.pages[deviation.difference.reference_id].get_source_span(*deviation.other_place)[0]
    inside = [own for own in findings.find_at_span(span) if span.contains(own.span)]
    return [own for own in inside if 2 * (own.span.end - own.span.start) >= span.end - span.start]


def _is_intended(step: Step, deviation: Deviation) -> bool:
    """Return whether the data states the difference, with a reason or separately for each platform."""
    places = {deviation.variant_id: deviation.place, deviation.difference.reference_id: deviation.other_place}
    page = step.pages[deviation.variant_id]
    return is_intended(step, page, deviation.place) or bool(get_reason(step, places)) or is_set_for_each(step, places)


def is_code_deviation(deviation: Deviation) -> bool:
    """Return whether a deviation is in code: a line of a code block, or a code span."""
    return deviation.slot.kind == "code" or deviation.kind in (Kind.CODE, Kind.CODE_NAME, Kind.CODE_SLIP)


def is_value_deviation(deviation: Deviation) -> bool:
    """Return whether a deviation is the value of a setting: in a table cell of few words, or the whole of a cell."""
    length = len(deviation.difference.whole_text.key)
    is_short = length <= MAX_TERM_WORDS or length == len(deviation.difference.actual)
    return deviation.slot.kind == "cell" and is_short and deviation.kind is not Kind.FOREIGN


def report_cells(step: Step, deviations: Iterable[Deviation]) -> Iterator[Finding]:
    """Report the surest difference of each cell."""
    surest: dict[tuple[int, str], Deviation] = {}
    for deviation in deviations:
        key = id(deviation.slot), deviation.variant_id
        surest[key] = max(surest.get(key, deviation), deviation, key=attrgetter("score"))
    yield from (report_deviation(step, deviation) for deviation in surest.values())


def report_deviation(step: Step, deviation: Deviation) -> Finding:
    """Build the finding of a deviation, with the expected text as its related location."""
    page, other = step.pages[deviation.variant_id], deviation.difference.reference_id
    note = f"`{deviation.expected}` here" if deviation.expected else "nothing here"
    related = [(step.pages[other], deviation.other_place, note)]
    message = describe_deviation(step, deviation)
    if page.generated and find_override(step, page, deviation.place):
        message += "; if it is intended, add `because` to the data"
    return page.flag(
        deviation.place, message, related=related, severity=deviation.severity, why=deviation.format_evidence(step)
    )


def describe_deviation(step: Step, deviation: Deviation) -> str:
    """Describe what is wrong, and what the other variants have."""
    others = format_variant_names(step, deviation.others)
    text, expected, slot, other = deviation.text, deviation.expected, deviation.slot, deviation.difference.reference_id
    if is_value_deviation(deviation):
        value, expected_value = (slot.texts[name].get_typed() for name in (deviation.variant_id, other))
        return f"`{slot.label}` is `{value}` here and `{expected_value}` on {others}".replace("``", "`")
    if not text:
        difference = f"`{expected}` is missing here, unlike on {others}"
    elif not expected:
        difference = f"`{text}` appears only here, not on {others}"
    else:
        difference = f"`{text}` here, and `{expected}` on {others}".replace("``", "`")
    if slot.kind == "cell":
        return f"{'description' if OWN in slot.column else slot.column} of `{slot.label}` differs: {difference}"
    if slot.kind in _NAMED_SLOTS:
        return _NAMED_SLOTS[slot.kind] + difference
    return f"{difference}: {quote_text(slot.texts[other].typed, slot.texts[deviation.variant_id].typed)}"
