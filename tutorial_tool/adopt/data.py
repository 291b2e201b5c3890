"""Format `platforms.yaml` as written by hand: short mappings on one line, quotes only where needed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from tutorial_tool import data
from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import MAX_COLUMNS, Source

Value = str | Sequence["Value"] | Mapping[str, "Value"]
_SAFE = lazy_re.compile(r"[^\W_](?:[\w ./()'’+-]*[\w.)/'’+])?")


def format_document(root: Mapping[str, Value]) -> str:
    """Format a mapping as YAML, from which our loader reads the same values."""
    return "".join(f"{line}\n" for key, value in root.items() for line in format_lines(key, value, 0))


def format_lines(key: str, value: Value, depth: int) -> Iterator[str]:
    """Yield a key and its value as lines in block style, indented by `depth` characters."""
    start = f"{' ' * depth}{format_scalar(key)}:"
    if isinstance(value, str):
        yield f"{start} {format_scalar(value, alone=True)}"
        return
    line = f"{start} {format_flow(value)}"
    if not value or (depth and len(line) <= MAX_COLUMNS and _is_small(value)):
        yield line
        return
    yield start
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from format_lines(name, item, depth + 2)
    else:
        yield from (f"{' ' * (depth + 2)}- {format_flow(item)}" for item in value)


def _is_small(value: Value, depth: int = 0) -> bool:
    """Return whether a value is readable on one line."""
    if isinstance(value, str):
        return True
    if isinstance(value, Mapping):
        return depth < 2 and all(_is_small(item, depth + 1) for item in value.values())
    return all(isinstance(item, str) for item in value)


def format_flow(value: Value) -> str:
    """Format a value on one line."""
    if isinstance(value, str):
        return format_scalar(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{format_scalar(key)}: {format_flow(item)}" for key, item in value.items()) + "}"
    return "[" + ", ".join(map(format_flow, value)) + "]"


@cache
def format_scalar(text: str, *, alone: bool = False) -> str:
    """Format a scalar: plain if it is read back unchanged, also within `[]` and `{}` unless `alone`."""
    if _SAFE.fullmatch(text) and "  " not in text:
        return text
    if text and text == text.strip() and "\n" not in text and _is_read_unchanged(text, alone):
        return text
    return _quote_text(text)


def _is_read_unchanged(text: str, alone: bool) -> bool:
    """Return whether a text is read back unchanged: as key and value, on a separate line and in brackets."""
    flowing = f"k: {{{text}: [{text}]}}\n{text}: {text}\n"
    loaded = data.load_yaml(Source("", f"k: {text}\n" if alone else flowing))
    read = None if loaded.findings else data.convert_to_plain(loaded.node)
    return bool(read == ({"k": text} if alone else {"k": {text: [text]}, text: text}))


def _quote_text(text: str) -> str:
    """Quote a text in double quotes, or in single ones if nothing needs to be escaped in these.

    YAML reads JSON's escapes; characters that it forbids in a file are escaped as well.
    """
    if ("\\" in text or '"' in text) and "'" not in text and text.isprintable() and text.isascii():
        return f"'{text}'"
    out = json.dumps(text, ensure_ascii=False)
    return re.sub(r"[\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]", lambda m: f"\\u{ord(m[0]):04x}", out)
