"""Whose a row is that some copies of a table have and others lack: what tells that it is a platform's own, and no loss.

For the rule `missing-row`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from rapidfuzz import fuzz

from tutorial_tool import variation
from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.data.toggle_words import folded
from tutorial_tool.markdown.document import TableCell
from tutorial_tool.variants import Step
from tutorial_tool.variation import masked, slots
from tutorial_tool.variation.tables import Copy
from tutorial_tool.variation.wording import has_own_name, uncapitalised

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


def is_each_ones(key: str, having: Mapping[str, Copy], lacking: Mapping[str, Copy], shared: Collection[str]) -> bool:
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


def is_of_an_interface(key: str, having: Mapping[str, Copy], lacking: Mapping[str, Copy]) -> bool:
    """Whether a row lists something that the code of a platform may offer or not, such as a function, which the pages
    without it never say."""
    name = next(iter(having.values())).shown(key)
    cells = [(copy, copy.key_cell(key)) for copy in having.values()]
    is_listed = all(
        not _OF_CODE.isdisjoint(copy.titles[copy.key_column].removesuffix("s").split())
        and _IN_CODE.fullmatch(copy.page.plain[cell.start : cell.end].strip())
        for copy, cell in cells
    )
    return is_listed and not any(says(copy.page.plain, name) for copy in lacking.values())


def says(text: str, name: str) -> bool:
    """Whether a page, or a part of it, has the name of a row, in code or not."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None


def names_its_platform(copy: Copy, key: str) -> bool:
    """Whether a row has the name of its platform, in code, too, and within words: `ANDROID_HOME`."""
    row = copy.table.rows[copy.keys[key]]
    typed = " ".join(map(copy.typed, row)).lower()
    is_in_code = any(form in typed for form in slots.forms(copy.variant))
    return is_in_code or any(copy.variant.pattern.search(cell.text) for cell in row)


def row_cells(copy: Copy, key: str) -> list[str]:
    """What is typed in a row besides its key, the platform's name masked."""
    typed = map(copy.typed, copy.beside_key(copy.keys[key]))
    return [folded(masked(text, copy.variant)) for text in typed]


def is_left_out(step: Step, key: str, having: Mapping[str, Copy], lacking: Iterable[str]) -> bool:
    """Whether a section that tells of a row stands on the copies with it alone: then its lack is hardly a slip."""
    name, copy = next(iter(having.items()))
    word = re.compile(rf"(?<!\w){re.escape(copy.shown(key))}(?!\w)", re.IGNORECASE)
    return any(
        having.keys() <= row.sections.keys()
        and not any(each in row.sections for each in lacking)
        and any(word.search(copy.page.plain, *unit.place) for unit in row.sections[name].units)
        for row in variation.of(step).sections
    )


def has_otherwise(copy: Copy, other: Copy, key: str) -> bool:
    """Whether a copy has a row under a key of its own: all else that another one says of it stands there.

    A row that says little must stand at the same place; so must one that says its key: `Dataset`, "The dataset".
    """
    row = other.keys[key]
    said = _cells(other, row)
    own = [at for mine, at in copy.keys.items() if mine not in other.keys]
    same = [at for at in own if _cells(copy, at) == said]
    if same:
        return scripts.count(" ".join(said)) >= _DESCRIBED or any(_stand_alike(copy, at, other, row) for at in same)
    bare = _beside_key(other, row)
    return any(
        (_beside_key(copy, at) == bare or _is_described_so(_cells(copy, at), said))
        and _stand_alike(copy, at, other, row)
        for at in own
    )


def is_another(copy: Copy, having: Mapping[str, Copy], key: str) -> bool:
    """Whether a copy has a row of another name in the place of one, which is described otherwise, too."""
    if key not in copy.renamed or len(copy.table.header) <= _SOME:
        return False
    mine = _cells(copy, copy.keys[key])
    others = [_cells(other, other.keys[key]) for other in having.values() if key not in other.renamed]
    return not any(_is_described_so(mine, said) or _are_nearly(mine, said) for said in others)


def has_its_own(copy: Copy, having: Mapping[str, Copy], key: str) -> bool:
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


def _are_nearly(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    return fuzz.ratio(" ".join(mine), " ".join(theirs)) >= _NEARLY


def _are_called_alike(mine: str, theirs: str) -> bool:
    """Whether two names of several words begin or end with the same one."""
    words, others = mine.split(), theirs.split()
    return min(len(words), len(others)) > 1 and (words[0] == others[0] or words[-1] == others[-1])


def _is_described_so(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether two rows have one description, whatever their values are."""
    return any(scripts.count(text) >= _DESCRIBED and text in theirs for text in mine)


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


def say_the_same(having: Mapping[str, Copy], key: str) -> bool:
    """Whether all that have a row say the same in it: what a platform has of its own is hardly on two."""
    return len({tuple(_cells(copy, copy.keys[key])) for copy in having.values()}) == 1


def speaks_of_its_own(step: Step, key: str, having: Mapping[str, Copy], lacking: Mapping[str, Copy]) -> bool:
    """Whether a row that few have names things that the other pages never do: a platform's own settings."""
    return any(
        has_own_name(step, name, cell.text if number else uncapitalised(cell.text), lacking)
        for name, copy in having.items()
        for number, cell in enumerate(copy.table.rows[copy.keys[key]])
    )


def is_no_plain_name(copy: Copy, key: str) -> bool:
    """Whether a row is called by more than a name has: by a sentence, a tag or a link."""
    return scripts.count(key) > _NAME or "<" in key or "](" in copy.typed(copy.key_cell(key))


def have_their_own(
    copies: Mapping[str, Copy], key: str, having: Mapping[str, Copy], lacking: Mapping[str, Copy]
) -> bool:
    """Whether all copies that lack a row have one that is code, and that no other has: each lists what it has.

    Not where several say the same in the row, and one copy lacks it and has a single one at another place.
    """
    counts = Counter(key for copy in copies.values() for key in copy.keys)
    own = {name: [k for k in copy.keys if counts[k] == 1 and copy.is_own(k)] for name, copy in lacking.items()}
    if len(having) > _SOME and len(lacking) == 1 and say_the_same(having, key):
        ((name, copy),) = lacking.items()
        return len(own[name]) > 1 or any(
            _stand_alike(copy, copy.keys[mine], other, other.keys[key])
            for mine in own[name]
            for other in having.values()
        )
    return all(own.values())


def is_of_a_family(key: str, shared: Iterable[str]) -> bool:
    """Whether a row is called as rows are that all copies have: `Send profile events`, beside other events to send."""
    known = Counter(word for other in shared for word in set(other.split()))
    words = key.split()
    return 2 * sum(known[word] >= _SOME for word in words) >= len(words)
