"""Code in sentences that is what all other copies have, but for its case or its signs: for `drifted-code`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tutorial_tool import variants, variation
from tutorial_tool.core import lazy_re
from tutorial_tool.rules._shared._code_by_word import OddWord
from tutorial_tool.rules._shared._copies import lone
from tutorial_tool.rules._shared._odd_literals import descriptions, names_one
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variation import slots
from tutorial_tool.variation.slots import Said
from tutorial_tool.variation.wording import plain_words

_SEVERAL = lazy_re.compile(r"[a-z\d][A-Z]|[^\W_][_.-][^\W_]")
"""What stands between two words of a name, which languages write in several ways."""
_JOINT = lazy_re.compile(r"[_-]")
_CODE = lazy_re.compile(r"(?<!`)`[^`\n]+`(?!`)")
_AGREE = 3
"""Copies that agree, at least, where the page itself does not have what they say."""


def miswritten_code(step: Step) -> Iterator[OddWord]:
    """The code that one copy writes once and otherwise, in a text that is the same else: `OK`, where all have `ok`."""
    for row in (*variation.of(step).rows("sentence"), *descriptions(step)):
        if len(row) > 2 and len({plain_words(unit.masked) for unit in row.values()}) == 1:
            for slot in slots.of_sentence(step, row):
                if all(said.kind == "code" for said in slot.values()):
                    yield from _in_slot(step, slot)


def _in_slot(step: Step, slot: Mapping[str, Said]) -> Iterator[OddWord]:
    name, others = lone({id_: slots.shape(step, id_, said.text) for id_, said in slot.items()})
    if not name or step.pages[name].generated:
        return
    said, usual = slot[name], slot[others[0]]
    mine, theirs = said.text, usual.text
    if not _are_one(mine, theirs) or " " in mine or names_one(step, mine):
        return
    is_known = _count(step.pages[name], theirs) > 0
    is_slip = is_known or (len(others) >= _AGREE and not _are_two_styles(mine, theirs))
    if is_slip and times(step, name, mine) == 1:
        yield OddWord(name, others, mine, said.place, theirs, usual.place)


def _are_one(mine: str, theirs: str) -> bool:
    """Whether two pieces of code differ in case, hyphens or underscores alone; and not as a class from its instance."""
    is_same = _JOINT.sub("", mine.casefold()) == _JOINT.sub("", theirs.casefold())
    return is_same and mine[1:] != theirs[1:] and any(map(str.isalnum, mine))


def _are_two_styles(mine: str, theirs: str) -> bool:
    """Whether two names are as two languages have them: `maxSize`, `max_size`."""
    return _SEVERAL.search(mine) is not None or _SEVERAL.search(theirs) is not None


def times(step: Step, name: str, text: str) -> int:
    """How often the pages of a variant have a piece of code."""
    return sum(_count(page, text) for page in variants.pages_of(step, name))


def _count(page: Page, code: str) -> int:
    """How often a page has a piece of code, by itself or within other code."""
    if code not in page.plain:
        return 0
    pattern = re.compile(rf"(?<![\w-]){re.escape(code)}(?![\w-])")
    texts = (*(match[0] for match in _CODE.finditer(page.plain)), *(block.text for block in page.document.code_blocks))
    return sum(len(pattern.findall(text)) for text in texts)
