"""The block of code right behind a sentence's paragraph, of which the sentence tells."""

from __future__ import annotations

import re

from tutorial_tool.core import lazy_re
from tutorial_tool.variation import Unit

_BLOCK = lazy_re.compile(r"\s*?\n[ \t]*(?P<fence>```+|~~~+)[^\n]*\n.*?^[ \t]*(?P=fence)", re.MULTILINE | re.DOTALL)
_NAME = lazy_re.compile(r"[^\W\d_]+")


def code_behind(text: str, unit: Unit) -> str:
    """The block of code right behind a paragraph or item, with its fence; "" for none. `text` is that of the page."""
    place = unit.prose.place if unit.prose is not None else unit.place
    block = _BLOCK.match(text, place.end)
    return block[0] if block else ""
