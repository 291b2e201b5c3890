"""A row that the same table has on other copies, and lacks here."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from rapidfuzz import fuzz

from tutorial_tool import align, history, lazy_re, unspaced
from tutorial_tool.align import slots
from tutorial_tool.align.tables import Copy, all_keys, groups, unlike
from tutorial_tool.align.wording import has_own_name, uncapitalised
from tutorial_tool.document import TableCell
from tutorial_tool.evidence import Findings
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._copies import changed, intended, named
from tutorial_tool.variants import Step

_MANY = 3
"""Rows that two tables share, if they are one but for a row."""
_SEVERAL = 4
"""Copies of which most have a row that each may lack by itself."""
_NAME = 6
"""Words of a name that a row has, at most."""
_DESCRIBED = 4
"""Words beside the key of a row that tell which one it is."""
_NEARLY = 75
"""How alike two rows are, in percent, of which each is that of its platform."""
_IN_CODE = lazy_re.compile(r"`[^`\n]+`")
_TYPE = lazy_re.compile(r"[a-z]+\d+")
"""A type, format or the like: `float16`, `utf8`."""
_OF_CODE = frozenset("class component composable enum export function hook interface macro method module".split())
"""What a column lists that code offers, and no setting."""
_SOME = 2
"""Rows that have a word in common, and make a family by it."""


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
    else:
        for key in (key for key in keys if key not in lone and (is_one or key in most_have)):
            named_so = {name: copy for name, copy in copies.items() if key in copy.keys}
            having = {name: copy for name, copy in named_so.items() if not _is_another(copy, named_so, key)}
            if len(having) < len(named_so) and len(having) < _SOME:
                continue  # each has its own row in that place
            only = len(keys) - len(lone) - len(shared) == 1 and len(shared) > _MANY
            most = only or len(having) > 2 * (len(copies) - len(having))
            lacking = {
                name: copy
                for name, copy in copies.items()
                if name not in named_so
                and (is_one or len(most_have - copy.keys.keys()) == 1)
                and not _has_otherwise(copy, next(iter(having.values())), key)
                and not _has_its_own(copy, having, key)
            }
            own = all(copy.is_own(key) for copy in having.values()) or _is_each_ones(key, having, lacking, shared)
            if lone and len(having) < len(copies) - 1:
                continue  # each has what its platform has
            most = most or (len(having) == 2 * len(lacking) and _is_one(having, key))
            if own and (len(having) < len(lacking) or len(copies) == 2):
                continue
            if lacking and (most or not own):
                is_own = len(having) <= len(lacking) and _speaks_of_its_own(step, key, having, lacking)
                if is_own and len(having) < len(lacking):
                    continue
                few = (
                    is_own
                    or bool(lone)
                    or _have_their_own(copies, lacking)
                    or any(key in copy.renamed for copy in having.values())
                    or _is_left_out(step, key, having, lacking)
                    or (2 * len(having) < len(copies) and not _is_of_a_family(key, shared))
                    or _is_of_an_interface(key, having, lacking)
                )
                if finding := _finding(step, key, having, lacking, few=few):
                    yield finding


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
    return frozenset(key for key in lone if not _is_of_a_family(key, shared))


def _have_their_own(copies: Mapping[str, Copy], lacking: Mapping[str, Copy]) -> bool:
    """Whether all copies that lack a row have one that is code, and that no other has: each lists what it has."""
    counts = Counter(key for copy in copies.values() for key in copy.keys)
    return all(any(counts[key] == 1 and copy.is_own(key) for key in copy.keys) for copy in lacking.values())


def _is_each_ones(key: str, having: Mapping[str, Copy], lacking: Mapping[str, Copy], shared: Collection[str]) -> bool:
    """Whether a row is that of those who have it: its value is a path or a name in code that the pages without it never
    say; or the tables of two formats list their types."""
    if len(having) == len(lacking) == 1:
        return sum(_TYPE.fullmatch(other) is not None for other in shared) >= _SOME
    pages = [copy.page.plain for copy in lacking.values()]
    codes = (
        [copy.typed(cell) for cell in copy.beside_key(copy.keys[key]) if _is_code(copy, cell)]
        for copy in having.values()
    )
    return all(any(slots.tells(code) and not any(code in page for page in pages) for code in row) for row in codes)


def _is_code(copy: Copy, cell: TableCell) -> bool:
    return _IN_CODE.fullmatch(copy.page.plain[cell.start : cell.end].strip()) is not None


def _is_of_an_interface(key: str, having: Mapping[str, Copy], lacking: Mapping[str, Copy]) -> bool:
    """Whether a row lists something that the code of a platform may offer or not, such as a function, which the pages
    without it never say."""
    word = re.compile(rf"(?<!\w){re.escape(next(iter(having.values())).shown(key).strip('`'))}(?!\w)")
    cells = [(copy, copy.key_cell(key)) for copy in having.values()]
    is_listed = all(
        not _OF_CODE.isdisjoint(copy.titles[copy.key_column].removesuffix("s").split())
        and _IN_CODE.fullmatch(copy.page.plain[cell.start : cell.end].strip())
        for copy, cell in cells
    )
    return is_listed and not any(word.search(copy.page.plain) for copy in lacking.values())


def _is_left_out(step: Step, key: str, having: Mapping[str, Copy], lacking: Iterable[str]) -> bool:
    """Whether a section that tells of a row stands on the copies with it alone: then its lack is hardly a slip."""
    name, copy = next(iter(having.items()))
    word = re.compile(rf"(?<!\w){re.escape(copy.shown(key))}(?!\w)", re.IGNORECASE)
    return any(
        having.keys() <= row.sections.keys()
        and not any(each in row.sections for each in lacking)
        and any(word.search(copy.page.plain, *unit.place) for unit in row.sections[name].units)
        for row in align.of(step).sections
    )


def _has_otherwise(copy: Copy, other: Copy, key: str) -> bool:
    """Whether a copy has a row under a key of its own: all else that another one says of it stands there.

    A row that says little must stand at the same place; so must one that says its key: `Dataset`, "The dataset".
    """
    row = other.keys[key]
    said = _cells(other, row)
    own = [at for mine, at in copy.keys.items() if mine not in other.keys]
    same = [at for at in own if _cells(copy, at) == said]
    if same:
        return unspaced.count(" ".join(said)) >= _DESCRIBED or any(_stand_alike(copy, at, other, row) for at in same)
    bare = _beside_key(other, row)
    return any(
        (_beside_key(copy, at) == bare or _is_described_so(_cells(copy, at), said))
        and _stand_alike(copy, at, other, row)
        for at in own
    )


def _is_another(copy: Copy, having: Mapping[str, Copy], key: str) -> bool:
    """Whether a copy has a row of another name in the place of one, which is described otherwise, too."""
    if key not in copy.renamed or len(copy.table.header) <= _SOME:
        return False
    mine = _cells(copy, copy.keys[key])
    others = [_cells(other, other.keys[key]) for other in having.values() if key not in other.renamed]
    return not any(_is_described_so(mine, said) or _are_nearly(mine, said) for said in others)


def _are_nearly(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    return fuzz.ratio(" ".join(mine), " ".join(theirs)) >= _NEARLY


def _has_its_own(copy: Copy, having: Mapping[str, Copy], key: str) -> bool:
    """Whether a copy has a row of its own beside the same neighbour, which is nearly described as another one: its
    keychain for a keystore. One that no third copy has may also be called much the same: `Session cache`."""
    own = [at for mine, at in copy.keys.items() if not any(mine in other.keys for other in having.values())]
    names = {at: mine for mine, at in copy.keys.items()}
    return any(
        _stand_alike(copy, at, other, other.keys[key])
        and (
            _are_nearly(_cells(copy, at), _cells(other, other.keys[key]))
            or (len(having) == 1 and _are_called_alike(names[at], key))
        )
        for at in own
        for other in having.values()
    )


def _are_called_alike(mine: str, theirs: str) -> bool:
    """Whether two names of several words begin or end with the same one."""
    words, others = mine.split(), theirs.split()
    return min(len(words), len(others)) > 1 and (words[0] == others[0] or words[-1] == others[-1])


def _is_described_so(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether two rows have one description, whatever their values are."""
    return any(unspaced.count(text) >= _DESCRIBED and text in theirs for text in mine)


