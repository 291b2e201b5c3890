"""Copies of a settings table that recommend different things for one setting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from tutorial_tool.align import OWN, masked
from tutorial_tool.align.tables import Copy, all_keys, groups, shared_columns, values
from tutorial_tool.align.wording import platform_needs
from tutorial_tool.document import MASK, TableCell
from tutorial_tool.evidence import Findings
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._clashes import Clash, Column, is_apart, is_foreign, weighed
from tutorial_tool.rules._copied_values import (
    goes_on,
    is_mixed,
    is_of_all,
    is_otherwise,
    is_short,
    is_value,
    numeral,
    settled_columns,
    value_columns,
)
from tutorial_tool.rules._copies import each_its_own, intended, is_of_each, judged, lone, meant
from tutorial_tool.states import State, folded, state_of
from tutorial_tool.variants import Step


@rule("tables", Severity.WARNING)
def check(step: Step, found: Findings) -> Iterator[Finding]:
    for copies in groups(step):
        for title in value_columns(copies):
            if title.strip() == OWN:
                continue  # what the platform itself is
            yield from _in_column(step, copies, title, partial(_meaning, step.model.states), found)
            yield from _among_choices(step, copies, title, found)
        for title in settled_columns(copies):
            yield from _in_column(step, copies, title, _literal, found)


def _in_column(
    step: Step, copies: Mapping[str, Copy], title: str, read: Callable[[Copy, TableCell], str | None], found: Findings
) -> Iterator[Finding]:
    rows = {key: values(copies, key, title) for key in all_keys(copies)}
    column = Column(copies, rows)
    all_said = {
        key: {name: text for name, cell in row.items() if (text := read(copies[name], cell)) is not None}
        for key, row in rows.items()
    }
    some_own = any(map(each_its_own, all_said.values()))
    for key, row in rows.items():
        said = all_said[key]
        if some_own and len(said) == 2 and len(row) < len(copies):
            continue  # as each has its own value in another row, the two that have this one do, too
        if is_mixed(row.values(), step.model.states):
            said = _comparable(row, said, step.model.states)
        elif len(said) < len(row):
            continue
        if len(set(said.values())) < 2 or (read is _literal and not _is_comparable(copies, title, said)):
            continue
        if finding := _conflict(step, column, row, said, key, found):
            yield finding


def _among_choices(step: Step, copies: Mapping[str, Copy], title: str, found: Findings) -> Iterator[Finding]:
    """The code that one copy alone has as a value, where its row lists that among the choices: `debug` for `info`."""
    rows = {key: values(copies, key, title) for key in all_keys(copies)}
    column = Column(copies, rows)
    for key, row in rows.items():
        said = {name: text for name, cell in row.items() if (text := _literal(copies[name], cell)) is not None}
        name, others = lone(said) if len(said) == len(row) else ("", ())
        if name and all(_meaning(step.model.states, copies[one], cell) is None for one, cell in row.items()):
            beside = [
                copies[others[0]].typed(cell) for cell in copies[others[0]].table.rows[copies[others[0]].keys[key]]
            ]
            if all(any(f"`{said[one]}`" in folded(text) for text in beside) for one in (name, others[0])):
                yield from filter(None, [_conflict(step, column, row, said, key, found)])


def _is_comparable(copies: Mapping[str, Copy], title: str, said: Mapping[str, str]) -> bool:
    """Whether one copy has another literal of those that all have, as types of several languages are not."""
    if len(said) == 2:
        (one, mine), (two, theirs) = said.items()
        pairs = ((mine, theirs, two), (theirs, mine, one))
        return len(copies) == 2 and all(is_of_all(copies, title, *pair) for pair in pairs)
    counts = Counter(said.values())
    odd = [name for name in said if counts[said[name]] == 1]
    usual = next((name for name in said if counts[said[name]] > 1), "")
    return len(odd) == 1 and bool(usual) and is_of_all(copies, title, said[odd[0]], said[usual], usual)


def _conflict(
    step: Step,
    column: Column,
    row: Mapping[str, TableCell],
    texts: Mapping[str, str],
    key: str,
    found: Findings,
) -> Finding | None:
    """What is found where the cells of a row, some of which say `texts`, conflict."""
    copies = column.copies
    counts = Counter(texts.values())
    if each_its_own(texts) or (len(counts) > 2 and 2 * max(counts.values()) <= len(texts)):
        return None  # that two agree is no sign, where others do not
    verdict = judged(step, texts, {name: (row[name].start, row[name].end) for name in texts}, found)
    name, other = verdict.odd[0], verdict.usual[0]
    if verdict.tie and _row(copies[name], key, row[name]) != _row(copies[other], key, row[other]):
        return None  # two copies that describe it in two ways: two settings of one name
    mine, theirs = (_described(copies[id_], key) for id_ in (name, other))
    if not verdict.strong and mine != theirs and (verdict.tie or platform_needs(step, (name, mine), (other, theirs))):
        return None  # a value with a reason of its own
    if not verdict.decided and goes_on(mine, theirs):
        return None  # what follows gives the reason
    clash = Clash(step, column, key, row, texts, verdict)
    places = {id_: clash.place(id_) for id_ in texts}
    if intended(step, step.pages[name], places[name]) or meant(step, places) or is_of_each(step, places):
        return None
    if is_apart(clash):
        return clash.undecided() if clash.is_of_three and not is_foreign(clash) else None
    finding = weighed(clash)
    is_explained = is_otherwise(mine, theirs) and not verdict.strong
    is_hint = is_explained or _tells_what_works(column.copies, step.model.states)
    return replace(finding, severity=Severity.HINT) if finding and is_hint else finding


def _tells_what_works(copies: Mapping[str, Copy], words: Mapping[str, State]) -> bool:
    """Whether tables have several columns of states and nothing else: what each platform can do, and no settings."""
    titles = shared_columns(copies)[1:]
    columns = ([copy.cell(key, title) for copy in copies.values() for key in copy.keys] for title in titles)
    return sum(all(cell and state_of(cell.text, words) for cell in cells) for cells in columns) > 1


def _row(copy: Copy, key: str, without: TableCell) -> list[str]:
    """What a row says beside a cell."""
    return [copy.cell_text(cell) for cell in copy.table.rows[copy.keys[key]] if cell is not without]


def _described(copy: Copy, key: str) -> str:
    """What a row says in more words than a value has, the platform's name masked."""
    texts = (masked(cell.text, copy.variant) for cell in copy.table.rows[copy.keys[key]])
    return " ".join(folded(text) for text in texts if not is_short(text))


def _comparable(row: Mapping[str, TableCell], said: Mapping[str, str], words: Mapping[str, State]) -> dict[str, str]:
    """What cells say that tell a state or number in known words, beside others that do not: it may conflict, too."""
    known = {name: state for name, cell in row.items() if (state := state_of(cell.text, words))}
    if known:
        return {name: str(state.on) for name, state in known.items()}
    return {name: text for name, text in said.items() if text[0].isdigit()}


def _literal(copy: Copy, cell: TableCell) -> str | None:
    """What is typed in a cell, code included; None where it is the platform's own."""
    text = folded(copy.typed(cell))
    return text if text and OWN not in copy.cell_text(cell) and "](" not in text else None


def _meaning(words: Mapping[str, State], copy: Copy, cell: TableCell) -> str | None:
    """What a value says: words for one state or number are equal; None where it is no value, a link, or the platform's
    own."""
    text = copy.cell_text(cell)
    if text == MASK and is_value(typed := copy.typed(cell)):
        text = typed.lower()
    if state := words.get(text):
        return f"state {state.on}"
    if not text or MASK in text or OWN in text or not is_short(text) or "](" in copy.typed(cell):
        return None
    return numeral(text)
