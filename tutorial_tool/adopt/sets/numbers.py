"""Numbers of pages among the steps of their tutorial, and the order on which all platforms agree."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from tutorial_tool import data
from tutorial_tool.adopt.copies import Copy, CopySet
from tutorial_tool.adopt.sets import contents
from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Document
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.variants.ordering import numbers

_NUMBER = lazy_re.compile(r"(?<![\w-])-?\d+(?:\.\d+)?|\d+(?:\.\d+)?")
"""A number; a hyphen before it is not a minus: `step-2` is the second."""
_NUMBERED = lazy_re.compile(r"^# .*\d|\d.*\n=+[ \t]*$", re.MULTILINE)  # What may be a level-1 heading with a number
_ORDER = ("order", "sidebar_position", "nav_order", "weight", "position")
"""Front matter keys in which site generators look for the order of pages."""


def read_number(copy: Copy, step: str) -> float:
    """Return the number of a page from its front matter, title, or step name; infinity if there is none."""
    return _get_first(_read_numbers(copy, step))


def find_consistent(sets: Sequence[CopySet]) -> dict[str, float]:
    """Return the numbers of steps, of the first kind that all pages of a tutorial have."""
    kind = _find_kind(sets)
    firsts = {copy_set.step: next(iter(copy_set.copies.values())) for copy_set in sets}
    reported = {step: _read_numbers(copy, step)[kind] for step, copy in firsts.items()}
    return {step: place for step, place in reported.items() if place < math.inf}


def _find_kind(sets: Sequence[CopySet]) -> int:
    """Return the first kind of number that all pages except indexes have; the first kind if there is none."""
    reported = [
        [result < math.inf for result in _read_numbers(copy, copy_set.step)]
        for copy_set in sets
        if not contents.is_index(copy_set.step)
        for copy in copy_set.copies.values()
    ]
    return next((kind for kind, has in enumerate(zip(*reported, strict=True)) if all(has)), 0)


def _get_first(matches: Sequence[float], kind: int = 0) -> float:
    """Return the number of a kind, or the first of another one; infinity if there is none."""
    return next((number for number in (matches[kind], *matches) if number < math.inf), math.inf)


def _read_numbers(copy: Copy, step: str) -> list[float]:
    """Return the numbers of a page from each front matter key, the title, and the step's name."""
    front = data.parse_metadata(copy.text)
    title = str(front.get("title", "")) or _read_heading_number(copy.text)
    texts = (*(str(front.get(key, "")) for key in _ORDER), title, step)
    return [float(match[0]) if (match := _NUMBER.search(text)) else math.inf for text in texts]


def _read_heading_number(text: str) -> str:
    """Return the step number at the start of a page's title heading; "" if there is none."""
    if not _NUMBERED.search(text):  # most have none, and parsing a page is slow
        return ""
    step_number = numbers.parse_step_number(numbers.find_title(Document(text, Dialect.PYTHON_MARKDOWN)))
    return str(step_number.number) if step_number else ""


def find_agreed_places(sets: Sequence[CopySet]) -> dict[str, float]:
    """Return the positions of steps by their numbers on all platforms, some of which may have more steps.

    The result is empty if the platforms contradict each other.
    """
    kind = _find_kind(sets)
    before: dict[str, set[str]] = {copy_set.step: set() for copy_set in sets}
    for platform in dict.fromkeys(platform for copy_set in sets for platform in copy_set.platforms):
        copies = {copy_set.step: copy_set.copies[platform] for copy_set in sets if platform in copy_set.copies}
        own = {step: _get_first(_read_numbers(copy, step), kind) for step, copy in copies.items()}
        for step, place in own.items():
            before[step] |= {other for other, earlier in own.items() if earlier < place < math.inf}
    usual = {copy_set.step: copy_set.place for copy_set in sets}
    try:
        order = _sort_steps(before, usual)
    except CycleError:
        return {}
    return {step: float(at) for at, step in enumerate(order) if usual[step][0] < math.inf}


def _sort_steps(before: Mapping[str, set[str]], usual: Mapping[str, tuple[float, str]]) -> list[str]:
    """Sort the steps topologically, otherwise in their usual order. Raises CycleError."""
    sorter = TopologicalSorter(before)
    sorter.prepare()
    out: list[str] = []
    ready: list[str] = []
    while sorter.is_active():
        ready = sorted([*ready, *sorter.get_ready()], key=lambda step: usual[step])
        first = ready.pop(0)
        sorter.done(first)
        out.append(first)
    return out
