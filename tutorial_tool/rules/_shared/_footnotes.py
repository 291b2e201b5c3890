"""Footnotes without a definition, and definitions without a reference."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import find_line_start
from tutorial_tool.markdown.ast import Block
from tutorial_tool.markdown.document import Document, Range
from tutorial_tool.site import Page, page_facts

_DEFINED = lazy_re.compile(r"^[ \t>]*(?:[-*+][ \t]+)?\[\^([^\]\s]+)\]:", re.MULTILINE)
_REFERENCE = lazy_re.compile(r"\[\^([^\]\s]+)\]")
_CHARACTER_CLASS = lazy_re.compile(r"\w-\w|.*(?:\w-\w){2}|\\.*|[\W_]+")  # Characters of a regular expression: `[^a-z]`


class Footnote(NamedTuple):
    """A label and its span. `is_undefined`: referenced but not defined; otherwise defined but not referenced."""

    label: str
    place: Range
    is_undefined: bool


@page_facts.register
def find_footnotes(page: Page) -> tuple[Footnote, ...]:
    """Return the undefined and the unreferenced footnotes of a page, in order."""
    if "[^" in page.plain:
        return tuple(sorted(_find_in_document(page.document), key=lambda footnote: footnote.place))
    return ()


def _find_in_document(document: Document) -> Iterator[Footnote]:
    text = document.text
    bodies = [block for block, _ in document.walk() if block.info == "footnote"]
    if not bodies:
        return
    definitions = {match.end(1): match[1].casefold() for match in _DEFINED.finditer(text)}
    defined = frozenset(definitions.values())
    referenced = {match[1].casefold() for match in _REFERENCE.finditer(text) if match.end(1) not in definitions}
    yield from _find_undefined(document, defined)
    yield from _find_unused(text, bodies, referenced)


def _find_undefined(document: Document, defined: Container[str]) -> Iterable[Footnote]:
    """Find the first reference to each undefined footnote."""
    lost: dict[str, Footnote] = {}
    for node, _ in document.get_inlines():
        match = _REFERENCE.fullmatch(document.text, node.start, node.end) if node.kind == "note" else None
        if match and match[1].casefold() not in defined and not _CHARACTER_CLASS.fullmatch(match[1]):
            lost.setdefault(match[1], Footnote(match[1], Range(match.start(), match.end(1) + 1), is_undefined=True))
    return lost.values()


def _find_unused(text: str, bodies: Iterable[Block], referenced: Container[str]) -> Iterator[Footnote]:
    for block in bodies:
        match = _DEFINED.match(text, find_line_start(text, block.start))
        if match and match[1].casefold() not in referenced:
            yield Footnote(match[1], Range(match.start(1) - 2, match.end(1) + 1), is_undefined=False)
