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


_QUOTES = tuple("\"'“”‘’«»")
_PARTS = lazy_re.compile("[^\x00-\x7f]+"), lazy_re.compile("[^\x00-\x7f]+ ?")

_CUT_SHORT = "â€"  # Remains of `”` if a program dropped the byte that Windows-1252 lacks
_CLOSING = lazy_re.compile(r"â€(?=[ -/:-@\[-`{-~]|$)")
_OPENING = ("“", "â€œ")

Damage = tuple[int, int, str]  # Start and end of a damaged part of a line, and its replacement


class DamagedText(NamedTuple):
    """A damaged span of a page, its correct text, and the code that contains it."""

    place: Range
    good: str
    code: str | None
    may_be_meant: bool
    is_safe: bool


@rule("text", Severity.ERROR, needs="more-than-ascii")
def check(page: Page) -> Iterator[Finding]:
    if not _SUSPECT.search(page.plain):
        return
    damageds = list(_find_damaged(page))
    is_sure = any(not item.may_be_meant and item.code is None for item in damageds)
    for place, good, code, may_be_meant, is_safe in damageds:
        if is_sure or not may_be_meant:
            shown = f"should read `{good}`" if good.strip() else "should be deleted"
            fix = PageFix(f"replace with `{good}`", ((*place, good),), safe=is_safe)
            message = f"`{page.plain[slice(*place)]}` {shown}"
            yield page.flag(place, message, fix=None if code else fix, severity=Severity.HINT if code else None)


def _find_damaged(page: Page) -> Iterator[DamagedText]:
    at = 0
    codes = sorted(
        [(code.start, code.end, "block") for code in page.document.code_blocks]
        + [(code.start, code.end, "span") for code in page.document.code_spans]
    )
    for line in page.plain.split("\n"):
        if not line.isascii() and _SUSPECT.search(line):
            yield from _find_in_line(line, at, codes)
        at += len(line) + 1


def _find_in_line(line: str, at: int, codes: list[tuple[int, int, str]]) -> Iterator[DamagedText]:
    comment = _COMMENT.search(line)
    opened = min((line.find(sign) + len(sign) for sign in _OPENING if sign in line), default=len(line) + 1)
    for start, end, good in _find_damage(line):
        before = bisect_right(codes, at + start, key=itemgetter(0)) - 1
        code = codes[before][2] if before >= 0 and at + start < codes[before][1] else None
        if line[max(start - 1, 0) : start] in _QUOTES and line[end : end + 1] in _QUOTES:
            continue  # an example of mojibake
        if code == "span" or (code == "block" and (comment is None or comment.end() > start)):
            continue  # code is literal, but its comments are text
        is_safe = line[start:end] != _CUT_SHORT or opened <= start
        yield DamagedText(Range(at + start, at + end), good, code, _may_be_intended(line, start, end), is_safe)


def _may_be_intended(line: str, start: int, end: int) -> bool:
    """Return whether the damage may be a letter before a space, as in `the key Ã`.

    That is what `à` becomes if a space replaced a no-break space. It is damage within a lowercase word, or if the page
    has other damage.
    """
    bad = line[start:end].rstrip(" ")
    return len(bad) == 1 and line[start + 1 : start + 2] == " " and not line[max(start - 1, 0) : start].islower()


@lru_cache(4096)
def _find_damage(line: str) -> tuple[Damage, ...]:
    """Find the damaged parts of a line, as small as they can be decoded, and the correct text of each."""
    out: list[Damage] = []
    at = 0
    for cut in _CLOSING.finditer(line):
        out += [*_shift_damage(_find_complete_damage(line[at : cut.start()]), at), (*cut.span(), "”")]
        at = cut.end()
    return (*out, *_shift_damage(_find_complete_damage(line[at:]), at))


def _shift_damage(damage: tuple[Damage, ...], by: int) -> Iterator[Damage]:
    return ((start + by, end + by, good) for start, end, good in damage)


def _find_complete_damage(line: str) -> tuple[Damage, ...]:
    """Find the damaged parts of a line that kept all of their characters."""
    good = _repair_text(line)
    if good == line:
        return ()
    for pattern in _PARTS:
        parts = [(match, _repair_text(match[0])) for match in pattern.finditer(line)]
        if _join_parts(line, parts) == good:
            return tuple(_narrow_damage(match[0], match.start(), read) for match, read in parts if match[0] != read)
    return (_narrow_damage(line, 0, good),)


def _repair_text(text: str) -> str:
    from ftfy import fix_encoding

    good: str = fix_encoding(text)
    return good.replace("\ufeff", "") if good != text else text


def _join_parts(line: str, parts: list[tuple[re.Match[str], str]]) -> str:
    out, at = [], 0
    for match, read in parts:
        out += [line[at : match.start()], read]
        at = match.end()
    return "".join([*out, line[at:]])


def _narrow_damage(bad: str, at: int, good: str) -> Damage:
    """Narrow damage to where the two texts differ, by at least a letter of each."""
    start = _count_common_start(bad, good)
    end = _count_common_start(bad[start:][::-1], good[start:][::-1])
    if end and len(bad) - end > start and len(good) - end == start and not good[start].isascii():
        end -= 1  # `Â©` should read `©`, but `Â` is extra
    return at + start, at + len(bad) - end, good[start : len(good) - end]


def _count_common_start(a: str, b: str) -> int:
    """Count the characters that two texts share at the start."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
