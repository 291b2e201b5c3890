"""What git leaves in a file where two changes meet: lines that begin with seven signs, around both sides."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re

_BEGINS = "unresolved merge conflict: keep one side, and delete `<<<<<<<`, `=======`, and `>>>>>>>`"
_IS_LEFT = "leftover merge conflict marker: delete this line"
_SIGNS = ("<<<<<<< ", ">>>>>>> ")
_LINE = lazy_re.compile(
    r"^(?:(?P<begin><{7}[ ]\S.*?)|(?P<between>={7}|\|{7}(?:[ ].*?)?)|(?P<end>>{7}[ ]\S.*?))[ \t\r]*$", re.MULTILINE
)
_NAMED = lazy_re.compile(r".{8}(?:HEAD|Updated upstream|Stashed changes|[0-9a-f]{7,40}(?:[ ]\(.*\))?)$")
"""A line that git alone writes, even where no other one is left."""


class MergeMarker(NamedTuple):
    """The line that begins a conflict, or one that is left of it, and what is said of it."""

    start: int
    end: int
    message: str


def find_markers(text: str) -> Iterator[MergeMarker]:
    """The conflicts in a text, in their order. Seven signs and a name are one where another line of its kind follows:
    `=======` alone may underline a heading, and `>>>>>>> ` may quote."""
    if not any(sign in text for sign in _SIGNS):
        return
    begin: re.Match[str] | None = None
    is_told = is_between = False
    for line in _LINE.finditer(text):
        if line["begin"]:
            begin, is_told, is_between = line, _NAMED.match(line["begin"]) is not None, False
            if is_told:
                yield MergeMarker(*line.span("begin"), _BEGINS)
            continue
        if begin and not is_told:
            yield MergeMarker(*begin.span("begin"), _BEGINS)
            is_told = True
        if line["between"]:
            is_between = True
        else:
            is_branch = is_between and " " not in line["end"][8:]
            if begin is None and (is_branch or _NAMED.match(line["end"])):
                yield MergeMarker(*line.span("end"), _IS_LEFT)
            begin, is_told, is_between = None, False, False


def is_marker(line: str) -> bool:
    """Whether a line is one of those that git writes around the sides of a conflict."""
    return _LINE.match(line) is not None
