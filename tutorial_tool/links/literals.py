"""Literal data in a JavaScript or JSON file: computed values are unknown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import MAX_DEPTH

_TOKEN = lazy_re.compile(
    r"(?:\s+|//[^\n]*|/\*.*?\*/)*+"
    r"(?:(?P<text>\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|`(?:[^`\\]|\\.)*+`)|(?P<name>[\w$][\w$.]*+)|(?P<sign>\.\.\.|.))",
    re.DOTALL,
)
_FILES = ("require", "require.resolve", "path.resolve", "path.join")
"""Functions that take a file name, after the folder of the program."""


class Text(NamedTuple):
    """A string, and its offsets within the quotes."""

    value: str
    start: int
    end: int


class List(NamedTuple):
    """The items of an array; None for computed ones."""

    items: tuple[Value, ...]


class Object(NamedTuple):
    """The keys and values of an object; None for computed values."""

    items: tuple[tuple[Text, Value], ...]

    def get(self, key: str) -> Value:
        return next((value for name, value in self.items if name.value == key), None)

    def has(self, key: str) -> bool:
        return any(name.value == key for name, _ in self.items)

    def get_text(self, key: str) -> Text | None:
        result = self.get(key)
        return result if isinstance(result, Text) else None


Value = Text | List | Object | None
_Token = tuple[str, str, int, int]


def parse_value(text: str, start: int) -> Value:
    """Return the value that begins at an offset of a program; None if it is computed, or there is none."""
    return _Reader(text, start).read_value(0)


def iter_values(value: Value) -> Iterator[Value]:
    """Yield a value and all values in it, in source order."""
    todo = [value]
    while todo:
        item = todo.pop()
        yield item
        if isinstance(item, List):
            todo += reversed(item.items)
        elif isinstance(item, Object):
            todo += reversed([inner for _, inner in item.items])


class _Reader:
    def __init__(self, text: str, start: int) -> None:
        self._tokens = _iter_tokens(text, start)
        self._next: _Token = ("", "", 0, 0)
        self._take_token()

    def _take_token(self) -> _Token:
        """Return the next token and advance past it."""
        this, self._next = self._next, next(self._tokens, ("", "", 0, 0))
        return this

    def _is_at_sign(self, *signs: str) -> bool:
        return self._next[0] == "sign" and self._next[1] in signs

    def read_value(self, depth: int) -> Value:
        out: Value = None
        kind, word, start, end = self._next
        if depth > MAX_DEPTH:
            self._skip_value()
        elif kind == "text":
            self._take_token()
            is_plain = "\\" not in word and not (word[0] == "`" and "${" in word)
            out = Text(word[1:-1], start + 1, end - 1) if is_plain else None
        elif self._is_at_sign("["):
            out = self._read_list(depth)
        elif self._is_at_sign("{"):
            out = self._read_object(depth)
        elif self._is_at_sign("("):
            out = self._read_parentheses(depth)
        elif kind == "name" and word in _FILES:
            self._take_token()
            out = self._read_file()
        if self._next[0] == "name" and self._next[1] in ("as", "satisfies"):
            self._skip_value()
        if not self._is_end():
            self._skip_value()
            return None
        return out

    def _read_parentheses(self, depth: int) -> Value:
        self._take_token()
        out = self.read_value(depth + 1)
        while self._next[0] and not self._is_at_sign(")"):  # function arguments
            self._take_token()
            self._skip_value()
            out = None
        self._take_token()
        return out

    def _read_file(self) -> Value:
        is_call = self._is_at_sign("(") and self._take_token()
        while is_call and self._next[1] in ("__dirname", ","):
            self._take_token()
        kind, word, start, end = self._take_token() if is_call else self._next
        is_text = kind == "text" and self._is_at_sign(")") and self._take_token()
        return Text(word[1:-1], start + 1, end - 1) if is_call and is_text else None

    def _is_end(self) -> bool:
        return self._next[0] == "" or self._is_at_sign(",", "]", "}", ")", ";")

    def _skip_value(self) -> None:
        """Skip to the end of a value."""
        depth = 0
        while self._next[0] and (depth or not self._is_end()):
            depth += self._is_at_sign("(", "[", "{") - self._is_at_sign(")", "]", "}")
            self._take_token()

    def _read_list(self, depth: int) -> List:
        self._take_token()
        out: list[Value] = []
        while self._next[0] and not self._is_at_sign("]"):
            if self._is_at_sign(",", ")", "}", ";"):
                self._take_token()
                continue
            out.append(self.read_value(depth + 1))
        self._take_token()
        return List(tuple(out))

    def _read_object(self, depth: int) -> Object:
        self._take_token()
        out: list[tuple[Text, Value]] = []
        while self._next[0] and not self._is_at_sign("}"):
            if self._is_at_sign(",", ")", "]", ";"):
                self._take_token()
                continue
            kind, word, start, end = self._take_token()
            if kind not in ("text", "name") or not self._is_at_sign(":"):
                self._skip_value()
                continue
            self._take_token()
            key = Text(word[1:-1], start + 1, end - 1) if kind == "text" else Text(word, start, end)
            out.append((key, self.read_value(depth + 1)))
        self._take_token()
        return Object(tuple(out))


def _iter_tokens(text: str, start: int) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text, start):
        kind = match.lastgroup or ""
        yield kind, match[kind], match.start(kind), match.end(kind)
