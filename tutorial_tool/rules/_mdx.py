"""What the compiler of MDX refuses, and so what stops the build: comments of HTML, tags without an end, stray signs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tutorial_tool import gist, lazy_re
from tutorial_tool.document import Document, Range, Tag
from tutorial_tool.parser import Dialect, Inline
from tutorial_tool.site import Page

_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
"""Elements of HTML that hold nothing."""
_SIGN = lazy_re.compile(r"<(?![\s<>\\]|$)|\{")


class Fault(NamedTuple):
    """What is refused, and why."""

    place: Range
    message: str


@gist.of_each
def faults(page: Page) -> tuple[Fault, ...]:
    """What is refused on a page in MDX: the first fault of each kind, for what follows one may be read otherwise."""
    if not page.path.endswith(".mdx") or page.dialect not in (Dialect.MDX, Dialect.DOCUSAURUS):
        return ()
    document = page.document
    kinds = (_comments, _void, _unclosed, _signs, _links)
    found = (next(kind(document), None) for kind in kinds)
    return tuple(sorted(filter(None, found), key=lambda one: one.place))


def _comments(document: Document) -> Iterator[Fault]:
    if document.dialect is Dialect.DOCUSAURUS or "<!--" not in document.text:
        return  # Docusaurus reads them as those of MDX
    blocks = (block.start for block, _ in document.walk() if block.kind == "html")
    starts = [*blocks, *(node.start for node, _ in document.inlines() if node.kind == "html")]
    for start in sorted(starts):
        at = start + len(document.text[start:]) - len(document.text[start:].lstrip())
        if document.text.startswith("<!--", at):
            yield Fault(Range(at, at + 4), "MDX has no `<!-- -->`, and refuses the page; write `{/* */}`")


def _void(document: Document) -> Iterator[Fault]:
    for tag in document.tags:
        if tag.name in _VOID and not tag.closing and not _ends_itself(document, tag):
            message = f"MDX refuses the page: nothing closes `<{tag.name}>`; write `<{tag.name} />`"
            yield Fault(Range(tag.start, tag.end), message)


def _unclosed(document: Document) -> Iterator[Fault]:
    """Tags at the beginning of a line of which the page has only those that open, or only those that close."""
    text = document.text
    for tag in document.tags:
        other = f"<{tag.name}" if tag.closing else f"</{tag.name}"
        if tag.name in _VOID or tag.name.endswith(":") or _ends_itself(document, tag) or other in text:
            continue
        if not text[text.rfind("\n", 0, tag.start) + 1 : tag.start].strip():
            why = f"`</{tag.name}>` closes nothing" if tag.closing else f"nothing closes `<{tag.name}>`"
            yield Fault(Range(tag.start, tag.end), f"MDX refuses the page: {why}")


def _ends_itself(document: Document, tag: Tag) -> bool:
    return document.text.endswith("/>", tag.start, tag.end)


def _signs(document: Document) -> Iterator[Fault]:
    """Signs in the text that begin a tag, or an expression that no brace closes."""
    text = document.text
    closed = text.rfind("}")
    for block, _ in document.walk():
        for group in (block.inlines, *(cell.inlines for row in block.rows for cell in row)):
            for node in _words(group):
                for found in _SIGN.finditer(text, node.start, node.end):
                    if found[0] == "<" or found.start() > closed:
                        what = f"MDX takes `{found[0]}` for the beginning of {_MEANT[found[0]]}, and refuses the page"
                        yield Fault(Range(*found.span()), f"{what}; write `\\{found[0]}`")


def _links(document: Document) -> Iterator[Fault]:
    for tag in document.tags:
        if tag.name in ("http:", "https:"):
            what = "MDX takes this for a tag, and refuses the page; write `[text](address)`"
            yield Fault(Range(tag.start, tag.end), what)


_MEANT = {"<": "a tag", "{": "an expression"}


def _words(nodes: Iterable[Inline]) -> Iterator[Inline]:
    for node in nodes:
        if node.kind == "text" and node.exact:
            yield node
        yield from _words(node.children)
