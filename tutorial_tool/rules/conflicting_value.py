"""Copies of a settings table that recommend different things for one setting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tutorial_tool.align import OWN
from tutorial_tool.align.tables import Copy, groups
from tutorial_tool.document import MASK, TableCell
from tutorial_tool.evidence import Findings
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._copied_values import SHORT, is_mixed, value_columns
from tutorial_tool.rules._copies import intended, judged, meant, named, reasoned
from tutorial_tool.states import states
from tutorial_tool.variants import Step


@rule("tables", Severity.WARNING)
def check(step: Step, found: Findings) -> Iterator[Finding]:
    for copies in groups(step):
        for title in value_columns(copies):
            for key in dict.fromkeys(key for copy in copies.values() for key in copy.keys):
                cells = {
                    name: cell
                    for name, copy in copies.items()
                    if key in copy.keys and (cell := copy.cell(key, title)) is not None
                }
                if len(cells) > 1 and (finding := _conflict(step, copies, cells, key, found)):
                    yield finding


def _conflict(
    step: Step, copies: Mapping[str, Copy], cells: Mapping[str, TableCell], key: str, found: Findings
) -> Finding | None:
    said = {name: _meaning(copies[name], cell) for name, cell in cells.items()}
    texts = {name: text for name, text in said.items() if text is not None}
    if len(set(texts.values())) < 2 or len(texts) < len(said) or is_mixed(cells.values()):
        return None
    verdict = judged(step, texts, {name: (cells[name].start, cells[name].end) for name in texts}, found)
    name, other = verdict.odd[0], verdict.usual[0]
    if verdict.tie and _row(copies[name], key, cells[name]) != _row(copies[other], key, cells[other]):
        return None  # two copies that describe it in two ways: two settings of one name
    page, cell = step.pages[name], cells[name]
    places = {id_: (there.start, there.end) for id_, there in cells.items()}
    if intended(step, page, (cell.start, cell.end)) or meant(step, places):
        return None
    reason = reasoned(step, page, (cell.start, cell.end), verdict)
    message = (
        f"`{copies[name].shown(key)}` is `{cell.text.strip()}` here and `{cells[other].text.strip()}` on "
        f"{named(step, verdict.usual)}{reason}"
    )
    related = [
        (
            step.pages[id_],
            (cells[id_].start, cells[id_].end),
            f"`{cells[id_].text.strip()}` on {step.variants[id_].name}",
        )
        for id_ in (*verdict.odd[1:], *verdict.usual[:1])
    ]
    return page.flag((cell.start, cell.end), message, related=related)


def _row(copy: Copy, key: str, without: TableCell) -> list[str]:
    """What a row says beside a cell."""
    return [copy.cell_text(cell) for cell in copy.table.rows[copy.keys[key]] if cell is not without]


def _meaning(copy: Copy, cell: TableCell) -> str | None:
    """What a value says: words for one state are equal; None where it is no value, or the platform's own."""
    text = copy.cell_text(cell)
    if state := states().get(text):
        return f"state {state.group} {state.on}"
    if not text or MASK in text or OWN in text or len(text.split()) > SHORT:
        return None
    return text
