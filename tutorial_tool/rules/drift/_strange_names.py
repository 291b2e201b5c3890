"""A name that is no platform's own in a line of code in which all copies name themselves twice: for `foreign-name`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool import variation
from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Range
from tutorial_tool.rules.drift._misspelled_names import is_once
from tutorial_tool.variants import Step
from tutorial_tool.variation import OWN, slots
from tutorial_tool.variation.slots import Slot

_TOKEN = lazy_re.compile(r"[^\W\d_][^\W_]+")
_ADDRESS = lazy_re.compile(r"\]\([^)\n]*\)|https?://[^\s)>\]]*")
_COPIES = 3
"""Other copies, at least, that name themselves."""


class Stranger(NamedTuple):
    """A word of a line where the `others` have their own names: that of a product outside of the step, or of one of
    its variants."""

    name: str
    others: tuple[str, ...]
    word: str
    place: Range


def strangers(step: Step) -> Iterator[Stranger]:
    """The words in lines of code that a copy has once where it names itself, too, and all others do so in both places.

    Of many copies, one may be written otherwise.
    """
    for row in variation.of(step).rows("code") if len(step.pages) > _COPIES else ():
        lines = {name: list(slots.lines(step.pages[name], unit)) for name, unit in row.items()}
        length = Counter(map(len, lines.values())).most_common(1)[0][0]
        blocks = {name: found for name, found in lines.items() if len(found) == length}
        for each in zip(*blocks.values(), strict=True) if len(blocks) > _COPIES else ():
            yield from _in_slot(step, dict(zip(blocks, each, strict=True)))


def _in_slot(step: Step, slot: Slot) -> Iterator[Stranger]:
    shapes = {name: slots.shape(step, name, said.text).lower() for name, said in slot.items()}
    (usual, count), *_ = Counter(shapes.values()).most_common()
    others = tuple(name for name, shape in shapes.items() if shape == usual)
    if usual.count(OWN) < 2 or count < _COPIES or len(slot) - count > (1 if len(slot) < 2 * _COPIES else 2):
        return
    for name in slot:
        said, page = slot[name], step.pages[name]
        if name in others or page.generated or shapes[name].count(OWN) != usual.count(OWN) - 1:
            continue
        for match in _TOKEN.finditer(said.text):
            word = match[0]
            text = f"{said.text[: match.start()]}{OWN}{said.text[match.end() :]}"
            is_rest = slots.shape(step, name, text).lower() == usual
            if is_rest and not _is_own(step, name, word) and is_once(_ADDRESS.sub("", page.plain), word):
                start = said.place.start + match.start()
                yield Stranger(name, others, word, Range(start, start + len(word)))


def _is_own(step: Step, name: str, word: str) -> bool:
    """Whether a word is a part of a variant's name, or has it in it."""
    return any(word.lower() in form or form in word.lower() for form in slots.forms(step.variants[name]))
