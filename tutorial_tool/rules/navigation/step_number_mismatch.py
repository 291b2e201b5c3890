"""A number in a title that does not fit the page's place in the order, and one of a section that leaves one out."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple, cast

from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.document import Range
from tutorial_tool.rules import rule
from tutorial_tool.rules.navigation._section_numbers import find_slips
from tutorial_tool.site import Page, Site
from tutorial_tool.site.fact_index import collect_facts
from tutorial_tool.variants import ordering
from tutorial_tool.variants.ordering import Order, PageOrder, StepNumber
from tutorial_tool.variants.ordering.sequences import MIN_SEQUENCE


class Mismatch(NamedTuple):
    """A number that does not fit: its span, why, and the locations that show it."""

    place: Range
    message: str
    related: list[tuple[Page, tuple[int, int], str]]


class _NumberedStep(NamedTuple):
    page: Page
    typed: StepNumber
    value: float

    @property
    def number(self) -> int:
        return self.typed.number


@rule("navigation", Severity.WARNING)
def check(site: Site, config: Config) -> Iterator[Finding]:
    known = ordering.get_order(site, config.variants)
    wrong = find_mismatches(known)
    of_data = {page: (typed, wanted) for page, typed, wanted in _find_unlike_data(known)}
    for page, (typed, wanted) in of_data.items():
        yield page.flag(typed.span, f"number {typed.number} in the title, but step {wanted} in the data")
    for page, (place, message, related) in wrong.items():
        if page not in of_data:
            yield page.flag(place, message, related=related)
    for page, slips in collect_facts(site, find_slips).items():
        for slip in slips:
            other = "the one before it" if slip.missing else "the other one"
            yield page.flag(slip.place, slip.message, related=[(page, slip.before_place, other)])


def _find_unlike_data(known: Order) -> Iterator[tuple[Page, StepNumber, int]]:
    """Find pages kept by hand whose number differs from the data, unless several share one offset."""
    for sequence in known.tutorials:
        typed = [
            (page, result, page.number)
            for page in sequence.pages
            if not page.generated and page.number is not None and (result := known.get_step_number(page))
        ]
        shifts = Counter(match.number - number for _, match, number in typed).most_common(1)
        if shifts and (shifts[0][1] == 1 or shifts[0][0] == 0):
            yield from (item for item in typed if item[1].number != item[2])


def find_mismatches(known: Order) -> dict[Page, Mismatch]:
    """Return the pages whose titles have a number that does not fit, and why."""
    kept = vars(known)  # shared by several rules
    if "mismatches" not in kept:
        sequences = (*known.sections, *known.siblings, *known.tutorials)
        matches = (_get_sequence_mismatches(known, sequence) for sequence in sequences if sequence.source != "titles")
        kept["mismatches"] = dict(chain.from_iterable(matches))
    out: dict[Page, Mismatch] = kept["mismatches"]
    return out


def _get_sequence_mismatches(known: Order, sequence: PageOrder) -> tuple[tuple[Page, Mismatch], ...]:
    """Return the mismatches of a sequence, cached while its pages and their order stay the same."""
    by = sequence.pages, sequence.source, sequence.values, sequence.key
    made = sequence.pages[0].cache.get((_get_sequence_mismatches, sequence.source))
    if made is None or made[0] != by:
        matches = tuple(_find_in_sequence(known, sequence))
        made = sequence.pages[0].cache[_get_sequence_mismatches, sequence.source] = by, matches
    return cast("tuple[tuple[Page, Mismatch], ...]", made[1])


def _find_in_sequence(known: Order, sequence: PageOrder) -> Iterator[tuple[Page, Mismatch]]:
    steps = [
        _NumberedStep(page, result, sequence.values[page])
        for page in sequence.pages
        if (result := known.get_step_number(page))
    ]
    for run in _split_runs(steps):
        if len(run) >= MIN_SEQUENCE and len({step.typed.word for step in run}) == 1:
            yield from _find_in_run(sequence, run)


def _split_runs(steps: list[_NumberedStep]) -> list[list[_NumberedStep]]:
    """Split the steps where the numbers restart: several tutorials in one folder."""
    runs: list[list[_NumberedStep]] = []
    for step in steps:
        if not runs or (step.number <= 1 and len(runs[-1]) > 1):
            runs.append([])
        runs[-1].append(step)
    return runs


def _find_in_run(sequence: PageOrder, steps: list[_NumberedStep]) -> Iterator[tuple[Page, Mismatch]]:
    outliers = _find_outliers(steps, _find_rising_steps(steps))
    if len(outliers) * 3 <= len(steps):
        yield from (_build_order_mismatch(sequence, steps, step) for step in outliers)


def _find_rising_steps(steps: list[_NumberedStep]) -> list[_NumberedStep]:
    """Return the longest increasing subsequence of steps by number, by patience sorting."""
    tops: list[int] = []
    ends: list[int] = []
    before: list[int | None] = []
    for index, step in enumerate(steps):
        at = bisect_left(tops, step.number)
        before.append(ends[at - 1] if at else None)
        tops[at : at + 1] = [step.number]
        ends[at : at + 1] = [index]
    kept: list[_NumberedStep] = []
    index_: int | None = ends[-1] if ends else None
    while index_ is not None:
        kept.append(steps[index_])
        index_ = before[index_]
    return kept[::-1]


def _find_outliers(steps: list[_NumberedStep], kept: list[_NumberedStep]) -> list[_NumberedStep]:
    """Return the steps that are not kept. Of two with one number, the one whose offset is unusual."""
    offsets = {step: step.number - at for at, step in enumerate(steps)}
    usual = Counter(offsets.values()).most_common(1)[0][0]
    by_number = {step.number: step for step in kept}
    outliers = offsets.keys() - set(kept)
    return [
        by_number[step.number]
        if step.number in by_number and offsets[step] == usual != offsets[by_number[step.number]]
        else step
        for step in steps
        if step in outliers
    ]


def _build_order_mismatch(order: PageOrder, steps: list[_NumberedStep], step: _NumberedStep) -> tuple[Page, Mismatch]:
    at = steps.index(step)
    other = next((item for item in steps if item is not step and item.number == step.number), None)
    other = other or (steps[at - 1] if at else steps[at + 1])
    place = _describe_place(order, step)
    message = f"number {step.number} does not match {place}; {other.page.path} has number {other.number}"
    related: list[tuple[Page, tuple[int, int], str]] = [(other.page, other.typed.span, f"number {other.number}")]
    return step.page, Mismatch(step.typed.span, message, related)


def _describe_place(sequence: PageOrder, step: _NumberedStep) -> str:
    """Describe what determines the position of a step."""
    places = {"front matter": f"`{sequence.key}: {step.value:g}`", "names": f"the number {step.value:g} in its name"}
    return places.get(sequence.source, f"its place in {sequence.key}")
