"""A row that the same table has on other copies, and lacks here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.fs import blame
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._copies import changed, intended, named
from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.rules.tables._own_rows import (
    has_its_own,
    has_otherwise,
    have_their_own,
    is_another,
    is_each_ones,
    is_left_out,
    is_no_plain_name,
    is_of_a_family,
    is_of_an_interface,
    names_its_platform,
    row_cells,
    say_the_same,
    says,
    speaks_of_its_own,
)
from tutorial_tool.variants import Step
from tutorial_tool.variation.tables import Copy, all_keys, groups, unlike

_MANY = 3
"""Rows that two tables share, if they are one but for a row."""
_SEVERAL = 4
"""Copies of which most have a row that each may lack by itself."""
_SOME = 2
"""Copies that have a row, at least, where it is not one platform's own."""


class _Rows(NamedTuple):
    """The rows of some copies of a table: `shared` ones are on all copies, `lone` ones each on one; `only` tells that
    there is one other row, beside many."""

    copies: Mapping[str, Copy]
    shared: Collection[str]
    lone: Collection[str]
    only: bool


@rule("tables", Severity.WARNING)
def check(step: Step, found: Findings) -> Iterator[Finding]:
    told = [copy for copies in groups(step) for copy in copies.values() if _has_one_twice(copy, found)]
    spans = [copy.page.source_span(*copy.header_place)[0] for copy in told]
    for copies in groups(step):
        yield from (finding for finding in _compared(step, copies) if finding.span not in spans)
    for copies in unlike(step):
        yield from _of_another_kind(step, copies)


def _has_one_twice(copy: Copy, found: Findings) -> bool:
    """Whether a table is told to name a setting twice: one of the two is the row that it lacks."""
    table = copy.table
    if len(table.rows) == len(copy.keys):
        return False
    place = table.start, max(row[-1].end for row in table.rows if row)
    return any(finding.rule == "malformed-table" for finding in found.on(copy.page, place))


def _compared(step: Step, copies: Mapping[str, Copy]) -> Iterator[Finding]:
    keys = all_keys(copies)
    shared = [key for key in keys if all(key in copy.keys for copy in copies.values())]
    lone = _lone(copies, shared)
    is_one, most_have = _are_most(shared, keys, lone), _most_have(copies)
    if not is_one and not _are_most(most_have, keys, lone):
        yield from _of_another_kind(step, copies)
        usual, common = _usual(copies), _common(copies)
        near = {n: copy for n, copy in copies.items() if _is_near(copy, usual) or _is_near(copy, common, lone)}
        if 1 < len(near) < len(copies):
            yield from _compared(step, near)
        return
    rows = _Rows(copies, shared, lone, len(keys) - len(lone) - len(shared) == 1 and len(shared) > _MANY)
    for key in (key for key in keys if key not in lone and (is_one or key in most_have)):
        named_so = {name: copy for name, copy in copies.items() if key in copy.keys}
        having = {name: copy for name, copy in named_so.items() if not is_another(copy, named_so, key)}
        if len(having) < len(named_so) and len(having) < _SOME:
            continue  # each has its own row in that place
        lacking = {
            name: copy
            for name, copy in copies.items()
            if name not in named_so
            and (is_one or len(most_have - copy.keys.keys()) == 1)
            and not has_otherwise(copy, next(iter(having.values())), key)
            and not has_its_own(copy, having, key)
        }
        if lacking:
            yield from filter(None, [_lost(step, rows, key, having, lacking)])


