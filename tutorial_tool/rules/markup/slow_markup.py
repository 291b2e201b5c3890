"""Text that keeps Python-Markdown busy for minutes, or makes it fail."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, Site

_DEPTH = 2000
"""Unclosed markers in one block. Measured with Python-Markdown 3.11: 2,000 take 0.4 to 20 s, and twice as many take
four times as long."""
_PAIRS = ("[", "]"), ("<", ">"), ("(", ")")
_DEEP = lazy_re.compile(r"^[ \t>]*(?:(?:[-*+]|\d{1,9}\.)[ \t]+){100}", re.MULTILINE)
"""Each nested list costs Python-Markdown two frames of Python's stack, whose limit is a thousand."""
_SOME_DEEP = lazy_re.compile(r"[-*+.][ \t]+(?:(?:[-*+]|\d{1,9}\.)[ \t]+){2}")
"""Contained in each of these: a fast check before searching."""
_BLANK = lazy_re.compile(r"\n[ \t]*\n")
_INDENTED = lazy_re.compile(r"^ {800,}(?=(?:[-*+]|\d{1,9}\.|!!!|\?\?\?\+?|===)[ \t])", re.MULTILINE)
"""As `_DEEP`, with one line for each list or admonition: 250 are too many."""
_EMPHASIS = lazy_re.compile(r"(?<![*_])[*_]++")
_DEEP_EMPHASIS = 400
_RULE = lazy_re.compile(r" {0,3}(?:(?:- {0,2}){3,}|(?:\* {0,2}){3,})")
_MIN_LENGTH = 4_000  # Minimum characters of a block that is checked in detail
_MIN_WORK = 150_000_000  # Characters that Python-Markdown scans in about five seconds
_SPLITS = lazy_re.compile(r"^ {0,3}(?:#{1,6}|=+ *$|-+ *$|(?:[*_-] {0,2}){3,}$)", re.MULTILINE)
"""Lines that end a block: Python-Markdown scans it again for each."""
_HEADING = lazy_re.compile(r"^ {0,3}#{1,6}[ \t]*([^\n]*)", re.MULTILINE)
_MIN_SAME_HEADINGS = 4_000  # Headings with the same text: for each id, Python-Markdown tries all numbers already used
_TICKS = lazy_re.compile(r"(?<!\\)`+")


@rule("markup", Severity.ERROR)
def check(page: Page) -> Iterator[Finding]:
    severities = {Dialect.PYTHON_MARKDOWN: None, Dialect.GFM: Severity.HINT}
    if page.publishing_dialect in severities:
        for place, message in _find_places(page):
            yield page.flag(place, message, severity=severities[page.publishing_dialect])


def _find_places(page: Page) -> Iterator[tuple[tuple[int, int], str]]:
    text = page.plain
    for place, message in (
        *_find_unclosed(text),
        *_find_nested_lists(text),
        *_find_slow_blocks(text),
        *_find_same_headings(text),
    ):
        if not any(code.start <= place[0] < code.end for code in page.document.code_blocks):
            yield place, message


def find_hanging_markup(site: Site) -> list[Finding]:
    """Find markup with which no build may start, even if a configuration or a comment ignores it."""
    pages = (page for page in site.pages if page.dialect is Dialect.PYTHON_MARKDOWN)
    matches = (page.flag(*place, severity=Severity.ERROR) for page in pages for place in _find_places(page))
    return [replace(finding, rule="slow-markup") for finding in matches]


