"""A step or section number typed in a template, where the tool computes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from tutorial_tool import links
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.source import find_line_start
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data.model import STRINGS
from tutorial_tool.markdown.document import Link, Range
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, PageFix, Site
from tutorial_tool.site.fact_index import collect_facts
from tutorial_tool.templating.places import PageLocation
from tutorial_tool.variants.numbered_references import find_references
from tutorial_tool.variants.ordering import HeadingNumber, Title, numbers

_NUMBER = "{number}"
_LETTER = lazy_re.compile(r"[^\W\d_]")


@rule("navigation", Severity.OFF, project=Severity.WARNING, yields_to=("stale-step-reference", "step-number-mismatch"))
def check(site: Site) -> Iterator[Finding]:
    is_project = site.is_project
    typed = (
        *collect_facts(site, _find_typed_numbers, is_project).values(),
        *collect_facts(site, _find_typed_references, is_project, english=True).values(),
    )
    yield from (finding for findings in typed for finding in findings)
    words = strip_origins(site.model.strings["step"])
    for page in site.pages:
        if page.generated and "](" in page.plain:
            yield from _report_links(links.get_addresses(site), page, words)


def _find_typed_numbers(page: Page, is_project: bool) -> tuple[Finding, ...]:
    return (*_report_title(page), *_report_headings(page)) if page.generated or not is_project else ()


def _find_typed_references(page: Page, is_project: bool) -> tuple[Finding, ...]:
    return tuple(_report_references(page)) if page.generated or not is_project else ()


def _report_title(page: Page) -> Iterator[Finding]:
    if page.place is not None and not page.place.step.numbering.steps:
        return
    rest, is_first = numbers.find_title(page.document), True
    while (step_number := numbers.parse_step_number(rest)) and rest:
        number, place = step_number.number, step_number.span
        if _is_typed(page, place):
            yield page.flag(place, f"hard-coded step number {number} in the title; delete it; it is computed")
        elif page.number and not is_first:
            yield page.flag(place, f"the step number {number} is already printed before the title; delete it")
        is_first = False
        start = rest.text.rfind(step_number.title)
        rest = Title(step_number.title, Range(rest.span.start + start, rest.span.end))


def _report_headings(page: Page) -> Iterator[Finding]:
    if page.place is not None and not page.place.step.numbering.sections:
        return
    before: int | None = None
    for result in numbers.find_heading_numbers(page.document, repeated=True):
        # after the generated number, any other is typed
        is_second = before is not None and "\n" not in page.plain[before : result.span.start]
        is_number = is_second or _is_section_number(page, result)
        before = result.span.end
        if is_number and _is_typed(page, result.span):
            yield page.flag(result.span, f"hard-coded section number `{result.typed}`; delete it; it is computed")


def _is_section_number(page: Page, result: HeadingNumber) -> bool:
    """Return whether the number of a heading is `A` or `1.2`, and not alone: then it is a release's."""
    if len(result.number) == 1:
        return result.typed[0].isalpha()
    start = find_line_start(page.plain, result.span.start)
    line = page.plain[start:].partition("\n")[0]
    return line.partition("{")[0].strip(" #[]") != result.typed


def _report_references(page: Page) -> Iterator[Finding]:
    for reference in find_references(page):
        if _is_typed(page, reference.span):
            message = f"hard-coded number in `{reference.text}`; `link()` prints the current one"
            yield page.flag(reference.span, message)


def _report_links(known: links.Addresses, page: Page, words: str) -> Iterator[Finding]:
    """Report links to steps whose text has a step number, in the project's words or as titles do."""
    patterns = [_compile_pattern(step) for step in dict.fromkeys([words, *[STRINGS["step"]] * page.may_be_english])]
    for link in page.document.links:
        says_number = any(pattern.match(link.text) for pattern in patterns if pattern)
        if says_number and link.kind == "inline" and _is_typed(page, link.text.locate(0, len(link.text))):
            there = known.resolve_link(page, link).page
            if there and there.place and there.number is not None and there.place.step.numbering.steps:
                yield _flag_link(page, link, there.place, words.replace(_NUMBER, f"{there.number}"))


def _flag_link(page: Page, link: Link, there: PageLocation, words: str) -> Finding:
    """Report a link to a step that `link()` would replace; fix it if its text is nothing but `words`."""
    is_own = page.place and there.tutorial is page.place.tutorial
    reference = there.step.id if is_own else f"{there.tutorial.id}/{there.step.id}"
    call = f"{{{{ link('{reference}') }}}}"
    is_whole = link.text == words and "#" not in link.href
    fix = PageFix(f"write `{call}`", ((link.start, link.end, call),)) if is_whole else None
    message = f"hard-coded number in `{link.text}`; `{call}` prints the current one".replace("\n", " ")
    return page.flag(link.text.locate(0, len(link.text)), message, fix=fix)


@cache
def _compile_pattern(words: str) -> re.Pattern[str] | None:
    """Compile a pattern for a step number, alone or at the start of a title; None if there are no words."""
    before, mark, after = (re.escape(part).replace(r"\ ", r"[ \u00a0\n]") for part in words.partition(_NUMBER))
    if not mark or not _LETTER.search(words.replace(_NUMBER, "")):
        return None
    return re.compile(rf"{before}\d{{1,2}}{after}(?:$|[:.] |[ ]+[–—-][ ])", re.IGNORECASE)


def _is_typed(page: Page, span: Range) -> bool:
    """Return whether a span is literal text of a file, and not generated by the tool."""
    return page.get_source_span(*span)[1]