def _lost(step: Step, rows: _Rows, key: str, having: Mapping[str, Copy], lacking: Mapping[str, Copy]) -> Finding | None:
    """What is found of a row that some copies lack."""
    if rows.lone and len(having) < len(rows.copies) - 1:
        return None  # each has what its platform has
    most = rows.only or len(having) > 2 * (len(rows.copies) - len(having))
    most = most or (len(having) == 2 * len(lacking) and say_the_same(having, key))
    speaks = all(copy.is_own(key) for copy in having.values())
    own = speaks or is_each_ones(key, having, lacking, rows.shared)
    is_of_two = own and len(rows.copies) == 2
    if is_of_two and not (speaks and _is_lost_by_one(key, having, lacking)):
        return None
    if own and not is_of_two and (not most or len(having) < len(lacking)):
        return None
    is_own = len(having) <= len(lacking) and speaks_of_its_own(step, key, having, lacking)
    if is_own and len(having) < len(lacking):
        return None
    is_of_some = _SOME <= len(having) <= len(lacking)
    if is_of_some and not _is_newer(step, key, having, lacking):
        name = next(iter(having.values())).shown(key)
        lacking = {id_: copy for id_, copy in lacking.items() if says(copy.page.plain, name)}
        if not lacking:
            return None  # two families of platforms
    few = (
        is_own
        or is_of_two
        or is_of_some
        or bool(rows.lone)
        or have_their_own(rows.copies, key, having, lacking)
        or any(key in copy.renamed for copy in having.values())
        or is_left_out(step, key, having, lacking)
        or (2 * len(having) < len(rows.copies) and not is_of_a_family(key, rows.shared))
        or is_of_an_interface(key, having, lacking)
    )
    return _finding(step, key, having, lacking, few=few)


def _is_lost_by_one(key: str, having: Mapping[str, Copy], lacking: Mapping[str, Copy]) -> bool:
    """Whether the only row in code that one of two copies lacks is hardly the other's own: it is not the last one, all
    others say the same on both, and the page with it says it nowhere else, or the page without it does."""
    (copy,), (other,) = having.values(), lacking.values()
    others = [at for at in copy.keys if at != key]
    if others != list(other.keys) or len(others) < _MANY or key == list(copy.keys)[-1]:
        return False
    start, end = copy.row_place(key)
    beside = copy.page.plain[:start] + copy.page.plain[end:]
    name = copy.shown(key)
    return (
        all(row_cells(copy, at) == row_cells(other, at) for at in others)
        and not names_its_platform(copy, key)
        and not is_of_an_interface(key, having, lacking)
        and (not says(beside, name) or says(other.page.plain, name))
    )


def _are_most(rows: Collection[str], keys: Sequence[str], lone: Collection[str]) -> bool:
    """Whether some rows are enough of all to make tables one, the rows that single copies have aside."""
    return len(rows) > 1 and 2 * len(rows) >= len(keys) - len(lone)


def _most_have(copies: Mapping[str, Copy]) -> frozenset[str]:
    """The rows that two thirds of several copies have: each of these may lack another one."""
    counts = Counter(key for copy in copies.values() for key in copy.keys)
    return frozenset(key for key, count in counts.items() if len(copies) >= _SEVERAL and 3 * count >= 2 * len(copies))


def _lone(copies: Mapping[str, Copy], shared: Iterable[str]) -> frozenset[str]:
    """The rows that one copy has, where two copies or more of several have such rows: each has what its platform has.

    One that is called as rows of all copies are may have got lost on the others.
    """
    counts = Counter(key for copy in copies.values() for key in copy.keys)
    lone = {key: name for name, copy in copies.items() for key in copy.keys if counts[key] == 1}
    if len(copies) < 3 or len(set(lone.values())) < 2:
        return frozenset()
    return frozenset(key for key in lone if not is_of_a_family(key, shared))


def _usual(copies: Mapping[str, Copy]) -> frozenset[str]:
    """The keys that most copies have, and of the copies with as many the first."""
    return Counter(frozenset(copy.keys) for copy in copies.values()).most_common(1)[0][0]


def _common(copies: Mapping[str, Copy]) -> frozenset[str]:
    """The keys that more than half of the copies have."""
    counts = Counter(key for copy in copies.values() for key in copy.keys)
    return frozenset(key for key, count in counts.items() if 2 * count > len(copies))


def _is_near(copy: Copy, usual: frozenset[str], lone: frozenset[str] = frozenset()) -> bool:
    """Whether most rows of a copy are usual ones. `lone` are those that it may have besides."""
    shared = len(usual & copy.keys.keys())
    return 2 * shared > len(copy.keys.keys() - lone) and (shared > 1 or not lone)


