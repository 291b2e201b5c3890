"""A platform that lacks a step which all others of the tutorial have, and a step of a project without a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from tutorial_tool import variants
from tutorial_tool.config.settings import Config
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Related, Severity, find_nearest
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.core.source import Span
from tutorial_tool.data.model import Model
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, Site, page_facts
from tutorial_tool.variants import Step, numbered

if TYPE_CHECKING:
    from tutorial_tool.data.model import parts

_COMMENTS = lazy_re.compile(r"(?:\s|<!--(?:(?!-->).)*-->)*", re.DOTALL)


@rule("drift", Severity.HINT, project=Severity.ERROR)
def check(site: Site, config: Config) -> Iterator[Finding]:
    yield from (replace(finding, severity=Severity.HINT) for finding in _find_missing_in_copies(site, config))
    yield from _find_omitted_steps(site.model)
    yield from find_empty_steps(site)


def find_empty_steps(site: Site) -> Iterator[Finding]:
    """Find the pages of steps that have no text, unless their front matter can't be read."""
    unread = {finding.span.source for finding in site.findings if finding.rule == "front-matter"}
    for page in site.pages:
        if page.place and page.source not in unread and page.get_cached(_is_empty):
            yield page.flag((0, 0), f"the step `{page.step}` is empty: its page has no text")


def _find_omitted_steps(model: Model) -> Iterator[Finding]:
    """Find the steps that a platform's custom order omits without stating why."""
    for (span, step), ids in group_pairs(_iter_omitted_steps(model)).items():
        why = f"{{id: {step.id}, not-on: {{{', '.join(f'{id_}: …' for id_ in ids)}}}}}"
        message = f"this order leaves out `{step.id}`; add it, or give a reason in the tutorial's `steps`, as `{why}`"
        yield Finding("", Severity.OFF, message, span, tuple(ids), (Related(step.key, "the step"),))


def _iter_omitted_steps(model: Model) -> Iterator[tuple[tuple[Span, parts.Step], str]]:
    """Yield the span of a custom order, with a step that it omits, and its platform."""
    for tutorial, platform in product(model.tutorials.values(), model.platforms.values()):
        if order := tutorial.get_order(platform):
            intended = _find_intended_steps(order.ids, tutorial.steps)
            for step in tutorial.steps.values():
                is_left_out = step.id not in (*order.ids, *intended) and step.key not in model.doubtful
                if is_left_out and tutorial.get_absence_reason(step, platform) is None:
                    yield (order.span, step), platform.id


def _find_intended_steps(ids: Iterable[str], steps: Iterable[str]) -> set[str | None]:
    """Return the steps that unknown names probably mean: those names are reported separately."""
    existing = tuple(steps)
    return {find_nearest(id_, existing) for id_ in ids if id_ not in existing}


@page_facts.register
def _is_empty(page: Page) -> bool:
    """Return whether a page has at most headings and comments."""
    return all(
        block.kind == "heading" or (block.kind == "html" and _COMMENTS.fullmatch(page.plain, block.start, block.end))
        for block, _ in page.document.walk()
    )


def _find_missing_in_copies(site: Site, config: Config) -> Iterator[Finding]:
    steps = variants.find_steps(site, config.variants)
    copies = [step for step in steps if not any(page.place for page in step.pages.values())]
    for tutorial in variants.group_tutorials(copies):
        if len(tutorial) > 1:
            yield from _find_missing_in_tutorial(site, tutorial)


def _find_missing_in_tutorial(site: Site, tutorial: list[Step]) -> Iterator[Finding]:
    for step in tutorial:
        for id_ in step.sibling_variants:
            pages = [other.pages[id_] for other in tutorial if id_ in other.pages]
            if 2 * len(pages) >= len(tutorial) - 1 and _is_on_all_others(step, tutorial, id_):
                yield from _report_missing(site, step, id_, min(pages, key=lambda page: page.path))


def _report_missing(site: Site, step: Step, id_: str, first: Page) -> Iterator[Finding]:
    """Report a variant's page of a step that is empty or, at its first page, missing."""
    from tutorial_tool.rules._shared._copies import format_variant_names

    base, having = step.pattern.replace(variants.PLACEHOLDER, id_), format_variant_names(step, step.pages)
    if empty := _find_empty_page(base, site):
        message = f"this page is empty; {having} have `{step.id}`"
        yield empty.flag((0, 0), message, related=[_get_sample(step)])
    elif not any(numbered.is_at_path(page.path, base) for page in site.pages):
        has_platform = step.pattern.endswith(f"/{variants.PLACEHOLDER}")  # as in `ios/ios-install`
        name = step.id if has_platform else base.rpartition("/")[2]
        message = f"{step.sibling_variants[id_].name} has no page `{name}`, which {having} have"
        yield first.flag(_find_first_line(first), message, related=[_get_sample(step)])


def _is_on_all_others(step: Step, tutorial: list[Step], platform: str) -> bool:
    """Return whether the step is on all other platforms of the tutorial, and on at least two."""
    others = {id_ for other in tutorial for id_ in other.pages} - {platform}
    return len(step.pages) > 1 and others <= step.pages.keys()


def _find_empty_page(base: str, site: Site) -> Page | None:
    """Return the page at the step's path if it is empty."""
    depth = base.count("/")
    candidates = (page for page in site.pages if page.path.count("/") == depth and numbered.is_at_path(page.path, base))
    return next((page for page in candidates if not page.text[page.document.body_start :].strip()), None)


def _get_sample(step: Step) -> tuple[Page, tuple[int, int], str]:
    return next(iter(step.pages.values())), (0, 0), "the step on another platform"


def _find_first_line(page: Page) -> tuple[int, int]:
    """Return the span of the first line of a page without front matter, or (0, 0) if it has any."""
    text = page.text[page.document.body_start :].lstrip()
    start = len(page.text) - len(text)
    return (0, 0) if page.document.front_matter else (start, start + len(text.partition("\n")[0]))
