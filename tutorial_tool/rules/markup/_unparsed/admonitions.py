"""Admonitions and tabs of Python-Markdown (`!!! note`, `=== "Web"`) that are empty or lose words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import find_line_end
from tutorial_tool.markdown.document import Document, Range
from tutorial_tool.markdown.parser import Block, Dialect
from tutorial_tool.site import Page, page_facts


class BrokenAdmonition(NamedTuple):
    """The line of an admonition, and the problem."""

    place: Range
    message: str


_MARKS = ("!!!", "???", "===")
_LINE = lazy_re.compile(
    r"(?:!!!|\?\?\?\+?)[ ]*(?P<word>[\w-]+)(?P<more>[ ]+[^\"\n]*?)?(?P<title>[ ]+\".*\")?[ ]*$|===[+!]*[ ]+\".*\"[ ]*$"
)
_COMPUTED = ("{", "--8<--", ";--8<--", "<!--")  # Start of a placeholder for other lines, which may be indented


@page_facts.register
def find_broken_admonitions(page: Page) -> tuple[BrokenAdmonition, ...]:
    """Find the broken admonitions of a page, in order."""
    if page.publishing_dialect is not Dialect.PYTHON_MARKDOWN or not any(mark in page.plain for mark in _MARKS):
        return ()
    blocks = (block for block, _ in page.document.walk())
    return tuple(box for block in blocks if block.kind == "container" for box in _find_problems(page.document, block))


def _find_problems(document: Document, block: Block) -> Iterator[BrokenAdmonition]:
    text = document.text
    line = text[block.start : find_line_end(text, block.start)].rstrip()
    indent = len(line) - len(line.lstrip(" \t>"))
    at, line = block.start + indent, line[indent:]
    match = _LINE.match(line) if line.startswith(_MARKS) else None
    if match is None:
        return
    more = (match["more"] or "").strip()
    if more and not more.replace("-", "").replace(" ", "").islower():
        start = at + line.index(more, match.end("word"))
        yield BrokenAdmonition(Range(start, start + len(more)), "admonition not shown: write its title in quotes")
    elif not block.children and _needs_content(text, indent, at + len(line), titled=bool(match["title"])):
        noun = "tab" if line.startswith("===") else "admonition"
        message = f"empty {noun}: indent its content by four spaces"
        yield BrokenAdmonition(Range(at, at + len(line)), message)


def _needs_content(text: str, indent: int, end: int, *, titled: bool) -> bool:
    """Return whether an empty admonition should have content: a title may be all that it needs."""
    behind = text[end:].lstrip(" \t").removeprefix("\n")
    following = behind.split("\n", 1)[0]
    if behind.lstrip().startswith(_COMPUTED):
        return False
    if not titled:
        return True
    if following.strip():
        return not following.lstrip().startswith(("#", *_MARKS))
    shown = behind.lstrip("\n").split("\n", 1)[0]
    return len(shown) - len(shown.lstrip(" ")) > indent
