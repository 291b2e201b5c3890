"""One description under two settings: one of them was pasted and not changed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rapidfuzz import fuzz

from tutorial_tool import variants
from tutorial_tool.align.tables import Copy, groups, shared_columns
from tutorial_tool.config import Config
from tutorial_tool.document import MASK, Range, Table, TableCell
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._tables import column, is_settings, source_text
from tutorial_tool.site import Page, Site
from tutorial_tool.states import folded
from tutorial_tool.traced import plain
from tutorial_tool.variants import Step

_WORDS = 5
"""Words of a description that no two settings share by chance."""
_CLEAR = 15
"""By how much, in percent, a text is more like the description of one setting than of another that has it, too."""
_DESCRIBES = re.compile(r"descri|mean|purpose|expla|what ", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")


@rule("tables", Severity.HINT)
def check(site: Site, config: Config) -> Iterator[Finding]:
    compared = [finding for step in variants.of(site, config.variants) for finding in _across(step)]
    yield from compared
    told = {place for finding in compared for place in (finding.span, finding.related[0].span)}
    for page in site.pages:
        yield from (finding for finding in _on(page) if finding.span not in told)


def _on(page: Page) -> Iterator[Finding]:
    """The texts that stand under two settings of one page."""
    for table in page.document.tables:
        if is_settings(table):
            titles = [cell.text for cell in table.header]
            index = next((i for i, title in enumerate(titles) if i and _DESCRIBES.search(title)), len(titles) - 1)
            yield from _repeated(page, table, index)


def _repeated(page: Page, table: Table, index: int) -> Iterator[Finding]:
    """Texts that two rows have; what three have is a formula (`Optional. The id of the item.`)."""
    text = plain(page.text)
    groups: dict[str, list[tuple[int, TableCell]]] = {}
    for row, cell in column(table, index):
        if len(cell.text.replace(MASK, " ").split()) >= _WORDS:
            groups.setdefault(folded(source_text(text, cell)), []).append((row, cell))
    for rows in groups.values():
        if len(rows) == 2:
            (first, source), (second, copy) = rows
            names = [table.rows[row][0] for row in (first, second)]
            keys = [source_text(text, cell) for cell in names]
            numberless = [_DIGITS.sub("", folded(key)).strip("…. ") for key in keys]
            if numberless[0] != numberless[1] and all(numberless):  # `Property 1`, `Property 2` may be alike
                message = f"{_named(keys[1])} is described with the text of {_named(keys[0])}"
                related = [(page, (source.start, source.end), f"the text of {_named(keys[0])}")]
                yield page.flag((copy.start, copy.end), message, related=related)


def _across(step: Step) -> Iterator[Finding]:
    """The texts under two settings on one copy, where the others describe one of these in another way."""
    for copies in groups(step):
        for name, copy in copies.items():
            others = [other for id_, other in copies.items() if id_ != name]
            for title in shared_columns(copies)[1:]:
                for first, second in _twice(copy, title):
                    yield from _pasted(copy, others, title, first, second)


def _twice(copy: Copy, title: str) -> Iterator[tuple[str, str]]:
    """The pairs of rows that have one text in a column."""
    seen: dict[str, str] = {}
    for key in copy.keys:
        text = _says(copy, key, title)
        if len(text.split()) >= _WORDS and seen.setdefault(text, key) != key:
            yield seen[text], key


def _pasted(copy: Copy, others: list[Copy], title: str, first: str, second: str) -> Iterator[Finding]:
    """A finding at the row of the two whose text is least like what another copy says there."""
    text = _says(copy, first, title)
    beside = next((other for other in others if first in other.keys and second in other.keys), None)
    if beside is None or _says(beside, first, title) == _says(beside, second, title):
        return
    fits = {key: fuzz.ratio(text, _says(beside, key, title)) for key in (first, second)}
    wrong, right = sorted(fits, key=lambda key: fits[key])
    cells = copy.cell(wrong, title), copy.cell(right, title), beside.cell(wrong, title)
    if fits[right] - fits[wrong] >= _CLEAR and all(cells):
        here, source, there = (Range(cell.start, cell.end) for cell in cells if cell is not None)
        related = [
            (copy.page, source, f"the text of `{copy.shown(right)}`"),
            (beside.page, there, f"how {beside.variant.name} describes it"),
        ]
        message = f"`{copy.shown(wrong)}` is described with the text of `{copy.shown(right)}`"
        yield copy.page.flag(here, message, related=related)


def _says(copy: Copy, key: str, title: str) -> str:
    cell = copy.cell(key, title)
    return copy.cell_text(cell) if cell is not None else ""


def _named(key: str) -> str:
    key = key.strip("`*_ ")
    return f"`{key}`"
