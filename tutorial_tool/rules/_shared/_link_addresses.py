"""The addresses to which one and the same text of a link leads on each copy of a step, and those that readers see."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from tutorial_tool import variation
from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Range
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variation import Unit
from tutorial_tool.variation.slots import Said, Slot, answering
from tutorial_tool.variation.wording import plain_words

KIND = "address"
TYPED = "typed"
"""What kinds of address there are: that of a link, and one that readers see, as `help@acme.example`."""
KINDS = KIND, TYPED
_SEEN = lazy_re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://[^\s<>\"'`)\]|]+(?<![.,;:!?*_])")
_SAME = lazy_re.compile(
    r"^https?://(?:www\.)?|/?(?:index\.html?)?(?:\?[^#]*)?(?=#|$)|/[a-z]{2}(?:[-_][A-Za-z]{2})?(?=/)"
)
"""What two addresses of one page may differ in: the scheme, the last slash, a query, the language."""
_MISTYPED = lazy_re.compile(
    r"^https?:/(?!/)|^https?:/{3}|^https?://https?:|^(?:https?://)?[^?#:]*[^?#:/]//(?!.*://)|(?:\s|%20)$"
)
"""What no address has: a slash or a scheme too much or too few, a blank at its end."""
_PAGE = lazy_re.compile(r"(?![a-z]+:|[#{<])[\w./-]+(?:#[\w-]*)?$")
"""An address within the site."""


def of(step: Step) -> Iterator[Slot]:
    """The addresses in sentences that are the same on all copies, by variant: of links to other sites, of those within
    this one where all copies stand in one folder, and those that are typed there."""
    is_one_folder = len({posixpath.dirname(page.path) for page in step.pages.values()}) == 1
    for row in variation.of(step).rows("sentence"):
        if len(row) == len(step.pages) and len({plain_words(unit.masked) for unit in row.values()}) == 1:
            yield from _in_order(row, within=is_one_folder)
            yield from answering({name: list(_typed(step.pages[name], unit)) for name, unit in row.items()})


def _in_order(row: Mapping[str, Unit], *, within: bool) -> Iterator[Slot]:
    links = [unit.links for unit in row.values()]
    if len({len(own) for own in links}) == 1:
        for found in zip(*links, strict=True):
            said = {
                name: Said(KIND, link.href, link.place) for name, link in zip(row, found, strict=True) if link.place
            }
            is_out = ["://" in one.text or one.text.startswith("mailto:") for one in said.values()]
            leads_within = within and not any(is_out) and all(_PAGE.match(one.text) for one in said.values())
            if len(said) == len(row) and (all(is_out) or leads_within):
                yield said


def _typed(page: Page, unit: Unit) -> Iterator[Said]:
    """The addresses that stand in a sentence, not behind a text: of those between `<` and `>`, mail."""
    mails = [link for link in unit.links if link.kind == "autolink" and "://" not in link.href]
    for match in _SEEN.finditer(page.plain, *unit.place):
        links = (link for link in unit.links if link not in mails and link.text.strip() != match[0])
        behind = any(link.start <= match.start() < link.end for link in links)
        if not behind and page.plain[match.start() - 1] not in "`/":
            yield Said(TYPED, match[0], Range(*match.span()))


def is_mistyped(address: str) -> bool:
    """Whether an address has a slip in it, whatever it leads to: `https://acme.example//docs`."""
    return _MISTYPED.search(address) is not None


def lead_alike(one: str, other: str) -> bool:
    """Whether two addresses are written in two ways, and are of one page."""
    return _bare(one) == _bare(other)


def _bare(address: str) -> str:
    return _SAME.sub("", address)


def is_own(step: Step, name: str, address: str) -> bool:
    """Whether an address names a platform, or stands on another page of the same platform: it is that one's own."""
    if any(variant.may_be_in(address) and variant.pattern.search(address) for variant in step.variants.values()):
        return True
    if any(slug in address.lower() for slug in map(str.lower, step.pages)):
        return True
    return step.pages[name].plain.count(address) > 1
