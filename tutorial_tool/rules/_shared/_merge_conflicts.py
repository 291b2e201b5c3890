"""What git left of a merge conflict in the text of a page: for `unparsed-markup`."""

from __future__ import annotations

from tutorial_tool.core import merge_markers
from tutorial_tool.core.merge_markers import Mark
from tutorial_tool.site import Page, page_facts


@page_facts.of_each
def of_page(page: Page) -> tuple[Mark, ...]:
    """The conflicts of a page, outside of code, where they may be shown as such."""
    text = page.plain
    marks = list(merge_markers.found(text))
    if not marks:
        return ()
    front = page.document.front_matter
    body = front.body if front else 0  # what stands in it is told with its other mistakes
    shown = [
        (block.start, block.end)
        for block, _ in page.document.walk()
        if block.kind in ("code", "esm") or (block.kind == "html" and text.startswith("<pre", block.start))
    ]
    return tuple(
        mark for mark in marks if mark.start >= body and not any(start <= mark.start < end for start, end in shown)
    )
