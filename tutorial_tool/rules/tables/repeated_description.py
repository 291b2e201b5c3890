"""One description under two settings: one of them was pasted and not changed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutorial_tool import variants
from tutorial_tool.config.settings import Config
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.data.toggle_words import normalize_text
from tutorial_tool.markdown.document import MASK, Table, TableCell
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared import _tables_of_copies
from tutorial_tool.rules._shared._tables import DESCRIBING, get_source_text, is_settings, iter_column
from tutorial_tool.site import Page, Site, page_facts
from tutorial_tool.site.fact_index import collect_facts

_DESCRIBES = lazy_re.compile(r"descri|mean|purpose|expla|what ", re.IGNORECASE)
_PAIRS = tuple(
    frozenset(pair.split("/"))
    for pair in (
        "source/destination source/target src/dst from/to read/write reads/writes in/out input/output inbound/outbound"
        " ingress/egress incoming/outgoing upload/download min/max minimum/maximum left/right top/bottom width/height"
        " start/end begin/end first/last before/after open/close request/response client/server local/remote rx/tx"
        " public/private primary/secondary row/column rows/columns horizontal/vertical x/y latitude/longitude lat/lng"
        " soft/hard http/https ipv4/ipv6 v4/v6 tcp/udp include/exclude allow/deny enable/disable enabled/disabled"
        " show/hide encrypt/decrypt sent/received send/receive ascending/descending up/down old/new parent/child"
    ).split()
)
"""Opposites: both may have the same description."""
_TOKENS = lazy_re.compile(r"(?:[Ii][Pp])?[Vv][46]|[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_DIGITS = lazy_re.compile(r"\d+")


@rule("tables", Severity.HINT, needs="tables")
def check(site: Site, config: Config) -> Iterator[Finding]:
    compared: list[Finding] = []
    if steps := variants.find_steps(site, config.variants):
        from tutorial_tool.rules._shared import _repeated_copies  # comparing copies is slow to load

        requested = filter(_tables_of_copies.has_repeated_description, steps)
        compared = [
            finding
            for step in requested
            for finding in variants.get_cached(step, _repeated_copies.find_repeated_descriptions)
        ]
    yield from compared
    spans = {place for finding in compared for place in (finding.span, finding.related[0].span)}
    for findings in collect_facts(site, _find_on_page).values():
        yield from (finding for finding in findings if finding.span not in spans)


@page_facts.register
def _find_on_page(page: Page) -> tuple[Finding, ...]:
    """Find the texts that two settings of one page share."""
    return tuple(_find_in_tables(page))


def _find_in_tables(page: Page) -> Iterator[Finding]:
    for table in page.document.tables:
        if is_settings(table):
            titles = [cell.text for cell in table.header]
            index = next((i for i, title in enumerate(titles) if i and _DESCRIBES.search(title)), len(titles) - 1)
            yield from _report_repeated(page, table, index)


def _report_repeated(page: Page, table: Table, index: int) -> Iterator[Finding]:
    """Report texts that two rows share; three or more make a formula (`Optional. The id of the item.`)."""
    text = page.plain
    groups: dict[str, list[tuple[int, TableCell]]] = {}
    for row, cell in iter_column(table, index):
        if len(cell.text.replace(MASK, " ").split()) >= DESCRIBING:
            groups.setdefault(normalize_text(get_source_text(text, cell)), []).append((row, cell))
    for rows in groups.values():
        if len(rows) == 2:
            (first, source), (second, copy) = rows
            names = [table.rows[row][0] for row in (first, second)]
            keys = [get_source_text(text, cell) for cell in names]
            numberless = [_DIGITS.sub("", normalize_text(key)).strip("…. ") for key in keys]
            if numberless[0] != numberless[1] and all(numberless) and not _are_sides(*keys):
                # `Property 1`, `Property 2` may be alike
                message = f"{_format_key(keys[1])} has the same description as {_format_key(keys[0])}"
                related = [(page, (source.start, source.end), f"the text of {_format_key(keys[0])}")]
                yield page.flag((copy.start, copy.end), message, related=related)


def _are_sides(first: str, second: str) -> bool:
    """Return whether two keys are counterparts, such as `source_port` and `destination_port`.

    Also if they have the same words in another order, or are one field of two objects: `retries.attempts`,
    `startup.attempts`.
    """
    fields = {key.strip("`*_ ").rpartition(".")[2] for key in (first, second)}
    left, right = ({part.lower() for part in _TOKENS.findall(key)} for key in (first, second))
    return (
        len(fields) == 1
        or left == right
        or any(len(pair & (left - right)) == 1 == len(pair & (right - left)) for pair in _PAIRS)
    )


def _format_key(key: str) -> str:
    key = key.strip("`*_ ")
    return f"`{key}`"
