"""Typed numbers in titles, headings, and references that the tool computes."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from tutorial_tool import links
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.normalize.anchors import Ids, iter_headings, normalize_spelling
from tutorial_tool.core import lazy_re
from tutorial_tool.data.model import STRINGS
from tutorial_tool.markdown import headings as sections
from tutorial_tool.markdown.document import Document, Heading, Link, Range
from tutorial_tool.site import Page, Site
from tutorial_tool.variants import ordering
from tutorial_tool.variants.numbered_references import Reference, find_references
from tutorial_tool.variants.ordering import Order, Title, numbers
from tutorial_tool.variants.ordering.numbers import Number

_DOTTED = lazy_re.compile(r"(?:[^\W\d_]+ )?(\d+(?:\.\d+)+)[.:)]?\s+")
_JUST = lazy_re.compile(r"\bjust\b", re.IGNORECASE)
_Steps = frozenset[tuple[str, str]]  # Steps as pairs of tutorial and step ID


class NumberedSection(NamedTuple):
    """The section with a number: the target for `link()`, the page, and its old and new ID."""

    ref: str
    path: str
    anchors: tuple[str, str]


Targets = Mapping[str, Mapping[Number, NumberedSection]]  # Targets of numbers, by page path


def find_numbered_steps(read: Site, sets: Sequence[CopySet]) -> tuple[_Steps, _Steps]:
    """Return the steps whose titles, and those whose headings, begin with a number."""
    pages = {page.source.path: page for page in read.pages}
    known = ordering.get_order(read)
    titles, headings = set(), set()
    for copy_set in sets:
        own = [pages[copy.source.path] for copy in copy_set.copies.values()]
        if any(any(_find_title_removals(page, known)) for page in own):
            titles.add((copy_set.tutorial, copy_set.step))
        if any(any(_find_numbered_sections(page.document, {})) for page in own):
            headings.add((copy_set.tutorial, copy_set.step))
    return frozenset(titles), frozenset(headings)


def find_title_strings(read: Site, paths: Set[str]) -> dict[str, str]:
    """Return the strings of the data that print titles as typed, if all pages of these paths agree."""
    known, result, is_english = ordering.get_order(read), set(), True
    for page in read.pages:
        title = known.get_title(page) if page.source.path in paths else None
        number = numbers.parse_step_number(title)
        if title and number and number.title:
            before = title.text[: number.span.start - title.span.start]
            behind = title.text[number.span.end - title.span.start : title.text.rfind(number.title)]
            result.add((before, behind))
            is_english = is_english and page.may_be_english
    if len(result) != 1:
        return {}
    before, behind = result.pop()
    values = {"title": f"{before}{{number}}{behind}{{title}}"}
    if before.strip():
        values["step"] = f"{before.lower() if is_english else before}{{number}}"
    return {key: text for key, text in values.items() if text != STRINGS[key]}


def find_removals(page: Page, read: Site, *, is_numbered: bool = False) -> Iterator[tuple[int, int, str]]:
    """Yield the edits that remove the numbers from a page's title and headings.

    If its step `is_numbered`, the front matter title gets the number: a heading that repeats it is removed.
    """
    yield from _find_title_removals(page, ordering.get_order(read), is_numbered=is_numbered)
    for heading in page.document.headings:
        if heading.level > 1 and (dotted := _DOTTED.match(heading.text)):
            yield *heading.text.locate(0, dotted.end()), ""


def _find_title_removals(page: Page, known: Order, *, is_numbered: bool = False) -> Iterator[tuple[int, int, str]]:
    """Yield the edits that remove the number from a title, in the front matter or in the title heading.

    A heading that repeats the front matter title, with a number in either, is removed as a whole.
    """
    title, front = known.get_title(page), page.document.front_matter
    heading = next((heading for heading in page.document.headings[:1] if heading.level == 1), None)
    step_number = numbers.parse_step_number(title)
    if title is None:
        return
    bare = (step_number.title if step_number else "") or title.text
    if front and title.span.end <= front.end:
        if bare != title.text:
            yield title.span.start, title.span.end, bare
        if heading and _is_repeated_title(heading, bare, has_number=is_numbered or bare != title.text):
            rest = page.source.text[heading.end :]
            yield heading.start, heading.end + len(rest) - len(rest.lstrip("\n")), ""
    elif heading and step_number and step_number.title and (at := heading.text.rfind(step_number.title)) > 0:
        yield *heading.text.locate(0, at), ""


def _is_repeated_title(heading: Heading, bare: str, *, has_number: bool) -> bool:
    """Return whether a heading repeats the title without its number, and either of them has a number."""
    shown = numbers.parse_step_number(Title(str(heading.text), Range(heading.start, heading.end)))
    return shown.title == bare if shown else has_number and heading.text == bare


def find_targets(read: Site, sets: Sequence[CopySet], ids: Mapping[str, Ids]) -> Targets:
    """Return the sections that numbers refer to: of the page itself, and of other steps on its platform.

    `ids` are the new IDs of headings, by page path.
    """
    pages = {page.source.path: page for page in read.pages}
    out: dict[str, dict[Number, NumberedSection]] = {}
    for copy_set in sets:
        for platform, copy in copy_set.copies.items():
            page = pages[copy.source.path]
            for number, anchors in _find_numbered_sections(page.document, ids.get(page.source.path, {})):
                for other in sets:
                    if other.tutorial == copy_set.tutorial and platform in other.copies:
                        step = "" if other is copy_set else copy_set.step
                        path = other.copies[platform].source.path
                        section = NumberedSection(f"{step}#{anchors[1]}", page.source.path, anchors)
                        out.setdefault(path, {}).setdefault(number, section)
    return out


def _find_numbered_sections(document: Document, ids: Ids) -> Iterator[tuple[Number, tuple[str, str]]]:
    """Yield the numbers of section headings, and the headings' old and new IDs."""
    for heading, known in iter_headings(document, ids):
        match = _DOTTED.match(heading.text)
        if match and heading.level == sections.SECTION_LEVEL:
            id_ = heading.id or sections.build_slug(heading.text[match.end() :])
            yield numbers.parse_number(match[1]), known or (id_, id_)


