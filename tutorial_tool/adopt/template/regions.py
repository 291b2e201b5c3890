"""Group columns to write together: common ones, runs with the same differences, and mixed regions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tutorial_tool.adopt.lines import Column, is_blank
from tutorial_tool.adopt.lines.sections import find_section_end, get_level
from tutorial_tool.adopt.template.fits import Group, Partition

MAX_ADJACENT_RUNS = 2  # Maximum adjacent runs to write one after the other; more are hard to follow


class ColumnRun(NamedTuple):
    """Columns with the same grouping of platforms: a single group if all share them."""

    columns: Sequence[Column]
    partition: Partition


def split(columns: Sequence[Column], partitions: Sequence[Partition], scope: Group) -> Iterator[ColumnRun]:
    """Yield the columns in runs.

    `partitions` has the groups of each column, which together are the platforms of the scope. Consecutive columns that
    differ become a single run if separate runs would need many conditions, or if one would end in a blank line for some
    platforms only.
    """
    start = 0
    while start < len(columns):
        end = _find_stretch_end(columns, partitions, start, scope)
        runs = list(_split_sections(columns[start:end], partitions[start:end], scope))
        lacking = [run for run in runs if len(frozenset().union(*run.columns)) < len(scope)]
        is_cut = any(map(_is_ragged, runs[:-1]))
        if is_cut or (len(lacking) > 1 and sum(len(run.partition) > 1 for run in runs) > MAX_ADJACENT_RUNS):
            runs = [ColumnRun(columns[start:end], _refine_partitions(partitions[start:end]))]
        yield from runs
        start = end


def _is_ragged(run: ColumnRun) -> bool:
    """Return whether the text of some groups ends in a blank line, and that of others does not."""
    columns_by_group = ([column for column in run.columns if group & column.keys()] for group in run.partition)
    return len({is_blank(columns[-1]) for columns in columns_by_group if columns}) > 1


def _find_stretch_end(columns: Sequence[Column], partitions: Sequence[Partition], start: int, scope: Group) -> int:
    """Return the end of a stretch of differing columns; blank lines continue it, but a heading of most ends it."""
    end = start + 1
    for index in range(end, len(columns) if len(partitions[start]) > 1 else end):
        own = columns[index].keys()
        if own != columns[start].keys() and _is_heading_of_most(columns[index], scope):
            is_above = end > start + 1 and is_blank(columns[end - 1]) and columns[end - 1].keys() == own
            return end - is_above
        if len(partitions[index]) > 1:
            end = index + 1
        elif not is_blank(columns[index]):
            break
    return end


def _is_heading_of_most(column: Column, scope: Group) -> bool:
    is_same = 2 * len(column) > len(scope) and len(set(column.values())) == 1
    return get_level(column) > 0 and (is_same or column.keys() == scope)


def _split_sections(columns: Sequence[Column], partitions: Sequence[Partition], scope: Group) -> Iterator[ColumnRun]:
    """Yield runs; a section that only some platforms have is a single run, however they differ in it."""
    start = 0
    for first, end in _find_partial_sections(columns, scope):
        yield from _iter_runs(columns[start:first], partitions[start:first])
        platforms = frozenset(columns[first])
        yield ColumnRun(columns[first:end], frozenset([platforms, scope - platforms]))
        start = end
    yield from _iter_runs(columns[start:], partitions[start:])


def _find_partial_sections(columns: Sequence[Column], scope: Group) -> Iterator[tuple[int, int]]:
    """Yield the ranges of sections that only some platforms have, with blank lines above and what is attached."""
    index = stop = 0
    while index < len(columns):
        end = find_section_end(columns, index) if columns[index].keys() < scope else index
        if end > index:
            start = index
            while (
                start > stop
                and columns[start - 1].keys() == columns[index].keys()
                and (is_blank(columns[start - 1]) or not is_blank(columns[start]))
            ):
                start -= 1
            yield start, end
            stop = end
        index = max(end, index + 1)


def _iter_runs(columns: Sequence[Column], partitions: Sequence[Partition]) -> Iterator[ColumnRun]:
    start = 0
    while start < len(columns):
        end = _find_run_end(columns, partitions, start, len(columns))
        yield ColumnRun(columns[start:end], partitions[start])
        start = end


def _find_run_end(columns: Sequence[Column], partitions: Sequence[Partition], start: int, stop: int) -> int:
    """Return the end of a run: columns with the same differences, and blank lines between and after them."""
    partition = partitions[start]
    end = index = start + 1
    while index < stop and len(partition) > 1:
        is_between = is_blank(columns[index]) and _is_even(columns[index], partition)
        if partitions[index] == partition or (is_between and len(partitions[index]) > 1):
            end = index + 1
        elif not is_between:
            break
        index += 1
    return end


def _is_even(column: Column, partition: Partition) -> bool:
    """Return whether each group has a column completely, or not at all."""
    return all(group <= column.keys() or not group & column.keys() for group in partition)


def _refine_partitions(partitions: Sequence[Partition]) -> Partition:
    """Return the groups of platforms that are in the same group in every column."""
    groups: dict[tuple[Group, ...], set[str]] = {}
    for platform in {platform for group in partitions[0] for platform in group}:
        key = tuple(next(group for group in partition if platform in group) for partition in partitions)
        groups.setdefault(key, set()).add(platform)
    return frozenset(map(frozenset, groups.values()))
