"""The same block of links at the top and the foot of a page; a single link, where the copies have it once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tutorial_tool import lazy_re, variants
from tutorial_tool.config import Config
from tutorial_tool.document import Link
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, Site
from tutorial_tool.variants import Step

_OWN_PLACE = lazy_re.compile(r"^\s*[»›>/|·]\s*(?:\S+\s?){1,4}$")
_ASIDE = "·|•/-–—<>«»‹›←→()[] "
"""What may stand between the links of a block, or around them."""


@rule("navigation", Severity.HINT)
def check(site: Site, config: Config) -> Iterator[Finding]:
    single: dict[Page, set[str]] = {}
    for step in variants.of(site, config.variants):
        single.update(variants.kept(step, _more_often))
    for page in site.pages:
        yield from page.kept(_found, single.get(page, set()))


def _found(page: Page, single: set[str]) -> tuple[Finding, ...]:
    return tuple(_repeated(page, single))


def _repeated(page: Page, single: set[str]) -> Iterator[Finding]:
    """The blocks of links that stand on a page twice; of single links, those that `single` names."""
    seen: dict[tuple[str, ...], list[Link]] = {}
    for block in _blocks(page, page.document.links):
        key = tuple(link.href for link in block)
        if len(block) < 2 and key[0] not in single:
            continue
        if first := seen.get(key):
            related = [(page, (first[0].start, first[-1].end), "the first time")]
            what = "this block of links" if len(block) > 1 else "this link"
            place = block[0].start, block[-1].end
            yield page.flag(place, f"{what} stands on the page a second time", related=related)
        else:
            seen[key] = block


def _more_often(step: Step) -> dict[Page, set[str]]:
    """The addresses that stand alone on a line of a page more often than on another copy that has them."""
    pages, out = list(step.pages.values()), {}
    counts = {page: Counter(b[0].href for b in _blocks(page, page.document.links) if len(b) == 1) for page in pages}
    for page, mine in counts.items():
        others = [theirs for other, theirs in counts.items() if other is not page]
        out[page] = {href for href, n in mine.items() if n > 1 and any(theirs[href] == 1 for theirs in others)}
    return out


def _blocks(page: Page, links: Sequence[Link]) -> Iterator[list[Link]]:
    """The links that fill a paragraph: nothing else stands in it but line breaks and marks."""
    block: list[Link] = []
    for link in links:
        if block and _is_gap(page.document.text[block[-1].end : link.start]):
            block.append(link)
            continue
        if block and _stands_alone(page, block):
            yield block
        block = [link]
    if block and _stands_alone(page, block):
        yield block


def _is_gap(between: str) -> bool:
    return "\n\n" not in between and not _bare(between)


def _stands_alone(page: Page, block: list[Link]) -> bool:
    text = page.document.text
    front = page.document.front_matter
    start = max(text.rfind("\n\n", 0, block[0].start) + 1, front.body if front else 0)
    before = text[start : block[0].start]
    end = text.find("\n\n", block[-1].end)
    return not _bare(before) and not _bare(text[block[-1].end : end if end >= 0 else len(text)])


def _bare(text: str) -> str:
    """What stands beside links that is neither a mark nor the page's own place at the end of a path of links."""
    for tag in ("<br/>", "<br>", "<br />"):
        text = text.replace(tag, "")
    text = _OWN_PLACE.sub("", text)
    return "".join(text.split()).strip(_ASIDE)
