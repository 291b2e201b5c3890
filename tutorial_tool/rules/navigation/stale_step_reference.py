"""A reference to a step or section that does not exist, or that lies elsewhere than the sentence says."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator

from tutorial_tool import links as addresses
from tutorial_tool.config.settings import Config
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.document import Document
from tutorial_tool.rules import rule
from tutorial_tool.rules.navigation._numbering import Numberings
from tutorial_tool.rules.navigation._outline import Outline
from tutorial_tool.rules.navigation._unnumbered import lacks
from tutorial_tool.site import Page, Site, page_facts
from tutorial_tool.site.having import having
from tutorial_tool.variants import ordering
from tutorial_tool.variants.ordering import Order, numbers
from tutorial_tool.variants.ordering.numbers import Number, shown
from tutorial_tool.variants.step_references import (
    Looked,
    Reference,
    is_of_another,
    looked,
    names_a_standard,
    references,
    speaks_of_documents,
    specifies,
)

# References by a plain number (`step 6`, `section 3`) to a step or section that a page's numbers do not reach.
_STEP = lazy_re.compile(r"(?<![\w-])(?P<word>[Ss]tep)[ \u00a0\n](?P<number>[1-9]\d?)(?![\d%:)]|\.\d|[A-Za-z-])")
_STEPS = lazy_re.compile(
    r"(?<![\w-])(?P<word>[Ss]teps)[ \u00a0\n](?P<first>[1-9]\d?)(?:,[ \n]\d\d?)*,?"
    r"[ \n]?(?:and|or|to|through|[-–&])[ \n]?(?P<number>[1-9]\d?)(?![\d%:)]|\.\d|[A-Za-z-])"
)
"""Several steps, the first of which may be one of the page."""
_SECTION = lazy_re.compile(r"(?<![\w-])(?P<word>[Ss]ection)[ \u00a0\n](?P<number>[1-9]\d?)(?![\d%:)]|\.\d|[A-Za-z-])")
_NEAR = 3  # How far behind the last number a reference may lie that was right once
_ALL = 100  # More than any of these numbers
_BEGIN = 20  # Characters before a step's number that are looked at: where there are none, it is a label


def beyond(page: Page) -> tuple[tuple[Reference, int], ...]:
    """The references to a step behind the last one of a page, and that one's number."""
    return page.kept(_on_page)


@page_facts.of_english
def _on_page(page: Page) -> tuple[tuple[Reference, int], ...]:
    return tuple(_in_document(page.document))


def _in_document(document: Document) -> Iterator[tuple[Reference, int]]:
    if "step" in document.words and (last := _last(document)):
        yield from _behind(document, _STEP, last, _NEAR)
    if "steps" in document.words and (last := _last(document)):
        yield from _behind(document, _STEPS, last, _ALL)
    if "section" in document.words and (last := _last_section(document)):
        yield from _behind(document, _SECTION, last, _ALL)


def _behind(document: Document, pattern: re.Pattern[str], last: int, near: int) -> Iterator[tuple[Reference, int]]:
    """The references behind a last number, so `near` to it at most; of several, the first is one of the page's."""
    for prose in document.prose():
        matches = list(pattern.finditer(prose)) if prose.kind not in ("alt", "heading") else []
        for match in matches if matches and not names_a_standard(prose) else ():
            number, begins = int(match["number"]), not prose[: match.start()][-_BEGIN:].strip()
            is_behind = int(match.groupdict().get("first", 1)) <= last < number <= last + near
            if is_behind and not begins and not is_of_another(prose, match):
                text = match[0].replace("\n", " ")
                yield Reference(text, (number,), prose.at(*match.span()), str(prose)), last


def _last_section(document: Document) -> int:
    """The last number of a page whose sections are counted from 1; 0 of any other, and of one about documents."""
    headed = [heading.number for heading in numbers.of_headings(document)]
    counted = sorted({number[0] for number in headed})
    is_counted = len(counted) > 1 and counted == list(range(1, len(counted) + 1))
    return counted[-1] if is_counted and not speaks_of_documents(document.title) else 0


def _last(document: Document) -> int:
    """The last number of a page's steps; 0 where they may have numbers that nobody typed."""
    if any(re.fullmatch(r"steps?", tag.name, re.IGNORECASE) for tag in document.tags):
        return 0
    listed = [child.number for block in document.lists if block.info == "ordered" for child in block.children]
    lengths = [len(block.children) for block in document.lists if block.info == "ordered"]
    typed = [int(number) for number in listed if number and number.isdigit()]
    headings = list(numbers.of_headings(document))
    headed = [heading.number[0] for heading in headings]
    last = max([*typed, *lengths, *headed], default=0)
    named = sorted({heading.number[0] for heading in headings if heading.typed[:4].lower() == "step"})
    if len(named) > 1 and named == list(range(1, named[-1] + 1)):
        return last  # a heading without a number is no step
    return last if max(Counter(heading.level for heading in document.headings).values(), default=0) <= last else 0


_FOREIGN = 4  # So many different missing numbers on a page, and few that exist, speak of another document


