"""The lines of code blocks, which are compared one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.markdown.document import Range
from tutorial_tool.site import Page
from tutorial_tool.variation.units import Unit

_MAX_LINES = 60  # Maximum lines of code that is compared line by line
_FENCES = ("```", "~~~")


class Line(NamedTuple):
    """A line of code without its indent, its span in the page, and the language of its fence."""

    text: str
    place: Range
    language: str


def read_lines(page: Page, unit: Unit) -> Iterator[Line]:
    """Yield the lines of a code block without its fence; none if the block is very long."""
    at = unit.place.start
    lines = page.plain[unit.place.start : unit.place.end].split("\n")
    language = lines[0].strip("`~{}. \t>").lower() if lines[0].strip()[:3] in _FENCES else ""
    for number, line in enumerate(lines if len(lines) <= _MAX_LINES else ()):
        text = line.strip()
        if text and not (text[:3] in _FENCES and number in (0, len(lines) - 1)):
            start = at + line.index(text)
            yield Line(text, Range(start, start + len(text)), language)
        at += len(line) + 1
