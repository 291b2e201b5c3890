"""Report a paragraph or list item that is repeated directly after itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.ast import Block, Inline
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, PageFix

_NAMES = {"paragraph": "paragraph", "item": "list item"}
_STAND_IN = lazy_re.compile(r"\blorem ipsum\b", re.IGNORECASE)  # Another rule reports it
_MARKER = lazy_re.compile(r"[ \t>]*(?:[-*+]|\d+[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")


@rule("text", Severity.WARNING)
def check(page: Page) -> Iterator[Finding]:
    parents = [block for block, _ in page.document.walk() if len(block.children) > 1]
    counts = Counter(len(block.children) for block in parents if block.info == "ordered")
    yield from _report_repeated(page, page.document.blocks)
    for block in parents:
        if block.info != "ordered" or counts[len(block.children)] < 2:  # equally long lists may be of the same things
            yield from _report_repeated(page, block.children)


def _report_repeated(page: Page, blocks: Sequence[Block]) -> Iterator[Finding]:
    row: list[Block] = []
    for first, second in pairwise(blocks):
        if _is_repeated(page.plain, first, second):
            row = [*(row or [first]), second]
        elif row:
            yield _build_finding(page, row)
            row = []
    if row:
        yield _build_finding(page, row)


def _is_repeated(text: str, first: Block, second: Block) -> bool:
    if first.kind != second.kind or first.kind not in _NAMES:
        return False
    typed = _get_typed_text(text, first)
    return (
        typed == _get_typed_text(text, second)
        and _count_letters(second) >= scripts.DISTINCTIVE
        and not _STAND_IN.search(typed)
    )


def _get_typed_text(text: str, block: Block) -> str:
    """Return the source text of a block, without an item's marker."""
    marker = _MARKER.match(text, block.start, block.end) if block.kind == "item" else None
    return " ".join(text[marker.end() if marker else block.start : block.end].split())


def _count_letters(block: Block) -> int:
    """Count the letters in a block's words, except in code, URLs and images."""
    return sum(map(_count_inline_letters, block.inlines)) + sum(map(_count_letters, block.children))


def _count_inline_letters(node: Inline) -> int:
    if node.kind == "text":
        return sum(map(str.isalpha, node.text))
    return sum(map(_count_inline_letters, node.children)) if node.kind in ("emphasis", "link") else 0


def _build_finding(page: Page, row: list[Block]) -> Finding:
    """Build a finding at the second of several identical blocks."""
    first, second, *others = row
    name = _NAMES[second.kind]
    title = f"delete the others of this {name}" if others else f"delete the second {name}"
    fix = PageFix(title, ((first.end, row[-1].end, ""),), safe=False)
    related = [(page, _get_span(page.plain, first), "the first")]
    times = f" ({len(row)} in a row)" if others else ""
    return page.flag(_get_span(page.plain, second), f"repeated {name}{times}", fix=fix, related=related)


def _get_span(text: str, block: Block) -> tuple[int, int]:
    """Return the span of a block without the surrounding whitespace."""
    whole = text[block.start : block.end]
    return block.start + len(whole) - len(whole.lstrip()), block.start + len(whole.rstrip())
