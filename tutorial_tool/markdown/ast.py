"""A page's Markdown as a small tree of our own: blocks, inline nodes and cells, each with its place in the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(slots=True)
class Inline:
    """A part of a line of text, at page offsets `start` to `end`.

    Kinds: text, escape (`text` is what it stands for), break, code, emphasis, link, image, autolink, html, macro,
    attrs, note. `target` is where a link's or picture's address stands, if it does here; `inner` where its text is.
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
    exact: bool = True  # False where only the enclosing block's place is known


@dataclass(slots=True)
class Block:
    """A block, at page offsets `start` to `end` of its whole lines.

    Kinds: heading, paragraph, list, item, quote, code, html, rule, table, container, macro, esm.
    """

    kind: str
    start: int
    end: int
    children: Sequence[Block] = ()
    inlines: Sequence[Inline] = ()
    level: int = 0  # Of a heading; of a list item the number of spaces before its marker
    info: str = ""  # A fence's info string, a container's word (`note`, `tab`), a list's kind (`ordered` or `bullet`)
    number: str = ""  # A list item's number as typed
    content: tuple[int, int] | None = None
    """Of a code block its code, of a heading or paragraph its text, of a container its title."""
    rows: Sequence[Sequence[Cell]] = ()  # A table's rows, the header first
    delimiter: tuple[int, int] | None = None  # Where a table's delimiter row stands
    fence: str = ""  # The signs with which a fenced block opens
    closed: bool = True  # False for a fenced block that ends with what it stands in: no line closes it


@dataclass(slots=True)
class Cell:
    """A cell of a table, as typed: without the white space around it."""

    start: int
    end: int
    inlines: Sequence[Inline] = ()
