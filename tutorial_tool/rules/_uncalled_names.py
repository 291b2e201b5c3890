"""A name in the code of a sentence that the page's own blocks of code write otherwise: for `drifted-code`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tutorial_tool import gist, lazy_re
from tutorial_tool.align import slots
from tutorial_tool.document import Range
from tutorial_tool.rules._misspelled_names import is_a_letter_off
from tutorial_tool.site import Page
from tutorial_tool.variants import Step

_NAME = lazy_re.compile(r"[A-Za-z_$][\w$]*")
_LETTERS = 7
"""Letters of the shortest name that is told from another by one of them."""
_TWICE = 2
"""How often the blocks of a page have the right name at least."""


class UncalledName(NamedTuple):
    """A name in a sentence of a copy, where it stands, and what the page's blocks call the thing."""

    name: str
    word: str
    place: Range
    right: str


def uncalled_names(step: Step) -> Iterator[UncalledName]:
    """The names that no block of a page has, but for a letter or its case, where another copy's sentence has one that
    its own blocks have."""
    for slot in slots.of(step).every:
        told = {name: said for name, said in slot.items() if said.kind == "code" and _NAME.fullmatch(said.text)}
        called = {name for name, said in told.items() if said.text in step.pages[name].kept(_in_blocks)}
        for name in told.keys() - called if called else ():
            said, page = told[name], step.pages[name]
            right = _right(said.text, page.kept(_in_blocks)) if not page.generated else ""
            if right:
                yield UncalledName(name, said.text, said.place, right)


@gist.of_each
def _in_blocks(page: Page) -> dict[str, int]:
    """The names in the blocks of code of a page, and how often each stands there."""
    return dict(Counter(name for block in page.document.code_blocks for name in _NAME.findall(block.text)))


def _right(word: str, names: Mapping[str, int]) -> str:
    """The one name of the blocks that a word is but for a letter or its case; "" where there is none, or several."""
    near = [name for name, times in names.items() if times >= _TWICE and _is_off(word, name)]
    return near[0] if len(near) == 1 else ""


def _is_off(word: str, name: str) -> bool:
    """Whether two names differ as slips do: not a class from its instance, nor one thing from several."""
    if min(len(word), len(name)) < _LETTERS or word[1:] == name[1:]:
        return False
    if word.lower() == name.lower():
        return True
    return is_a_letter_off(word, name) and not any(map(str.isdigit, set(word) ^ set(name)))
