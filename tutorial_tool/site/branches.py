"""Find list items whose numbers are right if all branches of a template are shown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import Span, find_line_start

if TYPE_CHECKING:
    from tutorial_tool.site import Page

_ITEM = lazy_re.compile(r"^(?P<before>[ \t>]*)(?P<number>\d{1,3})[.)][ \t]", re.MULTILINE)


def find_conditional_items(page: Page) -> frozenset[int]:
    """Return the offsets of items that follow too small a number because a branch between them is hidden."""
    matches = set[int]()
    last_by_indent: dict[str, int] = {}
    for item in _ITEM.finditer(page.plain):
        number, indent = int(item["number"]), item["before"]
        previous = last_by_indent.get(indent, 0)
        last_by_indent = {outer: above for outer, above in last_by_indent.items() if len(outer) < len(indent)}
        last_by_indent[indent] = number
        if number > previous + 1:
            span, exact = page.get_source_span(*item.span("number"))
            if exact and "{%" in span.source.text and _has_all_predecessors(span, number):
                matches.add(item.start("number"))
    return frozenset(matches)


def _has_all_predecessors(item: Span, number: int) -> bool:
    """Return whether all smaller numbers precede an item in its template's list, with a tag among them."""
    text, start = item.source.text, find_line_start(item.source.text, item.start)
    indent = text[start : item.start]
    missing, has_tag = set(range(1, number)), False
    for line in reversed(text[:start].splitlines()):
        has_tag |= "{%" in line
        above = _ITEM.match(line)
        if above and above["before"] == indent:
            missing.discard(int(above["number"]))
        elif line.strip() and not line.lstrip().startswith("{%") and not line.startswith(f"{indent} "):
            break
        if not missing:
            return has_tag
    return False
