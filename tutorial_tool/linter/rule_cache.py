"""Findings on pages and steps, cached with them: unchanged ones are not checked again."""

from __future__ import annotations

from dataclasses import dataclass, field

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.site import Page, Project, Site
from tutorial_tool.variants import Dependencies, Step, restore_result
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
    key = *settings, page.is_link_only
    cached_key, findings = page.cache.get(load_page_findings, (None, {}))
    if cached_key != key:
        cached_key, findings = page.cache[load_page_findings] = key, {}
    return CachedFindings(page, findings)


def get_all_findings(
    subject: CachedFindings, rules: tuple[str, ...]
) -> tuple[tuple[str, tuple[Finding, ...]], ...] | None:
    """Return the findings on a page by rule, without empty ones; None unless all of these rules have run."""
    assert isinstance(subject.subject, Page)
    findings, page_cache = subject.findings, subject.subject.cache
    cached = page_cache.get(get_all_findings)
    if cached is None or cached[0] is not findings or cached[1] != rules:
        if any(rule not in findings for rule in rules):
            return None
        by_rule = tuple((rule, findings[rule]) for rule in rules if findings[rule])
        cached = page_cache[get_all_findings] = findings, rules, by_rule
    findings_by_rule: tuple[tuple[str, tuple[Finding, ...]], ...] = cached[2]
    return findings_by_rule


def load_step_findings(step: Step, settings: tuple[object, ...], findings: Findings) -> CachedFindings:
    """Return the cached findings on a step with the same settings and evidence in its files."""
    sources = (source for page in step.pages.values() for source in (page.source, *page.provenance)) if findings else ()
    inputs = (*settings, *step.inputs, frozenset(findings.get_in_sources(dict.fromkeys(sources))))
    cached = step.first_page.cache.get(load_step_findings, (None, Dependencies(), {}))
    if isinstance(cached, StoredResult):
        cached = restore_result(cached, inputs)
    cached_inputs, dependencies, by_rule = cached
    if cached_inputs != inputs or not dependencies.are_current(step):
        by_rule, dependencies = {}, Dependencies()
    step.dependencies.add(dependencies)
    step.first_page.cache[load_step_findings] = inputs, step.dependencies, by_rule
    return CachedFindings(step, by_rule, step.dependencies)
