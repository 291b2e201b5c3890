"""A link that leads into another platform where those of the copies stay on their own."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tutorial_tool import links as addresses
from tutorial_tool import variation
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.source import Span
from tutorial_tool.core.traced import plain
from tutorial_tool.links import references
from tutorial_tool.markdown.document import MASK, Link, Range
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._copies import intended, named
from tutorial_tool.rules._shared._foreign_mentions import RELATES
from tutorial_tool.rules._shared._foreign_paths import Address, Foreign, foreign
from tutorial_tool.site import Page, PageFix
from tutorial_tool.variants import Step
from tutorial_tool.variation import Unit, own_paths
from tutorial_tool.variation.wording import names_a_platform

_LINK = lazy_re.compile(r"\[[^\]\n]*\]\([^)\n]*\)")
_PROSE = lazy_re.compile(r"^[ \t>]*(?![#|<>])\S+[ \t]+\S+[ \t]+\S+")
"""A line of three words or more besides links."""
_NEAR = 30
"""Characters on each side of a name in which words stand that tell what it has to do with a page."""
_BEGINS = lazy_re.compile(r"[ \t>]*(?:[-*+#]|\d+[.)])[ \t]")


@rule("navigation", Severity.ERROR, yields_to=("prev-next-mismatch",))
def check(step: Step) -> Iterator[Finding]:
    said = {
        name: [address for address in _addresses(page) if not _meant(step, name, address)]
        for name, page in step.pages.items()
    }
    for found in foreign(step, said):
        page = step.pages[found.name]
        if not intended(step, page, found.address.place) and not _is_told(step, found, said[found.name]):
            yield _finding(step, found)
    if len(step.pages) > 1 and step.first.generated:
        yield from _shared(step)


class _Typed(NamedTuple):
    """A link that a template types, on one of the pages that show it, and the page that it leads to."""

    page: Page
    link: Link
    target: Page
    fragment: str


def _shared(step: Step) -> Iterator[Finding]:
    """The links that a template types for all of its platforms, and that lead into one of them."""
    shown: dict[Span, list[_Typed]] = defaultdict(list)
    for page in step.pages.values():
        for link in page.document.links if page.place and page.generated else ():
            span = _typed(page, link)
            target = addresses.of(step.site).of_link(page, link) if span else None
            if span and target and target.page and target.page.place:
                shown[span].append(_Typed(page, link, target.page, target.fragment))
    for links in shown.values():
        own = {link.page.platform for link in links if link.page.platform == link.target.platform}
        if len(links) > 1 and (own or links[0].target.platform not in step.pages):
            yield from (_away(link) for link in links if link.page.platform not in own and _is_slip(step, link))


def _typed(page: Page, link: Link) -> Span | None:
    """Where a template types a link's address itself; None where a tag prints it."""
    if link.kind != "inline" or link.place is None:
        return None
    span, exact = page.source_span(*link.place)
    return span if exact and span.text == link.href and not link.href.startswith("#") else None


def _is_slip(step: Step, typed: _Typed) -> bool:
    """Whether the step that a link leads to stands on the page's own platform, too, and no word says that another is
    meant."""
    here, there, text = typed.page.place, typed.target.place, typed.page.plain
    if here is None or there is None or here.tutorial is not there.tutorial:
        return False
    if there.address._replace(platform=here.address.platform) not in step.site.places:
        return False
    line = text[text.rfind("\n", 0, typed.link.start) + 1 : typed.link.start] + typed.link.text
    line += text[typed.link.end : text.find("\n", typed.link.end)] if "\n" in text[typed.link.end :] else ""
    other = {**step.variants, **step.kin}.get(there.platform.id)
    return not other.pattern.search(line) if other else plain(there.platform.name).lower() not in line.lower()


def _away(typed: _Typed) -> Finding:
    page, link, there = typed.page, typed.link, typed.target
    reference = (there.step or "") + (f"#{typed.fragment}" if typed.fragment else "")
    words = page.plain[link.start + 1 : link.place.start - 2] if link.place else ""
    said = f", text='{words}'" if re.fullmatch(r"[^\[\]'\\{}\n]+", words) else ""
    call = f"{{{{ link('{reference}'{said}) }}}}"
    fix = PageFix(f"write `{call}`", ((link.start, link.end, call),), safe=False) if said else None
    name = plain(there.place.platform.name) if there.place else ""
    message = f"this link leads into {name} from other platforms, too; write `{call}`"
    return page.flag(link.place or (link.start, link.end), message, fix=fix)


def _addresses(page: Page) -> Iterator[Address]:
    """The links of a page, and the roles of Sphinx that name another page."""
    folder = posixpath.dirname(page.path)
    for link in page.document.links:
        if link.place is not None:
            home = "" if link.kind == "liquid" else folder
            typed = page.plain[link.start + 1 : link.place.start - 2]  # with code, that readers see, too
            text = typed if MASK in link.text and link.kind == "inline" else link.text
            yield Address(link.href, link.place, text, _is_alone(page.plain, link), home)
    for one in references.find_references(page.document) if page.dialect is Dialect.MYST else ():
        if one.kind == "doc":
            yield Address(one.href, one.place, one.text, folder=folder)


def _is_alone(text: str, link: Link) -> bool:
    """Whether a link fills a line, but for a word such as `Next:`, and the line is not one of a wrapped paragraph."""
    start, end = text.rfind("\n", 0, link.start) + 1, text.find("\n", link.end)
    before, after = text[start : link.start], text[link.end : end if end >= 0 else len(text)]
    above = text[text.rfind("\n", 0, max(start - 1, 0)) + 1 : max(start - 1, 0)]
    is_wrapped = _PROSE.search(_LINK.sub("", above)) is not None and _BEGINS.match(before) is None
    return not after.strip(" .<>»→*_") and len(before.split()) <= 2 and not is_wrapped


def _meant(step: Step, name: str, address: Address) -> bool:
    """Whether a link's text names another platform: it says where it leads."""
    text = step.variants[name].pattern.sub("", address.role)
    if names_a_platform(step, text) or any(kin.pattern.search(text) for kin in step.kin.values()):
        return True
    words = own_paths(step)
    joined = [word for word in text.split() if not word.strip("`*_.,").isalnum()]  # `react-sdk`, `@acme/react`
    others = (id_ for id_ in step.variants if id_ != name)
    own = any(words[name].pattern.search(word) for word in joined)
    return not own and any(words[id_].pattern.search(word) for id_ in others for word in joined)


def _is_told(step: Step, found: Foreign, said: Iterable[Address]) -> bool:
    """Whether a paragraph with a link into the other variant says what that has to do with this one: `The API is the
    same as that of @acme/react`."""
    other, text = {**step.variants, **step.kin}[found.other], step.pages[found.name].plain
    pattern = own_paths(step)[found.other].pattern
    for address in said if other.may_be_in(text) else ():
        if pattern.search(address.path):
            start, end = text.rfind("\n\n", 0, address.place.start), text.find("\n\n", address.place.end)
            beside = _LINK.sub("", text[start + 1 : end if end >= 0 else len(text)])
            named = other.pattern.search(beside)
            if named and RELATES.search(beside[max(named.start() - _NEAR, 0) : named.end() + _NEAR]):
                return True
    return False


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
    for row in variation.of(step).rows("sentence"):
        unit = row.get(found.name)
        if unit is not None and any(link.place == place for link in unit.links):
            return row.get(own)
    return None