def _of_another_kind(step: Step, copies: Mapping[str, Copy]) -> Iterator[Finding]:
    """Tables that share too few rows to be compared row by row, though nothing in these is of their platforms."""
    usual = _usual(copies)
    there = [name for name, copy in copies.items() if copy.keys.keys() == usual]
    other = copies[there[0]]
    for name, copy in copies.items():
        mine = [key for key in copy.keys if key not in other.keys]
        theirs = [key for key in other.keys if key not in copy.keys]
        is_most = 2 * len(mine) > len(copy.keys) and bool(theirs)
        if _is_near(copy, usual) or not is_most or max(len(mine), len(theirs)) > _MANY:
            continue
        own = _is_one_s_own(step, mine, {name: copy}, {there[0]: other})
        if not own and not _is_one_s_own(step, theirs, {there[0]: other}, {name: copy}) and not copy.page.generated:
            here, elsewhere = (
                ", ".join(f"`{one.shown(key)}`" for key in keys) for one, keys in ((copy, mine), (other, theirs))
            )
            message = f"most rows of this table are others than on {named(step, there)}"
            message += f": {here} here only and {elsewhere} there only"
            related = [(other.page, other.header_place, f"the table on {other.variant.name}")]
            yield copy.page.flag(copy.header_place, message, related=related, severity=Severity.HINT)


def _is_one_s_own(step: Step, keys: Iterable[str], having: Mapping[str, Copy], lacking: Mapping[str, Copy]) -> bool:
    """Whether one of some rows is its platform's own, or has no name that two copies may share."""
    (copy,) = having.values()
    return any(
        copy.is_own(key) or is_no_plain_name(copy, key) or speaks_of_its_own(step, key, having, lacking) for key in keys
    )


def _finding(
    step: Step, key: str, having: Mapping[str, Copy], lacking: Mapping[str, Copy], *, few: bool
) -> Finding | None:
    here, lack = next(iter(lacking.items()))
    mine = set(map(lack.shown, lack.keys))
    copy = max(having.values(), key=lambda copy: len(mine.intersection(map(copy.shown, copy.keys))))
    if _omitted(step, here, lack) or intended(step, copy.page, copy.row_place(key)):
        return None
    text = copy.shown(key)
    others = f"; {named(step, list(lacking)[1:])} lack{'s' * (len(lacking) == 2)} it, too" if len(lacking) > 1 else ""
    has = "has" if len(having) == 1 else "have"
    age = _age(step, key, copy, lack)
    message = f"the row `{text}`, which {named(step, having)} {has}, is missing here{others}{age}"
    related = [(c.page, c.row_place(key), f"the row on {c.variant.name}") for c in having.values()]
    related += [(c.page, c.header_place, f"missing on {c.variant.name}, too") for c in list(lacking.values())[1:]]
    severity = Severity.HINT if few and not age else None  # it may be what these few have of their own
    return lack.page.flag(lack.header_place, message, related=related, severity=severity)


def _omitted(step: Step, name: str, copy: Copy) -> bool:
    """Whether the data leaves rows out here, with a reason, as it must: then a row that is not there is meant."""
    return copy.page.generated and bool(step.model.platforms.get(name))


def _age(step: Step, key: str, having: Copy, lacking: Copy) -> str:
    """Which copy is newer, where git knows."""
    newest = _newest(step, key, having, lacking)
    if len(newest) != 1:
        return ""
    return "; the row is newer than this table" if newest == [0] else "; this table is newer than the row"


def _is_newer(step: Step, key: str, having: Mapping[str, Copy], lacking: Mapping[str, Copy]) -> bool:
    """Whether git knows that a row is newer than a table that lacks it."""
    return any(_newest(step, key, one, other) == [0] for one in having.values() for other in lacking.values())


def _newest(step: Step, key: str, having: Copy, lacking: Copy) -> Sequence[int]:
    row = changed(step, having.page, having.row_place(key))
    table = changed(step, lacking.page, (lacking.table.start, lacking.table.end))
    return blame.newest([row, table])
