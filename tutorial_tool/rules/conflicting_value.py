"""Copies of a settings table that recommend different things for one setting."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from tutorial_tool import lazy_re
from tutorial_tool.align import OWN
from tutorial_tool.align.tables import Copy, all_keys, cells, groups
from tutorial_tool.document import MASK, TableCell
from tutorial_tool.evidence import Findings
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._copied_values import is_mixed, is_short, value_columns
from tutorial_tool.rules._copies import each_its_own, intended, judged, meant, named, reasoned
from tutorial_tool.states import states
from tutorial_tool.variants import Step

_LITERAL = lazy_re.compile(r"[-+]?\d[\d.,_]*\s?(?:%|[a-z]{1,3})?|true|false|on|off|yes|no", re.IGNORECASE)
"""Code that is a value: a number, with its unit, or a state."""


@rule("tables", Severity.WARNING)
def check(step: Step, found: Findings) -> Iterator[Finding]:
    for copies in groups(step):
        for title in value_columns(copies):
            rows = {key: cells(copies, key, title) for key in all_keys(copies)}
            of_each = _is_of_each(copies, rows.values())
            for key, row in rows.items():
                if len(row) > 1 and (finding := _conflict(step, copies, row, key, found)):
                    yield replace(finding, severity=Severity.HINT) if of_each else finding


def _is_of_each(copies: Mapping[str, Copy], rows: Iterable[Mapping[str, TableCell]]) -> bool:
    """Whether a table tells what each of several platforms has: half of the rows that all share differ."""
    shared = [row for row in rows if len(row) == len(copies)]
    differing = [row for row in shared if len({_meaning(copies[name], cell) for name, cell in row.items()}) > 1]
    return len(copies) > 2 and 2 * len(differing) >= len(shared) > 2


def _conflict(
    step: Step, copies: Mapping[str, Copy], row: Mapping[str, TableCell], key: str, found: Findings
) -> Finding | None:
    said = {name: _meaning(copies[name], cell) for name, cell in row.items()}
    texts = {name: text for name, text in said.items() if text is not None}
    if len(set(texts.values())) < 2 or len(texts) < len(said) or is_mixed(row.values()) or each_its_own(texts):
        return None
    verdict = judged(step, texts, {name: (row[name].start, row[name].end) for name in texts}, found)
    name, other = verdict.odd[0], verdict.usual[0]
    if verdict.tie and _row(copies[name], key, row[name]) != _row(copies[other], key, row[other]):
        return None  # two copies that describe it in two ways: two settings of one name
    if not verdict.strong and _described(copies[name], key) != _described(copies[other], key):
        return None  # a value with a reason of its own
    page, cell = step.pages[name], row[name]
    places = {id_: (there.start, there.end) for id_, there in row.items()}
    if intended(step, page, (cell.start, cell.end)) or meant(step, places):
        return None
    shown = {id_: f"`{copies[id_].typed(there)}`" for id_, there in row.items()}
    agreeing = named(step, verdict.agreeing(texts, other))
    reason = reasoned(step, page, (cell.start, cell.end), verdict)
    message = f"`{copies[name].shown(key)}` is {shown[name]} here and {shown[other]} on {agreeing}{reason}"
    related = [
        (step.pages[id_], places[id_], f"{shown[id_]} on {step.variants[id_].name}")
        for id_ in (*verdict.odd[1:], *verdict.usual[:1])
    ]
    return page.flag((cell.start, cell.end), message, related=related)


def _row(copy: Copy, key: str, without: TableCell) -> list[str]:
    """What a row says beside a cell."""
    return [copy.cell_text(cell) for cell in copy.table.rows[copy.keys[key]] if cell is not without]


def _described(copy: Copy, key: str) -> list[str]:
    """What a row says in more words than a value has."""
    texts = map(copy.cell_text, copy.table.rows[copy.keys[key]])
    return [text for text in texts if not is_short(text)]


def _meaning(copy: Copy, cell: TableCell) -> str | None:
    """What a value says: words for one state are equal; None where it is no value, a link, or the platform's own."""
    text = copy.cell_text(cell)
    if text == MASK and _LITERAL.fullmatch(typed := copy.typed(cell)):
        text = typed.lower()
    if state := states().get(text):
        return f"state {state.group} {state.on}"
    if not text or MASK in text or OWN in text or not is_short(text) or "](" in copy.typed(cell):
        return None
    return text
