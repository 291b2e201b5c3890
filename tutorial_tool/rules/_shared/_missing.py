"""Reports text that the copies of a page share and the page lacks: one finding per page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tutorial_tool.core.diagnostics import Finding, format_more
from tutorial_tool.core.grouping import group_by
from tutorial_tool.rules._shared._copies import format_variant_names, quote_text
from tutorial_tool.variants import Step
from tutorial_tool.variation.model.missing import MissingSlot, find_missing


def report_missing(step: Step, *kinds: str) -> Iterator[Finding]:
    """Yield one finding for each page that lacks text of these kinds. What a template omits is intended."""
    slots = [missing for missing in find_missing(step) if missing.slot.kind in kinds]
    typed = (missing for missing in slots if not step.pages[missing.variant_id].generated)
    by_page = group_by(typed, lambda missing: missing.variant_id)
    yield from (_report_page(step, missings) for missings in by_page.values())


def _report_page(step: Step, missings: Sequence[MissingSlot]) -> Finding:
    first, *others = sorted(missings, key=lambda missing: (-missing.score, missing.place))
    where = "after this" if first.place[1] else "at the top of the page"
    names = format_variant_names(step, first.others)
    message = f"{_describe_missing(first)}, which {names} have, is missing {where}{format_more(others)}"
    related = [
        (step.pages[name], (text.start, text.end), f"the text on {step.variants[name].name}")
        for name, text in first.slot.texts.items()
    ]
    page = step.pages[first.variant_id]
    again = [(page, other.place, f"{_describe_missing(other)} is missing here") for other in others]
    why = first.format_evidence()
    return page.flag(first.place, message, related=related, again=again, severity=first.severity, why=why)


def _describe_missing(missing: MissingSlot) -> str:
    kinds = {"section": "the section ", "block": "the block ", "image": "the image "}
    return kinds.get(missing.slot.kind, "") + quote_text(missing.text)
