"""Answer the requests about names: hover, definition, and outline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types

from tutorial_tool import data
from tutorial_tool.core.source import Source, Span
from tutorial_tool.lsp import hover, links, places, queries, symbols
from tutorial_tool.lsp.queries import RequestedPlace
from tutorial_tool.lsp.suppression_comments import File
from tutorial_tool.lsp.workspace import CheckedTarget
from tutorial_tool.markdown.document import Document, Heading

if TYPE_CHECKING:
    from tutorial_tool.lsp.server import Server

# The outline of a file: sections of a page or template, entries of a data file.
_MAX_DEPTH = 4  # Maximum depth of data entries: platforms, one of them, its values, one of them
_NAME_KEYS = ("id", "name")  # Entries that name an item of a list


class OutlineEntry(NamedTuple):
    """A part of a file: its name, its detail, its span, and the span of the name."""

    name: str
    detail: str
    span: Span
    name_span: Span
    children: tuple[OutlineEntry, ...] = ()


def build_outline(checked: CheckedTarget, source: Source) -> tuple[OutlineEntry, ...]:
    """Return the outline of a file, in order; empty for unreadable data."""
    if source.path in checked.site.data_files:
        node = data.load_yaml(source).node
        return tuple(_build_entries(node, _MAX_DEPTH)) if node else ()
    document = Document(source.text, File.from_source(checked, source).dialect)
    return tuple(_build_sections(source, document.headings, len(source.text)))


def _build_sections(source: Source, headings: list[Heading], end: int) -> Iterator[OutlineEntry]:
    """Yield the sections that begin at these headings, with deeper levels nested."""
    while headings:
        first, *later = headings
        section_end = next((index for index, heading in enumerate(later) if heading.level <= first.level), len(later))
        subheadings, headings = later[:section_end], later[section_end:]
        end_offset = headings[0].start if headings else end
        name = " ".join(str(first.text).split()) or "#" * first.level
        name_span = source.span(first.content_start, first.content_end)
        children = tuple(_build_sections(source, subheadings, end_offset))
        yield OutlineEntry(name, "", source.span(first.start, end_offset), name_span, children)


def _build_entries(node: data.Node, depth: int) -> Iterator[OutlineEntry]:
    """Yield the entries of a mapping or list, with their nested entries."""
    for name, value in _iter_named(node):
        children = tuple(_build_entries(value, depth - 1)) if depth > 1 else ()
        end = max([value.span.end, name.span.end, *(entry.span.end for entry in children)])
        start = min(value.span.start, name.span.start)
        detail = _format_scalar(value) if isinstance(value, data.Scalar) and value is not name else ""
        span = Span(name.span.source, start, end)
        yield OutlineEntry(_format_scalar(name) or "…", detail, span, name.span, children)


def _iter_named(node: data.Node) -> Iterable[tuple[data.Scalar, data.Node]]:
    """Return the entries of a mapping by key, and the items of a list by name, if they have one."""
    if isinstance(node, data.Mapping):
        return node.items
    named_items = ((_find_name(item), item) for item in node.items) if isinstance(node, data.Sequence) else ()
    return ((name, item) for name, item in named_items if name is not None)


def _find_name(item: data.Node) -> data.Scalar | None:
    if isinstance(item, data.Scalar):
        return item
    candidates = (item.get(key) for key in _NAME_KEYS) if isinstance(item, data.Mapping) else ()
    return next((name for name in candidates if isinstance(name, data.Scalar)), None)


def _format_scalar(scalar: data.Scalar) -> str:
    return " ".join(scalar.plain.split())


def register(server: Server) -> None:
    """Register the features about a project's names with a server."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    @server.guard_request
    async def show_hover(params: types.HoverParams) -> types.Hover | None:
        place = await queries.find_place(server, params)
        if place is None:
            return None
        file = File.from_source(place.checked, place.source)
        hover_text = await server.runs.run_in_thread(
            lambda: hover.describe_offset(place.checked, server.get_rendered_site(place.checked), file, place.offset)
        )
        if hover_text is None:
            return None
        text = types.MarkupContent(types.MarkupKind.Markdown, hover_text.text)
        return types.Hover(text, places.build_range(hover_text.span, server.encoding))

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    @server.guard_request
    async def find_definition(params: types.DefinitionParams) -> list[types.Location] | None:
        place = await queries.find_place(server, params)
        return place and _build_locations(
            server, place.checked, await server.runs.run_in_thread(lambda: _find_definitions(place))
        )

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    @server.guard_request
    async def find_references(params: types.ReferenceParams) -> list[types.Location] | None:
        place = await queries.find_place(server, params)
        with_definitions = params.context.include_declaration
        return place and _build_locations(
            server, place.checked, await server.runs.run_in_thread(lambda: _find_references(place, with_definitions))
        )

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    @server.guard_request
    async def list_links(params: types.DocumentLinkParams) -> list[types.DocumentLink] | None:
        pair = await queries.find_text(server, params.text_document.uri)
        if pair is None:
            return None
        checked, source = pair
        return [
            types.DocumentLink(
                places.build_range(link.span, server.encoding), server.get_uri(link.path), tooltip=link.tooltip
            )
            for link in await server.runs.run_in_thread(lambda: links.find_in_file(checked, source))
        ]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    @server.guard_request
    async def list_symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol] | None:
        pair = await queries.find_text(server, params.text_document.uri)
        if pair is None:
            return None
        checked, source = pair
        kind = types.SymbolKind.Key if source.path in checked.site.data_files else types.SymbolKind.String
        entries = await server.runs.run_in_thread(lambda: build_outline(checked, source))
        return [_build_symbol(server, entry, kind) for entry in entries]


def _build_symbol(server: Server, entry: OutlineEntry, kind: types.SymbolKind) -> types.DocumentSymbol:
    range_, name_range = (places.build_range(item, server.encoding) for item in (entry.span, entry.name_span))
    children = [_build_symbol(server, item, kind) for item in entry.children]
    return types.DocumentSymbol(entry.name, kind, range_, name_range, entry.detail or None, children=children)


def _build_location(server: Server, checked: CheckedTarget, span: Span) -> types.Location:
    path = checked.get_path(span.path)
    return types.Location(server.get_uri(path), places.build_range(span, server.encoding))


def _build_locations(server: Server, checked: CheckedTarget, spans: Iterable[Span]) -> list[types.Location] | None:
    return [_build_location(server, checked, span) for span in dict.fromkeys(spans)] or None


def _find_definitions(place: RequestedPlace) -> list[Span]:
    names = [result.name for result in symbols.find_places_at(place.checked, place.source.path, place.offset)]
    target = None if names else links.find_target(place.checked, place.source, place.offset)
    return [target] if target else symbols.find_definitions(place.checked.symbol_index, names)


def _find_references(place: RequestedPlace, with_definitions: bool) -> list[Span]:
    index = place.checked.symbol_index
    names = [result.name for result in symbols.find_places_at(place.checked, place.source.path, place.offset)]
    defined = symbols.find_definitions(index, names) if with_definitions else []
    return [*defined, *(result.span for name in names for result in index.uses.get(name, ()))]
