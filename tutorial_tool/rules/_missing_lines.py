"""Lines of data that a block of code lacks on one of several copies: for `drifted-code`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tutorial_tool import align
from tutorial_tool.align import slots
from tutorial_tool.align.slots import Said
from tutorial_tool.rules._copies import lone
from tutorial_tool.variants import Step

DATA = frozenset("json jsonc json5 yaml yml toml xml ini properties env".split())
"""Languages of data, in which no line is a command that a platform may do without."""
_AGREE = 3
"""Copies that agree, at least."""
_FEWEST = 3
"""Lines of a block that is known by those that it has."""


class MissingLine(NamedTuple):
    """A line that the block of a copy lacks, and all `others` have: the line beside its place, and where it stands."""

    name: str
    beside: Said
    line: Said
    others: tuple[str, ...]


def missing_lines(step: Step) -> Iterator[MissingLine]:
    """The single lines that single copies lack."""
    for row in align.of(step).rows("code"):
        if len(row) <= _AGREE or any(step.pages[name].generated for name in row):
            continue
        lines = {name: list(slots.lines(step.pages[name], unit)) for name, unit in row.items()}
        if {line.language.partition(" ")[0] for found in lines.values() for line in found} <= DATA:
            shapes = {name: tuple(_shape(step, name, line) for line in found) for name, found in lines.items()}
            name, others = lone(shapes)
            at = _left_out(shapes[name], shapes[others[0]]) if name else -1
            if at >= 0:
                beside = lines[name][min(max(at - 1, 0), len(lines[name]) - 1)]
                yield MissingLine(name, beside, lines[others[0]][at], others)


def _shape(step: Step, name: str, line: Said) -> str:
    """A line without the comma that ends it: the last one of a list has none."""
    return slots.shape(step, name, line.text).rstrip(",")


def _left_out(mine: Sequence[str], theirs: Sequence[str]) -> int:
    """The number of the one line that one of two blocks lacks, which are the same else; -1 for none."""
    if len(mine) + 1 != len(theirs) or len(mine) < _FEWEST:
        return -1
    at = next((at for at, line in enumerate(mine) if line != theirs[at]), len(mine))
    return at if list(mine[at:]) == list(theirs[at + 1 :]) else -1
