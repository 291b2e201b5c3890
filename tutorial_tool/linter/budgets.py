"""Limits on the work of one rule on a page, step, or site; exceeding one is reported as a finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from traceback import walk_tb

from tutorial_tool.core.diagnostics import MAX_FINDINGS, Finding, Severity
from tutorial_tool.core.errors import describe_error, is_internal
from tutorial_tool.core.source import Source, Span
from tutorial_tool.core.time_budget import SECONDS_PER_MEGABYTE, TASK_SECONDS, Limit, TimeBudgetExceeded
from tutorial_tool.linter.rule_cache import CachedFindings, Subject
from tutorial_tool.rules.base import Rule
from tutorial_tool.site import Page, Project, Site
from tutorial_tool.variants import Step

UNFINISHED = "unfinished-check"  # The rule that reports what was not checked
PAGE_FACTOR = 4  # Budget of all rules on a page, as a multiple of that of one rule

RunRule = Callable[[Rule, Subject], Iterator[Finding]]  # Yields the findings of a rule on a subject


def check_within_budget(rule: Rule, cached: CachedFindings, run_rule: RunRule) -> tuple[Finding, ...]:
    """Return the findings of a rule on a subject, plus one that says so where the rule was stopped."""
    subject = cached.subject
    seconds = TASK_SECONDS + SECONDS_PER_MEGABYTE * _measure_megabytes(subject)
    if isinstance(subject, Page) and cached.seconds > PAGE_FACTOR * seconds:
        reason = f"rules took {PAGE_FACTOR * seconds:.0f} s of CPU time on"
        return (_build_finding(subject, subject, f"{reason} `{subject.path}`; the others were not run"),)
    findings: list[Finding] = []
    limit = Limit(seconds, f"`{rule.name}`", _describe_subject(subject))
    try:
        with limit:
            findings += _limit_files(rule, subject, run_rule(rule, subject))
    except TimeBudgetExceeded as error:
        if not limit.is_over:
            raise
        findings.append(_report_timeout(rule, subject, seconds, error))
    except Exception as error:
        if isinstance(error, OSError) or not is_internal(error):
            raise
        message = f"an internal error stopped `{rule.name}` on {_describe_subject(subject)}: {describe_error(error)}"
        findings.append(_build_finding(subject, subject, message))
    finally:
        cached.seconds += limit.used_seconds
    if limit.used_seconds and isinstance(subject, Page):
        findings += report_unread((subject,))
    return tuple(findings)


def report_unread(pages: Iterable[Page]) -> Iterator[Finding]:
    """Report pages whose Markdown took too much time or memory to parse."""
    for page in pages:
        if page.document.is_unread:
            message = f"`{page.path}` takes too much time or memory to read as Markdown; nothing in it was checked"
            yield _build_finding(page, page, message)


def _limit_files(rule: Rule, subject: Subject, findings: Iterator[Finding]) -> Iterator[Finding]:
    """Yield the findings, up to the limit per file; one finding reports that the limit was exceeded."""
    counts: Counter[str] = Counter()
    for finding in findings:
        path = finding.span.path
        counts[path] += 1
        if counts[path] <= MAX_FINDINGS:
            yield finding
        elif counts[path] == MAX_FINDINGS + 1:
            message = f"`{rule.name}` was stopped after {MAX_FINDINGS:,} findings in `{path}`; it may have more"
            yield _build_finding(subject, Source(path, finding.span.source.text), message)
            if isinstance(subject, Page):
                return


def _report_timeout(rule: Rule, subject: Subject, seconds: float, error: TimeBudgetExceeded) -> Finding:
    page = None if isinstance(subject, Page | Step) else _find_page(error)
    location = f", at `{page.path}`" if page else ""
    message = f"`{rule.name}` was stopped after {seconds:.0f} s of CPU time on {_describe_subject(subject)}{location}"
    return _build_finding(subject, page or subject, f"{message}; the rest was not checked")


def _find_page(error: TimeBudgetExceeded) -> Page | None:
    """Return the page that a site rule was checking when it was stopped: the last one in the traceback."""
    pages = [
        value for frame, _ in walk_tb(error.__traceback__) for value in frame.f_locals.values() if type(value) is Page
    ]
    return pages[-1] if pages else None


def _build_finding(subject: Subject, place: Subject | Source, message: str) -> Finding:
    span = place.span(0) if isinstance(place, Source) else _locate_start(place)
    platforms = (subject.platform,) if isinstance(subject, Page) and subject.platform else ()
    return Finding(UNFINISHED, Severity.WARNING, message, span, platforms, exact=False)


def _describe_subject(subject: Subject) -> str:
    """Return what messages call a subject."""
    if isinstance(subject, Page | Step):
        return f"`{(subject if isinstance(subject, Page) else subject.first_page).path}`"
    return "the whole site"


def _locate_start(subject: Subject) -> Span:
    """Return the start of a subject; of a site without pages, that of its data."""
    if not isinstance(subject, Page | Step):
        site = _get_site(subject)
        if not site.pages:
            return Source(site.layout.data, "").span(0)
        return site.pages[0].get_source_span(0, 0)[0]
    return (subject if isinstance(subject, Page) else subject.first_page).get_source_span(0, 0)[0]


def _get_site(subject: Site | Project) -> Site:
    return subject.site if isinstance(subject, Project) else subject


def _measure_megabytes(subject: Subject) -> float:
    """Return the size of the subject's pages, in millions of characters; for a single page, at most 1."""
    if isinstance(subject, Page):
        return min(len(subject.text) / 1_000_000, 1.0)  # one of 3.9 MB takes 2 s for all rules (2026-11)
    pages = subject.pages.values() if isinstance(subject, Step) else _get_site(subject).pages
    return sum(len(page.text) for page in pages) / 1_000_000
