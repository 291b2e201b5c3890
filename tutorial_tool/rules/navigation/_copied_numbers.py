"""Numbers in the titles and headings of copies, where one copy has another: for the rule `step-number-mismatch`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tutorial_tool import variation
from tutorial_tool.rules._shared._copies import lone, named
from tutorial_tool.rules.navigation._section_numbers import counted
from tutorial_tool.site import Page
from tutorial_tool.variants import Step, tutorials
from tutorial_tool.variants.ordering import Number, Numbered, Order, StepNumber
from tutorial_tool.variants.ordering.numbers import shown
from tutorial_tool.variation import Unit

_STEPS = 3  # Steps of two copies that show how they count
_Found = tuple[Page, StepNumber, str, tuple[Page, tuple[int, int], str]]
"""A page with its number, what is wrong with it, and a place that shows it."""


def unlike_copies(known: Order) -> Iterator[_Found]:
    """The pages whose number is another than two copies or more agree on, and that no other page has there."""
    numbered = [(step, numbers) for step in known.steps if (numbers := _numbers(known, step))]
    if len(numbered) > 1:
        by_step = dict(numbered)
        for steps in tutorials([step for step, _ in numbered]):
            yield from _unlike(steps, by_step)


def _numbers(known: Order, step: Step) -> dict[str, StepNumber]:
    step_numbers = {name: known.step_number(page) for name, page in step.pages.items() if not page.generated}
    return {name: number for name, number in step_numbers.items() if number}


def _unlike(steps: Sequence[Step], numbers: Mapping[Step, Mapping[str, StepNumber]]) -> Iterator[_Found]:
    usual = {step: _usual(numbers[step]) for step in steps} | _of_two(steps, numbers)
    shown = {step: number for step, number in usual.items() if number is not None}
    for step, number in shown.items():
        for name, step_number in numbers[step].items():
            others = [other for other in shown if other is not step and name in numbers[other]]
            shifts = {numbers[other][name].number - shown[other] for other in others}
            taken = any(numbers[other][name].number == number for other in others)
            if step_number.number != number and shifts and step_number.number - number not in shifts and not taken:
                agreeing = [id_ for id_, item in numbers[step].items() if item.number == number]
                message = f"number {step_number.number} here, and {number} on {named(step, agreeing)}"
                there = step.pages[agreeing[0]], numbers[step][agreeing[0]].place, f"number {number}"
                yield step.pages[name], step_number, message, there


def _usual(numbers: Mapping[str, StepNumber]) -> int | None:
    """The number that two copies or more agree on, and more than on any other."""
    counts = Counter(number.number for number in numbers.values()).most_common(2)
    return counts[0][0] if counts and counts[0][1] > 1 and (len(counts) == 1 or counts[1][1] < counts[0][1]) else None


def _of_two(steps: Sequence[Step], numbers: Mapping[Step, Mapping[str, StepNumber]]) -> dict[Step, int]:
    """The number of each step of two copies where one copy counts one by one, and the other does so nearly."""
    names = {name for step in steps for name in numbers[step]}
    both = [step for step in steps if len(numbers[step]) == 2]
    if len(names) != 2 or len(both) < _STEPS:
        return {}
    counted = {name: sorted(numbers[step][name].number for step in both) for name in names}
    right = [name for name, item in counted.items() if item == list(range(item[0], item[0] + len(item)))]
    odd = [step for step in both if len({number.number for number in numbers[step].values()}) == 2]
    if len(right) != 1 or len(odd) != 1:
        return {}
    return {step: numbers[step][right[0]].number for step in both}


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
