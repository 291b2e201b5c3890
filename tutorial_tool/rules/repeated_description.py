"""One description under two settings: one of them was pasted and not changed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutorial_tool import gist, lazy_re, variants
from tutorial_tool.config import Config
from tutorial_tool.document import MASK, Table, TableCell
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._tables import DESCRIBING, column, is_settings, source_text
from tutorial_tool.site import Page, Site
from tutorial_tool.states import folded

_DESCRIBES = lazy_re.compile(r"descri|mean|purpose|expla|what ", re.IGNORECASE)
_DIGITS = lazy_re.compile(r"\d+")


@rule("tables", Severity.HINT, needs="tables")
def check(site: Site, config: Config) -> Iterator[Finding]:
    compared: list[Finding] = []
    if steps := variants.of(site, config.variants):
        from tutorial_tool.rules import _repeated_copies  # what compares copies is slow to load

        compared = [finding for step in steps for finding in variants.kept(step, _repeated_copies.compared)]
    yield from compared
    told = {place for finding in compared for place in (finding.span, finding.related[0].span)}
    for page in site.pages:
        yield from (finding for finding in page.kept(_on) if finding.span not in told)


@gist.of_each
def _on(page: Page) -> tuple[Finding, ...]:
    """The texts that stand under two settings of one page."""
    return tuple(_in_tables(page))


def _in_tables(page: Page) -> Iterator[Finding]:
    for table in page.document.tables:
        if is_settings(table):
            titles = [cell.text for cell in table.header]
            index = next((i for i, title in enumerate(titles) if i and _DESCRIBES.search(title)), len(titles) - 1)
            yield from _repeated(page, table, index)


def _repeated(page: Page, table: Table, index: int) -> Iterator[Finding]:
    """Texts that two rows have; what three have is a formula (`Optional. The id of the item.`)."""
    text = page.plain
    groups: dict[str, list[tuple[int, TableCell]]] = {}
    for row, cell in column(table, index):
        if len(cell.text.replace(MASK, " ").split()) >= DESCRIBING:
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


def _named(key: str) -> str:
    key = key.strip("`*_ ")
    return f"`{key}`"
