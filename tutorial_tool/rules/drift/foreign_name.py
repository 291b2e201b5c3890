"""A page with the name of another platform, or with a method as that platform's code spells it."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._copies import format_variant_names, quote_text
from tutorial_tool.rules._shared._deviations import select_deviations
from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variation.method_names import ForeignMethod, find_foreign_methods
from tutorial_tool.variation.model.deviations import Deviation
from tutorial_tool.variation.model.kinds import Kind
from tutorial_tool.variation.model.signals import is_sibling_named

_MIN_ERROR_SCORE = 7.0
"""Minimum score of an error, in bits: all siblings name themselves, and nothing else explains the name."""


@rule("drift", Severity.ERROR, yields_to=("prev-next-mismatch", "foreign-link", "foreign-image"))
def check(step: Step, findings: Findings) -> Iterator[Finding]:
    yield from (_report_name(step, deviation) for deviation in select_deviations(step, findings, _is_foreign_name))
    for method in find_foreign_methods(step):
        page = step.pages[method.variant]
        if not findings.find_on_page(page, method.place):
            yield _report_method(step, page, method)


def _is_foreign_name(deviation: Deviation) -> bool:
    return deviation.kind is Kind.FOREIGN and deviation.slot.kind not in ("link", "image")


def _report_name(step: Step, deviation: Deviation) -> Finding:
    difference = deviation.difference
    name, others = step.variants[deviation.variant_id].name, format_variant_names(step, deviation.others)
    says = "use their own names" if len(deviation.others) > 1 else "uses its own name"
    if not difference.expects_own_name:
        verb = "say" if len(deviation.others) > 1 else "says"
        says = f"{verb} `{deviation.expected.strip('`')}`" if deviation.expected else f"{verb} nothing"
    message = f"`{deviation.text.strip('`')}` on a page for {name}: {others} {says} here"
    expected = difference.reference_text.typed
    related = [(step.pages[difference.reference_id], deviation.other_place, quote_text(expected))]
    return step.pages[deviation.variant_id].flag(
        deviation.place,
        message,
        related=related,
        severity=Severity.ERROR if _is_certain(step, deviation) else deviation.severity,
        why=deviation.format_evidence(step),
    )


def _is_certain(step: Step, deviation: Deviation) -> bool:
    """Return whether only pasting from a sibling explains the name."""
    difference = deviation.difference
    own_name = step.variants[deviation.variant_id].name.lower()
    is_longer = own_name in deviation.text.lower()  # `AWS SNS` on a page for SNS
    is_agreed = difference.expects_own_name and difference.votes > 1 and not difference.against
    is_pasted = is_sibling_named(step, difference) and deviation.signals.get("foreign name recurs", 0.0) <= 1  # bits
    is_meant = is_longer or _is_linked(step.pages[deviation.variant_id], deviation)
    return is_agreed and is_pasted and deviation.score >= _MIN_ERROR_SCORE and not is_meant


def _is_linked(page: Page, deviation: Deviation) -> bool:
    """Return whether the name is in a link to another site: the text may recommend another product."""
    links = (link for link in page.document.links if link.start <= deviation.place[0] < link.end)
    return any(link.href.startswith(("http:", "https:")) for link in links)


def _report_method(step: Step, page: Page, method: ForeignMethod) -> Finding:
    others = format_variant_names(step, method.others)
    verb = "writes" if len(method.others) == 1 else "write"
    message = f"`{method.typed}` is how {others} {verb} this name: the page's own is `{method.own_name}`"
    other = step.pages[method.others[0]]
    blocks = (block.content_start for block in other.document.code_blocks if method.typed in block.text)
    start = other.plain.index(method.typed, next(blocks, 0))
    related = [(other, (start, start + len(method.typed)), "written so here")]
    return page.flag(method.place, message, severity=Severity.WARNING, related=related)
