"""Lines that a block of code lacks on one of several copies: for `drifted-code`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tutorial_tool import variation
from tutorial_tool.core import lazy_re
from tutorial_tool.rules._shared._copies import lone
from tutorial_tool.variants import Step
from tutorial_tool.variation import slots
from tutorial_tool.variation.slots import Said

DATA = frozenset("json jsonc json5 yaml yml toml xml ini properties env".split())
"""Languages of data, in which no line is a command that a platform may do without."""
_AGREE = 3
"""Copies that agree, at least."""
_FEWEST = 3
"""Lines of a block that is known by those that it has."""
_COMMANDS = 4
"""Lines of commands or of a program, at least, which all are the same else."""
_OWN_SYSTEM = lazy_re.compile(r"(?:[$#>] )?(?:sudo|doas|su|chmod|chown|source|xattr|export|set|setx)\b")
"""Commands that a system may do without."""


class MissingLine(NamedTuple):
    """A line that the block of a copy lacks, and all `others` have: the line beside its place, and where it stands."""

    name: str
    beside: Said
    line: Said
    others: tuple[str, ...]


def missing_lines(step: Step) -> Iterator[MissingLine]:
    """The single lines that single copies lack."""
    for row in variation.of(step).rows("code"):
        if len(row) <= _AGREE or any(step.pages[name].generated for name in row):
            continue
        lines = {name: list(slots.lines(step.pages[name], unit)) for name, unit in row.items()}
        is_data = {line.language.partition(" ")[0] for found in lines.values() for line in found} <= DATA
        shapes = {name: tuple(_shape(step, name, line) for line in found) for name, found in lines.items()}
        name, others = lone({name: len(found) for name, found in shapes.items()})
        usual = _usual([shapes[other] for other in others])
        at = _left_out(shapes[name], usual) if usual else -1
        if at >= 0 and any(shapes[other][at] != usual[at] for other in others):
            continue
        if at >= 0 and (is_data or _is_within(lines[name], lines[others[0]], at)):
            beside = lines[name][min(max(at - 1, 0), len(lines[name]) - 1)]
            yield MissingLine(name, beside, lines[others[0]][at], others)


def _is_within(mine: Sequence[Said], theirs: Sequence[Said], at: int) -> bool:
    """Whether a command or statement is missing between others, and none that a system may do without."""
    text = theirs[at].text
    is_told = any(map(str.isalnum, text)) and not _OWN_SYSTEM.match(text)
    return len(mine) >= _COMMANDS and 0 < at < len(mine) and is_told


def _shape(step: Step, name: str, line: Said) -> str:
    """A line without the comma that ends it: the last one of a list has none."""
    return slots.shape(step, name, line.text).rstrip(",")


def _usual(blocks: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The lines that all blocks have, or all but one of them; none where more differ, or the number of lines does."""
    if not blocks or len({len(block) for block in blocks}) > 1:
        return ()
    counts = [Counter(lines).most_common(1)[0] for lines in zip(*blocks, strict=True)]
    return tuple(line for line, count in counts) if all(count >= len(blocks) - 1 for _, count in counts) else ()


def _left_out(mine: Sequence[str], theirs: Sequence[str]) -> int:
    """The number of the one line that one of two blocks lacks, which are the same else; -1 for none."""
    if len(mine) + 1 != len(theirs) or len(mine) < _FEWEST:
        return -1
    at = next((at for at, line in enumerate(mine) if line != theirs[at]), len(mine))
    return at if list(mine[at:]) == list(theirs[at + 1 :]) else -1
