"""Code that one copy's sentence lacks among several that all others name there: for `drifted-code`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tutorial_tool import variation
from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import MASK, Range
from tutorial_tool.rules._shared._code_by_word import OddWord
from tutorial_tool.rules._shared._copies import lone
from tutorial_tool.rules._shared._odd_literals import names_one
from tutorial_tool.variants import Step
from tutorial_tool.variation import Unit, slots
from tutorial_tool.variation.slots import Said

_WORD = lazy_re.compile(r"[^\W_]+")
_AND = 3
"""Letters of a word that joins the last two of a list, at most: `and`, `und`, `y`."""
_AGREE = 3
"""Copies that agree, at least."""


def unnamed_code(step: Step) -> Iterator[OddWord]:
    """The code that single copies lack in a sentence that is the same else, as one of three events."""
    for row in variation.of(step).rows("sentence"):
        if len(row) > _AGREE and MASK in next(iter(row.values())).text:
            found = _unnamed(step, row)
            if found and not step.pages[found.name].generated and not names_one(step, found.usual):
                yield found


def _unnamed(step: Step, row: Mapping[str, Unit]) -> OddWord | None:
    codes = {name: list(slots.code_of(step.pages[name], unit)) for name, unit in row.items()}
    shapes = {name: tuple(slots.shape(step, name, said.text) for said in found) for name, found in codes.items()}
    name, others = lone(shapes)
    if not name or not shapes[name] or not _say_one_thing(row, name):
        return None
    at = _left_out(shapes[name], shapes[others[0]])
    if at < 0:
        return None
    mine, usual = codes[name][max(at - 1, 0)], codes[others[0]][at]
    return OddWord(name, others, "", _marked(mine), usual.text, _marked(usual))


def _say_one_thing(row: Mapping[str, Unit], name: str) -> bool:
    """Whether sentences are of the same words beside their code; one may lack the `and` before it, and say `scope` for
    `scopes`."""
    words = {id_: Counter(_WORD.findall(unit.masked.lower())) for id_, unit in row.items()}
    mine = words.pop(name)
    usual, *others = words.values()
    lacking, more = list((usual - mine).elements()), list((mine - usual).elements())
    if len(more) == 1 and f"{more[0]}s" in lacking:
        lacking.remove(f"{more.pop()}s")
    is_all = not lacking or (len(lacking) == 1 and len(lacking[0]) <= _AND)
    return is_all and not more and all(other == usual for other in others)


def _marked(said: Said) -> Range:
    """The place of code with the signs that mark it."""
    return Range(said.place.start - 1, said.place.end + 1)


def _left_out(mine: Sequence[str], theirs: Sequence[str]) -> int:
    """The number of the only one of several words of code that one of two lists lacks; -1 for none."""
    if len(mine) + 1 != len(theirs):
        return -1
    at = next((at for at, shape in enumerate(mine) if shape != theirs[at]), len(mine))
    return at if tuple(mine[at:]) == tuple(theirs[at + 1 :]) else -1
