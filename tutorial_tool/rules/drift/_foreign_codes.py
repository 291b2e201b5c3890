"""Codes with a part that is another platform's: `RB-PG-04` among `RB-MY-…`: for the rule `foreign-name`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Range
from tutorial_tool.site import Page, page_facts
from tutorial_tool.variants import Step

_CODE = lazy_re.compile(r"(?<!`)`(?P<begin>[A-Z][A-Z\d]*(?:[-_][A-Z\d]+)*[-_])(?P<number>\d{1,5})`(?!`)")
_COPIES = 3
_OFTEN = 2
"""Codes that a page has of its own, at least."""


class ForeignPart(NamedTuple):
    """A code on the page of `name` that begins as those of `other`; as all others on its page, it would be `own`."""

    name: str
    other: str
    text: str
    own: str
    place: Range


class _Code(NamedTuple):
    begin: str
    number: str
    place: Range


def foreign_parts(step: Step) -> Iterator[ForeignPart]:
    """The only code of a page that begins as all codes of one other copy do, where each copy's begin in its own way."""
    found = {name: page.kept(_codes) for name, page in step.pages.items()}
    begins = {name: Counter(code.begin for code in codes) for name, codes in found.items() if codes}
    own = {name: counts.most_common(1)[0][0] for name, counts in begins.items()}
    if len(own) < _COPIES or len(set(own.values())) < len(own):
        return
    for name, codes in found.items():
        odd = [code for code in codes if code.begin != own[name]]
        if len(odd) == 1 and len(codes) > _OFTEN and not step.pages[name].generated:
            yield from _of_another(name, odd[0], own, begins)


def _of_another(
    name: str, code: _Code, own: Mapping[str, str], begins: Mapping[str, Counter[str]]
) -> Iterator[ForeignPart]:
    users = [id_ for id_, counts in begins.items() if code.begin in counts and id_ != name]
    is_theirs = len(users) == 1 and own[users[0]] == code.begin and begins[users[0]][code.begin] >= _OFTEN
    if is_theirs and _differ_in_one(own[name], code.begin):
        yield ForeignPart(name, users[0], code.begin + code.number, own[name] + code.number, code.place)


def _differ_in_one(mine: str, theirs: str) -> bool:
    """Whether two begins of codes differ in one of several parts."""
    one, two = (begin.replace("_", "-").split("-") for begin in (mine, theirs))
    return len(one) == len(two) > _OFTEN and sum(a != b for a, b in zip(one, two, strict=True)) == 1


@page_facts.of_each
def _codes(page: Page) -> tuple[_Code, ...]:
    """The codes in a page that end with a number."""
    return tuple(
        _Code(match["begin"], match["number"], Range(match.start() + 1, match.end() - 1))
        for match in _CODE.finditer(page.plain if "`" in page.plain else "")
    )
