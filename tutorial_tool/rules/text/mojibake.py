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
    codes: list[tuple[int, int]] | None = None
    for line in _SUSPECT.finditer(page.plain):
        for start, end, good in _find_damage(line[0]):
            if line[0][max(start - 1, 0) : start] in _QUOTATION_MARKS and line[0][end : end + 1] in _QUOTATION_MARKS:
                continue  # an example of mojibake
            if codes is None:
                blocks = ((block.start, block.end) for block in page.document.code_blocks)
                codes = sorted((*blocks, *page.document.code_spans))
            index = bisect_right(codes, (line.start() + start, len(page.plain))) - 1
            if index >= 0 and line.start() + start < codes[index][1]:
                continue  # code is literal
            message = f"`{line[0][start:end]}` should read `{good}`"
            yield page.flag((line.start() + start, line.start() + end), message, replace=good)


@lru_cache(4096)
def _find_damage(line: str) -> tuple[tuple[int, int, str], ...]:
    """Return the start and end of each damaged part of a line, and its correct text."""
    from ftfy import fix_encoding

    if fix_encoding(line) == line:
        return ()
    parts = ((*match.span(), fix_encoding(match[0])) for match in _PART.finditer(line))
    return tuple(part for part in parts if part[2] != line[slice(*part[:2])])
