"""Find the names that a word of a command line refers to."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from tutorial_tool.core.diagnostics import format_suggestion
from tutorial_tool.site.symbols.names import Kind, Name

_PREFIXES: dict[str, tuple[Kind, ...]] = {
    "platform.values.": (Kind.VALUE,),
    "platform.labels.": (Kind.LABEL,),
    "platform.label.": (Kind.LABEL,),
    "platform.can.": (Kind.FEATURE,),
    "platform.": (Kind.FIELD, Kind.VALUE, Kind.LABEL, Kind.FEATURE),
    "values.": (Kind.VALUE,),
    "labels.": (Kind.LABEL,),
    "platforms.": (Kind.PLATFORM,),
    "groups.": (Kind.GROUP,),
    "tutorials.": (Kind.TUTORIAL,),
    "tables.": (Kind.TABLE, Kind.ROW, Kind.COLUMN, Kind.WORD),
    "site_templates/": (Kind.TEMPLATE, Kind.PART, Kind.CODE),
}
"""Prefixes of names in templates and data."""


def find_names(requested: str, names: Iterable[Name], kinds: Collection[Kind] = ()) -> list[Name]:
    """Return the names that a word matches: their id, its end, or the id with its template or data prefix."""
    known = [name for name in names if not kinds or name.kind in kinds]
    result = [name for name in known if _is_named(name, requested)]
    for prefix, of in _PREFIXES.items():
        if not result and requested.startswith(prefix):
            rest = requested.removeprefix(prefix)
            result = [name for name in known if name.kind in of and _is_named(name, rest)]
    return result


def format_hint(requested: str, names: Iterable[Name]) -> str:
    """Return `; did you mean 'x'?` if a name is near, and otherwise how to list the names."""
    known = list(names)
    last = requested.rpartition(".")[2]
    words = dict.fromkeys([*(name.id for name in known), *(name.word for name in known)])
    no_name = "no page has this text: try fewer words" if " " in requested else "`tutorial-tool where` lists all names"
    return format_suggestion(requested, words) or format_suggestion(last, words) or f"; {no_name}"


def _is_named(name: Name, requested: str) -> bool:
    return requested in (name.id, name.word) or any(name.id.endswith(f"{sign}{requested}") for sign in "/.#:")
