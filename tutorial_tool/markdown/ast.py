"""A small syntax tree for Markdown: blocks, inline nodes and cells, each with its offsets in the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(slots=True)
class Inline:
    """An inline node, at page offsets `start` to `end`.

    Kinds: text, escape (`text` is the character it produces), break, code, emphasis, link, image, autolink, html,
    macro, attrs, note. `target` is the span of the URL of a link or image, if the URL is in this node; `inner` is the
    span of its text.
    """

    kind: str
    start: int
    end: int
    text: str = ""
    children: Sequence[Inline] = ()
    href: str = ""
    title: str = ""
    target: tuple[int, int] | None = None
    inner: tuple[int, int] | None = None
    exact: bool = True  # False if only the enclosing block's span is known


@dataclass(slots=True)
class Block:
    """A block, at page offsets `start` to `end`, whole lines.

    Kinds: heading, paragraph, list, item, quote, code, html, rule, table, container, macro, esm.
    """

    kind: str
    start: int
    end: int
    children: Sequence[Block] = ()
    inlines: Sequence[Inline] = ()
    level: int = 0  # Of a heading; for a list item, the number of spaces before its marker
    info: str = ""  # A fence's info string, a container's word (`note`, `tab`), a list's kind (`ordered` or `bullet`)
    number: str = ""  # A list item's number as typed
    content: tuple[int, int] | None = None
    """The code of a code block, the text of a heading or paragraph, or the title of a container."""
    rows: Sequence[Sequence[Cell]] = ()  # A table's rows, the header first
    delimiter: tuple[int, int] | None = None  # The span of a table's delimiter row
    fence: str = ""  # The opening fence of a fenced block
    closed: bool = True  # False for a fenced block that no line closes: it ends with its parent


@dataclass(slots=True)
class Cell:
    """A table cell as typed, without the surrounding white space."""

    start: int
    end: int
    inlines: Sequence[Inline] = ()
