"""A name in the code of a sentence that the page's own blocks of code write otherwise: for `drifted-code`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tutorial_tool import variation
from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import MASK, Range
from tutorial_tool.rules.drift._misspelled_names import is_a_letter_off
from tutorial_tool.site import Page, page_facts
from tutorial_tool.variants import Step
from tutorial_tool.variation import Unit, slots
from tutorial_tool.variation.slots import Said

_NAME = lazy_re.compile(r"[A-Za-z_$][\w$]*")
_MEMBER = lazy_re.compile(r"(?P<name>[A-Za-z_$][\w$]*(?:\.|::)[A-Za-z_$][\w$]*)(?:\(\))?")
"""What is called of a thing: `Acme.start`, `acme::start`."""
_PARAGRAPHS = lazy_re.compile(r"\n[ \t]*\n")
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


def uncalled_members(step: Step) -> Iterator[UncalledName]:
    """What a sentence calls of a thing, where the code right behind calls another one of it, and only that.

    On all of two other copies or more, the code behind calls what the sentence does.
    """
    for row in variation.of(step).rows("sentence"):
        if len(row) <= _TWICE or not all(MASK in unit.text for unit in row.values()):
            continue
        for slot in slots.answering_all({name: list(_members(step.pages[name], unit)) for name, unit in row.items()}):
            called = {name: _called(step.pages[name], said) for name, said in slot.items()}
            odd = [name for name, said in slot.items() if said.text not in called[name]]
            if len(odd) != 1 or len(called[odd[0]]) != 1 or step.pages[odd[0]].generated:
                continue
            name, said = odd[0], slot[odd[0]]
            if not _is_in_code(step.pages[name], re.split(r"\W+", said.text)[-1]):
                yield UncalledName(name, said.text, said.place, called[name][0])


def _members(page: Page, unit: Unit) -> Iterator[Said]:
    """What a sentence calls of things: `Acme.start()`, without what follows the name."""
    for said in slots.code_of(page, unit):
        if match := _MEMBER.fullmatch(said.text):
            start = said.place.start
            yield Said(said.kind, match["name"], Range(start, start + len(match["name"])))


def _called(page: Page, said: Said) -> list[str]:
    """What the block of code right behind a place in a paragraph calls of the same thing, each once."""
    block = next((each for each in page.document.code_blocks if each.start >= said.place.end), None)
    if block is None or len(_PARAGRAPHS.findall(page.plain, said.place.end, block.start)) > 1:
        return []
    thing = re.escape(said.text[: max(said.text.rfind("."), said.text.rfind(":")) + 1])
    return list(dict.fromkeys(re.findall(rf"(?<![\w$.:]){thing}[A-Za-z_$][\w$]*(?![\w$.:])", block.text)))


def _is_in_code(page: Page, name: str) -> bool:
    """Whether the blocks of a page have a name, of whatever it is."""
    return any(re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", block.text) for block in page.document.code_blocks)


@page_facts.of_each
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
