"""Group the steps of one tutorial that is maintained for several platforms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from tutorial_tool.variants import paths

if TYPE_CHECKING:
    from tutorial_tool.variants import Step


def group_tutorials(steps: Iterable[Step]) -> list[list[Step]]:
    """Group steps whose paths differ as variants' do and that have half of their variants in common."""
    groups = _StepGroups()
    for step in steps:
        groups.add(step)
    return groups.groups


class _StepGroups:
    """Groups of steps, related directly or through others. Only steps whose paths may match are compared."""

    def __init__(self) -> None:
        self._members: dict[int, list[Step]] = {}
        """The groups, in the order in which they last grew."""
        self._merged_into: list[int] = []
        """For the number of each group, the group that it was merged into."""
        self._indexes: dict[tuple[str, ...], _PathIndex] = {}

    @property
    def groups(self) -> list[list[Step]]:
        return list(self._members.values())

    def add(self, step: Step) -> None:
        """Add a step to the groups it matches, and merge these."""
        open_paths = _iter_open_paths(step.pattern)
        indexes = [self._indexes.setdefault(path, _PathIndex(position)) for path, position in open_paths]
        matching = self._find_groups(step, indexes)
        ordered = [number for number in self._members if number in matching] if len(matching) > 1 else list(matching)
        root = ordered[0] if ordered else len(self._merged_into)
        if not ordered:
            self._merged_into.append(root)
        members = self._members.pop(root, [])
        for merged in ordered[1:]:
            members += self._members.pop(merged)
            self._merged_into[merged] = root
        members.append(step)
        self._members[root] = members
        for index in indexes:
            index.add(step, root)

    def _find_groups(self, step: Step, indexes: Iterable[_PathIndex]) -> set[int]:
        roots: set[int] = set()
        for number, steps in (candidates for index in indexes for candidates in index.find_candidates(step)):
            if len(roots) == len(self._members):
                break
            root = self._find_root(number)
            if root not in roots and any(paths.find_difference(step.pattern, other.pattern) for other in steps):
                roots.add(root)
        return roots

    def _find_root(self, number: int) -> int:
        while self._merged_into[number] != number:
            number = self._merged_into[number]
        return number


def _iter_open_paths(pattern: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield a path with each pair of its parts blank, and the index of the first of these.

    A path that differs in one or two parts shares one of them.
    """
    parts = paths.get_parts(pattern)
    if len(parts) == 1:
        yield ("",), 0
    for left, right in combinations(range(len(parts)), 2):
        yield (*parts[:left], "", *parts[left + 1 : right], "", *parts[right + 1 :]), left


class _PathIndex:
    """The steps whose paths are equal except for two positions, by the text in the first of these."""

    def __init__(self, position: int) -> None:
        self._position = position
        self._steps: dict[str, dict[tuple[int, frozenset[str]], list[Step]]] = {}
        """By part: the steps of each group with the same variants."""
        self._parts_compatible: dict[str, list[str]] = {}
        """For each part, the parts that are not versions or languages of the same thing."""

    def add(self, step: Step, group: int) -> None:
        part = paths.get_parts(step.pattern)[self._position]
        self._steps.setdefault(part, {}).setdefault((group, frozenset(step.variants)), []).append(step)

    def find_candidates(self, step: Step) -> Iterator[tuple[int, list[Step]]]:
        """Yield steps that share enough variants with this one, with their group."""
        for part in self._get_compatible_parts(step):
            for (group, variants), steps in self._steps.get(part, {}).items():
                shared = len(step.variants.keys() & variants)
                if shared > 1 and 2 * shared >= min(len(step.variants), len(variants)):
                    yield group, steps

    def _get_compatible_parts(self, step: Step) -> list[str]:
        parts = paths.get_parts(step.pattern)
        own_part = parts[self._position]
        if own_part not in self._parts_compatible:
            before, after = parts[: self._position], parts[self._position + 1 :]
            others = {part: (*before, part, *after) for part in self._parts_compatible}
            matches = [part for part in others if paths.may_separate_variants(parts, others[part], self._position)]
            for part in matches:
                self._parts_compatible[part].append(own_part)
            self._parts_compatible[own_part] = [own_part, *matches]
        return self._parts_compatible[own_part]
