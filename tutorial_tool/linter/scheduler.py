"""Asks rules about pages and steps: large trees in several processes, and each page put aside when it was judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from tutorial_tool import variants
from tutorial_tool.cache import workers
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.linter import requirements, rule_cache, serialization
from tutorial_tool.linter.budgets import Judge, judge_within_budget
from tutorial_tool.linter.rule_cache import Heard, Subject
from tutorial_tool.rules import Rule
from tutorial_tool.site import Page, Site, page_facts
from tutorial_tool.variants import Step

MANY = 40  # Of so many pages and more, not all stay parsed: what is asked of each is noted instead
SHARED = 400_000
"""Characters of pages that are worth another process: to start it, and to be told, takes a tenth of their time."""
FIRST = 5
"""Pages, or steps, judged before other processes begin: what rules make when they are first asked is then made once."""


def of_all(rules: Iterable[Rule], subjects: Iterable[Heard], judge: Judge, moment: Callable[[], None]) -> list[Finding]:
    """What rules say of subjects, rule by rule."""
    findings: list[Finding] = []
    for rule in rules:
        findings += _judge_subjects(rule, subjects, judge)
        moment()
    return findings


def _judge_subjects(rule: Rule, subjects: Iterable[Heard], judge: Judge) -> list[Finding]:
    """What a rule says of its subjects: asked about those only of which it has not been heard yet."""
    findings: list[Finding] = []
    for subject in subjects:
        keep = subject.findings.get(rule.name)
        if keep is None:
            keep = subject.keep(rule.name, judge_within_budget(rule, subject, judge))
        findings += keep
    return findings


# Pages


def of_pages(asked: Sequence[Rule], pages: Sequence[Heard], judge: Judge, moment: Callable[[], None]) -> list[Finding]:
    """What the rules of pages say, rule by rule: those pages are judged of which not all is known."""
    names = tuple(rule.name for rule in asked)
    new = [subject for subject in pages if rule_cache.whole(subject, names) is None]
    for rule in asked:
        _judge_subjects(rule, new, judge)
        moment()
    findings: dict[str, list[Finding]] = {name: [] for name in names}
    for subject in pages:
        for name, pair in rule_cache.whole(subject, names) or ():
            findings[name] += pair
    return [finding for matches in findings.values() for finding in matches]


def page_by_page(
    rules: Iterable[Rule],
    of_level: Sequence[Rule],
    pages: Sequence[Heard],
    site: Site,
    config: Config,
    judge: Judge,
    moment: Callable[[], None],
    most: int,
) -> list[Finding]:
    """What the rules of pages say, rule by rule, of pages that each are parsed, judged by all, and put aside.

    Pages that will be compared stay parsed, unless other processes judge them: then others compare them, too.
    """
    asked = [rule for rule in of_level if requirements.may_be_met(rule.needs, site, config)]
    for rule in rules:
        if rule.level == "Site" and requirements.may_be_met(rule.needs, site, config):
            assert rule.check  # loaded: it declares what it asks of each page
    new = [subject for subject in pages if len(subject.findings) < len(asked)]
    several = _processes((_page(subject) for subject in new), most)
    steps = variants.of(site, config.variants) if several < 2 else ()
    staying = {page for step in steps for page in step.pages.values()}

    def take(subject: Heard) -> None:
        of_all(asked, (subject,), judge, lambda: None)
        page = _page(subject)
        page_facts.take(page)
        if page not in staying:
            page.document.rest()

    for subject in new[:FIRST]:
        take(subject)
    _share(new[FIRST:], take, site, config, several)
    for subject in new:
        if len(subject.findings) < len(asked):
            take(subject)
        moment()
    return of_pages(asked, pages, judge, moment)


def _page(subject: Heard) -> Page:
    assert isinstance(subject.of, Page)
    return subject.of


def _processes(pages: Iterable[Page], most: int) -> int:
    """How many processes are worth their start for so much text, of `most`."""
    return min(most, sum(len(page.plain) for page in pages) // SHARED) if most > 1 else 1


def _share(subjects: Sequence[Heard], take: Callable[[Heard], None], site: Site, config: Config, several: int) -> None:
    """Lets other processes judge pages, where there are many. Those that are left out are as they were."""
    by_path, settings = {page.path: page for page in site.pages}, (config, site.is_project)

    def work(number: int) -> bytes:
        take(subjects[number])
        return serialization.written(_page(subjects[number]), *settings)

    for number, own in workers.map_parallel(work, len(subjects), several):
        page = _page(subjects[number])
        serialization.lend(subjects[number], page, own, by_path)
        page.known[serialization.written] = settings, own


# Steps


def step_by_step(
    asked: Sequence[Rule], steps: Sequence[Heard], site: Site, judge: Judge, moment: Callable[[], None], most: int
) -> list[Finding]:
    """What the rules of steps say, rule by rule, of steps that other processes judge, where there are many."""
    new = [subject for subject in steps if any(rule.name not in subject.findings for rule in asked)]
    several = _processes((page for subject in new for page in _step(subject).pages.values()), most)
    reported: dict[Subject, Mapping[str, tuple[Finding, ...]]] = {}

    def judged(subject: Heard) -> dict[str, tuple[Finding, ...]]:
        return {rule.name: tuple(_judge_subjects(rule, (subject,), judge)) for rule in asked}

    if several > 1:
        for subject in new[:FIRST]:
            reported[subject.of] = judged(subject)
        rest = new[FIRST:]
        for number, findings in _share_steps(rest, judged, site, several):
            reported[rest[number].of] = findings
            moment()
    out: list[Finding] = []
    for rule in asked:
        for subject in steps:
            out += (
                reported[subject.of][rule.name] if subject.of in reported else _judge_subjects(rule, (subject,), judge)
            )
        moment()
    return out


def _step(subject: Heard) -> Step:
    assert isinstance(subject.of, Step)
    return subject.of


def _share_steps(
    subjects: Sequence[Heard], judged: Callable[[Heard], Mapping[str, tuple[Finding, ...]]], site: Site, several: int
) -> Iterator[tuple[int, Mapping[str, tuple[Finding, ...]]]]:
    """What other processes say of steps, by the numbers of these; those that are left out are as they were."""
    pages, sources = {page.path: page for page in site.pages}, serialization.sources(site)

    def work(number: int) -> bytes:
        subject = subjects[number]
        before = [(page, dict(page.known)) for page in _step(subject).pages.values()]
        own = serialization.step_written(subject, judged(subject), sources)
        for page, known in before:  # what was made of it takes room, and hardly anybody will ask for it again
            page.known.clear()
            page.known.update(known)
            page.document.rest()
        return own

    for number, own in workers.map_parallel(work, len(subjects), several):
        yield number, serialization.step_lent(subjects[number], own, pages, sources)
