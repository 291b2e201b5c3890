"""A row that the same table has on other copies and lacks here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.grouping import group_by
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._copies import format_variant_names
from tutorial_tool.variants import Step
from tutorial_tool.variation.model.intentions import is_intended
from tutorial_tool.variation.model.missing import MissingSlot, find_missing


@rule("tables", Severity.WARNING)
def check(step: Step) -> Iterator[Finding]:
    missing_rows = (item for item in find_missing(step) if item.slot.kind == "row" and not _is_intended(step, item))
    yield from (_report_rows(step, rows) for rows in group_by(missing_rows, lambda item: id(item.slot)).values())


def _is_intended(step: Step, missing: MissingSlot) -> bool:
    """Return whether the data omits the row, or has it for one platform, which is always intended."""
    page, name = step.pages[missing.variant_id], next(iter(missing.slot.texts))
    text = missing.slot.texts[name]
    return page.generated or is_intended(step, step.pages[name], (text.start, text.end))


def _report_rows(step: Step, rows: Sequence[MissingSlot]) -> Finding:
    first, *others = rows
    label = first.slot.label
    related = [
        (step.pages[name], (text.start, text.end), f"the row on {step.variants[name].name}")
        for name, text in first.slot.texts.items()
        if name != first.variant_id
    ]
    lacking = {row.variant_id: row.place for row in others}
    again = [(step.pages[id_], place, f"missing on {step.variants[id_].name}, too") for id_, place in lacking.items()]
    has = "has" if len(first.others) == 1 else "have"
    message = f"row `{label}`, which {format_variant_names(step, first.others)} {has}, is missing here"
    if lacking:
        message += f"; {format_variant_names(step, lacking)} lack{'s' * (len(lacking) == 1)} it, too"
    page, severity, why = step.pages[first.variant_id], first.severity, first.format_evidence()
    return page.flag(first.place, message, related=related, again=again, severity=severity, why=why)
