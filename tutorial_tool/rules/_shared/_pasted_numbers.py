"""Ports and addresses that all other copies have, where a page has its own in their place elsewhere: for the rule
`foreign-name`."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool import variation
from tutorial_tool.core import lazy_re
from tutorial_tool.rules._shared._code_by_letters import times
from tutorial_tool.rules._shared._copies import lone
from tutorial_tool.rules._shared._foreign import Foreign
from tutorial_tool.variants import Step
from tutorial_tool.variation import slots
from tutorial_tool.variation.slots import Said

_DIGITS = lazy_re.compile(r"\d+")
_VERSION = lazy_re.compile(r"\d\.\d")
_SAID = 2
"""How often the pages of a platform have its own, at least."""


def pasted_numbers(step: Step) -> Iterator[Foreign]:
    """The code that all copies share in one place, where a page has what is its own in place of it in others:
    `localhost:5173` on a page that says `localhost:4200` else."""
    told = set()
    for slot in slots.of(step).every:
        name, others = (
            lone({id_: said.text for id_, said in slot.items()}) if len(slot) == len(step.pages) else ("", ())
        )
        if not name or step.pages[name].generated or any(said.kind != "code" for said in slot.values()):
            continue
        own, usual = slot[name].text, slot[others[0]].text
        if (name, usual) not in told and _are_two_of_one_kind(own, usual) and times(step, name, own) >= _SAID:
            place = _place(step, name, usual) if times(step, name, usual) == 1 else None
            if place is not None:
                told.add((name, usual))
                yield Foreign(name, others[0], usual, own, place.place, slot[name].place)


def _are_two_of_one_kind(own: str, usual: str) -> bool:
    """Whether two pieces of code differ in a number alone, which is none of a version."""
    is_one = _DIGITS.sub("#", own) == _DIGITS.sub("#", usual)
    return is_one and slots.tells(own) and slots.tells(usual) and not _VERSION.search(own)


def _place(step: Step, name: str, text: str) -> Said | None:
    """Where a copy says in a sentence what all copies have there."""
    for row in variation.of(step).rows("sentence"):
        if len(row) == len(step.pages) and name in row:
            said = {id_: list(slots.code_of(step.pages[id_], unit)) for id_, unit in row.items()}
            if all(text in {each.text for each in found} for found in said.values()):
                return next(each for each in said[name] if each.text == text)
    return None
