"""Finds brackets of a code sample without a counterpart. Pygments tells code from strings and comments."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import find_line_end, find_line_start
from tutorial_tool.markdown.samples import find_uneven_brackets, is_unopened, measure_indent

OPENERS = {")": "(", "]": "[", "}": "{"}
COUNTERPARTS = OPENERS | {opener: closer for closer, opener in OPENERS.items()}
_BRACKET = lazy_re.compile(r"[()\[\]{}]")
_LINE = lazy_re.compile(r"\n([ \t]*)(?=\S).*")
_CUT = tuple(",([{\\+|&=")  # The end of a sample that leaves out what follows


class UnmatchedBracket(NamedTuple):
    """A bracket without a counterpart: its offset, and that of the open one that it can't close, if any."""

    at: int
    inside: int | None


def find_unmatched(code: str, language: str) -> UnmatchedBracket | None:
    """Return the first bracket without a counterpart in a sample, in a language that Pygments knows.

    A brace that is open at the end is no mistake, as a sample may end inside of a block. In JSON, it is one if the
    sample ends with a closing bracket.
    """
    if not find_uneven_brackets(code):
        return None
    opened: list[tuple[str, int]] = []
    for bracket, at in _iter_brackets(code, language):
        if bracket not in OPENERS:
            opened.append((bracket, at))
        elif not opened:
            return UnmatchedBracket(at, None) if code[:at].strip() and is_unopened(code, at) else None
        elif opened[-1][0] != OPENERS[bracket]:
            return UnmatchedBracket(at, opened[-1][1])
        else:
            opened.pop()
    last = code.rstrip()
    if not opened or last.endswith(_CUT):
        return None
    bracket, at = opened[-1]
    is_whole = last.endswith(("}", "]")) if language == "json" else bracket != "{"
    return UnmatchedBracket(at, None) if is_whole else None


def iter_tokens(code: str, language: str) -> Iterator[tuple[int, Any, str]]:
    """Yield the offset, Pygments' kind, and text of each token of a sample; nothing in an unknown language."""
    from pygments.lexers import find_lexer_class_by_name  # 0.04 s
    from pygments.util import ClassNotFound

    with suppress(ClassNotFound):
        yield from find_lexer_class_by_name(language)().get_tokens_unprocessed(f"{code}\n")  # ends comments


def _iter_brackets(code: str, language: str) -> Iterator[tuple[str, int]]:
    from pygments.token import Comment, String

    for start, kind, text in iter_tokens(code, language):
        if kind is String.Interpol or (kind not in String and kind not in Comment):
            yield from ((match[0], start + match.start()) for match in _BRACKET.finditer(text))


def find_end(code: str, at: int) -> int:
    """Return the offset where the lines end that are indented further than the line of an offset."""
    start, end = find_line_start(code, at), find_line_end(code, at)
    indent = measure_indent(code[start:end])
    for line in _LINE.finditer(code, end):
        if len(line[1]) <= indent:
            break
        end = line.end()
    return end