@rule("navigation", Severity.ERROR)
def check(site: Site, config: Config) -> Iterator[Finding]:
    known = ordering.of(site, config.variants)
    numberings = Numberings(known)
    for page, dotted in having(site, references, english=True).items():
        if result := [reference for reference in dotted if not _is_legal(known, page, reference)]:
            yield from _of_page(numberings, page, result)
    for page, further in having(site, beyond, english=True).items():
        yield from _beyond(known, page, further)
    for page, links in having(site, looked, english=True).items():
        yield from _linked_wrong_way(known, page, links)


def _is_legal(known: Order, page: Page, reference: Reference) -> bool:
    """Whether a page is itself a licence, a contract or a standard, of which a reference may speak."""
    title = known.title(page)
    speaks = specifies if reference.text[:2].lower() == "st" else speaks_of_documents
    return speaks(title.text if title else page.path)


def _beyond(known: Order, page: Page, matches: Iterable[tuple[Reference, int]]) -> Iterator[Finding]:
    """References by a plain number to a step or section that neither the page has nor those beside it."""
    if not addresses.of(known.site).is_whole:
        return  # a page that is not at hand may have it
    for reference, last in matches:
        if _linked(known, page, reference) is not page:
            continue  # what a link says of another page is told there
        number, what = reference.number[0], reference.text[:4].lower()
        sequence = known.sequence(page)
        is_page = sequence is not None and number <= len(sequence.pages)
        titled = (step for other in known.site.pages if (step := known.step_number(other)))
        if not is_page and all(step.number != number for step in titled):
            parts = "steps" if what == "step" else "sections"
            yield page.flag(reference.place, f"`{reference.text}` not found: the {parts} of this page end at {last}")


def _linked_wrong_way(known: Order, page: Page, links: Iterable[Looked]) -> Iterator[Finding]:
    """Links to steps before and behind this one, in sentences that look the other way."""
    sequence = known.sequence(page)
    if sequence is None:
        return
    for link in links:
        target = addresses.of(known.site).of_link(page, link.link).page
        if target is None or target is page or target not in sequence.values or not _fits_number(known, target, link):
            continue
        current, linked = sequence.values[page], sequence.values[target]
        place = link.link.start, link.link.end
        what = "this step" if page.generated else f"`{link.text}`"  # it has another number on each platform
        if link.look == "back" and linked > current:
            yield page.flag(place, f"{what} comes later, but the text says it is already done")
        elif link.look == "ahead" and linked < current:
            yield page.flag(place, f"{what} comes earlier, but the text says it comes later")


def _fits_number(known: Order, target: Page, link: Looked) -> bool:
    """Whether a link names its target by the right number: that it is wrong is another mistake."""
    if target.generated:
        return True
    step_number = known.step_number(target)
    return step_number is not None and step_number.number == link.number[0]


def _of_page(numberings: Numberings, page: Page, references: Iterable[Reference]) -> Iterator[Finding]:
    missing: dict[Reference, str] = {}
    reasons: dict[tuple[Page, Number, str], str] = {}  # one number may stand on a page a thousand times
    exist = set()
    for reference in references:
        target = _linked(numberings.order, page, reference)
        if target is None or numberings.outline(target).has_nested(reference.number):
            continue
        key = target, reference.number, reference.text[:3].lower()
        if key not in reasons:
            reasons[key] = _missing(numberings, target, reference)
        if why := reasons[key]:
            missing[reference] = why
            continue
        exist.add(reference.number)
        if target is page and (problem := _wrong_way(reference, numberings.outline(page))):
            yield page.flag(reference.place, problem)
    numbers = {reference.number for reference in missing}
    if len(numbers) < _FOREIGN or len(numbers) <= 2 * len(exist):
        for reference, why in missing.items():
            yield page.flag(reference.place, f"`{reference.text}` not found: {why}")


def _missing(numberings: Numberings, page: Page, reference: Reference) -> str:
    """Why a number does not exist for a reader of a page; "" where it does, or may."""
    numbering, number = numberings.around(page), reference.number
    if numbering.has(number):
        return ""
    if why := numbering.lacks(number):
        return "" if numberings.is_near(page, number) else why
    return (
        "no step or section here has such a number"
        if lacks(numberings.order, numberings.outline(page), reference)
        else ""
    )


def _linked(known: Order, page: Page, reference: Reference) -> Page | None:
    """The page that a reference speaks of: where it is a link, what that leads to; None where that is not known."""
    links = page.document.links
    near = bisect_left(links, reference.place.end, key=lambda link: link.start)
    link = links[near - 1] if near else None
    if link is None or link.end <= reference.place.start:
        return page
    target = addresses.of(known.site).of_link(page, link)
    return target.page if target.kind in ("page", "self") else None


def _wrong_way(reference: Reference, outline: Outline) -> str:
    """What is wrong with a look back or ahead; "" where nothing is, or nothing tells where the reader stands."""
    here = outline.position(reference.place.start)
    depth = min(len(here), len(reference.number))
    there, place = reference.number[:depth], here[:depth]
    if reference.look == "back" and there > place:
        return f"`{reference.text}` comes after {shown(here)}, but the text says it is already done"
    if reference.look == "ahead" and there < place:
        return f"`{reference.text}` comes before {shown(here)}, but the text says it comes later"
    return ""
