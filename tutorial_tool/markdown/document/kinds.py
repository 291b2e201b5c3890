"""Page elements with their spans: headings, links, images, tables, code, tags."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tutorial_tool.markdown.document.texts import Prose, Range
    from tutorial_tool.markdown.parser import Block


class Heading(NamedTuple):
    """A heading: `text` includes the typed number, `number` is it with its separator ("4.1 ").

    `attrs` is the span of `{: … }`.
    """

    level: int
    text: Prose
    id: str | None
    number: str
    start: int
    end: int
    content_start: int
    content_end: int
    attrs: Range | None


class Link(NamedTuple):
    """A link of `kind` inline, reference, autolink, html, ref or liquid.

    `place` is the span of the URL, if it is in this link. `ref` is a Hugo shortcode that names a page, `liquid` a
    Jekyll tag: the URL is the one written in these.
    """

    kind: str
    href: str
    place: Range | None
    text: Prose
    start: int
    end: int
    title: str = ""


class Image(NamedTuple):
    """An image: `alt` is None if it has none; `alt_place` is its span without brackets or quotes."""

    kind: str
    src: str
    place: Range | None
    alt: str | None
    alt_place: Range | None
    start: int
    end: int
    title: str = ""


class Definition(NamedTuple):
    """A link reference definition. `href` is the URL as in links, `place` its span as typed."""

    label: str
    href: str
    place: Range


class TableCell(NamedTuple):
    text: Prose
    start: int
    end: int


class Table(NamedTuple):
    """A table, cells as typed: a row, even the delimiter row, may have more or fewer cells than the header."""

    header: list[TableCell]
    rows: list[list[TableCell]]
    delimiter: Range
    start: int
    end: int
    block: Block


class CodeBlock(NamedTuple):
    info: str
    text: str
    content_start: int
    content_end: int
    start: int
    end: int
    fence: str = ""  # The opening fence, if it is fenced
    closed: bool = True


class Attribute(NamedTuple):
    """An attribute of a tag; `code` if the value is an expression, in braces as in JSX."""

    value: str
    start: int
    end: int
    code: bool = False


class Tag(NamedTuple):
    """A raw HTML or JSX tag; attribute names are in lower case."""

    name: str
    closing: bool
    attributes: dict[str, Attribute]
    start: int
    end: int