def _stand_alike(copy: Copy, at: int, other: Copy, row: int) -> bool:
    """Whether two rows stand at the same place: as many rows before them, or one before or behind them in both."""
    mine, theirs = ({number: key for key, number in each.keys.items()} for each in (copy, other))
    return at == row or any(mine.get(at + way, "") == theirs.get(row + way) for way in (-1, 1))


def _cells(copy: Copy, row: int) -> list[str]:
    """What a row says besides its key."""
    return list(map(copy.cell_text, copy.beside_key(row)))


def _beside_key(copy: Copy, row: int) -> list[str]:
    """The same without the words of its key."""
    key = copy.cell_text(copy.table.rows[row][copy.key_column]).strip("`*_ ")
    return [text.replace(key, "") if key else text for text in _cells(copy, row)]


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
        copy.is_own(key) or _is_no_plain_name(copy, key) or _speaks_of_its_own(step, key, having, lacking)
        for key in keys
    )


def _is_no_plain_name(copy: Copy, key: str) -> bool:
    """Whether a row is called by more than a name has: by a sentence, a tag or a link."""
    return unspaced.count(key) > _NAME or "<" in key or "](" in copy.typed(copy.key_cell(key))


def _finding(
    step: Step, key: str, having: Mapping[str, Copy], lacking: Mapping[str, Copy], *, few: bool
) -> Finding | None:
    copy = next(iter(having.values()))
    here, lack = next(iter(lacking.items()))
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


def _is_of_a_family(key: str, shared: Iterable[str]) -> bool:
    """Whether a row is called as rows are that all copies have: `Send profile events`, beside other events to send."""
    known = Counter(word for other in shared for word in set(other.split()))
    words = key.split()
    return 2 * sum(known[word] >= _SOME for word in words) >= len(words)


def _is_one(having: Mapping[str, Copy], key: str) -> bool:
    """Whether all that have a row say the same in it: what a platform has of its own is hardly on two."""
    return len({tuple(_cells(copy, copy.keys[key])) for copy in having.values()}) == 1


def _speaks_of_its_own(step: Step, key: str, having: Mapping[str, Copy], lacking: Mapping[str, Copy]) -> bool:
    """Whether a row that few have names things that the other pages never do: a platform's own settings."""
    return any(
        has_own_name(step, name, cell.text if number else uncapitalised(cell.text), lacking)
        for name, copy in having.items()
        for number, cell in enumerate(copy.table.rows[copy.keys[key]])
    )


def _omitted(step: Step, name: str, copy: Copy) -> bool:
    """Whether the data leaves rows out here, with a reason, as it must: then a row that is not there is meant."""
    return copy.page.generated and bool(step.model.platforms.get(name))


def _age(step: Step, key: str, having: Copy, lacking: Copy) -> str:
    """Which copy is newer, where git knows."""
    row = changed(step, having.page, having.row_place(key))
    table = changed(step, lacking.page, (lacking.table.start, lacking.table.end))
    newest = history.newest([row, table])
    if len(newest) != 1:
        return ""
    return "; the row is newer than this table" if newest == [0] else "; this table is newer than the row"
