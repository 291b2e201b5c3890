"""A port on one of two copies that has in other places what the other copy has there: it contradicts itself.

For `drifted-wording`, `drifted-code` and `conflicting-value`, each in its own places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rapidfuzz.distance import OSA

from tutorial_tool import variants
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.document import Range
from tutorial_tool.rules._shared._copies import named
from tutorial_tool.variants import Step
from tutorial_tool.variation import slots
from tutorial_tool.variation.slots import Said, Slot

_NUMBER = lazy_re.compile(r"(?<![\w.,-])(?!(?:19|20)\d\d\b)\d{4,}(?![\w.,-]*\w)")
"""A number that counts nothing, and is no year."""
_NAME = lazy_re.compile(r"[^\W\d_]{3,}")
_BEFORE = 30
"""Characters before a value in which its name stands."""
_PAIR = 2
"""Copies that are compared: of three, what most have tells a number that is odd."""
_TWICE = 2
"""How often a copy has its value, at least, which is the only one that it has."""
_IN_CODE = ("code", "line", "value")


class StrayValue(NamedTuple):
    """A value that its page says once, what it says else, how often, and the copy that says it here."""

    name: str
    kind: str
    text: str
    usual: str
    times: int
    other: str
    place: Range


def stray_values(step: Step, *kinds: str) -> Iterator[StrayValue]:
    """The values in such places."""
    return (each for each in variants.kept(step, _all) if each.kind in kinds)


def stray_code(step: Step) -> Iterator[StrayValue]:
    """Those in code."""
    return stray_values(step, *_IN_CODE)


def stray(step: Step, found: StrayValue) -> Finding:
    """What the page says else, as the others do; between neighbours, such as two ports, it may be meant."""
    own = f"in {found.times} other place{'s' * (found.times > 1)} of {step.variants[found.name].name}"
    message = f"`{found.text}` here, and `{found.usual}` {own} and on {named(step, (found.other,))}"
    is_slip = OSA.distance(found.text, found.usual) == 1 and abs(int(found.text) - int(found.usual)) > 1
    severity = Severity.WARNING if is_slip else Severity.HINT
    return step.pages[found.name].flag(found.place, message, severity=severity)


def _all(step: Step) -> tuple[StrayValue, ...]:
    if len(step.pages) != _PAIR or any(page.generated for page in step.pages.values()):
        return ()
    found: dict[tuple[str, Range], StrayValue] = {}
    for slot in slots.of(step).every:
        if len(slot) == len(step.pages) and all(_NUMBER.search(said.text) for said in slot.values()):
            for one in _in(step, slot):
                found.setdefault((one.name, one.place), one)
    return tuple(found.values())


def _in(step: Step, slot: Slot) -> Iterator[StrayValue]:
    if len({slots.shape(step, name, _NUMBER.sub("0", said.text)) for name, said in slot.items()}) > 1:
        return
    for values in zip(*(_values(step, name, said) for name, said in slot.items()), strict=False):
        said = dict(zip(slot, values, strict=True))
        first, second = said
        found = (_stray(step, said, name, other) for name, other in ((first, second), (second, first)))
        yield from filter(None, found)


def _values(step: Step, name: str, said: Said) -> list[Said]:
    """The values in a place, each where it stands."""
    text = step.pages[name].plain
    return [Said(said.kind, match[0], Range(*match.span())) for match in _NUMBER.finditer(text, *said.place)]


def _stray(step: Step, said: Mapping[str, Said], name: str, other: str) -> StrayValue | None:
    mine, usual = said[name], said[other].text
    if mine.text == usual or mine.text in step.pages[other].plain:
        return None
    if len(_places(step.pages[name].plain, mine.text)) != 1 or _times(step, name, mine.text) != 1:
        return None
    text = step.pages[name].plain
    names = _names(text, mine.place.start)
    own = [
        at
        for page in variants.pages_of(step, name)
        for at in _places(page.plain, usual)
        if _names(page.plain, at) & names
    ]
    if not own or _times(step, other, usual) < _TWICE:
        return None
    return StrayValue(name, mine.kind, mine.text, usual, len(own), other, mine.place)


def _times(step: Step, name: str, value: str) -> int:
    return sum(len(_places(page.plain, value)) for page in variants.pages_of(step, name))


def _places(text: str, value: str) -> list[int]:
    """Where a text has a value, whole."""
    found = re.finditer(rf"(?<![\w.-]){re.escape(value)}(?![\w-]|\.\d)", text) if value in text else ()
    return [match.start() for match in found]


def _names(text: str, at: int) -> set[str]:
    """The words right before a value on its line: what it is the number of."""
    before = text[max(text.rfind("\n", 0, at) + 1, at - _BEFORE) : at]
    words = before.split()
    near = [word for word in words[-2:] if _NAME.search(word)]
    return {name.lower() for name in _NAME.findall(near[-1])} if near else set()
