"""The requests about names: what shows over them, where they lead, and which a file has."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types

from tutorial_tool.core.source import Span
from tutorial_tool.lsp import asking, hover, links, named, outline, places
from tutorial_tool.lsp.asking import Place
from tutorial_tool.lsp.server import Server
from tutorial_tool.lsp.silence import File
from tutorial_tool.lsp.workspace import Checked


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
        found = await asking.text(server, params.text_document.uri)
        if found is None:
            return None
        checked, source = found
        return [
            types.DocumentLink(places.range_of(link.span, server.encoding), server.uri(link.path), tooltip=link.told)
            for link in await server.runs.ask(lambda: links.of_file(checked, source))
        ]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    @server.guarded
    async def document_symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol] | None:
        found = await asking.text(server, params.text_document.uri)
        if found is None:
            return None
        checked, source = found
        kind = types.SymbolKind.Key if source.path in checked.site.data_files else types.SymbolKind.String
        entries = await server.runs.ask(lambda: outline.of_file(checked, source))
        return [_symbol(server, entry, kind) for entry in entries]


def _symbol(server: Server, entry: outline.Entry, kind: types.SymbolKind) -> types.DocumentSymbol:
    span, named = (places.range_of(each, server.encoding) for each in (entry.span, entry.named))
    inside = [_symbol(server, each, kind) for each in entry.inside]
    return types.DocumentSymbol(entry.name, kind, span, named, entry.detail or None, children=inside)


def _location(server: Server, checked: Checked, span: Span) -> types.Location:
    path = checked.path(span.path)
    return types.Location(server.uri(path), places.range_of(span, server.encoding))


def _locations(server: Server, checked: Checked, spans: Iterable[Span]) -> list[types.Location] | None:
    return [_location(server, checked, span) for span in dict.fromkeys(spans)] or None


def _definitions(place: Place) -> list[Span]:
    names = [found.name for found in named.at(place.checked, place.source.path, place.offset)]
    led = None if names else links.target(place.checked, place.source, place.offset)
    return [led] if led else named.locations(place.checked.uses, names)


def _references(place: Place, with_definitions: bool) -> list[Span]:
    uses = place.checked.uses
    names = [found.name for found in named.at(place.checked, place.source.path, place.offset)]
    defined = named.locations(uses, names) if with_definitions else []
    return [*defined, *(found.span for name in names for found in uses.uses.get(name, ()))]
