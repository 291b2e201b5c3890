"""Run rules on pages and steps: large trees in parallel, releasing each page after its check."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from tutorial_tool import variants
from tutorial_tool.cache import workers
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.linter import requirements, rule_cache, serialization
from tutorial_tool.linter.budgets import Judge, check_within_budget
from tutorial_tool.linter.rule_cache import Subject, SubjectFindings
from tutorial_tool.rules import Rule
from tutorial_tool.site import Page, Site, page_facts
from tutorial_tool.variants import Step

MANY = 40  # Of so many pages and more, not all stay parsed: what is asked of each is noted instead
SHARED = 400_000
"""Characters of pages that are worth another process: to start it, and to be told, takes a tenth of their time."""
FIRST = 5
"""Pages, or steps, judged before other processes begin: what rules make when they are first asked is then made once."""


def run_rules(
    rules: Iterable[Rule], subjects: Iterable[SubjectFindings], judge: Judge, checkpoint: Callable[[], None]
) -> list[Finding]:
    """Return the findings on the subjects, one rule at a time."""
    findings: list[Finding] = []
    for rule in rules:
        findings += _check_subjects(rule, subjects, judge)
        checkpoint()
    return findings


def _check_subjects(rule: Rule, subjects: Iterable[SubjectFindings], judge: Judge) -> list[Finding]:
    """Return the findings of a rule, checking only subjects without cached ones."""
    findings: list[Finding] = []
    for subject in subjects:
        keep = subject.findings.get(rule.name)
        if keep is None:
            keep = subject.cache_findings(rule.name, check_within_budget(rule, subject, judge))
        findings += keep
    return findings


# Pages


def run_page_rules(
    requested: Sequence[Rule], pages: Sequence[SubjectFindings], judge: Judge, checkpoint: Callable[[], None]
) -> list[Finding]:
    """Run the page rules, one rule at a time, on pages without a complete set of cached findings."""
    names = tuple(rule.name for rule in requested)
    new = [subject for subject in pages if rule_cache.get_all_findings(subject, names) is None]
    for rule in requested:
        _check_subjects(rule, new, judge)
        checkpoint()
    findings: dict[str, list[Finding]] = {name: [] for name in names}
    for subject in pages:
        for name, pair in rule_cache.get_all_findings(subject, names) or ():
            findings[name] += pair
    return [finding for matches in findings.values() for finding in matches]


def run_per_page(
    rules: Iterable[Rule],
    of_level: Sequence[Rule],
    pages: Sequence[SubjectFindings],
    site: Site,
    config: Config,
    judge: Judge,
    checkpoint: Callable[[], None],
    most: int,
) -> list[Finding]:
    """Run the page rules page by page: each page is parsed, checked by all rules, and released.

    Pages that will be compared stay parsed, unless other processes check them, which then also compare them. The
    findings are ordered by rule.
    """
    requested = [rule for rule in of_level if requirements.can_be_met(rule.needs, site, config)]
    for rule in rules:
        if rule.level == "Site" and requirements.can_be_met(rule.needs, site, config):
            assert rule.check  # loaded: it declares what it asks of each page
    new = [subject for subject in pages if len(subject.findings) < len(requested)]
    several = _count_processes((_get_page(subject) for subject in new), most)
    steps = variants.find_steps(site, config.variants) if several < 2 else ()
    staying = {page for step in steps for page in step.pages.values()}

    def check_page(subject: SubjectFindings) -> None:
        run_rules(requested, (subject,), judge, lambda: None)
        page = _get_page(subject)
        page_facts.compute_all(page)
        if page not in staying:
            page.document.release_parsed()

    for subject in new[:FIRST]:
        check_page(subject)
    _run_parallel(new[FIRST:], check_page, site, config, several)
    for subject in new:
        if len(subject.findings) < len(requested):
            check_page(subject)
        checkpoint()
    return run_page_rules(requested, pages, judge, checkpoint)


def _get_page(subject: SubjectFindings) -> Page:
    assert isinstance(subject.subject, Page)
    return subject.subject


def _count_processes(pages: Iterable[Page], most: int) -> int:
    """Return how many processes, of `most`, are worth starting for the amount of text."""
    return min(most, sum(len(page.plain) for page in pages) // SHARED) if most > 1 else 1


def _run_parallel(
    subjects: Sequence[SubjectFindings],
    take: Callable[[SubjectFindings], None],
    site: Site,
    config: Config,
    several: int,
) -> None:
    """Check pages in parallel if there are many. Those that were not processed stay unchanged."""
    by_path, settings = {page.path: page for page in site.pages}, (config, site.is_project)

    def check_page(number: int) -> bytes:
        take(subjects[number])
        return serialization.serialize_page(_get_page(subjects[number]), *settings)

    for number, own in workers.map_parallel(check_page, len(subjects), several):
        page = _get_page(subjects[number])
        serialization.restore_page(subjects[number], page, own, by_path)
        page.cache[serialization.serialize_page] = settings, own


# Steps


def run_per_step(
    requested: Sequence[Rule],
    steps: Sequence[SubjectFindings],
    site: Site,
    judge: Judge,
    checkpoint: Callable[[], None],
    most: int,
) -> list[Finding]:
    """Run the step rules, one rule at a time, in parallel if there are many steps."""
    new = [subject for subject in steps if any(rule.name not in subject.findings for rule in requested)]
    several = _count_processes((page for subject in new for page in _get_step(subject).pages.values()), most)
    reported: dict[Subject, Mapping[str, tuple[Finding, ...]]] = {}

    def check_step(subject: SubjectFindings) -> dict[str, tuple[Finding, ...]]:
        return {rule.name: tuple(_check_subjects(rule, (subject,), judge)) for rule in requested}

    if several > 1:
        for subject in new[:FIRST]:
            reported[subject.subject] = check_step(subject)
        rest = new[FIRST:]
        for number, findings in _run_steps_parallel(rest, check_step, site, several):
            reported[rest[number].subject] = findings
            checkpoint()
    out: list[Finding] = []
    for rule in requested:
        for subject in steps:
            out += (
                reported[subject.subject][rule.name]
                if subject.subject in reported
                else _check_subjects(rule, (subject,), judge)
            )
        checkpoint()
    return out


def _get_step(subject: SubjectFindings) -> Step:
    assert isinstance(subject.subject, Step)
    return subject.subject


def _run_steps_parallel(
    subjects: Sequence[SubjectFindings],
    decided: Callable[[SubjectFindings], Mapping[str, tuple[Finding, ...]]],
    site: Site,
    several: int,
) -> Iterator[tuple[int, Mapping[str, tuple[Finding, ...]]]]:
    """Yield findings on steps from other processes, by index; steps not processed stay unchanged."""
    pages, sources = {page.path: page for page in site.pages}, serialization.index_sources(site)

    def check_step(number: int) -> bytes:
        subject = subjects[number]
        before = [(page, dict(page.cache)) for page in _get_step(subject).pages.values()]
        own = serialization.serialize_step(subject, decided(subject), sources)
        for page, known in before:  # what was made of it takes room, and hardly anybody will ask for it again
            page.cache.clear()
            page.cache.update(known)
            page.document.release_parsed()
        return own

    for number, own in workers.map_parallel(check_step, len(subjects), several):
        yield number, serialization.restore_step(subjects[number], own, pages, sources)
