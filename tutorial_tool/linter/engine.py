"""Run the rules over a site, and merge what they find into one finding per defect, at its source."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

from tutorial_tool import variants
from tutorial_tool.config.settings import Config
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import MAX_PLACES, Finding, Fix, Related, Severity
from tutorial_tool.core.grouping import group_by, group_pairs
from tutorial_tool.core.source import Span
from tutorial_tool.core.time_budget import run_clock
from tutorial_tool.linter import budgets, requirements, rule_cache, scheduler, suppressions, unrendered
from tutorial_tool.linter.budgets import UNFINISHED
from tutorial_tool.linter.rule_cache import CachedFindings, Subject
from tutorial_tool.rules import LEVELS, Rule, get_rules
from tutorial_tool.rules.base import HABIT
from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.site import Memory, Page, Site
from tutorial_tool.variants import tab_steps


def run(
    site: Site,
    config: Config,
    *,
    checkpoint: Callable[[], None] = lambda: None,
    link_findings: Iterable[Finding] | None = None,
    tool_findings: Iterable[Finding] = (),
    tools_run: Container[str] = (),
    memory: Memory | None = None,
    max_workers: int = 1,
) -> list[Finding]:
    """Return all findings of a site: one for each defect, at its source, unsuppressed, in a stable order.

    `link_findings` are those on external links, named after their rules and without a final severity; None if these
    were not checked. `tool_findings` are those of other tools, likewise; `tools_run` are those that actually ran.
    `checkpoint` is called repeatedly: an exception from it ends the run. With the memory of an earlier run of the same
    project, a page is checked again only if its text has changed. At most `max_workers` processes check the pages of a
    large tree in parallel.
    """
    memory = memory or Memory()
    rules = [rule for rule in get_rules().values() if rule.level and _get_severity(rule, site, config)]
    site.configure(config)
    with memory.share_cache(site), run_clock():
        raw = _run_levels(rules, site, config, memory, checkpoint, max_workers)
        raw += unrendered.lint(
            site, rules, lambda subset, part: _run_levels(subset, part, config, Memory(), checkpoint, max_workers)
        )
    raw += _merge_platforms(site, _apply_rule_severity([*(link_findings or ()), *tool_findings], site, config))
    fatal = site.errors if site.is_project else []  # errors that keep pages from being checked: a build stops there
    graded = [finding for finding in site.own_findings if not (fatal and finding.severity is Severity.ERROR)]
    engine = [adjusted for finding in graded if (adjusted := _apply_severity(finding, site, config))]
    specific = _select_most_specific([*engine, *raw])
    kept = suppressions.apply(specific, site, config, links_checked=link_findings is not None, tools_run=tools_run)
    findings = _merge_repeated(kept)
    return sorted(map(site.relocate_finding, [*fatal, *findings]), key=get_sort_key)


def _run_levels(
    rules: Sequence[Rule], site: Site, config: Config, memory: Memory, checkpoint: Callable[[], None], max_workers: int
) -> list[Finding]:
    for page in site.pages:
        page.usual_lang = site.layout.lang or config.usual_lang
    findings = Findings()
    raw: list[Finding] = []
    run_rule = partial(_check_subject, site, config, findings, memory)
    for level in LEVELS:
        subjects = _list_subjects(level, site, config, findings)
        level_rules = [rule for rule in rules if rule.level == level]
        if level == "Page" and len(subjects) >= scheduler.MIN_PAGES_TO_RELEASE and not site.is_project:
            reported = scheduler.run_page_by_page(
                rules, level_rules, subjects, site, config, run_rule, checkpoint, max_workers
            )
        else:
            applicable = [rule for rule in level_rules if requirements.is_met_on_site(rule.needs, site, config)]
            if level == "Page":
                reported = scheduler.run_page_rules(applicable, subjects, run_rule, checkpoint)
            elif level == "Step" and max_workers > 1 and not site.is_project:
                reported = scheduler.run_step_rules(applicable, subjects, site, run_rule, checkpoint, max_workers)
            else:
                reported = scheduler.run_each_rule(applicable, subjects, run_rule, checkpoint)
        reported += budgets.report_unread(site.pages) if level == "Page" else ()
        merged = list(_merge_platforms(site, _sort_unfinished_last(reported, site, config)))
        findings.add(merged)
        raw += merged
    return raw


def _sort_unfinished_last(findings: Sequence[Finding], site: Site, config: Config) -> Iterator[Finding]:
    """Yield the findings of rules, then, with their severity, those that report an unfinished rule."""
    yield from (finding for finding in findings if finding.rule != UNFINISHED)
    for finding in findings:
        if finding.rule == UNFINISHED and (graded := _apply_severity(finding, site, config)):
            yield graded


def prepare_late_findings(site: Site, config: Config, findings: Iterable[Finding]) -> list[Finding]:
    """Return findings that arrive after a run, such as those of the built site, prepared like the others."""
    merged = _merge_platforms(site, _apply_rule_severity(findings, site, config))
    return sorted(map(site.relocate_finding, suppressions.filter_unsuppressed(merged, site, config)), key=get_sort_key)


def _apply_rule_severity(findings: Iterable[Finding], site: Site, config: Config) -> Iterator[Finding]:
    """Yield findings made outside of the rules' checks, with the severities of their rules."""
    for finding in findings:
        rule = get_rules()[finding.rule]
        severity = _get_severity(rule, site, config)
        has_own_severity = finding.severity is not Severity.OFF and config.get_stated_severity(rule) is None
        if severity is not None:
            yield finding if has_own_severity else replace(finding, severity=severity)