def _find_unclosed(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    if max(text.count(opening) for opening, _ in _PAIRS) < _DEPTH:
        return
    start = 0
    for end in (*(match.start() for match in _BLANK.finditer(text)), len(text)):
        for opening, closing in _PAIRS:
            if text.count(opening, start, end) >= _DEPTH and (opening != "(" or text.count("](", start, end) >= _DEPTH):
                deepest = _measure_depth(text[start:end], opening, closing)
                if deepest >= _DEPTH:
                    at = text.index(opening, start)
                    message = f"{deepest:,} unclosed `{opening}`: Python-Markdown takes minutes to parse them"
                    yield (at, at + 1), message
                    break
        start = end


def _measure_depth(block: str, opening: str, closing: str) -> int:
    """Return the maximum nesting depth of a pair of characters."""
    depth = deepest = 0
    for sign in re.findall(f"[{re.escape(opening + closing)}]", block):
        depth = depth + 1 if sign == opening else max(depth - 1, 0)
        deepest = max(deepest, depth)
    return deepest


def _find_nested_lists(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    for match in _DEEP.finditer(text) if _SOME_DEEP.search(text) else ():
        line = text[match.start() :].split("\n", 1)[0]
        if not _RULE.fullmatch(line):
            yield match.span(), "lists nested a hundred levels deep: Python-Markdown fails on a few hundred"
    for match in _INDENTED.finditer(text) if " " * 800 in text else ():
        yield match.span(), "lists or admonitions nested 200 levels deep: Python-Markdown fails on a few hundred"
        break


def _find_same_headings(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    if text.count("#") < _MIN_SAME_HEADINGS:
        return
    headings = [(re.sub(r"\W+", "-", match[1].lower()).strip("-"), match.span()) for match in _HEADING.finditer(text)]
    words, many = Counter(words for words, _ in headings).most_common(1)[0] if headings else ("", 0)
    if many >= _MIN_SAME_HEADINGS:
        at = next(span for name, span in headings if name == words)
        yield at, f"{many:,} headings with the same text: Python-Markdown takes minutes to give each an id"


def _find_slow_blocks(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    """Find blocks that are scanned again and again, from the first character that causes it."""
    if max(map(len, text.split("\n\n"))) < _MIN_LENGTH - 10:
        return  # no block is long, even with blank lines in it
    start = 0
    for end in (*(match.start() for match in _BLANK.finditer(text)), len(text)):
        if end - start >= _MIN_LENGTH:
            block = text[start:end]
            pair = next(
                (
                    pair
                    for look in (_find_splitting_lines, _find_unmatched_backtick, _find_nested_emphasis)
                    if (pair := look(block))
                ),
                None,
            )
            if pair:
                at, message = pair
                yield (start + at, start + at + 1), message
        start = end


def _find_splitting_lines(block: str) -> tuple[int, str] | None:
    lines = [match.start() for match in _SPLITS.finditer(block)]
    if len(lines) * len(block) < _MIN_WORK:
        return None
    many = f"{len(lines):,} headings, underlines or rules without a blank line between them"
    return lines[0], f"{many}: Python-Markdown takes minutes to parse them"


def _find_unmatched_backtick(block: str) -> tuple[int, str] | None:
    """Find a backtick without a partner: each later code span rescans the text in between."""
    ticks = [(match.start(), len(match[0])) for match in _TICKS.finditer(block)]
    if len(ticks) * len(block) < _MIN_WORK:
        return None
    last = {length: at for at, length in ticks}
    alone = next((at for at, length in ticks if last[length] == at), None)
    if alone is None or sum(at > alone for at, _ in ticks) * (len(block) - alone) < _MIN_WORK:
        return None
    return (alone, "unclosed backtick before thousands of others: Python-Markdown takes minutes to parse them")


def _find_nested_emphasis(block: str) -> tuple[int, str] | None:
    """Find deeply nested emphasis: each level takes two or three frames of Python's stack."""
    depth = deepest = closed = 0
    first = 0
    for match in _EMPHASIS.finditer(block):
        before, after = (
            block[max(match.start() - 1, 0) : match.start()].strip(),
            block[match.end() : match.end() + 1].strip(),
        )
        if bool(before) is bool(after):
            continue  # may neither open nor close
        if after:
            first = first if depth else match.start()
            depth, closed = depth + (len(match[0]) + 1) // 2, 0
        elif depth:
            level = min((len(match[0]) + 1) // 2, depth)
            depth, closed = depth - level, closed + level
            deepest = max(deepest, closed)
    if deepest < _DEEP_EMPHASIS:
        return None
    return first, f"emphasis nested {deepest:,} levels deep: Python-Markdown fails on a few hundred"
