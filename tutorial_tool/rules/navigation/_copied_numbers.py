"""Numbers of sections that one copy alone has otherwise: for the rule `step-number-mismatch`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tutorial_tool import variation
from tutorial_tool.rules._shared._copies import lone, named
from tutorial_tool.rules.navigation._section_numbers import counted
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variants.ordering import Number, Numbered, Order
from tutorial_tool.variants.ordering.numbers import shown
from tutorial_tool.variation import Unit


def odd_sections(known: Order) -> Iterator[tuple[Page, Numbered, str, tuple[Page, tuple[int, int], str]]]:
    """The sections whose number breaks their page's count, and is another on all others of three copies or more."""
    for step in known.steps:
        if len(step.pages) > 2 and not any(page.generated for page in step.pages.values()):
            yield from _odd_sections(step)


def _odd_sections(step: Step) -> Iterator[tuple[Page, Numbered, str, tuple[Page, tuple[int, int], str]]]:
    counts = {name: page.kept(counted) for name, page in step.pages.items()}
    for row in variation.of(step).sections if all(counts.values()) and any(map(_breaks, counts.values())) else ():
        headings = {name: section.heading for name, section in row.sections.items() if section.heading}
        numbereds = {
            name: number_at for name, unit in headings.items() if (number_at := _number_at(counts[name], unit))
        }
        name, others = lone({name: item.number for name, item in numbereds.items()})
        if not name or len(numbereds) < len(headings):
            continue
        odd, usual = numbereds[name], numbereds[others[0]]
        before = _before(counts[name], odd)
        if not _goes_on(before, odd.number) and _goes_on(before, usual.number):
            message = f"number {shown(odd.number)} here, and {shown(usual.number)} on {named(step, others)}"
            there = step.pages[others[0]], usual.place, f"number {shown(usual.number)}"
            yield step.pages[name], odd, message, there


def _breaks(counted: Sequence[Numbered]) -> bool:
    """Whether a number does not follow the one before it."""
    return any((before := _before(counted, item)) is not None and not _goes_on(before, item.number) for item in counted)


def _number_at(counted: Sequence[Numbered], heading: Unit) -> Numbered | None:
    return next((item for item in counted if heading.place.start <= item.place.start < heading.place.end), None)


def _before(counted: Sequence[Numbered], item: Numbered) -> Number | None:
    """The number before another one on a page, with as many parts."""
    matches = (entry.number for entry in counted if entry.place.start < item.place.start)
    return next((number for number in reversed([*matches]) if len(number) == len(item.number)), None)


def _goes_on(before: Number | None, number: Number) -> bool:
    """Whether a number is the one that follows another."""
    return before is not None and number == (*before[:-1], before[-1] + 1)