def _get_severity(rule: Rule, site: Site, config: Config, path: str = "") -> Severity | None:
    """Return the severity of a rule here, or in a file; None if it is off."""
    default = rule.get_default(in_project=site.is_project and path not in site.publisher_files)
    return config.get_severity(rule, default)


def _apply_severity(finding: Finding, site: Site, config: Config) -> Finding | None:
    """Return a finding of the engine with its configured severity; None if its rule is off.

    Files that cannot be read and rules that did not finish are reported unless ignored, whatever is selected.
    """
    rule = get_rules()[finding.rule]
    severity = _get_severity(rule, site, config)
    if severity is None and rule.name in ("unreadable-file", UNFINISHED) and not config.is_ignored(rule):
        return finding
    if severity is None or severity is rule.severity:
        return None if severity is None else finding
    return replace(finding, severity=severity)


_NUMBER = lazy_re.compile(r"\d+")
SAME_PROBLEM = "the same here"  # The message of a related place that a merged finding is about, too
_REPEATABLE_RULES = ("front-matter", "broken-link", "broken-anchor", "missing-image")


def _merge_repeated(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield findings, merging one front-matter mistake on many pages, or one target that many links miss."""
    for group in _group_alike(findings, _get_repetition_key):
        if len(group) <= HABIT:
            yield from group
            continue
        first, *others = sorted(group, key=get_sort_key)
        edits = tuple(edit for finding in (first, *others) if finding.fix for edit in finding.fix.edits)
        first = replace(first, fix=first.fix and first.fix._replace(edits=edits))
        yield _add_related(first, others, f"the same in {len(others)} more places", SAME_PROBLEM)


def repeat_at_related(finding: Finding) -> Iterator[Finding]:
    """Yield a finding, then a copy of it at each related span with the same problem, for editors to mark."""
    yield finding
    for related in finding.related:
        if related.message == SAME_PROBLEM:
            yield replace(finding, span=related.span, related=(Related(finding.span, SAME_PROBLEM),))


def _get_repetition_key(finding: Finding) -> object:
    if finding.rule not in _REPEATABLE_RULES or (finding.fix is not None and finding.fix.safe):
        return None
    is_text = finding.rule == "front-matter"
    return finding.rule, _NUMBER.sub("#", finding.message) if is_text else finding.message, finding.severity


def merge_missing_names(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings in order, merging those on a name missing from the data at its first use.

    A name that may be a typo needs a fix at each place, so it is reported at each.
    """
    out = []
    for first, *others in _group_alike(findings, _get_missing_name):
        count = f"{len(others)} more places ask" if len(others) > 1 else "1 more place asks"
        out.append(
            _add_related(first, others[:MAX_PLACES], f"{count} for it", "asked for here, too") if others else first
        )
    return out


def _get_missing_name(finding: Finding) -> object:
    is_lacking = finding.rule == "undefined-name" and "; did you mean" not in finding.message
    is_lacking = is_lacking or (finding.rule == "invalid-template" and bool(finding.related))  # a value's own error
    return (finding.message, finding.platforms) if is_lacking else None


def _group_alike(findings: Iterable[Finding], get_key: Callable[[Finding], object]) -> Iterable[list[Finding]]:
    """Group equivalent findings, in the order of the first ones; a key of None is never grouped."""
    keys = ((get_key(finding), finding) for finding in findings)
    return group_pairs((id(finding) if key is None else key, finding) for key, finding in keys).values()


def _add_related(first: Finding, others: Sequence[Finding], message: str, note: str) -> Finding:
    """Return a finding that lists others as related."""
    related = (*first.related, *(Related(other.span, note, again=True) for other in others))
    return replace(first, message=f"{first.message}; {message}", related=related)


def _applies_to_page(rule: Rule, page: Page) -> bool:
    """Return whether a page is checked, is in the rule's language, and has what the rule needs."""
    is_readable = not page.is_link_only and (not rule.is_english_only or page.may_be_english)
    return is_readable and requirements.is_met_on_page(page, rule.needs)


def _check_subject(
    site: Site, config: Config, findings: Findings, memory: Memory, rule: Rule, subject: Subject
) -> Iterator[Finding]:
    if isinstance(subject, Page) and not _applies_to_page(rule, subject):
        return
    configured = config.get_stated_severity(rule) is not None
    extras: Mapping[str, Any] = {"config": config, "findings": findings}
    for finding in _run_check(rule, subject, {name: extras[name] for name in rule.parameters}, memory):
        if (severity := _get_severity(rule, site, config, finding.span.path)) is not None:
            effective = severity if configured or finding.severity is Severity.OFF else finding.severity
            yield replace(finding, rule=rule.name, severity=effective)


def _run_check(rule: Rule, subject: Subject, arguments: Mapping[str, Any], memory: Memory) -> Iterable[Finding]:
    """Return the findings of a rule on a subject, checking each text of a page once.

    Such rules see only the text, the dialects, and `conditional_items`.
    """
    assert rule.check is not None
    page = subject
    if not isinstance(page, Page) or not page.generated or page.detached_page is None:
        return rule.check(subject, **arguments)
    values = memory.by_document.setdefault(page.document, {})
    key = rule.name, page.publisher, page.conditional_items, *arguments.values()
    if key not in values:
        values[key] = tuple(rule.check(page.detached_page, **arguments))
    return map(page.remap_finding, values[key])


def _list_subjects(level: str, site: Site, config: Config, findings: Findings) -> list[CachedFindings]:
    """Return the subjects of the rules of a level, with their cached findings where nothing has changed."""
    settings = (config, site.is_project)
    match level:
        case "Page":
            return [rule_cache.load_page_findings(page, settings) for page in site.pages]
        case "Step":
            steps = (*variants.find_steps(site, config.variants), *tab_steps.find_tab_steps(site))
            return [rule_cache.load_step_findings(step, settings, findings) for step in steps]
        case "Site":
            return [CachedFindings(site)]
        case _:
            return [CachedFindings(site.project)] if site.is_project else []


# Merging findings of one defect


def _merge_platforms(site: Site, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield one finding for each problem at a source span, with all the platforms whose pages show it."""
    for group in group_by(findings, _get_problem).values():
        first = group[0]
        if not first.platforms:
            yield first
            continue
        platforms = dict.fromkeys(chain.from_iterable(finding.platforms for finding in group))
        ordered = tuple(id_ for id_ in site.model.platforms if id_ in platforms) or tuple(platforms)
        yield replace(first, platforms=ordered, fix=_get_shared_fix(site, group, set(ordered)))


def _get_problem(finding: Finding) -> tuple[str, Span, str]:
    """Return what identifies a problem that several platforms may show."""
    is_shown = finding.platforms and finding.rule != UNFINISHED  # else one span may lack two rows
    return finding.rule, finding.span, "" if is_shown else finding.message


def _get_shared_fix(site: Site, group: list[Finding], platforms: set[str]) -> Fix | None:
    """Return a fix of shared text, only if the rule reported it on all platforms, with the same edits."""
    edits = {finding.fix and finding.fix.edits for finding in group}
    fix = group[0].fix
    if fix is None or len(edits) != 1:
        return None
    shown = {id_ for edit in fix.edits for id_ in site.find_showing_platforms(edit.span)}
    return fix if shown <= platforms else None  # wrong on platforms without the finding


def _select_most_specific(findings: list[Finding]) -> list[Finding]:
    """Return the findings without those superseded by a more specific one, which then mentions them."""
    rules = get_rules()
    ordered = sorted(range(len(findings)), key=lambda i: findings[i].span.start)
    by_rule = group_by(ordered, lambda i: (findings[i].span.source, findings[i].rule))
    related_by_index: dict[int, list[Related]] = {}
    dropped: set[int] = set()
    for index, finding in enumerate(findings):
        for name in rules[finding.rule].yields_to:
            winner = _find_overlapping(findings, by_rule.get((finding.span.source, name), []), finding)
            if winner is not None:
                dropped.add(index)
                related = Related(finding.span, f"{finding.rule}: {finding.message}")
                related_by_index.setdefault(winner, []).append(related)
                break
    return [
        replace(finding, related=(*finding.related, *related_by_index.get(index, ())))
        for index, finding in enumerate(findings)
        if index not in dropped
    ]


def _find_overlapping(findings: list[Finding], indices: list[int], finding: Finding) -> int | None:
    """Return the first of the findings at `indices`, ordered by span, that overlaps another finding."""
    end = bisect_right(indices, finding.span.end, key=lambda i: findings[i].span.start)
    candidates = indices[max(end - suppressions.LOOK_BACK, 0) : end]
    return next((i for i in candidates if findings[i] is not finding and findings[i].span.overlaps(finding.span)), None)


def get_sort_key(finding: Finding) -> tuple[Any, ...]:
    """Return the sort key of a finding."""
    span = finding.span
    return span.path, span.start, span.end, finding.severity.rank, finding.rule, finding.message
