"""Writes `platforms.yaml` as a person would: short mappings on one line, quotes where YAML needs them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from tutorial_tool import data
from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import Source

WIDTH = 110  # Characters of a line that holds a whole mapping
Value = str | Sequence["Value"] | Mapping[str, "Value"]
_SAFE = lazy_re.compile(r"[^\W_](?:[\w ./()'’+-]*[\w.)/'’+])?")


def format_document(root: Mapping[str, Value]) -> str:
    """The YAML text of a mapping: our loader reads the same texts in it."""
    return "".join(f"{line}\n" for key, value in root.items() for line in format_lines(key, value, 0))


def format_lines(key: str, value: Value, depth: int) -> Iterator[str]:
    """A key and its value as lines of block style, indented by `depth` characters."""
    start = f"{' ' * depth}{format_scalar(key)}:"
    if isinstance(value, str):
        yield f"{start} {format_scalar(value, alone=True)}"
        return
    short = format_flow(value)
    if not value or (depth and _is_small(value) and len(start) + len(short) < WIDTH):
        yield f"{start} {short}"
        return
    yield start
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from format_lines(name, item, depth + 2)
    else:
        yield from (f"{' ' * (depth + 2)}- {format_flow(item)}" for item in value)


def _is_small(value: Value, depth: int = 0) -> bool:
    """Whether a value reads well on one line."""
    if isinstance(value, str):
        return True
    if isinstance(value, Mapping):
        return depth < 2 and all(_is_small(item, depth + 1) for item in value.values())
    return all(isinstance(item, str) for item in value)


def format_flow(value: Value) -> str:
    """A value on one line."""
    if isinstance(value, str):
        return format_scalar(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{format_scalar(key)}: {format_flow(item)}" for key, item in value.items()) + "}"
    return "[" + ", ".join(map(format_flow, value)) + "]"


@cache
def format_scalar(text: str, *, alone: bool = False) -> str:
    """A text as YAML: plain where it reads back as it is, also inside of `[]` and `{}`, unless it stands `alone`."""
    if _SAFE.fullmatch(text) and "  " not in text:
        return text
    if text and text == text.strip() and "\n" not in text and _is_read_unchanged(text, alone):
        return text
    return _quote_text(text)


def _is_read_unchanged(text: str, alone: bool) -> bool:
    """Whether a text is read as it is: as a key and value, on a line of its own and inside of brackets."""
    flowing = f"k: {{{text}: [{text}]}}\n{text}: {text}\n"
    loaded = data.load_yaml(Source("", f"k: {text}\n" if alone else flowing))
    read = None if loaded.findings else data.convert_to_plain(loaded.node)
    return bool(read == ({"k": text} if alone else {"k": {text: [text]}, text: text}))


def _quote_text(text: str) -> str:
    """A text in double quotes, or in single ones, where nothing has to be escaped in these.

    YAML reads JSON's escapes; what it forbids in a file is escaped, too.
    """
    if ("\\" in text or '"' in text) and "'" not in text and text.isprintable() and text.isascii():
        return f"'{text}'"
    out = json.dumps(text, ensure_ascii=False)
    return re.sub(r"[\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]", lambda m: f"\\u{ord(m[0]):04x}", out)
