"""Numbers that people typed in titles, headings and references, where the tool computes them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from tutorial_tool import lazy_re, order, sections
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.document import Document
from tutorial_tool.order import Order, numbers
from tutorial_tool.order.numbers import Number
from tutorial_tool.rules._references import Reference, references
from tutorial_tool.site import Page, Site

_DOTTED = lazy_re.compile(r"(?:[^\W\d_]+ )?(\d+(?:\.\d+)+)[.:)]?\s+")
_JUST = lazy_re.compile(r"\bjust\b", re.IGNORECASE)
_Steps = frozenset[tuple[str, str]]
"""Steps, each as its tutorial and its id."""
Targets = Mapping[str, Mapping[Number, str]]
"""What numbers lead to, as `link()` wants it, by the path of the page."""


def steps(read: Site, sets: Sequence[CopySet]) -> tuple[_Steps, _Steps]:
    """The steps whose titles, and those whose headings, begin with a number."""
    pages = {page.source.path: page for page in read.pages}
    known = order.of(read)
    titles, headings = set(), set()
    for one in sets:
        own = [pages[copy.source.path] for copy in one.copies.values()]
        if any(_title(page, known) for page in own):
            titles.add((one.tutorial, one.step))
        if any(True for page in own for _ in _numbered_sections(page.document)):
            headings.add((one.tutorial, one.step))
    return frozenset(titles), frozenset(headings)


def taken_out(page: Page, read: Site) -> Iterator[tuple[int, int, str]]:
    """The edits that take the numbers out of a page's title and headings."""
    if title := _title(page, order.of(read)):
        yield title
    for heading in page.document.headings:
        if heading.level > 1 and (dotted := _DOTTED.match(heading.text)):
            yield *heading.text.at(0, dotted.end()), ""


def _title(page: Page, known: Order) -> tuple[int, int, str] | None:
    """The edit that takes the number out of a title in the front matter: where the tool writes one."""
    title, front = known.title(page), page.document.front_matter
    found = numbers.of_title(title)
    if title and found and found.rest and front and title.place.end <= front.end:
        return title.place.start, title.place.end, found.rest
    return None


def targets(read: Site, sets: Sequence[CopySet]) -> Targets:
    """The sections that numbers lead to: of the page itself, and of the other steps on its platform."""
    pages = {page.source.path: page for page in read.pages}
    out: dict[str, dict[Number, str]] = {}
    for one in sets:
        for platform, copy in one.copies.items():
            for number, id_ in _numbered_sections(pages[copy.source.path].document):
                for other in sets:
                    if other.tutorial == one.tutorial and platform in other.copies:
                        step = "" if other is one else one.step
                        path = other.copies[platform].source.path
                        out.setdefault(path, {}).setdefault(number, f"{step}#{id_}")
    return out


def _numbered_sections(document: Document) -> Iterator[tuple[Number, str]]:
    """The numbers that stand before headings of sections, and the ids that those have without them."""
    for heading in document.headings:
        match = _DOTTED.match(heading.text)
        if match and heading.level == sections.NUMBERED_LEVEL:
            yield numbers.parsed(match[1]), heading.id or sections.slug(heading.text[match.end() :])


def linked(page: Page, found: Targets) -> Iterator[tuple[int, int, str]]:
    """References as calls of `link()`. One that looks back, and to nothing that exists, means the step before."""
    own = found.get(page.source.path, {})
    for reference in references(page):
        target, (start, end) = own.get(reference.number), reference.place
        text = page.source.text[start:end]
        if target and "\n" not in text:
            yield start, end, f"\ue0f0{target}\ue0f1{text}\ue0f2"
        elif not target and _means_the_step_before(reference):
            yield start, end, "the previous step"


def unknown(page: Page, found: Targets) -> Iterator[str]:
    """The references that stay as they are, in words."""
    own = found.get(page.source.path, {})
    for reference in references(page):
        if reference.number not in own and not _means_the_step_before(reference):
            place = page.source.span(reference.place.start)
            yield f"{place}: `{reference.text}` leads to no section that is known, and stays"


def _means_the_step_before(reference: Reference) -> bool:
    return reference.look == "back" and _JUST.search(reference.prose) is not None
