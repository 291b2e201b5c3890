"""Offsets of the keys and values of a TOML file: `tomllib` reads the values, but reports no positions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re

Path = tuple[str | int, ...]  # The keys of a value; numbers are array indices


class EntryPosition(NamedTuple):
    """Start offsets of a key and its value, 0-based characters. An item of an array has its value only."""

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


def find_positions(text: str) -> dict[Path, EntryPosition]:
    """Return the positions of all keys and items of a text that `tomllib` has accepted as valid TOML."""
    return _Scanner(text).scan()


def parse_error(message: str, text: str) -> tuple[str, int]:
    """Return the message of `tomllib` without its position, and the offset of that position."""
    match = _MARK.search(message)
    if match is None:
        return message.removesuffix(" (at end of document)"), len(text)
    lines = text.split("\n")[: int(match[1]) - 1]
    return message[: match.start()].rstrip(), sum(len(line) + 1 for line in lines) + int(match[2]) - 1


def find_end(text: str, value: int) -> int | None:
    """Return the end of the value at an offset, without trailing white space; None for a table header."""
    scanner = _Scanner(text)
    scanner.at = value
    scanner.read_value(())
    return len(text[: scanner.at].rstrip()) if scanner.at > value else None


def find_comments(text: str) -> Iterator[tuple[int, int]]:
    """Return the spans of the comments of a text, from their `#` on."""
    return (match.span() for match in _SAID.finditer(text) if match["comment"])


def find_entries(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of keys with their values, and of tables with their contents; valid TOML only."""
    result = find_positions(text)
    headers = sorted(place.key for place in result.values() if find_end(text, place.value) is None)
    for place in result.values():
        after = (header for header in headers if header > place.key)
        yield place.key, find_end(text, place.value) or len(text[: next(after, len(text))].rstrip())


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.places: dict[Path, EntryPosition] = {}
        self.lengths: dict[Path, int] = {}

    def scan(self) -> dict[Path, EntryPosition]:
        table: Path = ()
        while self._skip_blanks():
            if self.text[self.at] == "[":
                table = self._read_header()
            else:
                self._read_entry(table)
        return self.places

    def _skip_blanks(self) -> str:
        """Skip white space and comments and return the next character; "" at the end."""
        blank = _BLANK.match(self.text, self.at)
        self.at = blank.end() if blank else self.at
        return self.text[self.at : self.at + 1]

    def _read_header(self) -> Path:
        start = self.at
        array = self.text.startswith("[[", self.at)
        self.at += 2 if array else 1
        self._skip_blanks()
        table = self._resolve_path(self._read_keys())
        self._skip_blanks()
        self.at += 2 if array else 1
        if array:
            index = self.lengths[table] = self.lengths.get(table, -1) + 1
            table = (*table, index)
        self.places.setdefault(table, EntryPosition(start, start))
        return table

    def _resolve_path(self, keys: Path) -> Path:
        """Return the path of a header, whose keys continue in the last table of an array of tables."""
        out: Path = ()
        for index, key in enumerate(keys):
            out = (*out, key)
            if index < len(keys) - 1 and out in self.lengths:
                out = (*out, self.lengths[out])
        return out

    def _read_entry(self, table: Path) -> None:
        """Read `key = value`."""
        start = self.at
        path = (*table, *self._read_keys())
        self._skip_blanks()
        self.at += 1
        self._skip_blanks()
        for depth in range(len(table) + 1, len(path) + 1):
            self.places.setdefault(path[:depth], EntryPosition(start, self.at))
        self.read_value(path)

    def _read_keys(self) -> Path:
        keys: list[str] = []
        while True:
            char = self._skip_blanks()
            match = (_STRING if char in "\"'" else _BARE).match(self.text, self.at)
            if match is None:
                return tuple(keys)
            self.at = match.end()
            keys.append(match[0][1:-1] if char in "\"'" else match[0])
            if self._skip_blanks() != ".":
                return tuple(keys)
            self.at += 1

    def read_value(self, path: Path) -> None:
        match self.text[self.at : self.at + 1]:
            case "[":
                self._read_array(path)
            case "{":
                self._read_inline_table(path)
            case '"' | "'":
                match = _STRING.match(self.text, self.at)
                self.at = match.end() if match else len(self.text)
            case _:
                match = _PLAIN.match(self.text, self.at)
                self.at = match.end() if match else len(self.text)

    def _read_array(self, path: Path) -> None:
        self.at += 1
        index = 0
        while (char := self._skip_blanks()) not in ("]", ""):
            if char == ",":
                self.at += 1
                index += 1
                continue
            self.places[*path, index] = EntryPosition(self.at, self.at)
            self.read_value((*path, index))
        self.at += 1

    def _read_inline_table(self, path: Path) -> None:
        self.at += 1
        while (char := self._skip_blanks()) not in ("}", ""):
            if char == ",":
                self.at += 1
            else:
                self._read_entry(path)
        self.at += 1
