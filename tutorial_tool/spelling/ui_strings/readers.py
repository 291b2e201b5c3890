"""Read lists of UI strings: JSON, Apple's `.strings` and `.xcstrings`, Android's XML, and gettext."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from tutorial_tool.core import lazy_re

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

Reader = Callable[[str], Iterator[str]]


class MalformedStrings(ValueError):
    """A file that does not match its type: the reason, and the offset (0-based characters)."""

    def __init__(self, message: str, at: int = 0) -> None:
        super().__init__(message)
        self.at = at


def get_reader(path: str) -> Reader:
    """Return the reader of a file, by its name.

    Raises: MalformedStrings: the type is unknown.
    """
    suffix = PurePath(path).suffix.lower()
    if suffix not in _READERS:
        raise MalformedStrings(f"lists of UI strings end with {', '.join(_READERS)}")
    return _READERS[suffix]


# JSON


def _read_json(text: str) -> Iterator[str]:
    try:
        yield from _iter_values(json.loads(text))
    except json.JSONDecodeError as wrong:
        raise MalformedStrings(f"not valid JSON: {wrong.msg}", wrong.pos) from wrong
    except RecursionError as deep:
        raise MalformedStrings("is nested too deeply") from deep
    except ValueError as digits:
        raise MalformedStrings("a number has too many digits") from digits


def _iter_values(value: Any) -> Iterator[str]:
    """Yield the texts of a list: flat, nested, or of i18next, Flutter (ARB), Chrome, FormatJS or Xcode."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _iter_values(item)
    elif isinstance(value, dict):
        if "sourceLanguage" in value and isinstance(value.get("strings"), dict):
            yield from _iter_catalog(value)
            return
        message = next((value[key] for key in ("message", "defaultMessage") if isinstance(value.get(key), str)), None)
        if message is not None and value.keys() <= {"message", "defaultMessage", "description", "placeholders", "id"}:
            yield message
            return
        for key, item in value.items():
            if not key.startswith(("@", "$")):  # metadata of strings in ARB and in schemas
                yield from _iter_values(item)


def _iter_catalog(value: dict[str, Any]) -> Iterator[str]:
    """Yield the texts of Xcode's string catalog: the key, if the source language has no text."""
    language = value["sourceLanguage"]
    for key, entry in value["strings"].items():
        localized = entry.get("localizations") if isinstance(entry, dict) else None
        localization = localized.get(language) if isinstance(localized, dict) else None
        texts = list(_iter_units(localization))
        yield from texts or [key]


def _iter_units(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "value" and isinstance(item, str):
                yield item
            else:
                yield from _iter_units(item)


# Apple's .strings

_QUOTED = r'"((?:[^"\\]|\\.)*)"'
_ENTRY = lazy_re.compile(rf"(?:{_QUOTED}|([\w.$-]+))\s*=\s*{_QUOTED}\s*;", re.DOTALL)
_BETWEEN = lazy_re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_ESCAPE = lazy_re.compile(r"\\(?:[uU]([0-9a-fA-F]{4})|(.))", re.DOTALL)
_SIGNS = {"n": "\n", "t": "\t", "r": "\r"}


def _read_apple(text: str) -> Iterator[str]:
    """Yield the values of `"key" = "value";`, with comments between.

    Raises: MalformedStrings: there is anything else.
    """
    at = 0
    while (at := _skip_comments(text, at)) < len(text):
        entry = _ENTRY.match(text, at)
        if entry is None:
            raise MalformedStrings('an entry is written `"key" = "value";`', at)
        yield _unescape_text(entry[3])
        at = entry.end()


def _skip_comments(text: str, at: int) -> int:
    match = _BETWEEN.match(text, at)
    return match.end() if match else at


def _unescape_text(text: str) -> str:
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)) if match[1] else _SIGNS.get(match[2], match[2]), text)


# Android's strings.xml


def _read_android(text: str) -> Iterator[str]:
    """Yield the texts of `<string>`, and `<item>` of plurals and lists."""
    for element in _parse_xml(text).iter():
        if element.tag in ("string", "item"):
            value = " ".join("".join(element.itertext()).split())
            value = value[1:-1] if len(value) > 1 and value[0] == value[-1] == '"' else value
            if not value.startswith(("@string/", "?")):
                yield _unescape_text(value)


def _parse_xml(text: str) -> Element:
    """Parse a list of strings.

    Raises: MalformedStrings: it is no valid XML, or has a document type: no custom entity is expanded.
    """
    from xml.etree import ElementTree as ET

    if match := re.search(r"<!(?:DOCTYPE|ENTITY)", text):
        raise MalformedStrings("a list of strings has no document type (<!DOCTYPE …>)", match.start())
    try:
        return ET.fromstring(text)  # noqa: S314 - as above
    except ET.ParseError as wrong:
        line, column = wrong.position
        at = sum(len(name) + 1 for name in text.split("\n")[: line - 1]) + column
        raise MalformedStrings(f"not valid XML: {str(wrong).partition(':')[0]}", at) from wrong
    except RecursionError as deep:
        raise MalformedStrings("is nested too deeply") from deep


# gettext


def _read_gettext(text: str) -> Iterator[str]:
    """Yield the displayed text: the translation, if there is one, or else the source text.

    Raises: MalformedStrings: a line cannot be parsed.
    """
    import polib

    try:  # with an extra first line, since polib would open a text that is a file name
        entries = polib.pofile(f"#\n{text}")
    except (OSError, ValueError) as wrong:
        line = re.search(r"line (\d+)", str(wrong))
        before = text.split("\n")[: int(line[1]) - 2 if line else 0]
        raise MalformedStrings('a line is written `msgid "text"`', sum(len(other) + 1 for other in before)) from None
    for entry in (entry for entry in entries if not entry.obsolete):
        reported = list(filter(None, (entry.msgstr, *entry.msgstr_plural.values())))
        yield from reported or filter(None, (entry.msgid, entry.msgid_plural))


_READERS: dict[str, Reader] = {
    ".json": _read_json,
    ".arb": _read_json,
    ".xcstrings": _read_json,
    ".strings": _read_apple,
    ".xml": _read_android,
    ".po": _read_gettext,
    ".pot": _read_gettext,
}
