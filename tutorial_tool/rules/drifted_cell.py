"""A description in a table that differs from that of the other copies for no reason of its platform."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tutorial_tool import unspaced
from tutorial_tool.align import masked
from tutorial_tool.align.tables import Copy, all_keys, cells, groups, is_pasted, shared_columns
from tutorial_tool.align.wording import differing, plain_words, platform_needs
from tutorial_tool.document import TableCell
from tutorial_tool.evidence import Findings
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._copies import each_its_own, intended, is_one, judged, meant, named, quoted, reasoned, told
from tutorial_tool.variants import Step

_WORDS = 4
"""Words of a description, at least; fewer are a value."""


@rule("tables", Severity.HINT)
def check(step: Step, found: Findings) -> Iterator[Finding]:
    for copies in groups(step):
        titles = shared_columns(copies)
        for key in all_keys(copies):
            for title in titles:
                row = cells(copies, key, title)
                if len(row) > 1 and (finding := _drift(step, copies, row, found)):
                    yield finding


def _drift(step: Step, copies: Mapping[str, Copy], row: Mapping[str, TableCell], found: Findings) -> Finding | None:
    texts = {name: plain_words(masked(cell.text, step.variants[name])) for name, cell in row.items()}
    are_keys = all(cell in (line[0] for line in copies[name].table.rows) for name, cell in row.items())
    if len(set(texts.values())) < 2 or (not are_keys and min(map(unspaced.count, texts.values())) < _WORDS):
        return None
    if each_its_own(texts):
        return None
    places = {name: (cell.start, cell.end) for name, cell in row.items()}
    verdict = judged(step, texts, places, found)
    name, other = verdict.odd[0], verdict.usual[0]
    agreed = len(verdict.agreeing(texts, other)) > 1
    if (verdict.tie and len(row) > 3) or not _is_drift(step, copies[name], row, name, other, agreed=agreed):
        return None
    if intended(step, step.pages[name], places[name]) or meant(step, places) or is_one(step, places, name, other):
        return None
    mine, theirs = ((id_, copies[id_].unit(row[id_])) for id_ in (name, other))
    if told(step, mine, theirs, found):
        return None
    text = quoted(row[other].text, row[name].text)
    what = "this row is called" if are_keys else f"`{_key(copies[name], row[name])}` is described in other words:"
    why = reasoned(step, step.pages[name], places[name], verdict)
    message = f"{what} {text} on {named(step, verdict.agreeing(texts, other))}{why}"
    related = [(step.pages[other], places[other], f"the description on {step.variants[other].name}")]
    related += [(step.pages[id_], places[id_], "differs, too") for id_ in verdict.odd[1:]]
    severity = Severity.WARNING if verdict.strong else None
    return step.pages[name].flag(places[name], message, related=related, severity=severity)


def _is_drift(step: Step, copy: Copy, row: Mapping[str, TableCell], name: str, other: str, *, agreed: bool) -> bool:
    """Whether two descriptions differ for no reason of a platform; a pasted one is `repeated-description`'s."""
    mine, theirs = (masked(row[id_].text, step.variants[id_]) for id_ in (name, other))
    needs = platform_needs(step, (name, mine), (other, theirs), agreed=agreed)
    return not needs and bool(differing(mine, theirs)) and not is_pasted(copy, row[name])


def _key(copy: Copy, cell: TableCell) -> str:
    return next(copy.shown(key) for key, number in copy.keys.items() if cell in copy.table.rows[number])
