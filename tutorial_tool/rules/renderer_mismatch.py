"""Lists that CommonMark and Python-Markdown read differently."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutorial_tool import lazy_re
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.parser import Dialect
from tutorial_tool.rules import rule
from tutorial_tool.rules._list_items import Item, Reading
from tutorial_tool.site import Page

_ITEM = lazy_re.compile(r"^[ \t>]*(?:[-*+]|\d+[.)])[ \t]", re.MULTILINE)


@rule("markup", Severity.OFF, project=Severity.WARNING, yields_to=("restarted-list",))
def check(page: Page) -> Iterator[Finding]:
    if page.dialect not in (Dialect.PYTHON_MARKDOWN, Dialect.GFM) or not _ITEM.search(page.plain):
        return
    reading = Reading(page)
    for items in reading.lists:
        wrong = next((item for item in items if _depth(reading, item) != item.depth), None)
        if wrong and not reading.misnumbered(items):  # else `restarted-list` tells it
            message = _message(reading.lines[wrong.first], wrong, _depth(reading, wrong))
            yield page.flag(reading.marker(wrong.first), message, fix=reading.fix(items))


def _depth(reading: Reading, item: Item) -> int | None:
    told = reading.published.get(item.first)
    return told.depth if told else None


def _message(line: str, wrong: Item, depth: int | None) -> str:
    if depth is None and re.match(r"\s*\d+\)", line):
        return "Python-Markdown knows no list with `)`: this is published as text"
    if depth is None:
        return "Python-Markdown publishes this item as text: it wants a blank line before a list, four spaces a level"
    if depth < wrong.depth:
        return "Python-Markdown publishes this nested item on an outer level: it wants four spaces a level"
    return "Python-Markdown publishes this item on a deeper level: it wants a blank line before it"
