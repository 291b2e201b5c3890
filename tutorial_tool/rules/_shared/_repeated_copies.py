"""Descriptions that only one copy repeats: for the rule `repeated-description`."""

from __future__ import annotations

from collections.abc import Iterator

from rapidfuzz import fuzz

from tutorial_tool.core import scripts
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.scripts import TELLING_WORDS
from tutorial_tool.markdown.document import Range
from tutorial_tool.variants import Step
from tutorial_tool.variants.persistence import register_persistent
from tutorial_tool.variation.tables import TableCopy, find_copy_groups, get_shared_columns


@register_persistent
def find_repeated_descriptions(step: Step) -> tuple[Finding, ...]:
    return tuple(_iter_repeated_descriptions(step))


def _iter_repeated_descriptions(step: Step) -> Iterator[Finding]:
    """Find texts that one copy has under two settings, where the others have another text for one of them."""
    for copies in find_copy_groups(step):
        for name, copy in copies.items():
            others = [other for id_, other in copies.items() if id_ != name]
            for title in get_shared_columns(copies)[1:]:
                for first, second in _find_repeated_rows(copy, title):
                    yield from _find_copied_description(copy, others, title, first, second)


def _find_repeated_rows(copy: TableCopy, title: str) -> Iterator[tuple[str, str]]:
    """Yield the pairs of rows with the same text in a column."""
    first_keys: dict[str, str] = {}
    for key in copy.keys:
        text = _get_description(copy, key, title)
        if scripts.count_words(text) >= TELLING_WORDS and first_keys.setdefault(text, key) != key:
            yield first_keys[text], key


def _find_copied_description(
    copy: TableCopy, others: list[TableCopy], title: str, first: str, second: str
) -> Iterator[Finding]:
    """Yield a finding for the row of the two whose text is less similar to another copy's."""
    text = _get_description(copy, first, title)
    sibling = next((other for other in others if first in other.keys and second in other.keys), None)
    if sibling is None or _get_description(sibling, first, title) == _get_description(sibling, second, title):
        return
    similarities = {key: fuzz.ratio(text, _get_description(sibling, key, title)) for key in (first, second)}
    wrong, right = sorted(similarities, key=lambda key: similarities[key])
    cells = copy.get_cell(wrong, title), copy.get_cell(right, title), sibling.get_cell(wrong, title)
    if similarities[right] > similarities[wrong] and all(cells):
        place, source, target = (Range(cell.start, cell.end) for cell in cells if cell is not None)
        related = [
            (copy.page, source, f"the text of `{copy.format_key(right)}`"),
            (sibling.page, target, f"how {sibling.variant.name} describes it"),
        ]
        message = f"`{copy.format_key(wrong)}` has the same description as `{copy.format_key(right)}`"
        yield copy.page.flag(place, message, related=related)


def _get_description(copy: TableCopy, key: str, title: str) -> str:
    cell = copy.get_cell(key, title)
    return copy.get_cell_text(cell) if cell is not None else ""
