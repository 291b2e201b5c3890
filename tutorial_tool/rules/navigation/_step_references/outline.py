"""The numbers of one page: of its step, its headings, and its list items, read once."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.parser import Block
from tutorial_tool.site import Page
from tutorial_tool.variants.ordering import numbers
from tutorial_tool.variants.ordering.numbers import HeadingNumber, Number, StepNumber, parse_number

_LABEL = lazy_re.compile(
    r"(?:(?:step|section|part)[ \u00a0]+)?(\d{1,2}(?:\.\d{1,2})+)"
    r"(?:[.)]?[ \u00a0]+(?=(?-i:[A-Z\"“(\ufffc]))|[ ]*[:–—-]|[.)]?$)",
    re.IGNORECASE,
)
"""A number at the start of a paragraph, item or cell, which numbers what follows."""


class Outline:
    """The numbers of a page. `titled` is the number at the start of its title."""

    def __init__(self, page: Page, titled: StepNumber | None) -> None:
        self.page, self.titled = page, titled

    @property
    def step(self) -> int | None:
        """The number of the page's step, computed or hard-coded."""
        if self.page.number is not None:
            return self.page.number
        return self.titled.number if self.titled else None

    @cached_property
    def headings(self) -> list[HeadingNumber]:
        return list(numbers.find_heading_numbers(self.page.document))

    @cached_property
    def _places(self) -> list[HeadingNumber]:
        """The headings that show a reader's position: of this step, dotted or after a word."""
        numbereds = [n for n in self.headings if len(n.number) > 1 or n.typed[0].isalpha()]
        return [n for n in numbereds if self.step in (None, n.number[0])]

    def find_position(self, offset: int) -> Number:
        """Return the number of the step or section at an offset; () if unknown."""
        before = bisect_right(self._places, offset, key=lambda result: result.span.start)
        if before:
            return self._places[before - 1].number
        if self.step is not None and self._is_divided:
            return (self.step,)
        majors = {n.number[0] for n in self._places if len(n.number) > 1}
        return (majors.pop(),) if len(majors) == 1 else ()

    @property
    def _is_divided(self) -> bool:
        """Whether dotted references begin with the page's number, and it does not count parts or chapters."""
        if self.page.number is not None or (self.titled and self.titled.word == "step"):
            return True
        return any(len(n.number) > 1 for n in self._places)

    @cached_property
    def labels(self) -> set[Number]:
        """The numbers at the start of a paragraph, an item or a cell, and their parents."""
        return {
            parse_number(match[1])[:depth]
            for prose in self.page.document.get_prose()
            if prose.kind != "heading" and (match := _LABEL.match(prose))
            for depth in range(1, match[1].count(".") + 2)
        }

    # Lists

    def find_highest_item(self, number: Number) -> int:
        """Return the highest number in the lists of a step or section of the page."""
        return max(self._iter_last_numbers(number), default=0)

    def _iter_last_numbers(self, number: Number) -> Iterator[int]:
        start = next((n.span.start for n in self.headings if n.number == number), 0)
        after = (n for n in self.headings if n.span.start > start and n.number[: len(number)] != number)
        end = next((n.span.start for n in after), len(self.page.document.text))
        yield from (_get_last_number(block) for block in self.page.document.lists if start <= block.start < end)


def _get_last_number(block: Block) -> int:
    """Return the number of a list's last item; 0 if the list is not numbered."""
    if block.kind != "list" or block.info != "ordered":
        return 0
    return max([len(block.children), *(int(item.number) for item in block.children if item.number.isdigit())])
