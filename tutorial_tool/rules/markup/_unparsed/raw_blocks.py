"""Markdown inside HTML: Python-Markdown renders it literally, up to the end of the block."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import blank_text
from tutorial_tool.markdown.document import Document, Range
from tutorial_tool.markdown.html_tags import VOID
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.site import Page, page_facts

_OPENING = lazy_re.compile(r"^[ ]{0,3}<(?!/)[A-Za-z]", re.MULTILINE)
_TAG = lazy_re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z][\w-]*)(?P<rest>[^<>]*)>")
_VERBATIM = ("script", "style", "pre", "code", "kbd", "samp", "textarea", "svg", "math", "template", "object", "iframe")
"""Elements that contain no prose."""
_ASIDE = lazy_re.compile(rf"<!--.*?-->|<({'|'.join(_VERBATIM)})\b.*?</\1\s*>|<[^<>]*>", re.DOTALL | re.IGNORECASE)
_READ = lazy_re.compile(r"<[^<>]*\smarkdown(?:\s|=|>)|\{[{%]", re.IGNORECASE)
"""Marks content in HTML that may be Markdown: an element's attribute, or a template tag, whose output is unknown."""
_SIGN = lazy_re.compile(
    r"(?<!\\)!?\[[^\]\[\n]+\]\((?!\s)[^()\s]+\)"
    r"|(?<![\\*\w])\*\*(?=[^\s*])[^*\n]+(?<=[^\s*])\*\*(?![*\w])"
    r"|(?<![\\`])`[^`\n]+`(?!`)"
    r"|^[ ]{0,3}#{1,6}[ ]\S[^\n]*"
    r"|(?<=\n\n)[ ]{0,3}[-*+][ ]\S[^\n]*(?:\n[ ]*[-*+][ ]\S[^\n]*)+",
    re.MULTILINE,
)
"""Links, bold text, code, headings and lists in Markdown."""


class RawBlock(NamedTuple):
    """A tag with Markdown inside, the first marker there, the open elements around, whether it is closed."""

    tag: Range
    marker: Range
    open_elements: tuple[str, ...]
    is_closed: bool


@page_facts.register
def find_raw_blocks(page: Page) -> tuple[RawBlock, ...]:
    """Find the HTML blocks with Markdown on a page for Python-Markdown, in order."""
    if page.publishing_dialect is not Dialect.PYTHON_MARKDOWN or not _OPENING.search(page.plain):
        return ()
    return tuple(find_in_document(page.document))


def find_in_document(document: Document) -> Iterator[RawBlock]:
    """Find HTML blocks with Markdown inside: Python-Markdown extracts them before it parses the rest."""
    text = _mask_code(document)
    matches, is_whole = _extract_blocks(text)
    at = 0
    for number, block in enumerate(matches, 1):
        start = text.find(block, at)
        if start < 0:
            continue
        at = start + len(block)
        is_closed = is_whole or number < len(matches)
        opening = _TAG.match(text, start)
        if opening and opening["name"].lower() not in _VERBATIM and not _READ.search(block):
            shown = _ASIDE.sub(lambda part: blank_text(part[0]), block)
            if sign := _SIGN.search(shown):
                stop = start + sign.start() + len(sign[0].split("\n")[0])
                around = _get_open_elements(block[: sign.start()])
                yield RawBlock(Range(*opening.span()), Range(start + sign.start(), stop), around, is_closed)


def _get_open_elements(html: str) -> tuple[str, ...]:
    """Return the names of the elements that are open at the end of some HTML, outermost first."""
    opened = list[str]()
    for tag in _TAG.finditer(html):
        name = tag["name"].lower()
        if not tag["close"] and name not in VOID and not tag["rest"].endswith("/"):
            opened.append(name)
        elif tag["close"] and name in opened:
            del opened[len(opened) - 1 - opened[::-1].index(name) :]
    return tuple(opened)


def _mask_code(document: Document) -> str:
    """Return the text with blanks for its fences, which are parsed before HTML, and its front matter."""
    text, parts, at = document.text, list[str](), 0
    aside = [Range(0, document.front_matter.body)] if document.front_matter else []
    aside += [Range(block.start, block.end) for block in document.code_blocks if block.fence]
    for start, end in sorted(aside):
        if start >= at:
            parts += [text[at:start], blank_text(text[start:end])]
            at = end
    return "".join([*parts, text[at:]])


def _extract_blocks(text: str) -> tuple[list[str], bool]:
    """Return the HTML blocks that Python-Markdown extracts, and whether the last one is closed."""
    from markdown import Markdown  # few pages need it
    from markdown.htmlparser import HTMLExtractor

    reader = Markdown()
    extractor = HTMLExtractor(reader)
    extractor.feed(text)
    is_whole = not extractor.stack
    extractor.close()
    return [str(block).strip("\n") for block in reader.htmlStash.rawHtmlBlocks], is_whole
