"""Findings on pages and steps, cached with them: unchanged ones are not checked again."""

from __future__ import annotations

from dataclasses import dataclass, field

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.site import Page, Project, Site
from tutorial_tool.variants import Dependencies, Step
from tutorial_tool.variants.persistence import StoredResult

Subject = Page | Step | Site | Project


@dataclass
class CachedFindings:
    """The findings on one subject, by rule, valid as long as nothing that the rules read changes."""

    subject: Subject
    findings: dict[str, tuple[Finding, ...]] = field(default_factory=dict)
    dependency: Dependencies = field(default_factory=Dependencies)  # What the rules requested from elsewhere
    seconds: float = 0.0  # CPU time of the rules

    def cache_findings(self, rule: str, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        """Cache the findings of a rule, unless it has looked at the whole site."""
        if not self.dependency.uses_site:
            self.findings[rule] = findings
        self.dependency.uses_site = False  # the next rule may not use it
        return findings


def load_page_findings(page: Page, settings: tuple[object, ...]) -> CachedFindings:
    """Return the cached findings on a page under the same settings: page rules depend on nothing else."""
    now = *settings, page.is_link_only
    state, value = page.cache.get(load_page_findings, (None, {}))
    if state != now:
        state, value = page.cache[load_page_findings] = now, {}
    return CachedFindings(page, value)


def get_all_findings(
    subject: CachedFindings, rules: tuple[str, ...]
) -> tuple[tuple[str, tuple[Finding, ...]], ...] | None:
    """Return the findings on a page by rule, without empty ones; None unless all of these rules have run."""
    assert isinstance(subject.subject, Page)
    findings, known = subject.findings, subject.subject.cache
    made = known.get(get_all_findings)
    if made is None or made[0] is not findings or made[1] != rules:
        if any(rule not in findings for rule in rules):
            return None
        made = known[get_all_findings] = (
            findings,
            rules,
            tuple((rule, findings[rule]) for rule in rules if findings[rule]),
        )
    matches: tuple[tuple[str, tuple[Finding, ...]], ...] = made[2]
    return matches


def load_step_findings(step: Step, settings: tuple[object, ...], findings: Findings) -> CachedFindings:
    """Return the cached findings on a step with the same settings and evidence in its files."""
    shown = (source for page in step.pages.values() for source in (page.source, *page.provenance)) if findings else ()
    now = (*settings, *step.inputs, *findings.get_in_sources(dict.fromkeys(shown)))
    known = step.first_page.cache.get(load_step_findings, (None, Dependencies(), {}))
    if isinstance(known, StoredResult):
        known = now if known.matches_inputs(now) else None, Dependencies.restore_from(known), known.result
    state, asked, value = known
    if state != now or not asked.are_current(step):
        value, asked = {}, Dependencies()
    step.dependencies.add(asked)
    step.first_page.cache[load_step_findings] = now, step.dependencies, value
    return CachedFindings(step, value, step.dependencies)
