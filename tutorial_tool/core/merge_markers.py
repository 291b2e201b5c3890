"""Git's conflict markers in a file: lines that start with seven characters, around both sides."""

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
"""A line that only git writes, even if it is the only one left."""


class MergeMarker(NamedTuple):
    """The line that starts a conflict, or a leftover one, and the message about it."""

    start: int
    end: int
    message: str


def find_markers(text: str) -> Iterator[MergeMarker]:
    """Yield the conflicts in a text, in order.

    Seven characters and a name are one if another line of the kind follows: `=======` alone may underline a heading,
    and `>>>>>>> ` may quote.
    """
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
    """Return whether a line is one of git's conflict markers."""
    return _LINE.match(line) is not None
