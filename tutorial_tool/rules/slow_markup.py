"""Text that keeps Python-Markdown busy for minutes, or makes it fail."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutorial_tool.finding import Finding, Severity
from tutorial_tool.parser import Dialect
from tutorial_tool.rules import rule
from tutorial_tool.site import Page
from tutorial_tool.traced import plain

_MANY = 2000
"""Signs that nothing closes, in one block. Tried with Python-Markdown 3.11: 2,000 take it 0.4 to 20 s, and twice as
many four times as long."""
_PAIRS = ("[", "]"), ("<", ">"), ("(", ")")
_DEEP = re.compile(r"^[ \t>]*(?:(?:[-*+]|\d{1,9}\.)[ \t]+){100}", re.MULTILINE)
"""Each list in a list costs Python-Markdown two frames of Python's stack, which holds a thousand."""
_BLANK = re.compile(r"\n[ \t]*\n")


@rule("markup", Severity.ERROR)
def check(page: Page) -> Iterator[Finding]:
    severities = {Dialect.PYTHON_MARKDOWN: None, Dialect.GFM: Severity.HINT}
    if page.dialect not in severities:
        return
    text = plain(page.text)
    for place, message in (*_unclosed(text), *_nested(text)):
        if not any(code.start <= place[0] < code.end for code in page.document.code_blocks):
            yield page.flag(place, message, severity=severities[page.dialect])


def _unclosed(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    if max(text.count(opening) for opening, _ in _PAIRS) < _MANY:
        return
    start = 0
    for end in (*(match.start() for match in _BLANK.finditer(text)), len(text)):
        for opening, closing in _PAIRS:
            if text.count(opening, start, end) >= _MANY and (opening != "(" or text.count("](", start, end) >= _MANY):
                deepest = _depth(text[start:end], opening, closing)
                if deepest >= _MANY:
                    at = text.index(opening, start)
                    message = f"{deepest:,} `{opening}` that nothing closes: Python-Markdown takes minutes to read them"
                    yield (at, at + 1), message
                    break
        start = end


def _depth(block: str, opening: str, closing: str) -> int:
    """How many of a sign are open at once."""
    depth = deepest = 0
    for sign in re.findall(f"[{re.escape(opening + closing)}]", block):
        depth = depth + 1 if sign == opening else max(depth - 1, 0)
        deepest = max(deepest, depth)
    return deepest


def _nested(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    for match in _DEEP.finditer(text):
        line = text[match.start() :].split("\n", 1)[0]
        if line.strip("-* \t"):  # else it is a thematic break
            yield match.span(), "lists in lists, a hundred deep: Python-Markdown fails on some hundred"
