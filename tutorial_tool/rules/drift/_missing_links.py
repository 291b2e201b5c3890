"""Links to the next page, or in a list of pages or sections, that all other copies have: for `missing-text`."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tutorial_tool import links as addresses
from tutorial_tool import variants, variation
from tutorial_tool.core import scripts
from tutorial_tool.links.navigation_links import navigation_links
from tutorial_tool.markdown.document import Link, Range
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variation import SectionRow, Unit, masked, own_paths

_BESIDE = 4
"""Words beside a link in a text that does more than lead on."""


class MissingLink(NamedTuple):
    """A link that the page of `name` lacks behind `place`, and that copies `having` have: `link` is the first one's."""

    name: str
    having: tuple[str, ...]
    link: Link
    place: Range


class _Way(NamedTuple):
    """A link that leads on from a page: to the one before or after it, or from a list of links in a section."""

    link: Link
    direction: str
    section: int


def missing_links(step: Step) -> Iterator[MissingLink]:
    """The links that one of three copies or more lacks, though the page or section is there to which it would lead."""
    if len(step.pages) < 3 or any(page.generated for page in step.pages.values()):
        return
    rows = variation.of(step).sections
    ways = {name: _ways(step, name, rows) for name in step.pages}
    leads = {name: _leads(step, name) for name in step.pages}
    for address in dict.fromkeys(address for found in ways.values() for address in found):
        having = tuple(name for name in step.pages if address in ways[name])
        lacking = [name for name in step.pages if address not in leads[name]]
        for name in lacking if len(having) >= 2 * max(1, len(lacking)) else ():
            way = ways[having[0]][address]
            place = _place(name, way, rows, ways[name])
            if place and _is_there(step, name, having[0], way.link) and not _is_broken(step, name, way.link):
                yield MissingLink(name, having, way.link, place)


def _ways(step: Step, name: str, rows: tuple[SectionRow, ...]) -> dict[str, _Way]:
    """The links of a page that lead on, by their address without what is the variant's own."""
    page = step.pages[name]
    out = {
        _address(step, name, link): _Way(link, direction, -1) for link, direction, _ in navigation_links(page.document)
    }
    for number, row in enumerate(rows):
        for unit in row.sections[name].units if name in row.sections else ():
            if _leads_on(unit):
                out.setdefault(_address(step, name, unit.links[0]), _Way(unit.links[0], "", number))
    return {address: way for address, way in out.items() if address}


def _leads(step: Step, name: str) -> set[str]:
    """Where the links of a page lead; one into another variant leads there, too: another rule tells it."""
    links = step.pages[name].document.links
    return {_address(step, name, link, own) for link in links for own in step.pages}


def _leads_on(unit: Unit) -> bool:
    """Whether a text is an item that does little more than to lead to one page."""
    is_item = unit.prose is not None and unit.prose.kind == "item" and unit.is_first
    return is_item and len(unit.links) == 1 and scripts.count(unit.beside_links) < _BESIDE


def _address(step: Step, name: str, link: Link, own: str = "") -> str:
    """Where a link leads within the site or page, a variant's own words masked; "" where it leads elsewhere."""
    if _is_within(link):
        return masked(link.href.lower(), step.variants[own or name])
    href = link.href.split("#")[0].split("?")[0]
    if not href or "://" in href or href.startswith(("mailto:", "{")):
        return ""
    path = href if href.startswith("/") else posixpath.normpath(posixpath.join(_folder(step.pages[name]), href))
    return own_paths(step)[own or name].masked(path.rstrip("/"))


def _is_within(link: Link) -> bool:
    """Whether a link leads to a section of its own page, as those of a list of contents do."""
    return link.href.startswith("#") and len(link.href) > 1


def _folder(page: Page) -> str:
    return posixpath.dirname(page.path)


def _place(name: str, way: _Way, rows: tuple[SectionRow, ...], others: Mapping[str, _Way]) -> Range | None:
    """Where the missing link would stand; None where the page has another way on, or has no such list."""
    if way.direction:
        same = any(other.direction == way.direction for other in others.values())
        texts = [unit for row in rows if name in row.sections for unit in row.sections[name].units]
        last = max((unit.place for unit in texts), default=None)
        return None if same else last
    is_within = _is_within(way.link)
    listed = [one for one in others.values() if one.section == way.section and (_is_within(one.link) or not is_within)]
    last_link = max((other.link for other in listed), key=lambda link: link.start, default=None)
    return Range(last_link.start, last_link.end) if last_link else None


def _is_there(step: Step, name: str, having: str, link: Link) -> bool:
    """Whether the page to which a link of another copy leads is one for all, or has a copy on this variant."""
    if _is_within(link):
        return addresses.of(step.site).has_anchor(step.pages[name], link.href[1:]) is True
    target = addresses.of(step.site).of_link(step.pages[having], link)
    if target.kind != "page" or target.page is None or target.page is step.pages[name]:
        return False
    home = next((each for each in variants.of(step.site) if target.page in each.pages.values()), None)
    return name in home.pages if home else not _is_of(step, having, target.page)


def _is_broken(step: Step, name: str, link: Link) -> bool:
    """Whether a page has a link with the same text that leads nowhere: another rule tells it."""
    page, site = step.pages[name], addresses.of(step.site)
    text = link.text.strip().lower()
    same = [each for each in page.document.links if each.text.strip().lower() == text]
    return any(
        site.of_link(page, each).kind == "missing"
        or (_is_within(each) and site.has_anchor(page, each.href[1:]) is False)
        for each in same
    )


def _is_of(step: Step, name: str, page: Page) -> bool:
    """Whether a page stands among those of a variant."""
    return own_paths(step)[name].pattern.search(page.path) is not None
