"""UTF-8 text that was read in another encoding: `wonâ€™t` for `won’t`; a Cyrillic letter among Latin ones."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, PageFix

# Mojibake always contains a non-ASCII letter before another, or a control character. Loading ftfy takes 100 ms, so
# lines without either are skipped first.
_SUSPECT = lazy_re.compile("^[^\n]*?(?:[\x80-\u22ff\u25a0-\u25ff][^\x00-\x7f]|[\x80-\x9f])[^\n]*", re.MULTILINE)
_PART = lazy_re.compile("[^\x00-\x7f]+")
_CYRILLIC = "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0430\u0435\u043e\u0440\u0441\u0443\u0445"
_LATIN = str.maketrans(_CYRILLIC, "ABEKMHOPCTaeopcyx")  # The Latin letters that look like these
_MIXED = lazy_re.compile(rf"(?<!\w)[A-Za-z]*[{_CYRILLIC}][A-Za-z{_CYRILLIC}]*(?!\w)")
_QUOTATION_MARKS = tuple("\"'“”‘’«»")


@rule("text", Severity.ERROR, needs="more-than-ascii")
def check(page: Page) -> Iterator[Finding]:
    yield from _report_cyrillic(page) if page.may_be_english else ()
    if lines := [*_SUSPECT.finditer(page.plain)]:
        yield from _report_damage(page, lines)


def _report_cyrillic(page: Page) -> Iterator[Finding]:
    for match in _MIXED.finditer(page.plain) if any(map(page.plain.__contains__, _CYRILLIC)) else ():
        if sum(map(str.isascii, match[0])) > len(match[0]) / 2:
            fix = PageFix("write Latin letters", ((*match.span(), match[0].translate(_LATIN)),), safe=False)
            yield page.flag(match.span(), f"`{match[0]}` has a Cyrillic letter that looks Latin", fix=fix)


def _report_damage(page: Page, lines: Iterable[re.Match[str]]) -> Iterator[Finding]:
    blocks = ((block.start, block.end) for block in page.document.code_blocks)
    codes = sorted((*blocks, *page.document.code_spans))
    for line in lines:
        text, offset = line[0], line.start()
        for start, end, good in _find_damage(text):
            if text[max(start - 1, 0) : start] in _QUOTATION_MARKS and text[end : end + 1] in _QUOTATION_MARKS:
                continue  # an example of mojibake
            at = bisect_right(codes, (offset + start, len(page.plain))) - 1
            if at < 0 or offset + start >= codes[at][1]:  # code is literal
                yield page.flag(
                    (offset + start, offset + end), f"`{text[start:end]}` should read `{good}`", replace=good
                )


def _find_damage(line: str) -> Iterator[tuple[int, int, str]]:
    if _repair_text(line) != line:
        for match in _PART.finditer(line):
            if (good := _repair_text(match[0])) != match[0]:
                yield (*match.span(), good)


@lru_cache(4096)
def _repair_text(text: str) -> str:
    from ftfy import fix_encoding

    return str(fix_encoding(text))
