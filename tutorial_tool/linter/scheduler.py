"""Run rules on pages and steps: large trees in parallel, releasing each page after its check."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain

from tutorial_tool import variants
from tutorial_tool.cache import workers
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.linter import requirements, rule_cache, serialization
from tutorial_tool.linter.budgets import RunRule, check_within_budget
from tutorial_tool.linter.rule_cache import CachedFindings, Subject
from tutorial_tool.rules import Rule
from tutorial_tool.site import Page, Site, page_facts
from tutorial_tool.variants import Step
from tutorial_tool.variants.persistence import persistent_functions

MIN_PAGES_TO_RELEASE = 40  # Minimum pages for which not all stay parsed, and an editor has one linted first
CHARACTERS_PER_PROCESS = 400_000
"""Characters of pages that justify another process: its start and communication take a tenth of their time."""
SUBJECTS_BEFORE_FORK = 5
"""Pages or steps checked before other processes start, so that what rules build on first use is built once."""


def run_each_rule(
    rules: Iterable[Rule], subjects: Iterable[CachedFindings], run_rule: RunRule, checkpoint: Callable[[], None]
) -> list[Finding]:
    """Return the findings on the subjects, one rule at a time."""
    findings: list[Finding] = []
    for rule in rules:
        findings += _check_subjects(rule, subjects, run_rule)
        checkpoint()
    return findings


def _check_subjects(rule: Rule, subjects: Iterable[CachedFindings], run_rule: RunRule) -> list[Finding]:
    """Return the findings of a rule, checking only subjects without cached ones."""
    findings: list[Finding] = []
    for cached in subjects:
        reported = cached.findings.get(rule.name)
        if reported is None:
            reported = cached.cache_findings(rule.name, check_within_budget(rule, cached, run_rule))
        findings += reported
    return findings


# Pages


def run_page_rules(
    applicable: Sequence[Rule], pages: Sequence[CachedFindings], run_rule: RunRule, checkpoint: Callable[[], None]
) -> list[Finding]:
    """Run the page rules, one rule at a time, on pages without a complete set of cached findings."""
    names = tuple(rule.name for rule in applicable)
    unchecked = [cached for cached in pages if rule_cache.get_all_findings(cached, names) is None]
    for rule in applicable:
        _check_subjects(rule, unchecked, run_rule)
        checkpoint()
    findings: dict[str, list[Finding]] = {name: [] for name in names}
    for cached in pages:
        for name, page_findings in rule_cache.get_all_findings(cached, names) or ():
            findings[name] += page_findings
    return list(chain.from_iterable(findings.values()))


def run_page_by_page(
    rules: Iterable[Rule],
    page_rules: Sequence[Rule],
    pages: Sequence[CachedFindings],
    site: Site,
    config: Config,
    run_rule: RunRule,
    checkpoint: Callable[[], None],
    max_workers: int,
) -> list[Finding]:
    """Run the page rules page by page: each page is parsed, checked by all rules, and released.

    Pages that will be compared stay parsed, unless other processes check them, which then also compare them. The
    findings are ordered by rule.
    """
    applicable = [rule for rule in page_rules if requirements.can_be_met(rule.needs, site, config)]
    for rule in rules:
        if rule.level == "Site" and requirements.can_be_met(rule.needs, site, config):
            _ = rule.check  # importing the rule registers its page facts
    unchecked = [cached for cached in pages if len(cached.findings) < len(applicable)]
    processes = _count_processes((_get_page(cached) for cached in unchecked), max_workers)
    steps = variants.find_steps(site, config.variants) if processes < 2 else ()
    compared_pages = {page for step in steps for page in step.pages.values()}

    def check_page(cached: CachedFindings) -> None:
        run_each_rule(applicable, (cached,), run_rule, lambda: None)
        page = _get_page(cached)
        if not page.is_link_only:
            page_facts.compute_all(page)
        if page not in compared_pages:
            page.document.release_parsed()

    for cached in unchecked[:SUBJECTS_BEFORE_FORK]:
        check_page(cached)
    _run_parallel(unchecked[SUBJECTS_BEFORE_FORK:], check_page, site, config, processes)
    for cached in unchecked:
        if len(cached.findings) < len(applicable):
            check_page(cached)
        checkpoint()
    return run_page_rules(applicable, pages, run_rule, checkpoint)


def _get_page(cached: CachedFindings) -> Page:
    assert isinstance(cached.subject, Page)
    return cached.subject


def _count_processes(pages: Iterable[Page], max_workers: int) -> int:
    """Return how many processes, of `max_workers`, are worth starting for the amount of text."""
    return min(max_workers, _measure_text(pages) // CHARACTERS_PER_PROCESS) if max_workers > 1 else 1


def _measure_text(pages: Iterable[Page]) -> int:
    return sum(len(page.plain.strip()) for page in pages)  # all but a tab is blank in its page


def _run_parallel(
    subjects: Sequence[CachedFindings],
    check: Callable[[CachedFindings], None],
    site: Site,
    config: Config,
    processes: int,
) -> None:
    """Check pages in parallel if there are many. Those that were not processed stay unchanged."""
    by_path, settings = {page.path: page for page in site.pages}, (config, site.is_project)

    def check_page(index: int) -> bytes:
        check(subjects[index])
        return serialization.serialize_page(_get_page(subjects[index]), *settings)

    parts = [range(offset, len(subjects), processes) for offset in range(processes)]
    for index, serialized in workers.map_parallel(check_page, parts):
        page = _get_page(subjects[index])
        serialization.restore_page(subjects[index], page, serialized, by_path)
        page.cache[serialization.serialize_page] = settings, serialized


# Steps


def run_step_rules(
    applicable: Sequence[Rule],
    steps: Sequence[CachedFindings],
    site: Site,
    run_rule: RunRule,
    checkpoint: Callable[[], None],
    max_workers: int,
) -> list[Finding]:
    """Run the step rules, one rule at a time, in parallel if there are many steps."""
    unchecked = [cached for cached in steps if any(rule.name not in cached.findings for rule in applicable)]
    pages = (page for cached in unchecked for page in _get_step(cached).pages.values())
    processes = _count_processes(pages, max_workers)
    by_subject: dict[Subject, Mapping[str, tuple[Finding, ...]]] = {}

    def check_step(cached: CachedFindings) -> dict[str, tuple[Finding, ...]]:
        return {rule.name: tuple(_check_subjects(rule, (cached,), run_rule)) for rule in applicable}

    if processes > 1:
        for cached in unchecked[:SUBJECTS_BEFORE_FORK]:
            by_subject[cached.subject] = check_step(cached)
        remaining = unchecked[SUBJECTS_BEFORE_FORK:]
        for index, findings in _run_steps_parallel(remaining, check_step, site, processes):
            by_subject[remaining[index].subject] = findings
            checkpoint()
    out: list[Finding] = []
    for rule in applicable:
        for cached in steps:
            stored = by_subject.get(cached.subject, {}).get(rule.name)
            out += _check_subjects(rule, (cached,), run_rule) if stored is None else stored
        checkpoint()
    return out


def _get_step(cached: CachedFindings) -> Step:
    assert isinstance(cached.subject, Step)
    return cached.subject


def _run_steps_parallel(
    subjects: Sequence[CachedFindings],
    check: Callable[[CachedFindings], Mapping[str, tuple[Finding, ...]]],
    site: Site,
    processes: int,
) -> Iterator[tuple[int, Mapping[str, tuple[Finding, ...]]]]:
    """Yield findings on steps from other processes, by index; steps not processed stay unchanged."""
    pages, sources = {page.path: page for page in site.pages}, serialization.index_sources(site)

    def check_step(index: int) -> bytes:
        cached = subjects[index]
        known = [(page, set(page.cache)) for page in _get_step(cached).pages.values()]
        serialized = serialization.serialize_step(cached, check(cached), sources)
        for page, earlier in known:  # free what was built for it, except what related steps learn from: it is large
            for make in page.cache.keys() - earlier - persistent_functions:
                del page.cache[make]
            page.document.release_parsed()
        return serialized

    for index, serialized in workers.map_parallel(check_step, _split_steps(list(map(_get_step, subjects)), processes)):
        yield index, serialization.restore_step(subjects[index], serialized, pages, sources)


def _split_steps(steps: Sequence[Step], processes: int) -> list[list[int]]:
    """Return the indices of the steps for each process: of as much text, and together if they learn from each other."""
    ordered = sorted(range(len(steps)), key=lambda index: (steps[index].is_tabset, sorted(steps[index].pages)))
    ends = list(accumulate(_measure_text(steps[index].pages.values()) for index in ordered))
    parts: list[list[int]] = [[] for _ in range(processes)]
    for index, end in zip(ordered, ends, strict=True):
        parts[end * processes // (ends[-1] + 1)].append(index)
    return parts
