"""An id that a page gives to two elements."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.core.source import find_line_start
from tutorial_tool.markdown.document import Range
from tutorial_tool.markdown.html_tags import ELEMENTS
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules import rule
from tutorial_tool.site import Page

_ID = lazy_re.compile(r"#([^\s#{}=\"']+)")
_KRAMDOWN_ID = lazy_re.compile(r"#((?:[^\s#.{}=\"']|\.(?=\d))+)")
"""A dot starts a class in `{:#id.class}`, but is part of the id in `{#id.more}`."""
_VALUE = lazy_re.compile(r"[^\s{}$]+")
_BRANCH = lazy_re.compile(r"\{%-?\s*(?:else|elif)\b")
_LAST = lazy_re.compile(r"[ \t]*(?:\||\n|$)")
_BESIDE = lazy_re.compile(r"[^<>{}]*[>}]\s*(?:<[^<>]*>\s*)*(?:<|\{:)[^<>{}]*")
"""What is between two ids of one place: tags and lists of attributes."""


@rule("markup", Severity.ERROR)
def check(page: Page) -> Iterator[Finding]:
    """Report each duplicate id once, at its second occurrence."""
    text = page.plain
    places = group_pairs(sorted(_find_ids(page), key=lambda item: item[1]))
    branches = [match.span() for match in _BRANCH.finditer(text)] if "{%" in text else []
    for id_, (first, *others) in places.items():
        branch = next((end for start, end in branches if start >= first.end), len(text))
        apart = [place for place in others if not _BESIDE.fullmatch(text, first.end, place.start)]
        again = [place for place in apart if place.start < branch]
        if again:
            often = f" ({len(again) + 1} times on this page)" if again[1:] else ""
            message = f"duplicate id `{id_}`{often}; links go to the first one"
            further = [(page, place, "also here") for place in again[1:]]
            yield page.flag(again[0], message, related=[(page, first, "the first")], again=further)


def _find_ids(page: Page) -> Iterator[tuple[str, Range]]:
    """Find the explicit ids; components are excluded, since their properties may only look like ids."""
    text, document = page.plain, page.document
    if "#" not in text and "id" not in text:
        return
    for place in document.attribute_lists:
        has_classes = page.dialect is Dialect.KRAMDOWN and text.startswith("{:", place.start)
        pattern = _KRAMDOWN_ID if has_classes else _ID
        match = pattern.search(text, *place)
        is_marked = text.startswith("{:", place.start)
        if match and (is_marked or _has_owner(text, place)):
            yield match[1], Range(*match.span(1))
    yield from _find_element_ids(page)


def _find_element_ids(page: Page) -> Iterator[tuple[str, Range]]:
    """Find the ids of elements, except those of links to themselves.

    GitBook exports the ids of headings so, and numbers them if they repeat.
    """
    for tag in page.document.tags:
        attribute, href = tag.attributes.get("id"), tag.attributes.get("href")
        is_own = attribute is not None and href is not None and href.value == f"#{attribute.value}"
        if attribute and tag.name in ELEMENTS and not (tag.closing or is_own) and _VALUE.fullmatch(attribute.value):
            yield attribute.value, Range(attribute.start, attribute.end)


def _has_owner(text: str, span: Range) -> bool:
    """Return whether a list without a colon follows what it may belong to.

    `<p>{#NAME}. Its state</p>` has a macro, and `== Python {#python}` labels a tab of VitePress.
    """
    is_tab = text.startswith("== ", find_line_start(text, span.start))
    return not is_tab and _LAST.match(text, span.end) is not None
