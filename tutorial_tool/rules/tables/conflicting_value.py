"""Copies of a settings table that recommend different things for one setting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.data.toggle_words import State, folded, state_of
from tutorial_tool.markdown.document import MASK, TableCell
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._copies import (
    each_its_own,
    intended,
    is_of_each,
    judged,
    lone,
    meant,
    named,
)
from tutorial_tool.rules._shared._stray_values import stray, stray_values
from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.rules.tables._clashes import Clash, Column, is_apart, is_foreign, weighed
from tutorial_tool.rules.tables._code_in_cells import OddCode, odd_values
from tutorial_tool.rules.tables._empty_cells import empty_cell, empty_cells
from tutorial_tool.rules.tables._swapped_cells import Swapped, swapped
from tutorial_tool.variants import Step
from tutorial_tool.variation import OWN, masked
from tutorial_tool.variation.copied_values import (
    goes_on,
    is_mixed,
    is_of_all,
    is_otherwise,
    is_short,
    is_value,
    numeral,
    settled_columns,
    tell_other_units,
    value_columns,
)
from tutorial_tool.variation.tables import Copy, all_keys, groups, shared_columns, values
from tutorial_tool.variation.wording import other_units, platform_needs

_SEVERAL = 2
_MANY = 3
"""Rows in which a copy has numbers of its own, at least, where it is hardly a slip."""
_Rows = Mapping[str, Mapping[str, TableCell]]
"""The cells of a column, by the keys of their rows."""


@rule("tables", Severity.WARNING)
def check(step: Step, found: Findings) -> Iterator[Finding]:
    for copies in groups(step):
        swaps = [swap for swap in swapped(copies) if not _is_meant(step, swap)]
        yield from (_swap(step, copies, swap) for swap in swaps)
        conflicts = list(
            _in_columns(step, copies, {(title, swap.key) for swap in swaps for title in swap.titles}, found)
        )
        yield from conflicts
        yield from (empty_cell(step, copies, each) for each in empty_cells(step, copies) if each.is_value)
        odd = (_odd(step, copies, each) for each in odd_values(step, copies))
        yield from (each for each in odd if not any(each.span.overlaps(other.span) for other in conflicts))
    yield from (stray(step, each) for each in stray_values(step, "cell"))


def _in_columns(
    step: Step, copies: Mapping[str, Copy], told: Collection[tuple[str, str]], found: Findings
) -> Iterator[Finding]:
    """What is found in each column by itself, but for the cells that are `told`, by title and key."""
    for title in value_columns(copies):
        if title.strip() == OWN:
            continue  # what the platform itself is
        rows = {key: values(copies, key, title) for key in all_keys(copies) if (title, key) not in told}
        yield from _in_column(step, copies, rows, title, partial(_meaning, step.model.states), found)
        yield from _among_choices(step, copies, rows, found)
    for title in settled_columns(copies):
        rows = {key: values(copies, key, title) for key in all_keys(copies) if (title, key) not in told}
        yield from _in_column(step, copies, rows, title, _literal, found)


def _is_meant(step: Step, swap: Swapped) -> bool:
    """Whether the data says a row that is the other way round, and why."""
    places = [{swap.name: (mine.start, mine.end)} for mine in swap.cells]
    return any(intended(step, step.pages[swap.name], place[swap.name]) or meant(step, place) for place in places)


def _swap(step: Step, copies: Mapping[str, Copy], swap: Swapped) -> Finding:
    first, second = swap.cells
    copy, there = copies[swap.name], swap.others[0]
    titles = [copy.table.header[copy.columns.index(title)].text.strip() for title in swap.titles]
    message = f"`{titles[0]}` and `{titles[1]}` of `{copy.shown(swap.key)}` are the other way round than on "
    message += named(step, swap.others)
    place = min(first.start, second.start), max(first.end, second.end)
    related = [
        (step.pages[there], (swap.there[0].start, swap.there[0].end), f"`{copies[there].typed(swap.there[0])}` here")
    ]
    severity = Severity.HINT if _tells_what_works(copies, step.model.states) else None
    return step.pages[swap.name].flag(place, message, related=related, severity=severity)


def _odd(step: Step, copies: Mapping[str, Copy], odd: OddCode) -> Finding:
    row = {id_: copies[id_].cell(odd.key, odd.title) for id_ in (odd.name, odd.others[0])}
    mine, theirs = ((cell.start, cell.end) if cell else (0, 0) for cell in row.values())
    message = f"`{copies[odd.name].shown(odd.key)}` is `{odd.text}` here and `{odd.usual}` on {named(step, odd.others)}"
    related = [(step.pages[odd.others[0]], theirs, f"`{odd.usual}` here")]
    return step.pages[odd.name].flag(mine, message, related=related, severity=Severity.HINT)


def _in_column(
    step: Step,
    copies: Mapping[str, Copy],
    rows: _Rows,
    title: str,
    read: Callable[[Copy, TableCell], str | None],
    found: Findings,
) -> Iterator[Finding]:
    column = Column(copies, rows)
    all_said = {
        key: {name: text for name, cell in row.items() if (text := read(copies[name], cell)) is not None}
        for key, row in rows.items()
    }
    some_own = any(map(each_its_own, all_said.values()))
    conflicts = []
    for key, row in rows.items():
        said = all_said[key]
        if some_own and len(said) == 2 and len(row) < len(copies):
            continue  # as each has its own value in another row, the two that have this one do, too
        if is_mixed(row.values(), step.model.states):
            said = _comparable(row, said, step.model.states)
        elif len(said) < len(row):
            continue
        if len(set(said.values())) < 2 or (
            read is _literal and not (_is_comparable(copies, title, said) or _has_another_unit(copies, key, row, said))
        ):
            continue
        if finding := _conflict(step, column, row, said, key, found):
            conflicts.append(finding)
    yield from _less_sure(conflicts, len(rows))


def _less_sure(conflicts: Sequence[Finding], rows: int) -> Iterator[Finding]:
    """The conflicts of a column, as hints where one copy has other numbers than all others in many of the rows: they
    are rather its own defaults."""
    numbers = Counter(one.span.source for one in conflicts if one.span.text.strip("`*_ ")[:1].isdigit())
    for one in conflicts:
        is_own = numbers[one.span.source] >= max(_MANY, rows / 3) and one.span.text.strip("`*_ ")[:1].isdigit()
        yield replace(one, severity=Severity.HINT) if is_own else one


def _among_choices(step: Step, copies: Mapping[str, Copy], rows: _Rows, found: Findings) -> Iterator[Finding]:
    """The code that one copy alone has as a value, where its row lists that among the choices: `debug` for `info`."""
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


def _has_another_unit(
    copies: Mapping[str, Copy], key: str, row: Mapping[str, TableCell], said: Mapping[str, str]
) -> bool:
    """Whether one copy has another unit of the same scale than all others, and nothing else in the row is another
    value: no number that goes with it."""
    name, others = lone(said)
    if not name or not other_units(said[name], said[others[0]]):
        return False
    values = [_values_beside(copies[id_], key, row[id_]) for id_ in (name, *others)]
    return all(each == values[0] for each in values)


def _is_in_another_unit(
    copies: Mapping[str, Copy], key: str, one: str, other: str, row: Mapping[str, TableCell]
) -> bool:
    """Whether a cell of the row beside a value tells another unit than on another copy: `ms`, beside 300000."""
    pairs = zip(*(_beside(copies[id_], key, row[id_]) for id_ in (one, other)), strict=False)
    return any(tell_other_units(mine, theirs) for mine, theirs in pairs if mine != theirs)


def _beside(copy: Copy, key: str, without: TableCell) -> list[str]:
    """What is typed in a row beside its key and a cell."""
    return [folded(copy.typed(cell)) for cell in copy.beside_key(copy.keys[key]) if cell is not without]


def _values_beside(copy: Copy, key: str, without: TableCell) -> list[str]:
    """The same of the cells with few words."""
    return list(filter(is_short, _beside(copy, key, without)))


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
    if not other_units(texts[name], texts[other]) and _is_in_another_unit(copies, key, name, other, row):
        return None  # another number, in another unit
    if verdict.tie and _row(copies[name], key, row[name]) != _row(copies[other], key, row[other]):
        return None  # two copies that describe it in two ways: two settings of one name
    mine, theirs = (_described(copies[id_], key) for id_ in (name, other))
    is_usual = not verdict.tie and _differs_as_others(copies, key, name, verdict.usual)
    needs = mine != theirs and (verdict.tie or platform_needs(step, (name, mine), (other, theirs)))
    if not verdict.strong and needs and not is_usual:
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
    is_hint = is_explained or (needs and is_usual) or _tells_what_works(column.copies, step.model.states)
    return replace(finding, severity=Severity.HINT) if finding and is_hint else finding


def _differs_as_others(copies: Mapping[str, Copy], key: str, name: str, usual: Sequence[str]) -> bool:
    """Whether a row is described as on other copies but for a word of its own, and each of these has its own there."""
    texts = [_described(copies[id_], key).split() for id_ in (name, *usual)]
    if len({len(words) for words in texts}) > 1 or len(usual) < _SEVERAL:
        return False
    unlike = [said for said in zip(*texts, strict=True) if len(set(said)) > 1]
    return len(unlike) == 1 and len(set(unlike[0])) == len(texts)


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
