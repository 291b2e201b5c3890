"""White space at the end of lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.parser import Block
from tutorial_tool.rules import rule
from tutorial_tool.site import Page

_TRAILING = lazy_re.compile(r"(?<![ \t])[ \t]+$", re.MULTILINE)
_VERBATIM = frozenset(("code", "html", "esm"))


@rule("text", Severity.OFF)
def check(page: Page) -> Iterator[Finding]:
    text = page.plain
    leaves: list[Block] | None = None
    for match in _TRAILING.finditer(text, page.document.body_start):
        leaves = [b for b, _ in page.document.walk() if not b.children] if leaves is None else leaves
        block = _find_block(leaves, match.start())
        if block is not None and block.kind in _VERBATIM:
            continue
        width = 2 if block is not None and _is_line_break(block, match, text) else 0
        if len(match[0]) > width:
            yield page.flag((match.start() + width, match.end()), "trailing whitespace", replace="")


def _is_line_break(block: Block, match: re.Match[str], text: str) -> bool:
    """Return whether the spaces are a line break: at least two, and the paragraph continues."""
    extends = match.end() < block.end and not text[match.end() : block.end].isspace()
    return block.kind == "paragraph" and extends and match[0].startswith("  ")


def _find_block(blocks: list[Block], offset: int) -> Block | None:
    index = bisect_right(blocks, offset, key=lambda block: block.start) - 1
    return blocks[index] if index >= 0 and offset < blocks[index].end else None
