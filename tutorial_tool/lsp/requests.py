"""The requests about names: what shows over them, where they lead, and which a file has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types

from tutorial_tool import data
from tutorial_tool.core.source import Source, Span
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.lsp import asking, hover, links, named, places
from tutorial_tool.lsp.asking import Place
from tutorial_tool.lsp.silence import File
from tutorial_tool.lsp.workspace import Checked
from tutorial_tool.markdown.document import Document, Heading

if TYPE_CHECKING:
    from tutorial_tool.lsp.server import Server

# The outline of a file: the sections of a page or template, the entries of a data file.
_DEPTH = 4  # How deep entries of the data are told: platforms, one of them, its values, one of them
_NAMING = ("id", "name")  # Entries that say what an item of a list is called


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
        after = next((at for at, heading in enumerate(rest) if heading.level <= first.level), len(rest))
        inside, headings = rest[:after], rest[after:]
        until = headings[0].start if headings else end
        name = " ".join(str(first.text).split()) or "#" * first.level
        named = source.span(first.content_start, first.content_end)
        yield Entry(name, "", source.span(first.start, until), named, tuple(_sections(source, inside, until)))


def _entries(node: data.Node, depth: int) -> Iterator[Entry]:
    """What a mapping or list holds, each with what that holds."""
    for name, value in _named(node):
        inside = tuple(_entries(value, depth - 1)) if depth > 1 else ()
        end = max([value.span.end, name.span.end, *(entry.span.end for entry in inside)])
        start = min(value.span.start, name.span.start)
        message = _short(value) if isinstance(value, data.Scalar) and value is not name else ""
        yield Entry(_short(name) or "…", message, Span(name.span.source, start, end), name.span, inside)


def _named(node: data.Node) -> Iterable[tuple[data.Scalar, data.Node]]:
    """The entries of a mapping by their keys, the items of a list by what they are called, where they are."""
    if isinstance(node, data.Mapping):
        return node.items
    called = ((_name(item), item) for item in node.items) if isinstance(node, data.Sequence) else ()
    return ((name, item) for name, item in called if name is not None)


def _name(item: data.Node) -> data.Scalar | None:
    if isinstance(item, data.Scalar):
        return item
    reported = (item.get(key) for key in _NAMING) if isinstance(item, data.Mapping) else ()
    return next((name for name in reported if isinstance(name, data.Scalar)), None)


def _short(scalar: data.Scalar) -> str:
    """A name or value on one line."""
    return " ".join(strip_origins(scalar.text).split())


def register(server: Server) -> None:
    """Teach a server what its project knows of names."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    @server.guarded
    async def hovers(params: types.HoverParams) -> types.Hover | None:
        place = await asking.place(server, params)
        if place is None:
            return None
        file = File.of(place.checked, place.source)
        shown = await server.runs.ask(
            lambda: hover.at(place.checked, server.rendered(place.checked), file, place.offset)
        )
        if shown is None:
            return None
        text = types.MarkupContent(types.MarkupKind.Markdown, shown.text)
        return types.Hover(text, places.range_of(shown.span, server.encoding))

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    @server.guarded
    async def definition(params: types.DefinitionParams) -> list[types.Location] | None:
        place = await asking.place(server, params)
        return place and _locations(server, place.checked, await server.runs.ask(lambda: _definitions(place)))

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    @server.guarded
    async def references(params: types.ReferenceParams) -> list[types.Location] | None:
        place = await asking.place(server, params)
        wanted = params.context.include_declaration
        return place and _locations(server, place.checked, await server.runs.ask(lambda: _references(place, wanted)))

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    @server.guarded
    async def document_links(params: types.DocumentLinkParams) -> list[types.DocumentLink] | None:
        pair = await asking.text(server, params.text_document.uri)
        if pair is None:
            return None
        checked, source = pair
        return [
            types.DocumentLink(places.range_of(link.span, server.encoding), server.uri(link.path), tooltip=link.tooltip)
            for link in await server.runs.ask(lambda: links.of_file(checked, source))
        ]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    @server.guarded
    async def document_symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol] | None:
        pair = await asking.text(server, params.text_document.uri)
        if pair is None:
            return None
        checked, source = pair
        kind = types.SymbolKind.Key if source.path in checked.site.data_files else types.SymbolKind.String
        entries = await server.runs.ask(lambda: of_file(checked, source))
        return [_symbol(server, entry, kind) for entry in entries]


def _symbol(server: Server, entry: Entry, kind: types.SymbolKind) -> types.DocumentSymbol:
    span, named = (places.range_of(item, server.encoding) for item in (entry.span, entry.named))
    inside = [_symbol(server, item, kind) for item in entry.inside]
    return types.DocumentSymbol(entry.name, kind, span, named, entry.detail or None, children=inside)


def _location(server: Server, checked: Checked, span: Span) -> types.Location:
    path = checked.path(span.path)
    return types.Location(server.uri(path), places.range_of(span, server.encoding))


def _locations(server: Server, checked: Checked, spans: Iterable[Span]) -> list[types.Location] | None:
    return [_location(server, checked, span) for span in dict.fromkeys(spans)] or None


def _definitions(place: Place) -> list[Span]:
    names = [result.name for result in named.at(place.checked, place.source.path, place.offset)]
    led = None if names else links.target(place.checked, place.source, place.offset)
    return [led] if led else named.locations(place.checked.uses, names)


def _references(place: Place, with_definitions: bool) -> list[Span]:
    uses = place.checked.uses
    names = [result.name for result in named.at(place.checked, place.source.path, place.offset)]
    defined = named.locations(uses, names) if with_definitions else []
    return [*defined, *(result.span for name in names for result in uses.uses.get(name, ()))]
