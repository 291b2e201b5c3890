"""Code and labels that are another platform's: for the rule `foreign-name`.

Where one copy has `/etc/app.conf` and the others a path of their own in two places, each path answers to the others. A
copy that has its own in one of the places, and that of another in the second, was pasted and not changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tutorial_tool import lazy_re
from tutorial_tool.align import Alignment, Unit
from tutorial_tool.document import Range
from tutorial_tool.variants import Step

_LITERAL = lazy_re.compile(
    r"(?P<ticks>`+)(?!`)(?P<code>[^`\n]+)(?P=ticks)(?!`)|(?<!\*)\*\*(?P<label>[^*\n]+)\*\*(?!\*)"
)
_SHORTEST = 4
"""Characters of a literal that stands for one thing."""
_LOOKED_AT = 8
"""Places with one literal that are looked at."""
_Slot = Mapping[str, tuple[str, Range]]
"""What stands in one place, by variant: a literal with the sign that marks it, and where."""


class Foreign(NamedTuple):
    """A literal on a page of `name` that is that of `other`, where `own` stands elsewhere; `there` is such a place."""

    name: str
    other: str
    text: str
    own: str
    place: Range
    there: Range


def foreign_literals(step: Step, alignment: Alignment) -> Iterator[Foreign]:
    """The literals of other variants, each once in a place."""
    slots = [slot for row in alignment.rows("sentence") if len(row) > 2 for slot in _slots(step, row)]
    places: dict[tuple[str, str], list[_Slot]] = {}
    for slot in slots:
        for name, (text, _) in slot.items():
            places.setdefault((name, text), []).append(slot)
    for slot in slots:
        for name, (text, place) in slot.items():
            is_typed = not step.pages[name].generated and len(places[name, text]) == 1
            if is_typed and (found := _owner(places, slot, name)):
                other, own, there = found
                yield Foreign(name, other, text[1:], own[1:], place, there)


def _owner(places: Mapping[tuple[str, str], list[_Slot]], slot: _Slot, name: str) -> tuple[str, str, Range] | None:
    """Whose literal stands in a place of a page, what should stand there, and where it does."""
    text = slot[name][0]
    others = [other for other in slot if other != name and slot[other][0] == text]
    thirds = {id_: said for id_, (said, _) in slot.items() if said != text}
    for other in others if thirds and len(others) == 1 else ():
        for there in places[other, text][:_LOOKED_AT]:
            agreeing = [id_ for id_, said in thirds.items() if id_ in there and there[id_][0] == said]
            if there is not slot and name in there and agreeing and _differ(there[name][0], text):
                return other, *there[name]
    return None


def _differ(mine: str, theirs: str) -> bool:
    """Whether two literals are two things of one kind, and not one with its long name: `Sandbox`, `Config.Sandbox`."""
    one, two = mine[1:].casefold(), theirs[1:].casefold()
    return mine[0] == theirs[0] and one not in two and two not in one


def _slots(step: Step, row: Mapping[str, Unit]) -> Iterator[_Slot]:
    """The places of a sentence where literals stand that are not the same on all."""
    found = {name: list(_literals(step, name, unit)) for name, unit in row.items()}
    if len({len(literals) for literals in found.values()}) == 1:
        for literals in zip(*found.values(), strict=True):
            if len({text for text, _ in literals}) > 1 and all(len(text) > _SHORTEST for text, _ in literals):
                yield dict(zip(found, literals, strict=True))


def _literals(step: Step, name: str, unit: Unit) -> Iterator[tuple[str, Range]]:
    page = step.pages[name].plain
    end = unit.place.end + 2  # the marks of a label that ends the sentence
    for match in _LITERAL.finditer(page, max(unit.place.start - 2, 0), end):
        kind, sign = ("code", "`") if match["code"] else ("label", "*")
        yield sign + match[kind].strip(), Range(*match.span(kind))
