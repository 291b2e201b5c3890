"""Replace links whose text is the number of their target step by calls of `link()`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, NamedTuple

from tutorial_tool import links
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import CONTEXT, Link
from tutorial_tool.site import Page, Site
from tutorial_tool.variants import ordering
from tutorial_tool.variants.ordering import numbers

if TYPE_CHECKING:
    from tutorial_tool.adopt.normalize.navigation import TypedNavigation


_STEP = lazy_re.compile(r"step[ \u00a0](?P<number>\d{1,2})", re.IGNORECASE)
_BEGINS = lazy_re.compile(r"(?:^|[.!?:][\"”')\]]*[ \n]|\n[ \t]*\n)[ \t]*(?:[-*+>]|\d+[.)])?[ \t*_(]*\Z")
"""The text before the first word of a sentence."""


class NumberedStep(NamedTuple):
    """A step whose page states its number, as passed to `link()`."""

    tutorial: str
    platform: str
    id: str
    number: int


Steps = Mapping[str, NumberedStep]  # Steps by page path


def find_steps(
    read: Site, sets: Sequence[CopySet], numbered: Set[tuple[str, str]], typed: Mapping[str, TypedNavigation]
) -> dict[str, NumberedStep]:
    """Return the steps whose number is in their title, or in their navigation links."""
    known, pages = ordering.get_order(read), {page.source.path: page for page in read.pages}
    out: dict[str, NumberedStep] = {}
    for copy_set in sets:
        for platform, copy in copy_set.copies.items() if (copy_set.tutorial, copy_set.step) in numbered else ():
            path = copy.source.path
            title, place = numbers.parse_step_number(known.get_title(pages[path])), typed[path].place
            if number := title.number if title else place.number if place else 0:
                out[path] = NumberedStep(copy_set.tutorial, platform, copy_set.step, number)
    return out


def find_link_edits(page: Page, read: Site, result: Steps) -> Iterator[tuple[int, int, str]]:
    """Yield edits that turn links into calls of `link()`, encoded with private characters."""
    for link, step in _find_numbered_links(page, read, result):
        if step and not _starts_sentence(page, link):
            text = page.source.text[slice(link.start, link.end)]
            yield link.start, link.end, f"\ue0f0{step.id}\ue0f1{text}\ue0f2"


def find_skipped(page: Page, read: Site, result: Steps) -> Iterator[tuple[int, str]]:
    """Yield the links that stay unchanged: the offset, and why."""
    for link, step in _find_numbered_links(page, read, result):
        if step is None:
            yield link.start, f"`{link.text}` leads to a page with another number"
        elif _starts_sentence(page, link):
            yield link.start, f"`{link.text}` starts a sentence, where `link()` would print a small letter"


def _find_numbered_links(page: Page, read: Site, result: Steps) -> Iterator[tuple[Link, NumberedStep | None]]:
    """Yield links that state a number, with the step that has it; None if the target has another."""
    own = result.get(page.source.path)
    for link in page.document.links if own else ():
        match = _STEP.fullmatch(link.text) if link.kind == "inline" else None
        target = links.get_addresses(read).resolve_link(page, link) if match else None
        step = result.get(target.page.source.path) if target and target.page and not target.fragment else None
        if own and match and step and step[:2] == own[:2]:
            yield link, step if step.number == int(match["number"]) else None


def _starts_sentence(page: Page, link: Link) -> bool:
    """Return whether a capitalized link begins a sentence."""
    before = page.source.text[max(0, link.start - CONTEXT) : link.start]
    return link.text[:1].isupper() and bool(_BEGINS.search(before))
