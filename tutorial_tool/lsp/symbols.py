"""Find the name at a place of a file, and describe it: its value on each platform, and its uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from tutorial_tool.core.diagnostics import MAX_LISTED
from tutorial_tool.core.grouping import group_by, group_pairs
from tutorial_tool.core.source import Span
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data.model import Model
from tutorial_tool.data.model.parts import Platform
from tutorial_tool.site import Page
from tutorial_tool.site.symbols import Name, Occurrence, SymbolIndex, SymbolKind

if TYPE_CHECKING:
    from tutorial_tool.lsp.workspace import CheckedTarget


def find_places_at(checked: CheckedTarget, path: str, offset: int) -> tuple[Occurrence, ...]:
    """Return the names at an offset of a file; between two adjacent names, the one that begins there."""
    places = checked.symbol_index.find_places_at(path, offset)
    inside = tuple(place for place in places if offset < place.span.end)
    places = inside or places
    return tuple(place for place in places if place.span == places[0].span) if places else ()


def find_enclosing(uses: SymbolIndex, path: str, offset: int) -> Occurrence | None:
    """Return the innermost definition whose value contains an offset."""
    matches = [
        place
        for places in uses.definitions.values()
        for place in places
        if place.exact and place.value and place.value.path == path and place.value.start <= offset < place.value.end
    ]
    return min(matches, key=lambda place: place.value.end - place.value.start if place.value else 0, default=None)


def group_platform_texts(model: Model, index: SymbolIndex, name: Name) -> dict[str, list[str]]:
    """Return each value that a name has on platforms, with the names of those platforms.

    The result is empty for names that have no value for each platform, such as those of steps.
    """
    texts = ((_get_platform_text(platform, index, name), platform) for platform in model.platforms.values())
    return group_pairs(
        (strip_origins(text), strip_origins(platform.name)) for text, platform in texts if text is not None
    )


def _get_platform_text(platform: Platform, index: SymbolIndex, name: Name) -> str | None:
    match name.kind:
        case SymbolKind.LABEL:
            return platform.labels.get(name.id)
        case SymbolKind.FEATURE:
            return "yes" if name.id in platform.can else "no"
        case SymbolKind.FIELD:
            return platform.name if name.id == "name" else platform.id
        case SymbolKind.VALUE:
            return _get_value(index, name, platform.lineage)
    return None


def _get_value(index: SymbolIndex, name: Name, lineage: Iterable[str]) -> str | None:
    """Return a value's YAML: its own, or that of the nearest platform that is extended."""
    value_by_level = {place.level: place.value for place in index.definitions.get(name, ()) if place.value}
    return next((value_by_level[id_].text.strip("\"'") for id_ in lineage if id_ in value_by_level), None)


def format_title(name: Name) -> str:
    """Format a name for display: `value client`."""
    return f"**{name.kind}** `{name.word}`"


def format_uses(index: SymbolIndex, names: Iterable[Name]) -> Iterator[str]:
    """Yield the uses of names, one line for each file."""
    uses = (place for name in names for place in index.uses.get(name, ()))
    by_file = group_by(uses, lambda place: place.span.path)
    for path, places in list(by_file.items())[:MAX_LISTED]:
        lines = dict.fromkeys(place.span.position.line for place in places)
        yield f"- {path}: line{'s' * (len(lines) > 1)} {', '.join(map(str, lines))}"
    if len(by_file) > MAX_LISTED:
        yield f"- and {len(by_file) - MAX_LISTED} more files"


def format_pages(matches: Iterable[Page]) -> Iterator[str]:
    """Yield the pages grouped by step, one line for each with its platforms."""
    steps = group_pairs(
        (page.step or page.path, strip_origins(page.place.platform.name) if page.place else "") for page in matches
    )
    for step, names in list(steps.items())[:MAX_LISTED]:
        yield f"- {step}" + (f" ({', '.join(names)})" if any(names) else "")
    if len(steps) > MAX_LISTED:
        yield f"- and {len(steps) - MAX_LISTED} more steps"


def find_definitions(index: SymbolIndex, names: Iterable[Name]) -> list[Span]:
    """Return the definitions of names: those in the data first, then the files."""
    places = [place for name in names for place in index.definitions.get(name, ())]
    return [place.span for place in sorted(places, key=lambda place: not place.exact)]
