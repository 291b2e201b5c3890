"""UTF-8 text that was read in another encoding: `wonâ€™t` for `won’t`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.document import Range
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, PageFix

# Mojibake always contains a non-ASCII letter before another, or a control character. Loading ftfy takes 100 ms, so
# lines without either are skipped first.
_SUSPECT = lazy_re.compile("[\x80-\u22ff\u25a0-\u25ff][^\x00-\x7f]|[ÂÃà] |[\x80-\x9f]")
_COMMENT = lazy_re.compile(r"#|//|/\*|^\s*\*|--|<!--|;|%")


_QUOTATION_MARKS = tuple("\"'“”‘’«»")
_NON_ASCII_PARTS = lazy_re.compile("[^\x00-\x7f]+"), lazy_re.compile("[^\x00-\x7f]+ ?")

_CUT_SHORT = "â€"  # Remains of `”` if a program dropped the byte that Windows-1252 lacks
_CLOSING = lazy_re.compile(r"â€(?=[ -/:-@\[-`{-~]|$)")
_OPENING = ("“", "â€œ")

Damage = tuple[int, int, str]  # Start and end of a damaged part of a line, and its replacement


class DamagedText(NamedTuple):
    """A damaged span of a page, its correct text, and the code that contains it."""

    span: Range
    good: str
    code: str | None
    may_be_intended: bool
    is_safe: bool


@rule("text", Severity.ERROR, needs="more-than-ascii")
def check(page: Page) -> Iterator[Finding]:
    if not _SUSPECT.search(page.plain):
        return
    damaged = list(_find_damaged(page))
    is_sure = any(not damage.may_be_intended and damage.code is None for damage in damaged)
    for span, good, code, may_be_intended, is_safe in damaged:
        if is_sure or not may_be_intended:
            problem = f"should read `{good}`" if good.strip() else "should be deleted"
            fix = PageFix(f"replace with `{good}`", ((*span, good),), safe=is_safe)
            message = f"`{page.plain[slice(*span)]}` {problem}"
            yield page.flag(span, message, fix=None if code else fix, severity=Severity.HINT if code else None)


def _find_damaged(page: Page) -> Iterator[DamagedText]:
    offset = 0
    codes = sorted(
        [(code.start, code.end, "block") for code in page.document.code_blocks]
        + [(code.start, code.end, "span") for code in page.document.code_spans]
    )
    for line in page.plain.split("\n"):
        if not line.isascii() and _SUSPECT.search(line):
            yield from _find_in_line(line, offset, codes)
        offset += len(line) + 1


def _find_in_line(line: str, offset: int, codes: list[tuple[int, int, str]]) -> Iterator[DamagedText]:
    comment = _COMMENT.search(line)
    opening_end = min((line.find(mark) + len(mark) for mark in _OPENING if mark in line), default=len(line) + 1)
    for start, end, good in _find_damage(line):
        index = bisect_right(codes, offset + start, key=itemgetter(0)) - 1
        code = codes[index][2] if index >= 0 and offset + start < codes[index][1] else None
        if line[max(start - 1, 0) : start] in _QUOTATION_MARKS and line[end : end + 1] in _QUOTATION_MARKS:
            continue  # an example of mojibake
        if code == "span" or (code == "block" and (comment is None or comment.end() > start)):
            continue  # code is literal, but its comments are text
        is_safe = line[start:end] != _CUT_SHORT or opening_end <= start
        yield DamagedText(Range(offset + start, offset + end), good, code, _may_be_intended(line, start), is_safe)


def _may_be_intended(line: str, start: int) -> bool:
    """Return whether the damage may be a letter that the author meant, before a space, as in `the key Ã`.

    `à` becomes the same if a space replaced the no-break space of its bytes. Within a lowercase word it is damage, and
    if the page has other damage.
    """
    return line[start + 1 : start + 2] == " " and not line[max(start - 1, 0) : start].islower()


@lru_cache(4096)
def _find_damage(line: str) -> tuple[Damage, ...]:
    """Find the damaged parts of a line, as small as they can be decoded, and the correct text of each."""
    out: list[Damage] = []
    offset = 0
    for cut in _CLOSING.finditer(line):
        out += [*_shift_damage(_find_complete_damage(line[offset : cut.start()]), offset), (*cut.span(), "”")]
        offset = cut.end()
    return (*out, *_shift_damage(_find_complete_damage(line[offset:]), offset))


def _shift_damage(damage: tuple[Damage, ...], offset: int) -> Iterator[Damage]:
    return ((start + offset, end + offset, good) for start, end, good in damage)


def _find_complete_damage(line: str) -> tuple[Damage, ...]:
    """Find the damaged parts of a line that kept all of their characters."""
    good = _repair_text(line)
    if good == line:
        return ()
    for pattern in _NON_ASCII_PARTS:
        parts = [(match, _repair_text(match[0])) for match in pattern.finditer(line)]
        if _join_parts(line, parts) == good:
            return tuple(_narrow_damage(match[0], match.start(), text) for match, text in parts if match[0] != text)
    return (_narrow_damage(line, 0, good),)


def _repair_text(text: str) -> str:
    from ftfy import fix_encoding

    good: str = fix_encoding(text)
    return good.replace("\ufeff", "") if good != text else text


def _join_parts(line: str, parts: list[tuple[re.Match[str], str]]) -> str:
    out, offset = [], 0
    for match, repaired in parts:
        out += [line[offset : match.start()], repaired]
        offset = match.end()
    return "".join([*out, line[offset:]])


def _narrow_damage(bad: str, offset: int, good: str) -> Damage:
    """Narrow damage to where the two texts differ, by at least a letter of each."""
    start = _count_common_start(bad, good)
    end = _count_common_start(bad[start:][::-1], good[start:][::-1])
    if end and len(bad) - end > start and len(good) - end == start and not good[start].isascii():
        end -= 1  # `Â©` should read `©`, but `Â` is extra
    return offset + start, offset + len(bad) - end, good[start : len(good) - end]


def _count_common_start(a: str, b: str) -> int:
    """Count the characters that two texts share at the start."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
