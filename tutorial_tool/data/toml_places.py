"""Where the keys and values of a TOML file stand: `tomllib` reads the values, and tells no places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re

Path = tuple[str | int, ...]  # The keys that lead to a value; a number is the index in an array


class Place(NamedTuple):
    """Where a key and its value begin, as offsets in characters, from 0. An item of an array has its value only."""

    key: int
    value: int


_BASIC = r'"""(?:[^\\"]|\\.|"{1,2}(?!"))*"{3,5}|"(?:[^\\"\n]|\\.)*"'
_LITERAL = r"'''(?:[^']|'{1,2}(?!'))*'{3,5}|'[^'\n]*'"
_STRING = lazy_re.compile(f"{_BASIC}|{_LITERAL}", re.DOTALL)
_BLANK = lazy_re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE = lazy_re.compile(r"[A-Za-z0-9_-]+")
_PLAIN = lazy_re.compile(r"[^,\]}\n#]*")
_SAID = lazy_re.compile(f"{_BASIC}|{_LITERAL}|(?P<comment>#[^\n]*)", re.DOTALL)
_MARK = lazy_re.compile(r"\(at line (\d+), column (\d+)\)")


def places(text: str) -> dict[Path, Place]:
    """The places of all keys and items of a text that `tomllib` has read: only what is valid TOML may come here."""
    return _Scanner(text).scan()


def problem(message: str, text: str) -> tuple[str, int]:
    """What `tomllib` says is wrong, without its own place, and the offset that it names."""
    match = _MARK.search(message)
    if match is None:
        return message.removesuffix(" (at end of document)"), len(text)
    lines = text.split("\n")[: int(match[1]) - 1]
    return message[: match.start()].rstrip(), sum(len(line) + 1 for line in lines) + int(match[2]) - 1


def end(text: str, value: int) -> int | None:
    """Where the value that begins at an offset ends, without the white space behind it; None for a table's header."""
    scanner = _Scanner(text)
    scanner.at = value
    scanner.value(())
    return len(text[: scanner.at].rstrip()) if scanner.at > value else None


def comments(text: str) -> Iterator[tuple[int, int]]:
    """Where the comments of a text stand, from their `#` on."""
    return (match.span() for match in _SAID.finditer(text) if match["comment"])


def entries(text: str) -> Iterator[tuple[int, int]]:
    """Where keys stand with their values, and tables with all that is in them; only of what is valid TOML."""
    result = places(text)
    headers = sorted(place.key for place in result.values() if end(text, place.value) is None)
    for place in result.values():
        after = (header for header in headers if header > place.key)
        yield place.key, end(text, place.value) or len(text[: next(after, len(text))].rstrip())


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.places: dict[Path, Place] = {}
        self.lengths: dict[Path, int] = {}

    def scan(self) -> dict[Path, Place]:
        table: Path = ()
        while self._next():
            if self.text[self.at] == "[":
                table = self._header()
            else:
                self._entry(table)
        return self.places

    def _next(self) -> str:
        """The next character that says something; empty at the end."""
        blank = _BLANK.match(self.text, self.at)
        self.at = blank.end() if blank else self.at
        return self.text[self.at : self.at + 1]

    def _header(self) -> Path:
        start = self.at
        array = self.text.startswith("[[", self.at)
        self.at += 2 if array else 1
        self._next()
        table = self._resolved(self._keys())
        self._next()
        self.at += 2 if array else 1
        if array:
            index = self.lengths[table] = self.lengths.get(table, -1) + 1
            table = (*table, index)
        self.places.setdefault(table, Place(start, start))
        return table

    def _resolved(self, keys: Path) -> Path:
        """The path of a header, whose keys go on in the last table of an array of tables."""
        out: Path = ()
        for index, key in enumerate(keys):
            out = (*out, key)
            if index < len(keys) - 1 and out in self.lengths:
                out = (*out, self.lengths[out])
        return out

    def _entry(self, table: Path) -> None:
        """Reads `key = value`."""
        start = self.at
        path = (*table, *self._keys())
        self._next()
        self.at += 1
        self._next()
        for depth in range(len(table) + 1, len(path) + 1):
            self.places.setdefault(path[:depth], Place(start, self.at))
        self.value(path)

    def _keys(self) -> Path:
        keys: list[str] = []
        while True:
            char = self._next()
            match = (_STRING if char in "\"'" else _BARE).match(self.text, self.at)
            if match is None:
                return tuple(keys)
            self.at = match.end()
            keys.append(match[0][1:-1] if char in "\"'" else match[0])
            if self._next() != ".":
                return tuple(keys)
            self.at += 1

    def value(self, path: Path) -> None:
        match self.text[self.at : self.at + 1]:
            case "[":
                self._array(path)
            case "{":
                self._inline(path)
            case '"' | "'":
                match = _STRING.match(self.text, self.at)
                self.at = match.end() if match else len(self.text)
            case _:
                match = _PLAIN.match(self.text, self.at)
                self.at = match.end() if match else len(self.text)

    def _array(self, path: Path) -> None:
        self.at += 1
        index = 0
        while (char := self._next()) not in ("]", ""):
            if char == ",":
                self.at += 1
                index += 1
                continue
            self.places[*path, index] = Place(self.at, self.at)
            self.value((*path, index))
        self.at += 1

    def _inline(self, path: Path) -> None:
        self.at += 1
        while (char := self._next()) not in ("}", ""):
            if char == ",":
                self.at += 1
            else:
                self._entry(path)
        self.at += 1
