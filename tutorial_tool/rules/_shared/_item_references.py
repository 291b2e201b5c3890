"""References such as `step 2` to an item of the page's own list, which copies may have under another number: for the
rule `drifted-wording`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tutorial_tool import variation
from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Range
from tutorial_tool.markdown.parser import Block
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variants.ordering import numbers
from tutorial_tool.variation import Unit, masked
from tutorial_tool.variation.wording import plain_words

_WORDED = (
    r"(?<![\w-])(?:step|item|point|schritt|punkt|étape|etape|paso|punto|passo|passaggio|stap)[ \u00a0\n]"
    r"(?P<number>[1-9]\d?)(?![\w%:-]|\.\d)"
)
_REFERENCE = lazy_re.compile(_WORDED, re.IGNORECASE)
_BRACKETED = lazy_re.compile(rf"\s*\([^()]*{_WORDED}[^()]*\)", re.IGNORECASE)
"""A reference in brackets."""
_AGREE = 2
"""Copies, at least, that agree which item is meant."""


class OtherItem(NamedTuple):
    """A reference of the copy `name` as all `others` have it, where what they mean, which stands `there` on the first
    of them, is the item of another `number`."""

    name: str
    others: tuple[str, ...]
    text: str
    number: int
    place: Range
    there: Range


def are_one_item(step: Step, here: tuple[str, Unit, str], there: tuple[str, Unit, str]) -> bool:
    """Whether two numbers, each in a sentence of a variant, are those of items that answer to each other."""
    if not (here[2].isdecimal() and there[2].isdecimal()):
        return False
    (name, unit, mine), (other, theirs, number) = here, there
    meant = _item(step.pages[other], theirs, int(number))
    return meant is not None and _answering(step, other, meant, name, unit) == int(mine)


def are_in_brackets(step: Step, here: tuple[str, Unit], there: tuple[str, Unit]) -> bool:
    """Whether two sentences differ in references in brackets alone: to items that answer to each other, and to more."""
    (name, mine), (other, theirs) = here, there
    bare = {plain_words(masked(_BRACKETED.sub("", unit.text), step.variants[id_])) for id_, unit in (here, there)}
    own, found = (_REFERENCE.findall(unit.text) for unit in (mine, theirs))
    return (
        len(bare) == 1
        and bool(own)
        and all(any(are_one_item(step, (name, mine, one), (other, theirs, two)) for one in own) for two in found)
    )


def other_items(step: Step, row: Mapping[str, Unit]) -> Iterator[OtherItem]:
    """The references back from one item of a list to another one that all copies make, where one of them, whose list is
    longer or shorter, so means another item than all others."""
    found = {name: list(_REFERENCE.finditer(unit.text)) for name, unit in row.items()}
    if len(row) <= _AGREE or len({tuple(match[0] for match in each) for each in found.values()}) != 1:
        return
    for matches in zip(*found.values(), strict=True):
        items = {name: _back(step.pages[name], row[name], match) for name, match in zip(found, matches, strict=True)}
        for name, match in zip(found, matches, strict=True):
            if not step.pages[name].generated and all(items.values()):
                yield from _meant(step, row, name, match, [item for id_, item in items.items() if item and id_ != name])


def _back(page: Page, unit: Unit, match: re.Match[str]) -> Block | None:
    """The item that a reference means, which stands in another item behind it."""
    item, listing = _item(page, unit, int(match["number"])), _listing(page, unit)
    is_back = item and listing and item.end <= unit.place.start < listing.end
    is_counted = any(True for _ in numbers.of_headings(page.document))  # then a step is a section
    return item if is_back and not is_counted else None


def _meant(
    step: Step, row: Mapping[str, Unit], name: str, match: re.Match[str], theirs: Sequence[Block]
) -> Iterator[OtherItem]:
    """What all others mean by a reference, if that is another item on one copy."""
    others = tuple(other for other in row if other != name)
    answers = [_answering(step, id_, item, name, row[name]) for id_, item in zip(others, theirs, strict=True)]
    number = answers[0]
    if number is not None and len(set(answers)) == 1 and number != int(match["number"]):
        place, there = row[name].at(*match.span()), Range(theirs[0].start, theirs[0].end)
        yield OtherItem(name, others, match[0].replace("\n", " "), number, place, there)


def _answering(step: Step, other: str, item: Block, name: str, unit: Unit) -> int | None:
    """The number that an item of one page has on another one, in the list that a sentence there speaks of."""
    for row in variation.of(step).rows("sentence"):
        if other in row and name in row and item.start <= row[other].place.start < item.end:
            return _number(step.pages[name], unit, row[name].place.start)
    return None


def _number(page: Page, unit: Unit, place: int) -> int | None:
    """The number of the item with a place, in the list that a sentence speaks of."""
    listing = _listing(page, unit)
    if listing is None:
        return None
    return next((at for at, item in _items(listing) if item.start <= place < item.end), None)


def _item(page: Page, unit: Unit, number: int) -> Block | None:
    """The item with a number, in the list that a sentence speaks of."""
    listing = _listing(page, unit)
    return next((item for at, item in _items(listing) if at == number), None) if listing else None


def _items(listing: Block) -> Iterator[tuple[int, Block]]:
    """The items of a list as they are published: counted from the first number."""
    first = listing.children[0].number
    return enumerate(listing.children, int(first) if first.isdecimal() else 1)


def _listing(page: Page, unit: Unit) -> Block | None:
    """The outermost list with a sentence in it, else the last one before it in its section."""
    at, document = unit.place.start, page.document
    lists = [block for block in document.lists if block.info == "ordered" and block.children and block.start <= at]
    around = next((block for block in lists if at < block.end), None)
    if around is not None or not lists:
        return around
    last = max(lists, key=lambda block: (block.end, -block.start))
    is_near = not any(last.end <= heading.start <= at for heading in document.headings)
    return last if is_near else None
