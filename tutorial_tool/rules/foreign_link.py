"""A link that leads into another platform where those of the copies stay on their own."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from tutorial_tool import align
from tutorial_tool.addresses import references
from tutorial_tool.align import Unit, own_paths
from tutorial_tool.align.wording import names_a_platform
from tutorial_tool.document import Link, Range
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.parser import Dialect
from tutorial_tool.rules import rule
from tutorial_tool.rules._copies import intended, named
from tutorial_tool.rules._foreign_paths import Address, Foreign, foreign
from tutorial_tool.site import Page
from tutorial_tool.variants import Step


@rule("navigation", Severity.ERROR, yields_to=("wrong-neighbour",))
def check(step: Step) -> Iterator[Finding]:
    addresses = {
        name: [address for address in _addresses(page) if not _meant(step, name, address)]
        for name, page in step.pages.items()
    }
    for found in foreign(step, addresses):
        page = step.pages[found.name]
        if not intended(step, page, found.address.place):
            yield _finding(step, found)


def _addresses(page: Page) -> Iterator[Address]:
    """The links of a page, and the roles of Sphinx that name another page."""
    folder = posixpath.dirname(page.path)
    for link in page.document.links:
        if link.place is not None:
            home = "" if link.kind == "liquid" else folder
            yield Address(link.href, link.place, link.text, _is_alone(page.plain, link), home)
    for one in references.of(page.document) if page.dialect is Dialect.MYST else ():
        if one.kind == "doc":
            yield Address(one.href, one.place, one.text, folder=folder)


def _is_alone(text: str, link: Link) -> bool:
    """Whether a link fills a line, but for a word such as `Next:`."""
    start, end = text.rfind("\n", 0, link.start) + 1, text.find("\n", link.end)
    before, after = text[start : link.start], text[link.end : end if end >= 0 else len(text)]
    return not after.strip(" .<>»→*_") and len(before.split()) <= 2


def _meant(step: Step, name: str, address: Address) -> bool:
    """Whether a link's text names another platform: it says where it leads."""
    text = step.variants[name].pattern.sub("", address.role)
    return names_a_platform(step, text)


def _finding(step: Step, found: Foreign) -> Finding:
    page = step.pages[found.name]
    start = found.address.place.start
    there, here = {**step.kin, **step.variants}[found.other].name, step.variants[found.name].name
    stay = "stays on its own" if len(found.own) == 1 else "stay on their own"
    message = f"this link leads from {here} into {there}; {named(step, found.own)} {stay}"
    own = found.own[0]
    answer = _answer(step, found, own)
    related = [(step.pages[own], answer, f"the link on {step.variants[own].name}")] if answer else []
    whole = page.text[found.address.place.start : found.address.place.end] == found.address.href
    place = (start + found.start, start + found.end) if whole else found.address.place
    return page.flag(place, message, related=related)


def _answer(step: Step, found: Foreign, own: str) -> Range | None:
    """Where the link stands that another copy has in its place: in the sentence that answers to this one, else one with
    this text that leads to the same of its own platform, else one that leads there."""
    words = own_paths(step)
    shape = words[found.other].masked(found.address.path)
    page = step.pages[own]
    links = [one for one in _addresses(page) if words[own].masked(one.path) == shape]
    unit = _beside(step, found, own)
    near = [one for one in links if unit and unit.place.start <= one.place.start < unit.place.end]
    titled = [one for one in links if one.role.strip() == found.address.role.strip()]
    return next((one.place for one in near or titled or links), None)


def _beside(step: Step, found: Foreign, own: str) -> Unit | None:
    """The sentence of another copy that answers to the one in which a link stands."""
    place = found.address.place
    for row in align.of(step).rows("sentence"):
        unit = row.get(found.name)
        if unit is not None and any(link.place == place for link in unit.links):
            return row.get(own)
    return None
