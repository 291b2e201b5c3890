"""Resolve differences between copies of a page: use one copy for all, or take over another's text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tutorial_tool import variants
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Edit, Span
from tutorial_tool.linter.targets import Target
from tutorial_tool.site import Site
from tutorial_tool.sync.carry import CarriedEdit
from tutorial_tool.sync.plan import build_edit, find_siblings
from tutorial_tool.sync.settle import resolve_line
from tutorial_tool.variants import Step

_DRIFT_RULES = frozenset(
    "conflicting-value drifted-cell drifted-code drifted-heading drifted-wording missing-row missing-text".split()
)
"""Rules about copies of which one may be right."""
_OWN_PAGE_RULES = frozenset({"foreign-name", "missing-row", "missing-text"})
"""Rules about errors on the finding's own page: no other copy has its text."""


class Resolution(NamedTuple):
    """A resolution of a finding: its title, and the edits of the copies."""

    title: str
    edits: tuple[Edit, ...]


def find_resolutions(finding: Finding, site: Site, target: Target) -> Iterator[Resolution]:
    """Yield the resolutions of a finding about copies: each other copy that it names, and its own text."""
    if finding.rule not in _DRIFT_RULES | _OWN_PAGE_RULES:
        return
    step, name = _find_step(site, target, finding.span)
    if step is None:
        return
    for related in finding.related:
        other = next((id_ for id_, page in step.pages.items() if page.source.path == related.span.path), name)
        if other != name and (edits := _build_edits(step, other, related.span, [name])):
            yield Resolution(f"Take over from {step.variants[other].name}", edits)
    siblings = find_siblings(step, name) if finding.rule not in _OWN_PAGE_RULES else ()
    if edits := _build_edits(step, name, finding.span, siblings):
        yield Resolution("Use this on all platforms", edits)


def _find_step(site: Site, target: Target, span: Span) -> tuple[Step | None, str]:
    """Return the step of copies that contains a span, and the variant."""
    for step in variants.find_steps(site, target.config.variants):
        for name, page in step.pages.items():
            if page.source.path == span.path and not page.generated:
                return step, name
    return None, ""


def _build_edits(step: Step, name: str, span: Span, siblings: Iterable[str]) -> tuple[Edit, ...]:
    line = span.source.get_position(span.start).line
    return tuple(
        build_edit(step.pages[sibling].source, result)
        for sibling in siblings
        for result in resolve_line(step, name, line, sibling)
        if isinstance(result, CarriedEdit)
    )
