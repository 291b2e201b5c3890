"""Commands of another platform's own program, such as its command line tool: for the rule `foreign-name`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tutorial_tool import variation
from tutorial_tool.core import lazy_re
from tutorial_tool.rules.drift._foreign_commands import ForeignCommand
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variation import Unit, slots
from tutorial_tool.variation.slots import Said

_COPIES = 3
_OFTEN = 2
"""In how many other places, at least, a page runs its own program where another one runs its."""
_SHELLS = frozenset("sh bash zsh shell console shell-session terminal".split())
_COMMAND = lazy_re.compile(r"(?:[$%>#] +)?(?:sudo +)?(?P<program>[a-z][\w.+-]*)(?= +[\w./\"'-])")
"""A line that runs a program, and tells it what to do."""


class _Run(NamedTuple):
    """What a block of commands runs, all of whose lines are of one program."""

    program: str
    first: Said
    text: str


_Row = Mapping[str, _Run]


def foreign_programs(step: Step) -> Iterator[ForeignCommand]:
    """The commands that are word for word those of one other copy, and run that one's program, where all others run
    their own. In several other places, this page runs its own program where that copy runs its."""
    if len(step.pages) < _COPIES:
        return
    found = (
        {name: _run(step.pages[name], unit) for name, unit in row.items()} for row in variation.of(step).rows("code")
    )
    rows = [{name: run for name, run in row.items() if run} for row in found]
    for row in rows:
        same = _twins(row)
        if len(row) == len(step.pages) and same:
            yield from _pasted(step, rows, row, same)


def _twins(row: _Row) -> list[str]:
    """The only two copies that run the same; none where more do, or none."""
    times = Counter(run.text for run in row.values())
    same = [name for name, run in row.items() if times[run.text] > 1]
    return same if len(same) == 2 else []


def _pasted(step: Step, rows: Sequence[_Row], row: _Row, same: Sequence[str]) -> Iterator[ForeignCommand]:
    """What one of two copies with the same commands has from the other."""
    others = tuple(name for name in row if name not in same)
    program = row[same[0]].program
    if any(run.program == program for each in rows for name, run in each.items() if name in others):
        return  # it is nobody's own
    for name, other in (same, same[::-1]):
        beside = Counter(each[name].program for each in rows if name in each and _runs(each, other, program))
        is_once = beside.pop(program) == 1 and sum(_runs(each, name, program) for each in rows) == 1
        is_own = len(beside) == 1 and min(beside.values()) >= _OFTEN
        if is_once and is_own and not step.pages[name].generated:
            yield ForeignCommand(name, other, others, row[name].first.text, row[name].first.place)


def _runs(row: _Row, name: str, program: str) -> bool:
    return name in row and row[name].program == program


def _run(page: Page, unit: Unit) -> _Run | None:
    """What a block for a shell runs, if all of it is of one program."""
    lines = [line for line in slots.lines(page, unit) if line.language in _SHELLS]
    programs = {found["program"] for line in lines if (found := _COMMAND.match(line.text))}
    text = "\n".join(line.text for line in lines)
    return _Run(programs.pop(), lines[0], text) if len(programs) == 1 else None
