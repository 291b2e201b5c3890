"""References by a plain number (`step 6`) to a step that a page's numbers do not reach."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from tutorial_tool import gist, lazy_re
from tutorial_tool.document import Document
from tutorial_tool.order import numbers
from tutorial_tool.rules._references import Reference, is_of_another, names_a_standard
from tutorial_tool.site import Page

_STEP = lazy_re.compile(r"(?<![\w-])(?P<word>[Ss]tep)[ \u00a0\n](?P<number>[1-9]\d?)(?![\d%:)]|\.\d|[A-Za-z-])")
_NEAR = 3
"""How far behind the last number a reference may lie that was right once."""
_BEGIN = 20
"""Characters before a step's number that are looked at: where there are none, it is a label."""


def beyond(page: Page) -> tuple[tuple[Reference, int], ...]:
    """The references to a step behind the last one of a page, and that one's number."""
    return page.kept(_on_page)


@gist.of_english
def _on_page(page: Page) -> tuple[tuple[Reference, int], ...]:
    return tuple(_in_document(page.document))


def _in_document(document: Document) -> Iterator[tuple[Reference, int]]:
    if "step" not in document.words or not (last := _last(document)):
        return
    for prose in document.prose():
        found = list(_STEP.finditer(prose)) if prose.kind not in ("alt", "heading") else []
        for match in found if found and not names_a_standard(prose) else ():
            number, begins = int(match["number"]), not prose[: match.start()][-_BEGIN:].strip()
            if last < number <= last + _NEAR and not begins and not is_of_another(prose, match):
                text = match[0].replace("\n", " ")
                yield Reference(text, (number,), prose.at(*match.span()), str(prose)), last


def _last(document: Document) -> int:
    """The last number of a page's steps; 0 where they may have numbers that nobody typed."""
    if any(re.fullmatch(r"steps?", tag.name, re.IGNORECASE) for tag in document.tags):
        return 0
    listed = [child.number for block in document.lists if block.info == "ordered" for child in block.children]
    lengths = [len(block.children) for block in document.lists if block.info == "ordered"]
    typed = [int(number) for number in listed if number and number.isdigit()]
    headed = [heading.number[0] for heading in numbers.of_headings(document)]
    last = max([*typed, *lengths, *headed], default=0)
    return last if max(Counter(heading.level for heading in document.headings).values(), default=0) <= last else 0
