"""Brackets of a code sample that do not pair: one is missing, or one is too many."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re

_PAIRS = {")": "(", "]": "[", "}": "{"}
_LANGUAGE = lazy_re.compile(r"[{.]*(?P<name>[\w+#-]+)")
_LEXERS = {
    **{name: name for name in "c cpp csharp dart elixir erlang go groovy java js jsx kotlin objc php".split()},
    **{name: name for name in "python ruby rust scala swift ts tsx".split()},
    "c#": "csharp",
    "c++": "cpp",
    "cs": "csharp",
    "javascript": "js",
    "objective-c": "objc",
    "objectivec": "objc",
    "py": "python",
    "rb": "ruby",
    "typescript": "ts",
}
"""The lexer of Pygments, by the language at a fence, for those in which brackets pair."""
_GOES_ON = lazy_re.compile(r"\s*(?:[^\s\w\"'@$_~!`;]|and\b|or\b)")
"""How a line begins that goes on with what stands above it: with an operator, a dot or a bracket."""
_CONTINUED = lazy_re.compile(r"\s*[.})\]]")
_INTERVAL = lazy_re.compile(r"\[[\d.]+,[\d. ]*\)")
_OMITTED = ("...", "…")
_LARGEST = 10_000  # Characters of a sample that somebody typed, and that a lexer reads in no time


class Unpaired(NamedTuple):
    """A bracket without its counterpart, as an offset in the sample; `opener` is the one of another kind that is open
    there, if there is any."""

    at: int
    opener: int | None = None


class _Open(NamedTuple):
    sign: str
    at: int


def find_unpaired(code: str, info: str) -> Unpaired | None:
    """The first bracket of a sample that does not pair; None where all do, or the sample cannot be read.

    A sample may begin or end in the middle of something: what is open at its end, or closed at its beginning, is
    unpaired only where the lines around it tell.
    """
    match = _LANGUAGE.match(info)
    lexer = _LEXERS.get(match["name"].lower()) if match else None
    if lexer is None or len(code) > _LARGEST or _is_balanced(code):
        return None
    opened: list[_Open] = []
    for at, sign in _brackets(code, lexer):
        if sign not in _PAIRS:
            opened.append(_Open(sign, at))
        elif not opened:
            if _closes_too_much(code, at):
                return Unpaired(at)
        elif (last := opened.pop()).sign != _PAIRS[sign]:
            return None if _INTERVAL.match(code, last.at) else Unpaired(at, last.at)
    return next((Unpaired(last.at) for last in opened if _ends_before_it_closes(code, last)), None)


def _is_balanced(code: str) -> bool:
    return all(code.count(opener) == code.count(closer) for closer, opener in _PAIRS.items())


def _brackets(code: str, language: str) -> Iterator[tuple[int, str]]:
    """The brackets outside strings and comments; none where Pygments cannot read a part of the sample."""
    from pygments.lexers import get_lexer_by_name
    from pygments.token import Comment, Error, String

    options = {"startinline": True} if language == "php" and "<?" not in code else {}
    tokens = list(get_lexer_by_name(language, **options).get_tokens_unprocessed(code))
    if any(kind in Error for _, kind, _ in tokens):
        return
    for start, kind, text in tokens:
        if kind not in Comment and (kind not in String or kind in String.Interpol):
            yield from ((start + match.start(), match[0]) for match in re.finditer(r"[()\[\]{}]", text))


def _closes_too_much(code: str, at: int) -> bool:
    """Whether a line that goes on with nothing closes more than it opens: `switchOn(lamp));`."""
    start = code.rfind("\n", 0, at) + 1
    return code[at] != "}" and _PAIRS[code[at]] in code[start:at] and not _CONTINUED.match(code, start)


def _ends_before_it_closes(code: str, opened: _Open) -> bool:
    """Whether the statement ends before its bracket closes: with a semicolon, or where the next one begins."""
    if opened.sign == "{":
        return False
    start = code.rfind("\n", 0, opened.at) + 1
    line, *after = code[start:].split("\n")
    following = next((text for text in after if text.strip()), None)
    if any(mark in line for mark in _OMITTED):
        return False
    if following is None:
        return line.rstrip().endswith(";")
    return _indent(following) <= _indent(line) and not _GOES_ON.match(following)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
