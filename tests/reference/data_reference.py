"""Write the reference of `platforms.yaml` as Markdown, from its JSON Schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

BEGIN, END = "<!-- data: begin -->", "<!-- data: end -->"
_TYPES = {"string": "text", "boolean": "true or false", "object": "mapping", "array": "list", "null": "nothing"}


def describe_data(schema: Mapping[str, Any]) -> str:
    """Return a section for each top-level key, with a table of the keys below it."""
    return "\n".join(line for key, shape in schema["properties"].items() for line in _section(key, shape))


def _section(key: str, shape: Mapping[str, Any]) -> Iterator[str]:
    yield f"### `{key}` {{: #key-{key} }}\n"
    yield f"{_escape(shape.get('description', ''))}\n"
    rows = list(_rows(key, shape))
    if rows:
        yield "| Key | Value | Meaning |\n| --- | --- | --- |"
        yield from rows
        yield ""


def _rows(path: str, shape: Mapping[str, Any]) -> Iterator[str]:
    """Return a row for each documented key below a path; `<id>` stands for a name that the author chooses."""
    for part in (shape, *shape.get("oneOf", ()), *shape.get("anyOf", ())):
        for name, below in part.get("properties", {}).items():
            if not isinstance(below, Mapping):
                continue
            if text := below.get("description"):
                yield f"| `{path}.{name}` | {_kind(below)} | {_escape(text)} |"
            yield from _rows(f"{path}.{name}", below)
        if isinstance(below := part.get("additionalProperties"), Mapping):
            yield from _rows(f"{path}.<id>", below)
        if isinstance(below := part.get("items"), Mapping):
            yield from _rows(f"{path}[]", below)


def _kind(shape: Mapping[str, Any]) -> str:
    """Return what a value may be; numbers and Booleans are text where text is allowed."""
    types = shape.get("type", [])
    names = [types] if isinstance(types, str) else list(types)
    for part in (*shape.get("oneOf", ()), *shape.get("anyOf", ())):
        names += [part["type"]] if isinstance(part.get("type"), str) else list(part.get("type", []))
    if "string" in names:
        names = [name for name in names if name not in ("number", "boolean", "null")]
    return " or ".join(dict.fromkeys(_TYPES.get(name, name) for name in names)) or "any"


def _escape(text: str) -> str:
    return text.replace("|", r"\|").replace("<", "&lt;")
