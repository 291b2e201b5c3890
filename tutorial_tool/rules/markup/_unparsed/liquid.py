"""Tags of Liquid that nothing knows, or that nothing closes: Jekyll refuses the page for each of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Range
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.site import Page, page_facts

_TAG = lazy_re.compile(r"\{%-?\s*(?P<name>\w+)(?:(?!%\}).){0,2000}?%\}", re.DOTALL)
_CLOSED = frozenset("if unless case for tablerow capture comment raw highlight".split())
"""Liquid's and Jekyll's tags that hold what stands up to their end."""
_ALONE = frozenset(
    "assign increment decrement cycle include include_relative link post_url when else elsif break continue".split()
)
_KNOWN = _CLOSED | _ALONE | {f"end{name}" for name in _CLOSED}
_SHORTEST = 4  # Letters of the shortest name that is told from another by one of them
_UNREAD = lazy_re.compile(r"^render_with_liquid[ \t]*:[ \t]*false", re.MULTILINE)


class Tag(NamedTuple):
    """A tag by its name, and the place where that stands."""

    name: str
    place: Range


class Tags(NamedTuple):
    """The tags of a page that Jekyll and Liquid do not have, and the first that does not belong to another."""

    others: tuple[Tag, ...] = ()
    open: Tag | None = None
    stray: Tag | None = None


@page_facts.of_each
def of_page(page: Page) -> Tags:
    """The tags of a page for Jekyll, which reads them in code, too, and on pages with front matter alone."""
    front = page.document.front_matter if page.dialect is Dialect.KRAMDOWN and "{%" in page.plain else None
    if front is None or _UNREAD.search(page.document.front_text, front.start, front.end):
        return Tags()
    tags = list(_read(page.plain, front.body))
    opened, stray = _unpaired(tags)
    return Tags(tuple(tag for tag in tags if tag.name not in _KNOWN), opened, stray)


def _read(text: str, start: int) -> Iterator[Tag]:
    """The tags of a text, less those that are only shown."""
    shown = ""
    for match in _TAG.finditer(text, start):
        if not shown or match["name"] == f"end{shown}":
            shown = match["name"] if match["name"] in ("raw", "comment") else ""
            yield Tag(match["name"], Range(*match.span("name")))


def _unpaired(tags: Iterable[Tag]) -> tuple[Tag | None, Tag | None]:
    """The first tag that nothing closes, or the first that closes nothing."""
    opened: list[Tag] = []
    for tag in tags:
        if tag.name in _CLOSED:
            opened.append(tag)
        elif tag.name[3:] in _CLOSED and tag.name.startswith("end"):
            if not any(item.name == tag.name[3:] for item in opened):
                return None, tag
            if (last := opened.pop()).name != tag.name[3:]:
                return last, None
    return (opened[-1] if opened else None), None


def wrong(pages: Iterable[Page]) -> Iterator[tuple[Page, Range, str, str]]:
    """What stops the build of a tree's pages: the page, the place, why, and what was meant, if that is known.

    A tag may be a plugin's: one is told that stands once, and is a letter off from one that Jekyll has.
    """
    value = {page: tags for page in pages if (tags := page.kept(of_page)) != Tags()}
    often = Counter(tag.name for tags in value.values() for tag in tags.others)
    for page, tags in value.items():
        slips = [(tag, meant) for tag in tags.others if often[tag.name] == 1 and (meant := _meant(tag.name))]
        yield from ((page, tag.place, f"unknown tag `{tag.name}`", meant) for tag, meant in slips)
        if slips:
            continue
        if tags.open:
            yield page, tags.open.place, f"unclosed tag: `{{% end{tags.open.name} %}}` is missing", ""
        if tags.stray:
            yield page, tags.stray.place, f"unmatched end: no `{tags.stray.name[3:]}` is open here", ""


def _meant(name: str) -> str:
    from rapidfuzz.distance import OSA

    near = sorted(known for known in _KNOWN if OSA.distance(name, known) == 1)
    return near[0] if len(near) == 1 and len(name) >= _SHORTEST else ""
