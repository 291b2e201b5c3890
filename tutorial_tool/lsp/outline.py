"""The outline of a file: the sections of a page or template, the entries of a data file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tutorial_tool import data
from tutorial_tool.core.source import Source, Span
from tutorial_tool.core.traced import plain
from tutorial_tool.lsp.silence import File
from tutorial_tool.lsp.workspace import Checked
from tutorial_tool.markdown.document import Document, Heading

_DEPTH = 4
"""How deep entries of the data are told: platforms, one of them, its values, one of them."""
_NAMING = ("id", "name")
"""Entries that say what an item of a list is called."""


class Entry(NamedTuple):
    """A part of a file: what it is called, what more is said of it, where it stands, and where its name does."""

    name: str
    detail: str
    span: Span
    named: Span
    inside: tuple[Entry, ...] = ()


def of_file(checked: Checked, source: Source) -> tuple[Entry, ...]:
    """What stands in a file, in its order. Of data that cannot be read, nothing."""
    if source.path in checked.site.data_files:
        node = data.load_yaml(source).node
        return tuple(_entries(node, _DEPTH)) if node else ()
    document = Document(source.text, File.of(checked, source).dialect)
    return tuple(_sections(source, document.headings, len(source.text)))


def _sections(source: Source, headings: list[Heading], end: int) -> Iterator[Entry]:
    """The sections that begin at these headings, those of a deeper level inside of the ones above them."""
    while headings:
        first, *rest = headings
        after = next((at for at, each in enumerate(rest) if each.level <= first.level), len(rest))
        inside, headings = rest[:after], rest[after:]
        until = headings[0].start if headings else end
        name = " ".join(str(first.text).split()) or "#" * first.level
        named = source.span(first.content_start, first.content_end)
        yield Entry(name, "", source.span(first.start, until), named, tuple(_sections(source, inside, until)))


def _entries(node: data.Node, depth: int) -> Iterator[Entry]:
    """What a mapping or list holds, each with what that holds."""
    for name, value in _named(node):
        inside = tuple(_entries(value, depth - 1)) if depth > 1 else ()
        end = max([value.span.end, name.span.end, *(each.span.end for each in inside)])
        start = min(value.span.start, name.span.start)
        told = _short(value) if isinstance(value, data.Scalar) and value is not name else ""
        yield Entry(_short(name) or "…", told, Span(name.span.source, start, end), name.span, inside)


def _named(node: data.Node) -> Iterable[tuple[data.Scalar, data.Node]]:
    """The entries of a mapping by their keys, the items of a list by what they are called, where they are."""
    if isinstance(node, data.Mapping):
        return node.items
    called = ((_name(item), item) for item in node.items) if isinstance(node, data.Sequence) else ()
    return ((name, item) for name, item in called if name is not None)


def _name(item: data.Node) -> data.Scalar | None:
    if isinstance(item, data.Scalar):
        return item
    told = (item.get(key) for key in _NAMING) if isinstance(item, data.Mapping) else ()
    return next((name for name in told if isinstance(name, data.Scalar)), None)


def _short(told: data.Scalar) -> str:
    """A name or value on one line."""
    return " ".join(plain(told.text).split())
