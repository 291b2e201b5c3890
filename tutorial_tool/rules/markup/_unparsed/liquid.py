"""Unclosed Liquid tags: Jekyll rejects the page for each of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Range
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.site import Page, page_facts

_TAG = lazy_re.compile(r"\{%-?\s*(?P<name>\w+)(?:(?!%\}).){0,2000}?%\}", re.DOTALL)
_CLOSED = frozenset("if unless case for tablerow capture comment raw highlight".split())
"""Tags of Liquid and Jekyll that need an end tag."""
_UNREAD = lazy_re.compile(r"^render_with_liquid[ \t]*:[ \t]*false", re.MULTILINE)


class Tag(NamedTuple):
    """A tag by its name, and the span of the name."""

    name: str
    place: Range


@page_facts.register
def find_unpaired_tags(page: Page) -> tuple[Tag | None, Tag | None]:
    """Find the first unclosed tag or the first unmatched end: also in code, on pages with front matter."""
    front = page.document.front_matter if page.dialect is Dialect.KRAMDOWN and "{%" in page.plain else None
    if front is None or _UNREAD.search(page.document.front_text, front.start, front.end):
        return None, None
    return _find_unpaired(_iter_tags(page.plain, front.body))


def _iter_tags(text: str, start: int) -> Iterator[Tag]:
    """Yield the tags of a text, except those that are rendered literally."""
    shown = ""
    for match in _TAG.finditer(text, start):
        if not shown or match["name"] == f"end{shown}":
            shown = match["name"] if match["name"] in ("raw", "comment") else ""
            yield Tag(match["name"], Range(*match.span("name")))


def _find_unpaired(tags: Iterable[Tag]) -> tuple[Tag | None, Tag | None]:
    """Return the first unclosed tag, or the first unmatched end."""
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


def find_problems(pages: Iterable[Page]) -> Iterator[tuple[Page, Range, str]]:
    """Yield what stops the build of a tree's pages: the page, the span, and the reason."""
    for page in pages:
        opened, stray = page.get_cached(find_unpaired_tags)
        if opened:
            yield page, opened.place, f"unclosed tag: `{{% end{opened.name} %}}` is missing"
        if stray:
            yield page, stray.place, f"unmatched end: no `{stray.name[3:]}` is open here"
