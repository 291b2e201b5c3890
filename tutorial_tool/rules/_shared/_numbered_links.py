"""Links typed in templates whose text is the number of the step that they lead to."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from functools import cache
from typing import NamedTuple

from tutorial_tool import links as addresses
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Span
from tutorial_tool.core.traced import plain
from tutorial_tool.data.model import STRINGS
from tutorial_tool.links import Addresses
from tutorial_tool.markdown.document import Link, Range
from tutorial_tool.rules._shared import _typed_counts
from tutorial_tool.rules._shared._typed_counts import Side
from tutorial_tool.site import Page, PageFix, Site
from tutorial_tool.site.having import having

_MARK = "{number}"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_ORDINAL = lazy_re.compile(rf"(?:the )?(?P<ordinal>{'|'.join(_ORDINALS)}) step", re.IGNORECASE)


class _Typed(NamedTuple):
    """A link that says a number, and the step that it leads to: its number there, how `link()` is told of it, and
    whether that prints numbers. Where it prints none, pages say the place that each has among all."""

    page: Page
    link: Link
    typed: int
    number: int
    reference: str
    is_printed: bool


def of(site: Site) -> Iterator[Finding]:
    """One finding for each place of a template that types such a link, on each page that shows it."""
    known, counting = addresses.of(site), _typed_counts.stated(site)
    own = plain(site.model.strings["step"])
    shown: dict[Span, list[_Typed]] = {}
    for page, links in having(site, _may_say, own).items():
        words = dict.fromkeys([own, *[STRINGS["step"]] * page.may_be_english])
        for link in links:
            if typed := _typed(page, link, words, known, counting):
                shown.setdefault(page.source_span(*_place(link))[0], []).append(typed)
    for same in shown.values():
        yield from _report(same, own)


def _may_say(page: Page, own: str) -> tuple[Link, ...]:
    """The links of a page, if a quick look says that one begins with words for a step, or ends with them."""
    words = {own, STRINGS["step"]}
    begins = page.generated and any((pattern := _pattern(word)) and pattern.search(page.plain) for word in words)
    if not begins and not (page.generated and " step](" in page.plain):
        return ()
    return tuple(link for link in page.document.links if link.kind == "inline")


def _typed(page: Page, link: Link, words: Iterable[str], known: Addresses, counting: Container[Side]) -> _Typed | None:
    if not link.text or not page.source_span(*_place(link))[1]:
        return None
    number = next((int(match["number"]) for word in words if (match := _match_number(word, link.text))), 0)
    if STRINGS["step"] in words and page.source_span(link.start, link.end)[1]:  # a call says it otherwise on purpose
        number = number or _ordinal(link.text)
    there = known.of_link(page, link).page if number else None
    return _compared(page, link, number, there, counting) if there else None


def _compared(page: Page, link: Link, number: int, there: Page, counting: Container[Side]) -> _Typed | None:
    if there.place is None or there.number is None:
        return None
    is_printed, address = there.place.step.numbering.steps, there.place.address
    if not is_printed and (number == there.number or (address.tutorial, address.platform) not in counting):
        return None
    reference = there.place.step.id
    if page.place and there.place.tutorial is not page.place.tutorial:
        reference = f"{there.place.tutorial.id}/{reference}"
    return _Typed(page, link, number, there.number, reference, is_printed)


def _place(link: Link) -> Range:
    return link.text.at(0, len(link.text))


def _ordinal(text: str) -> int:
    match = _ORDINAL.fullmatch(text)
    return _ORDINALS.index(match["ordinal"].lower()) + 1 if match else 0


def _match_number(words: str, text: str) -> re.Match[str] | None:
    """A link's text that is a step's number, or begins with it as a title does."""
    pattern = _pattern(words)
    match = pattern.match(f"[{text}") if pattern else None
    return match if match and re.match(r"$|[:.] |[ ]+[–—-][ ]", f"[{text}"[match.end() :]) else None


@cache
def _pattern(words: str) -> re.Pattern[str] | None:
    """What finds the begin of a link whose text begins with a step's number; none where it has no words."""
    before, mark, after = (re.escape(part).replace(r"\ ", r"[ \u00a0\n]") for part in words.partition(_MARK))
    if not mark or not re.search(r"[^\W\d_]", words.replace(_MARK, "")):
        return None
    return re.compile(rf"\[{before}(?P<number>\d{{1,2}})(?![\d%]|\.\d){after}", re.IGNORECASE)


def _report(same: list[_Typed], own: str) -> Iterator[Finding]:
    """The findings at one place of a template. Where no page has that number there, it is wrong already."""
    is_wrong = all(link.typed != link.number for link in same)
    for page, link, index, number, reference, is_printed in same:
        call = f"{{{{ link('{reference}') }}}}"
        wrong = f", which links to step {number}" if is_wrong else ""
        message = f"hard-coded number in `{link.text}`{wrong}"
        message += f"; `{call}` prints the current one" if is_printed else ""
        is_whole = link.text == own.replace(_MARK, str(index)) and index == number and "#" not in link.href
        fix = PageFix(f"write `{call}`", ((link.start, link.end, call),)) if is_whole else None
        yield page.flag(_place(link), message.replace("\n", " "), fix=fix)
