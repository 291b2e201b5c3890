"""The block of code right behind a sentence's paragraph, of which the sentence tells."""

from __future__ import annotations

import re

from tutorial_tool.core import lazy_re
from tutorial_tool.site import Page
from tutorial_tool.variation import Unit
from tutorial_tool.variation.wording import differing

_BLOCK = lazy_re.compile(r"\s*?\n[ \t]*(?P<fence>```+|~~~+)[^\n]*\n.*?^[ \t]*(?P=fence)", re.MULTILINE | re.DOTALL)
_NAME = lazy_re.compile(r"[^\W\d_]+")


def code_behind(text: str, unit: Unit) -> str:
    """The block of code right behind a paragraph or item, with its fence; "" for none. `text` is that of the page."""
    place = unit.prose.place if unit.prose is not None else unit.place
    block = _BLOCK.match(text, place.end)
    return block[0] if block else ""


def name_what_their_code_has(here: tuple[Page, Unit], there: tuple[Page, Unit]) -> bool:
    """Whether two sentences differ in words alone that the code behind each has, and that of the other one has not: a
    `class` of the one language is a `struct` in the other."""
    codes = [code_behind(page.plain, unit) for page, unit in (here, there)]
    if not all(codes):
        return False
    mine, theirs = here[1].masked, there[1].masked
    names = [{name.lower() for name in _NAME.findall(code)} for code in codes]
    said = [(mine[slice(*left)].lower(), theirs[slice(*right)].lower()) for left, right in differing(mine, theirs)]
    return bool(said) and all(
        one in names[0] and other in names[1] and one not in names[1] and other not in names[0] for one, other in said
    )
