"""References by a plain number (`step 6`, `section 3`) to a step or section that a page's numbers do not reach."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Document
from tutorial_tool.site import Page, page_facts
from tutorial_tool.variants.ordering import numbers
from tutorial_tool.variants.step_references import (
    Reference,
    is_of_another,
    names_a_standard,
    speaks_of_documents,
)

_STEP = lazy_re.compile(r"(?<![\w-])(?P<word>[Ss]tep)[ \u00a0\n](?P<number>[1-9]\d?)(?![\d%:)]|\.\d|[A-Za-z-])")
_STEPS = lazy_re.compile(
    r"(?<![\w-])(?P<word>[Ss]teps)[ \u00a0\n](?P<first>[1-9]\d?)(?:,[ \n]\d\d?)*,?"
    r"[ \n]?(?:and|or|to|through|[-–&])[ \n]?(?P<number>[1-9]\d?)(?![\d%:)]|\.\d|[A-Za-z-])"
)
"""Several steps, the first of which may be one of the page."""
_SECTION = lazy_re.compile(r"(?<![\w-])(?P<word>[Ss]ection)[ \u00a0\n](?P<number>[1-9]\d?)(?![\d%:)]|\.\d|[A-Za-z-])")
_NEAR = 3
"""How far behind the last number a reference may lie that was right once."""
_ALL = 100
"""More than any of these numbers."""
_BEGIN = 20
"""Characters before a step's number that are looked at: where there are none, it is a label."""


def beyond(page: Page) -> tuple[tuple[Reference, int], ...]:
    """The references to a step behind the last one of a page, and that one's number."""
    return page.kept(_on_page)


@page_facts.of_english
def _on_page(page: Page) -> tuple[tuple[Reference, int], ...]:
    return tuple(_in_document(page.document))


def _in_document(document: Document) -> Iterator[tuple[Reference, int]]:
    if "step" in document.words and (last := _last(document)):
        yield from _behind(document, _STEP, last, _NEAR)
    if "steps" in document.words and (last := _last(document)):
        yield from _behind(document, _STEPS, last, _ALL)
    if "section" in document.words and (last := _last_section(document)):
        yield from _behind(document, _SECTION, last, _ALL)


def _behind(document: Document, pattern: re.Pattern[str], last: int, near: int) -> Iterator[tuple[Reference, int]]:
    """The references behind a last number, so `near` to it at most; of several, the first is one of the page's."""
    for prose in document.prose():
        matches = list(pattern.finditer(prose)) if prose.kind not in ("alt", "heading") else []
        for match in matches if matches and not names_a_standard(prose) else ():
            number, begins = int(match["number"]), not prose[: match.start()][-_BEGIN:].strip()
            is_behind = int(match.groupdict().get("first", 1)) <= last < number <= last + near
            if is_behind and not begins and not is_of_another(prose, match):
                text = match[0].replace("\n", " ")
                yield Reference(text, (number,), prose.at(*match.span()), str(prose)), last


def _last_section(document: Document) -> int:
    """The last number of a page whose sections are counted from 1; 0 of any other, and of one about documents."""
    headed = [heading.number for heading in numbers.of_headings(document)]
    counted = sorted({number[0] for number in headed})
    is_counted = len(counted) > 1 and counted == list(range(1, len(counted) + 1))
    return counted[-1] if is_counted and not speaks_of_documents(document.title) else 0


def _last(document: Document) -> int:
    """The last number of a page's steps; 0 where they may have numbers that nobody typed."""
    if any(re.fullmatch(r"steps?", tag.name, re.IGNORECASE) for tag in document.tags):
        return 0
    listed = [child.number for block in document.lists if block.info == "ordered" for child in block.children]
    lengths = [len(block.children) for block in document.lists if block.info == "ordered"]
    typed = [int(number) for number in listed if number and number.isdigit()]
    headings = list(numbers.of_headings(document))
    headed = [heading.number[0] for heading in headings]
    last = max([*typed, *lengths, *headed], default=0)
    named = sorted({heading.number[0] for heading in headings if heading.typed[:4].lower() == "step"})
    if len(named) > 1 and named == list(range(1, named[-1] + 1)):
        return last  # a heading without a number is no step
    return last if max(Counter(heading.level for heading in document.headings).values(), default=0) <= last else 0
