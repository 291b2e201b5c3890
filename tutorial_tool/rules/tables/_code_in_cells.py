"""Code as the value of a row, where the page knows what all others have there: for the rule `conflicting-value`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import TableCell
from tutorial_tool.rules._shared._code_by_letters import times
from tutorial_tool.rules._shared._copies import lone
from tutorial_tool.rules._shared._odd_literals import names_one
from tutorial_tool.variants import Step
from tutorial_tool.variation import OWN
from tutorial_tool.variation.copied_values import is_value
from tutorial_tool.variation.tables import Copy, all_keys, shared_columns, values

_CODE = lazy_re.compile(r"`(?P<code>[^\W\d][\w.-]{2,})`")
_OF_TYPES = lazy_re.compile(r"\btypes?\b", re.IGNORECASE)
_COPIES = 3


class OddCode(NamedTuple):
    """What one copy has as the value of a row, and what all `others` have there, but for its case."""

    name: str
    others: tuple[str, ...]
    key: str
    title: str
    text: str
    usual: str


def odd_values(step: Step, copies: Mapping[str, Copy]) -> Iterator[OddCode]:
    """The code in cells that stands nowhere else, where its page has elsewhere what all others have there."""
    if len(copies) < max(_COPIES, len(step.pages)):
        return
    for title in shared_columns(copies)[1:]:
        if title.strip() != OWN and not _OF_TYPES.search(title):
            for key in all_keys(copies):
                yield from _in_row(step, copies, key, title)


def _in_row(step: Step, copies: Mapping[str, Copy], key: str, title: str) -> Iterator[OddCode]:
    row = values(copies, key, title)
    said = {name: code for name, cell in row.items() if (code := _code(copies[name], cell))}
    name, others = lone({id_: text.casefold() for id_, text in said.items()}) if len(said) == len(copies) else ("", ())
    if not name or step.pages[name].generated:
        return
    mine, theirs = said[name], {said[id_] for id_ in others}
    usual = max(theirs, key=[said[id_] for id_ in others].count)
    if is_value(mine) or is_value(usual) or names_one(step, mine) or names_one(step, usual):
        return
    is_nowhere = times(step, name, mine) == 1 and not any(times(step, id_, mine) for id_ in others)
    if is_nowhere and any(times(step, name, each) for each in theirs):
        yield OddCode(name, others, key, title, mine, usual)


def _code(copy: Copy, cell: TableCell) -> str:
    """The code that is all of a cell; "" for another text."""
    match = _CODE.fullmatch(copy.page.plain[cell.start : cell.end].strip())
    return match["code"] if match else ""
