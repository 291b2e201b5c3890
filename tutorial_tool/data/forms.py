"""Front matter in TOML and JSON, as Hugo and others read it: its span, its errors, and as YAML."""

from __future__ import annotations

import json
import re
from collections import abc
from typing import Any, NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, build_error
from tutorial_tool.core.source import BOM, Source, blank_text
from tutorial_tool.core.traced import trace_span
from tutorial_tool.data.nodes import FrontMatter, Mapping, Node, Scalar, get_entries

_BEGINS_TOML = lazy_re.compile(r"\s*+\+\+\+")  # Hugo and Zola allow empty lines before it, and an entry on its line
_TOML = lazy_re.compile(r"\s*+\+\+\+[ \t]*\n?(.*?)^\+\+\+[ \t]*(?:\n+|\Z)", re.MULTILINE | re.DOTALL)
_JSON = lazy_re.compile(r"\{[ \t]*\n(?=\s*(?:\"|\}))")
_JSON_END = lazy_re.compile(r"^\}[ \t]*(?:\n+|\Z)", re.MULTILINE)


class _Entry(NamedTuple):
    """An entry: the spans of its key and its value, without the key's quotes."""

    key: tuple[int, int]
    value: tuple[int, int]


def is_toml(text: str) -> bool:
    """Return whether a page starts like TOML front matter."""
    return _BEGINS_TOML.match(text) is not None


def is_toml_or_json(text: str) -> bool:
    """Return whether a page starts like front matter that is not YAML."""
    return is_toml(text) or text.startswith("{")


def find_front_matter(text: str) -> FrontMatter | None:
    """Return front matter between two `+++` lines, or a JSON object whose braces are on their own lines."""
    if is_toml(text):
        match = _TOML.match(text)
        return FrontMatter(match.start(1), match.end(1), match.end()) if match else None
    opened = _JSON.match(text) if text.startswith("{") else None
    closed = _JSON_END.search(text, opened.end()) if opened else None
    return FrontMatter(0, closed.start() + 1, closed.end()) if closed else None


def find_problem(source: Source, front: FrontMatter) -> Finding | None:
    """Return what is wrong with TOML or JSON front matter, as an error of the rule `front-matter`."""
    text = source.text[front.start : front.end]
    if text.startswith("{"):
        try:
            json.loads(text)
        except json.JSONDecodeError as wrong:
            return build_error("front-matter", f"not valid JSON: {wrong.msg}", source.span(front.start + wrong.pos))
        except (ValueError, RecursionError):
            return build_error("front-matter", "not valid JSON", source.span(front.start))
        return None
    import tomllib

    from tutorial_tool.data import toml_places

    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        message, at = toml_places.parse_error(str(wrong), text)
        return build_error("front-matter", f"not valid TOML: {message}", source.span(front.start + at))
    except (ValueError, RecursionError):
        return build_error("front-matter", "not valid TOML", source.span(front.start))
    return None


def parse_toml(text: str) -> dict[str, Any]:
    """Return the data in a TOML text; empty if it cannot be parsed, which the program that reads it reports."""
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):  # invalid TOML, or a number of 5,000 digits
        return {}


def get_section(settings: abc.Mapping[str, Any], *keys: str) -> abc.Mapping[str, Any]:
    """Return the settings below these keys; empty if there are none."""
    for key in keys:
        settings = inner if isinstance(inner := settings.get(key), dict) else {}
    return settings


def convert_to_yaml(text: str, front: FrontMatter) -> str:
    """Return the text with its front matter as equivalent YAML, each key and value at the same offset.

    Entries of TOML tables are left out; unreadable front matter becomes blank.
    """
    if find_problem(Source("", BOM + text), front):
        return text[: front.start] + blank_text(text[front.start : front.end]) + text[front.end :]
    letters = list(blank_text(text[front.start : front.end]))
    items = _iter_json_entries(text, front) if text.startswith("{") else _iter_toml_entries(text, front)
    for key, value in items:
        (first, last), (low, high) = (tuple(at - front.start for at in place) for place in (key, value))
        if first:
            letters[first - 1] = "\n"
        letters[first:last] = text[slice(*key)]
        letters[last] = ":"
        letters[low:high] = _join_lines(text[slice(*value)])
    return text[: front.start] + "".join(letters) + text[front.end :]


def _join_lines(value: str) -> str:
    """Return a value of the same length on one line; a multi-line string gets quotes that YAML has."""
    return f"  {value[2:-2]}  ".replace("\n", " ") if _is_long(value) else value


def _is_long(value: str) -> bool:
    return value.startswith(('"""', "'''"))


def load_front_matter(source: Source, front: FrontMatter) -> Node | None:
    """Load front matter of any form as a node; TOML and JSON as in `convert_to_yaml`.

    Multi-line strings are left out.
    """
    if is_toml_or_json(source.text) and find_problem(source, front):
        return None
    if not is_toml(source.text):
        return _load_yaml(source, front.start, front.end)
    items = []
    for key, value in _iter_toml_entries(source.text, front):
        node = None if _is_long(source.text[slice(*value)]) else _load_yaml(source, *value)
        if node is not None:
            items.append((Scalar(trace_span(source.span(*key)), source.span(*key)), node))
    return Mapping(tuple(items), source.span(front.start, front.end))


def _load_yaml(source: Source, start: int, end: int) -> Node | None:
    from tutorial_tool.data.reading import read_yaml

    return read_yaml(source, start, end, "invalid-data").node


def _iter_json_entries(text: str, front: FrontMatter) -> abc.Iterator[_Entry]:
    node = _load_yaml(Source("", BOM + text), front.start, front.end)
    for key, value in get_entries(node):
        if key.style == '"':
            yield _Entry((key.span.start + 1, key.span.end - 1), (value.span.start, value.span.end))


def _iter_toml_entries(text: str, front: FrontMatter) -> abc.Iterator[_Entry]:
    from tutorial_tool.data import toml_places

    entries = text[front.start : front.end]
    for path, place in toml_places.find_positions(entries).items():
        end = toml_places.find_end(entries, place.value)
        if len(path) > 1 or end is None or entries[place.value] == "{" or entries[place.key] == "[":
            continue
        quoted = entries[place.key] in "\"'"
        first = place.key + quoted
        last = first + len(str(path[0]))
        if entries[first:last] == path[0] and entries[last] != ".":
            low, high = place.value, end
            yield _Entry((front.start + first, front.start + last), (front.start + low, front.start + high))
