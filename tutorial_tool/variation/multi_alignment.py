"""Align several sequences.

Progressive alignment (Feng and Doolittle, 1987): each sequence is aligned with the rows found so far. Items with equal
keys are anchors (the longest common subsequence); between anchors, Needleman and Wunsch's algorithm pairs similar
items.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

from rapidfuzz.distance import Indel, LCSseq

from tutorial_tool.core.similarity import MAX_PAIRS

T = TypeVar("T")
Run = tuple[int, int, int, int]  # Start and end in one sequence, start and end in the other
AlignedRow = dict[str, T]  # The aligned items, by variant: at least one


def align_sequences(
    sequences: Mapping[str, Sequence[T]],
    key: Callable[[T], str],
    alike: Callable[[T, T], float],
    least: float,
    least_alone: float = 1.0,
) -> list[AlignedRow[T]]:
    """Return the rows of an alignment, in an order that keeps that of each sequence.

    `key` makes items equal, `alike` returns the similarity of two items from 0 to 1. Items below `least` do not pair,
    except that two that are alone between the same neighbors pair from `least_alone` on. In a gap of more than
    `MAX_PAIRS`, only equal items and such lone ones pair.
    """
    rows: list[AlignedRow[T]] = []
    for name in sorted(sequences, key=lambda name: -len(sequences[name])):
        rows = _merge_sequence(rows, name, sequences[name], key, alike, (least, least_alone))
    return rows


def find_changed_runs(old: Sequence[Hashable], new: Sequence[Hashable], *, over_blanks: bool = False) -> Iterator[Run]:
    """Yield what differs between two sequences; with `over_blanks`, runs separated only by white space are one."""
    last: Run | None = None
    for code in Indel.opcodes(old, new):
        if code.tag == "equal":
            continue
        run = code.src_start, code.src_end, code.dest_start, code.dest_end
        between = old[last[1] : run[0]] if last else ()
        if last and (not between or (over_blanks and "".join(map(str, between)).isspace())):
            run = last[0], run[1], last[2], run[3]
        elif last:
            yield last
        last = run
    if last:
        yield last


def _merge_sequence(
    rows: list[AlignedRow[T]],
    name: str,
    items: Sequence[T],
    key: Callable[[T], str],
    alike: Callable[[T, T], float],
    limits: tuple[float, float],
) -> list[AlignedRow[T]]:
    least, least_alone = limits
    out: list[AlignedRow[T]] = []
    at_row = at_item = 0
    for row, item in [*_find_anchors(rows, items, key), (len(rows), len(items))]:
        between = _pair_between(rows[at_row:row], name, items[at_item:item], alike, least)
        out += _join_lone_rows(between, name, alike, least_alone) if at_row or row < len(rows) else between
        if row < len(rows):
            out.append({**rows[row], name: items[item]})
        at_row, at_item = row + 1, item + 1
    return out


def _join_lone_rows(
    rows: list[AlignedRow[T]], name: str, alike: Callable[[T, T], float], least_alone: float
) -> list[AlignedRow[T]]:
    """Join each row that lacks an item with an adjacent row of only that item, if both are isolated."""
    out: list[AlignedRow[T]] = []
    for index, row in enumerate(rows):
        around = (*rows[max(index - 2, 0) : max(index - 1, 0)], *rows[index + 1 : index + 2])
        are_alone = all(name in entry and len(entry) > 1 for entry in around)
        pair = _split_pair(out[-1], row, name) if out and are_alone else None
        if pair and max(alike(other, pair[0]) for other in pair[1].values()) >= least_alone:
            out[-1] = {**pair[1], name: pair[0]}
        else:
            out.append(row)
    return out


def _split_pair(before: AlignedRow[T], row: AlignedRow[T], name: str) -> tuple[T, AlignedRow[T]] | None:
    """Return the lone item of this name, and the adjacent row that lacks one.

    None if both rows or neither have such an item, or if its row has others.
    """
    if (name in before) == (name in row):
        return None
    alone, others = (row, before) if name in row else (before, row)
    return (alone[name], others) if len(alone) == 1 else None


def _find_anchors(rows: list[AlignedRow[T]], items: Sequence[T], key: Callable[[T], str]) -> list[tuple[int, int]]:
    """Return the pairs of a row and an item with equal keys, in an order that both have."""
    keys = [key(item) for item in items]
    known_keys = set(keys)
    row_keys = [next((k for item in row.values() if (k := key(item)) in known_keys), "") for row in rows]
    return [
        (block.src_start + i, block.dest_start + i)
        for block in LCSseq.opcodes(row_keys, keys)
        if block.tag == "equal"
        for i in range(block.src_end - block.src_start)
        if row_keys[block.src_start + i]
    ]


def _pair_between(
    rows: list[AlignedRow[T]], name: str, items: Sequence[T], alike: Callable[[T, T], float], least: float
) -> list[AlignedRow[T]]:
    """Pair rows and items between two anchors so that the sum of similarities is highest."""
    if not rows or not items or len(rows) * len(items) > MAX_PAIRS:
        return [*rows, *({name: item} for item in items)]
    scores = [[max(alike(other, item) for other in row.values()) for item in items] for row in rows]
    best = _compute_best_sums(scores, least)
    out: list[AlignedRow[T]] = []
    i = j = 0
    while i < len(rows) and j < len(items):
        if scores[i][j] >= least and best[i][j] == scores[i][j] + best[i + 1][j + 1]:
            out.append({**rows[i], name: items[j]})
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            out.append(rows[i])
            i += 1
        else:
            out.append({name: items[j]})
            j += 1
    return [*out, *rows[i:], *({name: item} for item in items[j:])]


def _compute_best_sums(scores: Sequence[Sequence[float]], least: float) -> list[list[float]]:
    """Compute, for each pair of a row and a column, the highest sum that pairs from there on can have."""
    height, width = len(scores), len(scores[0])
    best = [[0.0] * (width + 1) for _ in range(height + 1)]
    for i in range(height - 1, -1, -1):
        for j in range(width - 1, -1, -1):
            pair = scores[i][j] + best[i + 1][j + 1] if scores[i][j] >= least else 0.0
            best[i][j] = max(pair, best[i + 1][j], best[i][j + 1])
    return best
