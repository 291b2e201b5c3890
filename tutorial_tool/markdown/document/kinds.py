"""What stands on a page, each with its place: headings, links, pictures, tables, code, tags."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tutorial_tool.markdown.document.texts import Prose, Range
    from tutorial_tool.markdown.parser import Block


class Heading(NamedTuple):
    """`text` has the typed number, `number` is it with what follows ("4.1 "), `attrs` is where `{: … }` stands."""

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
    """`kind` is inline, reference, autolink, html, ref or liquid. `place` is where the address stands, if it does here.

    A `ref` names a page by Hugo's shortcodes, `liquid` by Jekyll's tags: the address is that which stands in these.
    """

    kind: str
    href: str
    place: Range | None
    text: Prose
    start: int
    end: int
    title: str = ""


class Image(NamedTuple):
    """`alt` is None where a tag or shortcode has none; `alt_place` is where it stands, less brackets or quotes."""

    kind: str
    src: str
    place: Range | None
    alt: str | None
    alt_place: Range | None
    start: int
    end: int
    title: str = ""


class Definition(NamedTuple):
    """A link reference definition. `href` is its address as links have it, `place` where that stands as typed."""

    label: str
    href: str
    place: Range


class TableCell(NamedTuple):
    text: Prose
    start: int
    end: int


class Table(NamedTuple):
    """Cells as typed: a row may have more or fewer than the header, and so may the delimiter row."""

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
    fence: str = ""  # The signs that open it, where it is fenced
    closed: bool = True


class Attribute(NamedTuple):
    """`code` where the value is a program's, as JSX has it between braces."""

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