def find_link_edits(page: Page, read: Site, result: Targets) -> Iterator[tuple[int, int, str]]:
    """Yield edits that turn references into calls of `link()`.

    A link with only the reference as text is replaced as a whole if it points there. A reference back to something that
    does not exist means the previous step.
    """
    own = result.get(page.source.path, {})
    for reference in find_references(page):
        target, (start, end) = own.get(reference.number), reference.span
        text = page.source.text[start:end]
        around = _find_link_around(page, reference)
        if around is not None:
            place = _find_whole_link(page, read, around, reference, target)
            if place and target:
                start, end = place
                yield start, end, f"\ue0f0{target.ref}\ue0f1{_format_link(page, target, text)}\ue0f2"
        elif target:
            if "\n" not in text:
                yield start, end, f"\ue0f0{target.ref}\ue0f1{text}\ue0f2"
        elif _means_previous_step(reference):
            yield start, end, "the previous step"


def _find_link_around(page: Page, reference: Reference) -> Link | None:
    """Return the link whose text contains a reference."""
    start, end = reference.span
    return next((link for link in page.document.links if link.start < start and end < link.end), None)


def _find_whole_link(
    page: Page, read: Site, link: Link, reference: Reference, target: NumberedSection | None
) -> tuple[int, int] | None:
    """Return the span of a link with only the reference as text that points to its section or page."""
    text = page.source.text[slice(*reference.span)]
    if target is None or link.kind not in ("inline", "reference") or str(link.text).strip() != text or "\n" in text:
        return None
    led = links.get_addresses(read).resolve_link(page, link)
    if led.page is None or led.page.source.path != target.path:
        return None
    if led.fragment and normalize_spelling(led.fragment) not in map(normalize_spelling, target.anchors):
        return None
    return link.start, link.end


def _format_link(page: Page, target: NumberedSection, text: str) -> str:
    """Format a link to a section as it would be typed."""
    own = page.source.path
    path = "" if target.path == own else posixpath.relpath(target.path, posixpath.dirname(own))
    return f"[{text}]({path}#{target.anchors[1]})"


def find_skipped(page: Page, read: Site, result: Targets) -> Iterator[tuple[int, str]]:
    """Yield the references that stay unchanged: the offset, and why."""
    own = result.get(page.source.path, {})
    for reference in find_references(page):
        target, around = own.get(reference.number), _find_link_around(page, reference)
        if target is None and (around or not _means_previous_step(reference)):
            yield reference.span.start, f"`{reference.text}` points to no known section"
        elif around and not _find_whole_link(page, read, around, reference, target):
            why = "points elsewhere" if str(around.text).strip() == reference.text else "says more"
            yield reference.span.start, f"`{reference.text}` is in a link that {why}"


def _means_previous_step(reference: Reference) -> bool:
    return reference.direction == "back" and _JUST.search(reference.prose) is not None
