"""Previous and next typed by hand, where they follow from the order of the pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tutorial_tool import links
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.source import Span
from tutorial_tool.core.traced import plain
from tutorial_tool.links import Addresses
from tutorial_tool.links.typed_neighbours import Neighbour, of_all
from tutorial_tool.markdown.document import Link
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, Site
from tutorial_tool.templating.functions import Address

_COMPUTED = lazy_re.compile(r"\bstep\s*\.\s*(?:next|previous)\b")
_ONWARD = lazy_re.compile(
    r"\b(?:go|continue|proceed|carry|move)(?: on)?(?: now| then| next)? (?:with|to|at)[ *_\n]+$", re.IGNORECASE
)
"""Before a link that is said to lead to the next step."""
_SOME = lazy_re.compile(r"\b(?:if|unless|already|otherwise|without|else|or|optional|optionally|skip)\b", re.IGNORECASE)
"""In a sentence that is meant for some readers only."""
_LONGEST = 60  # Characters before a link that are looked at


@rule("navigation", Severity.OFF, project=Severity.WARNING, yields_to=("prev-next-mismatch",))
def check(site: Site) -> Iterator[Finding]:
    known = links.of(site)
    for page, neighbours in of_all(known).items():
        if page.generated or not site.is_project:
            yield from _typed(page, neighbours)
    if site.is_project:
        yield from _onward(site, known)


def _typed(page: Page, neighbours: list[Neighbour]) -> Iterator[Finding]:
    """One finding for each direction: the same link at the top and at the bottom is one habit."""
    value: dict[str, list[Neighbour]] = {}
    for neighbour in neighbours:
        is_ordered = neighbour.target is None or neighbour.target.place is not None
        if not page.generated or (is_ordered and not _COMPUTED.search(page.source_span(*neighbour.link)[0].text)):
            value.setdefault(neighbour.direction, []).append(neighbour)
    for direction, (first, *others) in value.items():
        related = [(page, item.link, "and here") for item in others]
        instead = f"; delete it, or write `{{{{ link(step.{direction}) }}}}`" if page.generated else ""
        message = f"hard-coded link to the {direction} page, which follows from the order of the steps{instead}"
        yield page.flag(first.link, message, related=related)


def _onward(site: Site, known: Addresses) -> Iterator[Finding]:
    """Links by which readers go on: those that lead to the next step on one platform, and elsewhere on another."""
    shown: dict[Span, list[tuple[Page, Link, Page]]] = {}
    for page in (page for page in site.pages if page.generated and page.may_be_english):
        for link, target in _onward_links(page, known):
            shown.setdefault(page.source_span(link.start, link.end)[0], []).append((page, link, target))
    for same in shown.values():
        wrong = [item for item in same if _following(item[0]) != _address(item[2])]
        if len(wrong) < len(same):
            yield from (_astray(site, *item) for item in wrong)
        elif all(_skips(site, *item) for item in same):
            yield from (replace(_astray(site, *item), severity=Severity.HINT) for item in same)


def _onward_links(page: Page, known: Addresses) -> Iterator[tuple[Link, Page]]:
    """The links of a page to other steps of its tutorial that say "next", each with its target."""
    for link in page.document.links:
        if link.kind == "inline" and _ONWARD.search(page.plain, max(0, link.start - _LONGEST), link.start):
            target = known.of_link(page, link)
            if target.page and _is_beside(page, target.page) and not target.fragment:
                yield link, target.page


def _skips(site: Site, page: Page, link: Link, target: Page) -> bool:
    """Whether a page ends by sending its readers to a step behind the next one, whatever they did."""
    following = site.by_address.get(address) if (address := _following(page)) else None
    is_behind = following and following.number and target.number and target.number > following.number
    before = page.plain[
        max(page.plain.rfind("\n\n", 0, link.start), page.plain.rfind(". ", 0, link.start), 0) : link.start
    ]
    is_last = not page.plain[link.end :].strip(" .!*_\n")
    return bool(is_behind) and is_last and not _SOME.search(before)


def _is_beside(page: Page, other: Page) -> bool:
    here, there = _address(page), _address(other)
    return here is not None and there is not None and page is not other and here[::2] == there[::2]


def _address(page: Page) -> Address | None:
    return page.place.address if page.place else None


def _following(page: Page) -> Address | None:
    return page.place.following if page.place else None


def _astray(site: Site, page: Page, link: Link, target: Page) -> Finding:
    following = site.by_address.get(address) if (address := _following(page)) else None
    comes = f"the next step is {_called(following)}" if following else "there is no next step"
    message = f"link to {_called(target)}, but {comes}; write `{{{{ link(step.next) }}}}`"
    return page.flag((link.start, link.end), message)


def _called(page: Page) -> str:
    return f"step {page.number}" if page.number else f"“{plain(page.title)}”"
