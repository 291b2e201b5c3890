"""Lists that CommonMark and Python-Markdown read differently."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tutorial_tool import links
from tutorial_tool.config.settings import Config
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.source import find_line_start
from tutorial_tool.links.generators import mkdocs
from tutorial_tool.links.tree import Tree
from tutorial_tool.markdown.document import Range
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules import rule
from tutorial_tool.rules.markup._lists.items import Item, PageLists
from tutorial_tool.site import Page, PageFix, Site, page_facts

_ITEM = lazy_re.compile(r"(?:[-*+]|\d+\.)[ \t]")
_DOUBTFUL = lazy_re.compile(r"\n(?:[ \t>]+(?:[-*+]|\d+[.)])|\d+\))[ \t]")
_BELOW = lazy_re.compile(r"\n(?<=[^\n]\n)(?:[-*+]|\d+\.)[ \t]")


class _Mismatch(NamedTuple):
    place: Range
    message: str
    fix: PageFix | None


@rule("markup", Severity.WARNING, yields_to=("broken-list-numbering",))
def check(site: Site, config: Config) -> Iterator[Finding]:
    addresses = links.get_addresses(site)
    everywhere = site.is_project or config.is_requested("renderer-mismatch")
    for page in site.pages:
        mismatches: Iterable[_Mismatch] = ()
        if page.publishing_dialect is Dialect.PYTHON_MARKDOWN:
            if everywhere or _has_usual_lists(addresses.get_tree(page)):
                mismatches = page.get_cached(_get_mismatches)
        elif everywhere and page.dialect is Dialect.GFM:
            mismatches = _find_mismatches(page)
        yield from (page.flag(*mismatch[:2], fix=mismatch.fix) for mismatch in mismatches)


def _has_usual_lists(tree: Tree) -> bool:
    """Return whether a `mkdocs.yml` leaves Python-Markdown's own lists."""
    return tree.node is not None and not mkdocs.has_other_lists(tree)


@page_facts.register
def _get_mismatches(page: Page) -> tuple[_Mismatch, ...]:
    """Return the mismatches of a page for Python-Markdown, cached with the text, which builds may share."""
    cache = page.document.cache
    if page.publishing_dialect is Dialect.PYTHON_MARKDOWN and _get_mismatches not in cache:
        cache[_get_mismatches] = _find_mismatches(page)
    mismatches: tuple[_Mismatch, ...] = cache.get(_get_mismatches, ())
    return mismatches


def _find_mismatches(page: Page) -> tuple[_Mismatch, ...]:
    return tuple(_iter_mismatches(page)) if _is_doubtful(page.plain) else ()


def _is_doubtful(text: str) -> bool:
    """Return whether an item is indented, directly below other text, or has a `)`: the rest parse alike."""
    if _DOUBTFUL.search(f"\n{text}"):
        return True
    return any(not _ITEM.match(text, find_line_start(text, at.start())) for at in _BELOW.finditer(text))


def _iter_mismatches(page: Page) -> Iterator[_Mismatch]:
    reading = PageLists(page)
    for items in reading.lists:
        wrong = next((item for item in items if _get_depth(reading, item) != item.depth), None)
        if wrong and not reading.find_misnumbered(items):  # otherwise, `broken-list-numbering` reports it
            message = _format_message(reading.lines[wrong.first], wrong, _get_depth(reading, wrong))
            yield _Mismatch(Range(*reading.find_marker(wrong.first)), message, reading.build_fix(items))


def _get_depth(reading: PageLists, item: Item) -> int | None:
    value = reading.published_items.get(item.first)
    return value.depth if value else None


def _format_message(line: str, wrong: Item, depth: int | None) -> str:
    if depth is None and re.match(r"\s*\d+\)", line):
        return "Python-Markdown publishes a list with `)` as text; write `1.`"
    if depth is None:
        return "Python-Markdown publishes this item as text; use a blank line before a list and four spaces per level"
    if depth < wrong.depth:
        return "Python-Markdown publishes this nested item one level up; use four spaces per level"
    return "Python-Markdown publishes this item one level deeper; insert a blank line before it"
