"""Git's conflict markers in a file: lines that start with seven characters, around both sides."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re

_UNRESOLVED = "unresolved merge conflict: keep one side, and delete `<<<<<<<`, `=======`, and `>>>>>>>`"
_LEFTOVER = "leftover merge conflict marker: delete this line"
_MARKERS = ("<<<<<<< ", ">>>>>>> ")
LINE = lazy_re.compile(
    r"^(?:(?P<begin><{7}[ ]\S.*?)|(?P<between>={7}|\|{7}(?:[ ].*?)?)|(?P<end>>{7}[ ]\S.*?))[ \t\r]*$", re.MULTILINE
)
_WRITTEN_BY_GIT = lazy_re.compile(r".{8}(?:HEAD|Updated upstream|Stashed changes|[0-9a-f]{7,40}(?:[ ]\(.*\))?)$")
"""A marker that only git writes: it is reported even without the other lines of the conflict."""


class MergeMarker(NamedTuple):
    """The first line of a conflict, or a leftover marker, and the message about it."""

    start: int
    end: int
    message: str


def find_markers(text: str) -> Iterator[MergeMarker]:
    """Yield the conflicts in a text, in order.

    Seven characters and a name are a conflict if another such line follows: `=======` alone may underline a heading,
    and `>>>>>>> ` may quote.
    """
    if not any(marker in text for marker in _MARKERS):
        return
    begin: re.Match[str] | None = None
    is_reported = is_between = False
    for line in LINE.finditer(text):
        if line["begin"]:
            begin, is_reported, is_between = line, _WRITTEN_BY_GIT.match(line["begin"]) is not None, False
            if is_reported:
                yield MergeMarker(*line.span("begin"), _UNRESOLVED)
            continue
        if begin and not is_reported:
            yield MergeMarker(*begin.span("begin"), _UNRESOLVED)
            is_reported = True
        if line["between"]:
            is_between = True
        else:
            is_branch = is_between and " " not in line["end"][8:]
            if begin is None and (is_branch or _WRITTEN_BY_GIT.match(line["end"])):
                yield MergeMarker(*line.span("end"), _LEFTOVER)
            begin, is_reported, is_between = None, False, False
