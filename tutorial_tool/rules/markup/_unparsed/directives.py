"""Containers between colons (`:::note`) that are unclosed or unmatched."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import is_within
from tutorial_tool.markdown.document import Document, Range
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.site import Page, page_facts

_LINE = lazy_re.compile(r"^[ \t>]*(?P<colons>:{3,})[ \t]*(?P<rest>(?P<word>[\w-]*)[^\n]*)", re.MULTILINE)


class ContainerLine(NamedTuple):
    """A line that opens or closes a container: its name ("" closes), its colons, and its span."""

    word: str
    colons: int
    place: Range


class ContainerLines(NamedTuple):
    """The first line of each kind that has no counterpart on the page."""

    unclosed: ContainerLine | None = None
    unmatched: ContainerLine | None = None
    overlapping: ContainerLine | None = None  # The first that ends with one nested in it, for lack of closing lines
    repeated: ContainerLine | None = None  # One that was meant to close the one before: `:::note`, for `:::`

    def __bool__(self) -> bool:
        return any(self)


@page_facts.register
def find_container_lines(page: Page) -> ContainerLines:
    """Find the containers of a page for Docusaurus, or for CommonMark, which VitePress uses."""
    read = page.dialect in (Dialect.DOCUSAURUS, Dialect.COMMONMARK) and ":::" in page.plain
    return _pair_lines(page.document) if read else ContainerLines()


def _pair_lines(document: Document) -> ContainerLines:
    """Pair lines as both engines do: a closing line ends the outermost container with at most its colons.

    All containers inside that one end with it.
    """
    stack, inconsistent, balance = list[ContainerLine](), None, 0
    swallowing: list[ContainerLine] = []
    for line in _iter_lines(document):
        if line.word:
            balance += 1
            stack.append(line)
            continue
        balance -= 1
        closed = next((at for at, item in enumerate(stack) if item.colons <= line.colons), None)
        if closed is None:
            inconsistent = inconsistent or line
        else:
            if len(stack) > closed + 1 and stack[closed + 1].colons == stack[closed].colons:
                swallowing = swallowing or stack[closed : closed + 2]
            del stack[closed:]
    overlapping = swallowing if balance > (1 if stack else 0) else []
    repeated = _find_repeated(overlapping, document.text) or _find_repeated(stack[:2], document.text)
    return ContainerLines(next(iter(stack), None), inconsistent, next(iter(overlapping), None), repeated)


def _find_repeated(pair: Sequence[ContainerLine], text: str) -> ContainerLine | None:
    """Return the second of two containers if it was to close the first: it has its name, and a blank line follows."""
    is_repeated = len(pair) == 2 and pair[0].word == pair[1].word
    return pair[1] if is_repeated and f"{text}\n\n".startswith("\n\n", pair[1].place.end) else None


def _iter_lines(document: Document) -> Iterator[ContainerLine]:
    text = document.text
    verbatim = [(block.start, block.end) for block, _ in document.walk() if block.kind in ("code", "esm")]
    for match in _LINE.finditer(text, document.body_start):
        at = match.start("colons")
        if not is_within(at, verbatim) and (match["word"] or not match["rest"].strip()):
            span = Range(at, at + len(text[at : match.end()].rstrip()))
            yield ContainerLine(match["word"], len(match["colons"]), span)
