"""Data that is written out in a program in JavaScript, or in JSON: what is computed there is not known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re

_TOKEN = lazy_re.compile(
    r"(?:\s+|//[^\n]*|/\*.*?\*/)*+"
    r"(?:(?P<text>\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|`(?:[^`\\]|\\.)*+`)|(?P<name>[\w$][\w$.]*+)|(?P<sign>\.\.\.|.))",
    re.DOTALL,
)
_DEEPEST = 60  # How deep data may be nested
_FILES = ("require", "require.resolve")  # What a program calls with the name of a file


class Text(NamedTuple):
    """A text, and where it stands within its quotes."""

    value: str
    start: int
    end: int


class List(NamedTuple):
    """What stands in brackets; None for what is computed."""

    items: tuple[Value, ...]


class Object(NamedTuple):
    """Keys with their values; None for what is computed."""

    items: tuple[tuple[Text, Value], ...]

    def get(self, key: str) -> Value:
        return next((value for name, value in self.items if name.value == key), None)

    def has(self, key: str) -> bool:
        return any(name.value == key for name, _ in self.items)

    def text(self, key: str) -> Text | None:
        result = self.get(key)
        return result if isinstance(result, Text) else None


Value = Text | List | Object | None
_Token = tuple[str, str, int, int]


def value_at(text: str, start: int) -> Value:
    """The value that begins at an offset of a program; None where it is computed, or is none."""
    return _Reader(text, start).value(0)


def inside(value: Value) -> Iterator[Value]:
    """A value and all that stand in it, in their order."""
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
        self._tokens = _tokens(text, start)
        self._next: _Token = ("", "", 0, 0)
        self._step()

    def _step(self) -> _Token:
        """The token that is next; goes on to the one behind it."""
        this, self._next = self._next, next(self._tokens, ("", "", 0, 0))
        return this

    def _sees(self, *signs: str) -> bool:
        return self._next[0] == "sign" and self._next[1] in signs

    def value(self, depth: int) -> Value:
        out: Value = None
        kind, word, start, end = self._next
        if depth > _DEEPEST:
            self._skip()
        elif kind == "text":
            self._step()
            is_plain = "\\" not in word and not (word[0] == "`" and "${" in word)
            out = Text(word[1:-1], start + 1, end - 1) if is_plain else None
        elif self._sees("["):
            out = self._list(depth)
        elif self._sees("{"):
            out = self._object(depth)
        elif self._sees("("):
            out = self._in_parentheses(depth)
        elif kind == "name" and word in _FILES:
            self._step()
            out = self._file()
        if self._next[0] == "name" and self._next[1] in ("as", "satisfies"):
            self._skip()
        if not self._is_end():
            self._skip()
            return None
        return out

    def _in_parentheses(self, depth: int) -> Value:
        self._step()
        out = self.value(depth + 1)
        while self._next[0] and not self._sees(")"):  # the arguments of a function
            self._step()
            self._skip()
            out = None
        self._step()
        return out

    def _file(self) -> Value:
        is_call = self._sees("(") and self._step()
        kind, word, start, end = self._step() if is_call else self._next
        is_text = kind == "text" and self._sees(")") and self._step()
        return Text(word[1:-1], start + 1, end - 1) if is_call and is_text else None

    def _is_end(self) -> bool:
        return self._next[0] == "" or self._sees(",", "]", "}", ")", ";")

    def _skip(self) -> None:
        """Goes on to the end of a value."""
        depth = 0
        while self._next[0] and (depth or not self._is_end()):
            depth += self._sees("(", "[", "{") - self._sees(")", "]", "}")
            self._step()

    def _list(self, depth: int) -> List:
        self._step()
        out: list[Value] = []
        while self._next[0] and not self._sees("]"):
            if self._sees(",", ")", "}", ";"):
                self._step()
                continue
            out.append(self.value(depth + 1))
        self._step()
        return List(tuple(out))

    def _object(self, depth: int) -> Object:
        self._step()
        out: list[tuple[Text, Value]] = []
        while self._next[0] and not self._sees("}"):
            if self._sees(",", ")", "]", ";"):
                self._step()
                continue
            kind, word, start, end = self._step()
            if kind not in ("text", "name") or not self._sees(":"):
                self._skip()
                continue
            self._step()
            key = Text(word[1:-1], start + 1, end - 1) if kind == "text" else Text(word, start, end)
            out.append((key, self.value(depth + 1)))
        self._step()
        return Object(tuple(out))


def _tokens(text: str, start: int) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text, start):
        kind = match.lastgroup or ""
        yield kind, match[kind], match.start(kind), match.end(kind)
