"""Dates in front matter that no calendar has. What cannot be read at all is told when a page is loaded."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules import rule
from tutorial_tool.site import Page

_KEY = r"(?:date|last_?mod(?:ified)?|updated|published|publish_?date|expiry_?date|unpublish_?date)"
_DATE = lazy_re.compile(
    rf"^[ \t]*[\"']?(?P<key>{_KEY})[\"']?[ \t]*[:=][ \t]*(?P<quote>[\"']?)(?P<value>[^\"'\s#{{][^\"'\n#]*)",
    re.MULTILINE | re.IGNORECASE,
)
_WRITTEN = lazy_re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]+(\d{1,2}):(\d\d)(?::(\d\d))?)?(?!\d)")
_NOTHING = frozenset(("null", "true", "false", "~", "now", "today", ":git", ":filemodtime"))
"""Words that stand for no date, or for one that a program fills in."""


@rule("markup", Severity.ERROR, needs="front-matter")
def check(page: Page) -> Iterator[Finding]:
    front = page.document.front_matter
    for match in _DATE.finditer(page.plain, front.start, front.end) if front else ():
        value = match["value"].rstrip(" \t,")
        if _is_wrong(value, page.dialect):
            place = match.start("value"), match.start("value") + len(value)
            stops = "; Hugo rejects the page" if page.dialect is Dialect.HUGO else ""
            yield page.flag(place, f"`{value}` is not a valid date{stops}")


def _is_wrong(value: str, dialect: Dialect) -> bool:
    """Whether a value that begins as a date does is none. Hugo wants a date, and refuses words."""
    written = _WRITTEN.match(value)
    if written is None:
        is_word = re.fullmatch(r"[^\W\d_][^\W\d_ ]*", value) is not None
        return dialect is Dialect.HUGO and is_word and value.lower() not in _NOTHING
    year, month, day, hour, minute, second = (int(part or 0) for part in written.groups())
    in_year = year > 0 and 0 < month < 13 and 0 < day <= monthrange(year, month)[1]
    return not (in_year and hour < 25 and minute < 60 and second < 61)
