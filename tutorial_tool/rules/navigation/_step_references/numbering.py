"""The step and section numbers of a tutorial on one platform, hard-coded or computed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from tutorial_tool.core.caching import cache_method
from tutorial_tool.core.grouping import group_by
from tutorial_tool.rules.navigation._step_references.outline import Outline
from tutorial_tool.site import Page
from tutorial_tool.variants.ordering import Order, PageOrder
from tutorial_tool.variants.ordering.numbers import Number, format_number

_ENOUGH = 2  # Minimum numbers of a kind that prove that a document numbers that kind


class Numberings:
    """The outlines and numberings of a site's pages, each built once."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self._known: dict[Page | PageOrder, Numbering] = {}

    @cache_method
    def get_outline(self, page: Page) -> Outline:
        return Outline(page, self.order.get_step_number(page))

    def get_numbering(self, page: Page) -> Numbering:
        """Return the numbering that applies on a page: its tutorial's, or its own."""
        sequence = self.order.get_sequence(page)
        key = sequence or page
        if key not in self._known:
            self._known[key] = Numbering(map(self.get_outline, sequence.pages if sequence else [page]))
        return self._known[key]


class Numbering:
    """The numbers of pages that are one document to their reader."""

    def __init__(self, outlines: Iterable[Outline]) -> None:
        self._outlines = tuple(outlines)

    @cached_property
    def _numbers(self) -> dict[Number, Outline]:
        """All numbers of titles and headings, including their parents, with the outline of the page."""
        out: dict[Number, Outline] = {}
        for outline in self._outlines:
            if outline.step is not None:
                out.setdefault((outline.step,), outline)
            for heading in outline.headings:
                if len(heading.number) > 1 or len(self._outlines) == 1 or heading.typed[0].isalpha():
                    for depth in range(1, len(heading.number) + 1):
                        out.setdefault(heading.number[:depth], outline)
        return out

    @cached_property
    def _children(self) -> dict[Number, list[Number]]:
        """The sections of each number that has any, in order."""
        return group_by(sorted(number for number in self._numbers if len(number) > 1), lambda number: number[:-1])

    @cached_property
    def _labels(self) -> set[Number]:
        return set().union(*(outline.labels for outline in self._outlines))

    def _has_number(self, number: Number) -> bool:
        """Return whether a step, a section, or a list item of an undivided section has this number."""
        if number in self._numbers or number in self._labels:
            return True
        parent = number[:-1]
        outline = None if parent in self._children else self._numbers.get(parent)
        return outline is not None and number[-1] <= outline.find_highest_item(parent)

    @cache_method
    def explain_missing(self, number: Number) -> str:
        """Explain why nothing has this number; "" if something has it, or may. A page may repeat it many times."""
        return "" if self._has_number(number) else self._explain_missing(number)

    def _explain_missing(self, number: Number) -> str:
        dotted = sum(map(len, self._children.values()))
        parent = number[:-1]
        if children := self._children.get(parent):
            is_known = dotted > _ENOUGH or len(children) >= _ENOUGH
            return f"{format_number(parent)} has {_format_range(children)}" if is_known else ""
        if parent in self._numbers:
            divided = [other for other in self._children if len(other) == len(parent)]
            return f"{format_number(parent)} has no sections" if len(divided) >= _ENOUGH else ""
        return self._describe_last_step(number) if dotted >= _ENOUGH else ""

    def _describe_last_step(self, number: Number) -> str:
        """Return where the steps end if they are complete and none has this number."""
        if len(self._outlines) < 2:
            return ""  # on a single page, it may be the section of another document
        steps = sorted(n[0] for n in self._numbers if len(n) == 1)
        complete = len(steps) >= _ENOUGH and steps[0] in (0, 1) and steps[-1] - steps[0] == len(steps) - 1
        return f"the numbers end at {steps[-1]}" if complete and number[0] > steps[-1] else ""


def _format_range(children: list[Number]) -> str:
    """Return `4.1 to 4.3`, or each number if some in between are missing."""
    first, last = children[0], children[-1]
    if first is last:
        return f"only {format_number(first)}"
    if last[-1] - first[-1] == len(children) - 1:
        return f"{format_number(first)} to {format_number(last)}"
    return ", ".join(map(format_number, children))
