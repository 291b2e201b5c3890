"""A step or section number typed in a template, where the tool computes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.traced import plain
from tutorial_tool.data.model import STRINGS
from tutorial_tool.markdown.document import Range
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared import _numbered_links, _typed_counts
from tutorial_tool.site import Page, Site
from tutorial_tool.site.having import having
from tutorial_tool.variants.ordering import Numbered, Title, numbers
from tutorial_tool.variants.step_references import references

_NUMBER = "{number}"
_DOTTED = r"\d{1,2}\.\d{1,2}(?![\dA-Za-z%]|\.\d)"
_LETTER = lazy_re.compile(r"[^\W\d_]")


@rule("navigation", Severity.OFF, project=Severity.WARNING, yields_to=("stale-step-reference", "step-number-mismatch"))
def check(site: Site) -> Iterator[Finding]:
    is_project = site.is_project
    for findings in having(site, _typed, is_project).values():
        yield from findings
    for findings in having(site, _referring, is_project, english=True).values():
        yield from findings
    yield from _typed_counts.of(site)
    yield from _numbered_links.of(site)
    words = plain(site.model.strings["step"])
    is_usual = words == STRINGS["step"]
    pages = [page for page in site.pages if page.generated and page.place and not (is_usual and page.may_be_english)]
    printed = _printed(site) if pages else {}
    for page in pages:
        yield from page.kept(_in_own_words, words, printed[_side(page)])


def _printed(site: Site) -> dict[tuple[str, str], frozenset[str]]:
    """The numbers of sections that the tool prints, by tutorial and platform."""
    matches: dict[tuple[str, str], set[str]] = {}
    for page in site.pages:
        if page.place is not None:
            matches.setdefault(_side(page), set()).update(section.number for section in page.sections)
    return {side: frozenset(those - {""}) for side, those in matches.items()}


def _side(page: Page) -> tuple[str, str]:
    """The tutorial and platform of a page."""
    assert page.place is not None
    return page.place.address.tutorial, page.place.address.platform


def _typed(page: Page, is_project: bool) -> tuple[Finding, ...]:
    return (*_title(page), *_headings(page)) if page.generated or not is_project else ()


def _referring(page: Page, is_project: bool) -> tuple[Finding, ...]:
    return tuple(_references(page)) if page.generated or not is_project else ()


def _title(page: Page) -> Iterator[Finding]:
    if page.place is not None and not page.place.step.numbering.steps:
        return
    rest, is_first = numbers.title(page.document), True
    while (step_number := numbers.of_title(rest)) and rest:
        if _is_typed(page, step_number.place):
            yield page.flag(
                step_number.place,
                f"hard-coded step number {step_number.number} in the title; delete it; it is computed",
            )
        elif page.generated and page.number and not is_first:
            yield page.flag(
                step_number.place,
                f"the step number {step_number.number} is already printed before the title; delete it",
            )
        is_first = False
        start = rest.text.rfind(step_number.rest)
        rest = Title(step_number.rest, Range(rest.place.start + start, rest.place.end))


def _headings(page: Page) -> Iterator[Finding]:
    if page.place is not None and not page.place.step.numbering.sections:
        return
    before: int | None = None
    for result in numbers.of_headings(page.document, repeated=True):
        # behind the number that the tool computes, any other is typed
        is_second = before is not None and "\n" not in page.plain[before : result.place.start]
        is_number = is_second or ((len(result.number) > 1 or result.typed[0].isalpha()) and not _is_alone(page, result))
        before = result.place.end
        if is_number and _is_typed(page, result.place):
            yield page.flag(result.place, f"hard-coded section number `{result.typed}`; delete it; it is computed")


def _is_alone(page: Page, result: Numbered) -> bool:
    """Whether a heading says nothing else: then its number is that of a release."""
    start = page.plain.rfind("\n", 0, result.place.start) + 1
    line = page.plain[start:].partition("\n")[0]
    return len(result.number) > 1 and line.partition("{")[0].strip(" #[]") == result.typed


def _references(page: Page) -> Iterator[Finding]:
    for reference in references(page):
        if _is_typed(page, reference.place):
            yield page.flag(
                reference.place, f"hard-coded number in `{reference.text}`; `link()` prints the current one"
            )


def _in_own_words(page: Page, words: str, printed: frozenset[str]) -> tuple[Finding, ...]:
    """References as the project's own words for a step say them, in any language, to sections that are there."""
    pattern = _pattern(words)
    if pattern is None or not pattern.search(page.plain):
        return ()
    known = {reference.place for reference in (references(page) if page.may_be_english else ())}
    out = []
    for prose in page.document.prose():
        for match in pattern.finditer(prose) if prose.kind != "alt" else ():
            place = prose.at(*match.span())
            if match["number"] in printed and place not in known and _is_typed(page, place):
                text = match[0].replace("\n", " ")
                out.append(page.flag(place, f"hard-coded number in `{text}`; `link()` prints the current one"))
    return tuple(out)


@cache
def _pattern(words: str) -> re.Pattern[str] | None:
    """What finds a dotted number in the words that stand around one; none where there are no words."""
    before, mark, after = words.partition(_NUMBER)
    if not mark or not _LETTER.search(before + after):
        return None
    before, after = (r"[ \u00a0\n]+".join(map(re.escape, re.split(r"\s+", part))) for part in (before, after))
    is_spaced = before[:1].lower() != before[:1].upper()  # a script with cases has blanks between its words
    begin = r"(?<![\w-])" if is_spaced else ""
    return re.compile(rf"{begin}{before}(?P<number>{_DOTTED}){after}", re.IGNORECASE)


def _is_typed(page: Page, place: Range) -> bool:
    """Whether something stands in a file as it is, and is not the tool's own."""
    return page.source_span(*place)[1]
