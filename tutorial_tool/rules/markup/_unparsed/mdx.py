"""Markup that the MDX compiler rejects: HTML comments, unclosed tags, stray characters.

It stops the build.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Document, Range, Tag
from tutorial_tool.markdown.html_tags import VOID
from tutorial_tool.markdown.parser import Dialect, Inline
from tutorial_tool.site import Page, page_facts

_NAMED = lazy_re.compile(r"</?([A-Za-z][\w.:-]*)")
_ID = lazy_re.compile(r"\{:\s*#([\w:.-]+)\s*\}")
_LIST = lazy_re.compile(r"\{:(?:\s*+[#.]?[\w:.-]++(?:=(?:\"[^\"]*\"|'[^']*'|[^\s\"'`{}]++))?)*+\s*:?\}")
_ENDS_ITSELF = lazy_re.compile(r"/\s*>\Z")
_SIGN = lazy_re.compile(r"<(?![\s<>\\]|$)|\{")
_STARTS_LINE = lazy_re.compile(r"^([ \t]*)<[A-Za-z][\w.]*(?!\S)", re.MULTILINE)
"""A tag at the start of a line, whose attributes may have empty lines between them."""


class Fault(NamedTuple):
    """A rejected span, and why."""

    place: Range
    message: str


@page_facts.register
def find_faults(page: Page) -> tuple[Fault, ...]:
    """Find what MDX rejects on a page: the first fault of each kind.

    Text after a fault may be parsed differently.
    """
    if not page.path.endswith(".mdx") or page.dialect not in (Dialect.MDX, Dialect.DOCUSAURUS):
        return ()
    document = page.document
    kinds = (_find_comments, _find_void_tags, _find_lone_tags, _find_unescaped_characters, _find_autolinks)
    matches = (next(kind(document), None) for kind in kinds)
    return tuple(sorted(filter(None, matches), key=lambda fault: fault.place))


class AttributeList(NamedTuple):
    """The span of a `{: … }`, and the Docusaurus equivalent: "" if there is none."""

    place: Range
    replacement: str


@page_facts.register
def find_attribute_lists(page: Page) -> tuple[AttributeList, ...]:
    """Find attribute lists of Python-Markdown and kramdown, which MDX parses as invalid expressions."""
    text = page.plain
    if "{:" not in text or page.dialect not in (Dialect.MDX, Dialect.DOCUSAURUS):
        return ()
    of_headings = {heading.attrs for heading in page.document.headings if heading.attrs}
    blocks = [Range(block.start, block.end) for block, _ in page.document.walk() if block.kind == "macro"]
    places = [
        *blocks,
        *(Range(node.start, node.end) for node, _ in page.document.get_inlines() if node.kind == "attrs"),
    ]
    result = []
    for place in sorted(places):
        rstrip = text[slice(*place)].rstrip()
        if _LIST.fullmatch(rstrip):
            id_ = _ID.fullmatch(rstrip) if place in of_headings else None
            result.append(AttributeList(Range(place.start, place.start + len(rstrip)), f"{{#{id_[1]}}}" if id_ else ""))
    return tuple(result)


def _find_comments(document: Document) -> Iterator[Fault]:
    if document.dialect is Dialect.DOCUSAURUS or "<!--" not in document.text:
        return  # Docusaurus parses them as MDX does
    blocks = (block.start for block, _ in document.walk() if block.kind == "html")
    starts = [*blocks, *(node.start for node, _ in document.get_inlines() if node.kind == "html")]
    for start in sorted(starts):
        at = start + len(document.text[start:]) - len(document.text[start:].lstrip())
        if document.text.startswith("<!--", at):
            yield Fault(Range(at, at + 4), "MDX rejects `<!-- -->`; write `{/* */}`")


def _find_void_tags(document: Document) -> Iterator[Fault]:
    for tag in document.tags:
        if tag.name in VOID and not tag.closing and not _is_self_closing(document, tag):
            message = f"MDX rejects the page: unclosed `<{tag.name}>`; write `<{tag.name} />`"
            yield Fault(Range(tag.start, tag.end), message)


def _find_lone_tags(document: Document) -> Iterator[Fault]:
    """Find unclosed or unmatched tags at the start of a line. An unclosed code block may contain their other half."""
    text = document.text
    if not all(block.closed for block in document.code_blocks):
        return
    for tag in sorted({*_find_one_sided_tags(document), *_find_unpaired_tags(document)}, key=lambda tag: tag.start):
        if not text[text.rfind("\n", 0, tag.start) + 1 : tag.start].strip():
            why = f"`</{tag.name}>` is unmatched" if tag.closing else f"unclosed `<{tag.name}>`"
            yield Fault(Range(tag.start, tag.end), f"MDX rejects the page: {why}")


def _find_one_sided_tags(document: Document) -> Iterator[_PairedTag]:
    has: dict[str, bool] = {}
    for tag in _iter_paired_tags(document):
        other = f"<{tag.name}" if tag.closing else f"</{tag.name}"
        if other not in has:
            has[other] = other in document.text
        if not has[other]:
            yield tag


def _find_unpaired_tags(document: Document) -> Iterator[_PairedTag]:
    """Find unmatched tags of names whose opening and closing tags differ in number."""
    tags = list(_iter_paired_tags(document))
    balance = Counter[str]()
    for tag in tags:
        balance[tag.name] += -1 if tag.closing else 1
    outlier = {name for name, count in balance.items() if count} - _find_unknown_names(document)
    open_, waiting = list[_PairedTag](), Counter[str]()
    for tag in tags if outlier else ():
        if not tag.closing:
            open_.append(tag)
            waiting[tag.name] += 1
        elif waiting[tag.name]:
            while (last := open_.pop()).name != tag.name:
                waiting[last.name] -= 1
                if last.name in outlier:
                    yield last
            waiting[tag.name] -= 1
        elif tag.name in outlier:
            yield tag
    yield from (tag for tag in open_ if tag.name in outlier)


class _PairedTag(NamedTuple):
    """A tag that opens an element or closes it."""

    name: str
    closing: bool
    start: int
    end: int


def _iter_paired_tags(document: Document) -> Iterator[_PairedTag]:
    for tag in document.tags:
        if tag.name not in VOID and not tag.name.endswith(":") and not _is_self_closing(document, tag):
            yield _PairedTag(tag.name, tag.closing, tag.start, tag.end)


def _find_unknown_names(document: Document) -> set[str]:
    """Return names with unparsed tags outside code, as in programs and comments. MDX has no indented code."""
    code = [(block.start, block.end) for block in document.code_blocks if block.fence]
    code += [(node.start, node.end) for node, _ in document.get_inlines() if node.kind == "code"]
    code.sort()
    tag_starts = {tag.start for tag in document.tags}
    out = set[str]()
    for match in _NAMED.finditer(document.text):
        if match.start() not in tag_starts:
            at = bisect_right(code, (match.start(), len(document.text))) - 1
            if at < 0 or match.start() >= code[at][1]:
                out.add(match[1])
    return out


def _is_self_closing(document: Document, tag: Tag) -> bool:
    ends = _ENDS_ITSELF.search(document.text[tag.start : tag.end])
    return ends is not None or (tag.name in VOID and document.text.startswith(f"</{tag.name}", tag.end))


def _find_unescaped_characters(document: Document) -> Iterator[Fault]:
    """Find characters in the text that begin a tag, or an expression that no brace closes."""
    text = document.text
    closed = text.rfind("}")
    for block, _ in document.walk():
        for group in (block.inlines, *(cell.inlines for row in block.rows for cell in row)):
            for node in _iter_texts(group):
                for match in _find_signs(text, node):
                    if match[0] == "<" or match.start() > closed:
                        what = f"MDX parses `{match[0]}` as the start of {_MEANT[match[0]]} and rejects the page"
                        yield Fault(Range(*match.span()), f"{what}; write `\\{match[0]}`")


def _find_signs(text: str, node: Inline) -> Iterator[re.Match[str]]:
    tags = {match.end(1) for match in _STARTS_LINE.finditer(text, text.rfind("\n", 0, node.start) + 1, node.end)}
    return (match for match in _SIGN.finditer(text, node.start, node.end) if match.start() not in tags)


def _find_autolinks(document: Document) -> Iterator[Fault]:
    for tag in document.tags:
        if tag.name in ("http:", "https:"):
            what = "MDX parses this as a tag and rejects the page; write `[text](URL)`"
            yield Fault(Range(tag.start, tag.end), what)


_MEANT = {"<": "a tag", "{": "an expression"}


def _iter_texts(nodes: Iterable[Inline]) -> Iterator[Inline]:
    for node in nodes:
        if node.kind == "text" and node.exact:
            yield node
        yield from _iter_texts(node.children)
