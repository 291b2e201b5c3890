"""Convert positions of the protocol: 0-based lines, columns in the negotiated code units."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from lsprotocol import types
from pygls import uris

from tutorial_tool.core.source import Source, Span

UTF16 = "utf-16"  # The default encoding of clients that do not specify one
_LONG_NAME = "x" * 200  # The longest name looked up in a folder: with it, a path that is short enough may be too long


def count_units(text: str, encoding: str) -> int:
    """Return the length of a text in code units."""
    match encoding:
        case "utf-8":
            return len(text.encode("utf-8", "surrogatepass"))
        case "utf-32":
            return len(text)
        case _:
            return len(text) if text.isascii() else len(text) + sum(char > "\uffff" for char in text)


def compute_position(source: Source, offset: int, encoding: str) -> types.Position:
    """Return the position of the character at an offset."""
    line, column = source.get_position(offset)
    start = source.get_line_start(line)
    return types.Position(line - 1, count_units(source.text[start : start + column - 1], encoding))


def build_range(span: Span, encoding: str) -> types.Range:
    return types.Range(
        compute_position(span.source, span.start, encoding), compute_position(span.source, span.end, encoding)
    )


def compute_offset(source: Source, position: types.Position, encoding: str) -> int:
    """Return the offset of a position; one beyond its line or the text is moved to the nearest end."""
    line = position.line + 1
    if line > source.line_count:
        return len(source.text)
    text = source.get_line_text(line)
    return source.get_line_start(line) + _count_characters(text, position.character, encoding)


def _count_characters(text: str, count: int, encoding: str) -> int:
    """Return how many characters the first `count` code units are; a partial character is not counted."""
    if text.isascii() or encoding == "utf-32":
        return min(count, len(text))
    for index, char in enumerate(text):
        count -= count_units(char, encoding)
        if count < 0:
            return index
    return len(text)


def parse_uri(uri: object) -> Path | None:
    """Return the path of a URI; None if it names no file on a disk, such as a text that was never saved.

    The protocol's types promise a text, but nothing has validated the client's message.
    """
    if not isinstance(uri, str) or not uri.startswith("file:"):
        return None
    try:
        name = uris.to_fs_path(uri)
        return Path(name) if name and _is_possible_path(name) else None
    except ValueError:  # not a URI, or not a valid file name
        return None


def _is_possible_path(name: str) -> bool:
    """Return whether a path is absolute, on this machine, and short enough to look for files below it.

    Raises: ValueError: it has a null character, or cannot be encoded.
    """
    if not Path(name).is_absolute() or (os.sep == "/" and name.startswith("//")):  # there, a network path
        return False
    try:
        os.lstat(f"{name}/{_LONG_NAME}")
    except OSError as error:
        return error.errno != errno.ENAMETOOLONG
    return True


def build_uri(path: Path) -> str:
    return uris.from_fs_path(str(path)) or path.as_uri()
