"""UTF-8 text that was read in another encoding: `wonâ€™t` for `won’t`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.site import Page

# Mojibake always contains a non-ASCII letter before another, or a control character. Loading ftfy takes 100 ms, so
# lines without either are skipped first.
_SUSPECT = lazy_re.compile("^[^\n]*?(?:[\x80-\u22ff\u25a0-\u25ff][^\x00-\x7f]|[\x80-\x9f])[^\n]*", re.MULTILINE)
_PART = lazy_re.compile("[^\x00-\x7f]+")
_QUOTATION_MARKS = tuple("\"'“”‘’«»")


@rule("text", Severity.ERROR, needs="more-than-ascii")
def check(page: Page) -> Iterator[Finding]:
    lines = [*_SUSPECT.finditer(page.plain)]
    blocks = ((block.start, block.end) for block in page.document.code_blocks) if lines else ()
    codes = sorted((*blocks, *page.document.code_spans)) if lines else []
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
