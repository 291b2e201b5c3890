"""A link that leads into another platform where those of the copies stay on their own."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from tutorial_tool.align.wording import names_a_platform
from tutorial_tool.document import Link
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._copies import intended, named
from tutorial_tool.rules._foreign_paths import Address, Foreign, foreign
from tutorial_tool.variants import Step


@rule("navigation", Severity.ERROR)
def check(step: Step) -> Iterator[Finding]:
    addresses = {
        name: [
            Address(link.href, link.place, link.text, _is_alone(page.plain, link), posixpath.dirname(page.path))
            for link in page.document.links
            if link.place is not None and not _meant(step, name, link)
        ]
        for name, page in step.pages.items()
    }
    for found in foreign(step, addresses):
        page = step.pages[found.name]
        if not intended(step, page, found.address.place):
            yield _finding(step, found)


def _is_alone(text: str, link: Link) -> bool:
    """Whether a link fills a line, but for a word such as `Next:`."""
    start, end = text.rfind("\n", 0, link.start) + 1, text.find("\n", link.end)
    before, after = text[start : link.start], text[link.end : end if end >= 0 else len(text)]
    return not after.strip(" .<>»→*_") and len(before.split()) <= 2


def _meant(step: Step, name: str, link: Link) -> bool:
    """Whether a link's text names another platform: it says where it leads."""
    text = step.variants[name].pattern.sub("", link.text)
    return names_a_platform(step, text)


def _finding(step: Step, found: Foreign) -> Finding:
    page = step.pages[found.name]
    start = found.address.place.start
    there, here = {**step.kin, **step.variants}[found.other].name, step.variants[found.name].name
    stay = "stays on its own" if len(found.own) == 1 else "stay on their own"
    message = f"this link leads from {here} into {there}; {named(step, found.own)} {stay}"
    related = [
        (step.pages[name], link.place, f"the link on {step.variants[name].name}")
        for name in found.own[:1]
        for link in step.pages[name].document.links
        if link.place is not None and link.text.strip() == found.address.role.strip()
    ][:1]
    whole = page.text[found.address.place.start : found.address.place.end] == found.address.href
    place = (start + found.start, start + found.end) if whole else found.address.place
    return page.flag(place, message, related=related)
