"""Find the names that a word of a command line refers to."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from tutorial_tool.core.diagnostics import format_suggestion
from tutorial_tool.site.symbols.names import Name, SymbolKind

_PREFIXES: dict[str, tuple[SymbolKind, ...]] = {
    "platform.values.": (SymbolKind.VALUE,),
    "platform.labels.": (SymbolKind.LABEL,),
    "platform.label.": (SymbolKind.LABEL,),
    "platform.can.": (SymbolKind.FEATURE,),
    "platform.": (SymbolKind.FIELD, SymbolKind.VALUE, SymbolKind.LABEL, SymbolKind.FEATURE),
    "values.": (SymbolKind.VALUE,),
    "labels.": (SymbolKind.LABEL,),
    "platforms.": (SymbolKind.PLATFORM,),
    "groups.": (SymbolKind.GROUP,),
    "tutorials.": (SymbolKind.TUTORIAL,),
    "tables.": (SymbolKind.TABLE, SymbolKind.ROW, SymbolKind.COLUMN, SymbolKind.WORD),
    "site_templates/": (SymbolKind.TEMPLATE, SymbolKind.PART, SymbolKind.CODE),
}
"""Prefixes of names in templates and data."""


def find_names(requested: str, names: Iterable[Name], kinds: Collection[SymbolKind] = ()) -> list[Name]:
    """Return the names that a word matches: their id, its end, or the id with its template or data prefix."""
    candidates = filter_names(names, kinds)
    result = [name for name in candidates if _is_named(name, requested)]
    for prefix, prefix_kinds in _PREFIXES.items():
        if not result and requested.startswith(prefix):
            rest = requested.removeprefix(prefix)
            result = [name for name in candidates if name.kind in prefix_kinds and _is_named(name, rest)]
    return result


def filter_names(names: Iterable[Name], kinds: Collection[str]) -> list[Name]:
    """Return the names of some kinds; all without kinds."""
    return [name for name in names if not kinds or name.kind in kinds]


def format_hint(requested: str, names: Iterable[Name]) -> str:
    """Return `; did you mean 'x'?` if a name is near, and otherwise how to list the names."""
    candidates = list(names)
    last = requested.rpartition(".")[2]
    words = dict.fromkeys([*(name.id for name in candidates), *(name.word for name in candidates)])
    no_name = "no page has this text: try fewer words" if " " in requested else "`tutorial-tool where` lists all names"
    return format_suggestion(requested, words) or format_suggestion(last, words) or f"; {no_name}"


def _is_named(name: Name, requested: str) -> bool:
    return requested in (name.id, name.word) or any(name.id.endswith(f"{sign}{requested}") for sign in "/.#:")
