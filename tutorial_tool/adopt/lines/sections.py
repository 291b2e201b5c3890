"""Sections: text below different headings stays with its heading, and does not correspond."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

from tutorial_tool.adopt.lines import Column, compute_similarity, is_blank
from tutorial_tool.core.similarity import MAJORITY
from tutorial_tool.markdown.headings import SECTION_LEVEL

Chain = tuple[tuple[int, int], ...]  # The headings above a text, outermost first: the level and column number of each
_Piece = tuple[int, Column, dict[str, Chain]]  # A column's number, the column, and the headings above its texts


def find_section_end(columns: Sequence[Column], start: int) -> int:
    """Return the end of a section that only the copies with its heading have; `start` if there is none."""
    own, at = columns[start].keys(), start + 1
    if not get_level(columns[start]):
        return start
    while (
        at < len(columns) and not 0 < get_level(columns[at]) <= get_level(columns[start]) and columns[at].keys() <= own
    ):
        at += 1
    is_whole = at == len(columns) or get_level(columns[at]) > 0 or not own & columns[at].keys() or is_blank(columns[at])
    return start if not is_whole or all(map(is_blank, columns[start + 1 : at])) else at


def sort_by_section(aligned: Iterable[Column]) -> Iterator[Column]:
    """Yield the columns section by section, preserving the order of each copy.

    A column of dissimilar texts below different headings becomes one for each heading. A stretch ends where texts are
    similar whatever their headings, or where all have a text that ends their sections; blank lines before it are not
    split.
    """
    aligned = list(aligned)
    above: dict[str, Chain] = {platform: () for column in aligned for platform in column}
    waiting: list[_Piece] = []
    for number, column in enumerate(aligned, 1):
        depth = get_level(column)
        outer = {p: tuple(pair for pair in above[p] if not SECTION_LEVEL <= depth <= pair[0]) for p in column}
        several = len(set(outer.values())) > 1
        if (several and _are_alike(column)) or (depth and not several and column.keys() == above.keys()):
            yield from _sort_pieces(waiting)
            waiting = []
            outer = dict.fromkeys(column, ())
        above.update({p: (*chain, (depth, number)) if depth >= SECTION_LEVEL else chain for p, chain in outer.items()})
        _add_piece(waiting, (number, column, {platform: above[platform] for platform in column}))
    yield from _sort_pieces(waiting)


def _add_piece(pieces: list[_Piece], added: _Piece) -> None:
    """Add a piece; the blank line above a heading, unless it ends a text of the same copies, goes with it."""
    same = [column.keys() == added[1].keys() for _, column, _ in pieces[-2:]]
    if get_level(added[1]) and same == [False, True] and is_blank(pieces[-1][1]):
        pieces[-1] = (*pieces[-1][:2], added[2])
    pieces.append(added)


def get_level(column: Column) -> int:
    """Return the level of a heading, the highest of several; 0 for other text."""
    kind = min(unit.kind for unit in column.values())
    return int(kind.rpartition(" ")[2]) if kind.startswith("heading") else 0


def _are_alike(column: Column) -> bool:
    units = set(column.values())
    return not any(unit.is_blank for unit in units) and (
        len(units) == 1
        or any(compute_similarity(unit, other) >= MAJORITY for unit, other in itertools.combinations(units, 2))
    )


def _sort_pieces(pieces: Sequence[_Piece]) -> Iterator[Column]:
    """Sort the columns of a stretch after the headings above them, otherwise in their order."""
    end = next((at for at in range(len(pieces), 0, -1) if not is_blank(pieces[at - 1][1])), 0)
    parts: list[tuple[list[int], Column]] = []
    for number, column, chains in pieces[:end]:
        own: dict[Chain, Column] = {}
        for platform, unit in column.items():
            own.setdefault(chains[platform], {})[platform] = unit
        parts += (([*(heading for _, heading in chain), number], part) for chain, part in own.items())
    yield from (part for _, part in sorted(parts, key=lambda part: part[0]))
    yield from (column for _, column, _ in pieces[end:])
