"""Typed numbers: of a step in its page's title, and of sections in headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Document, Range

Number = tuple[int, ...]  # A dotted number: `4.1` is (4, 1)

_WORDS = (
    "step|part|lesson|chapter|module|unit|phase|stage|exercise|section|tutorial"
    "|schritt|teil|kapitel|lektion|étape|etape|partie|chapitre|leçon|paso|parte|lección|capítulo"
    "|passo|fase|lezione|capitolo|stap|deel|hoofdstuk"
)
"""What numbered pages of a tutorial are called, in several languages."""
_TITLE = lazy_re.compile(
    rf"(?:(?P<word>{_WORDS})[ \u00a0]+)?(?P<number>\d{{1,2}})"
    r"(?P<after>[ \u00a0]*[.:)|](?!\d|[xX*](?!\w))|[ \u00a0]+[-–—]+[ \u00a0]|(?=[ \u00a0]|$))",
    re.IGNORECASE,
)
_FRONT_TITLE = lazy_re.compile(r"^title[ \t]*:[ \t]*(?P<quote>[\"']?)(?P<title>[^\n]*?)(?P=quote)[ \t]*$", re.MULTILINE)
_HEADING = lazy_re.compile(
    rf"(?:(?P<word>{_WORDS})[ \u00a0]+)?(?P<number>\d{{1,2}}(?:\.\d{{1,2}})*)"
    r"(?P<after>[.:)]?(?=[ \u00a0\n]|$)|[ \u00a0]*[–—:|]|[ \u00a0]+-)",
    re.IGNORECASE,
)


class Title(NamedTuple):
    """A page's title and its span: in the front matter, else the first heading of level 1."""

    text: str
    span: Range


class StepNumber(NamedTuple):
    """The number in a title (`Step 4. Create`): its span, and the title without it (`Create`)."""

    number: int
    word: str
    span: Range
    title: str


class HeadingNumber(NamedTuple):
    """A number and the offset from which it applies."""

    number: Number
    span: Range
    typed: str


def find_title(document: Document) -> Title | None:
    """Return a page's title; None if it has none."""
    match = next(document.find_in_front_matter(_FRONT_TITLE), None)
    if match and match["title"]:
        return Title(match["title"].strip(), Range(*match.span("title")))
    heading = next((heading for heading in document.headings if heading.level == 1), None)
    return Title(str(heading.text), Range(heading.content_start, heading.content_end)) if heading else None


def parse_step_number(title: Title | None) -> StepNumber | None:
    """Return the step number that a title starts with: `Step 4`, or `4. Create` with punctuation."""
    match = _TITLE.match(title.text) if title else None
    if title is None or match is None or not (match["word"] or match["after"].strip()):
        return None
    start = title.span.start
    bare_title = title.text[match.end() :].strip(" .:-–—|\u00a0")
    span = Range(start + match.start("number"), start + match.end("number"))
    return StepNumber(int(match["number"]), (match["word"] or "").lower(), span, bare_title)


def strip_step_number(text: str) -> str:
    """Return a title without the step number that it starts with."""
    step_number = parse_step_number(Title(text, Range(0, len(text))))
    return step_number.title if step_number else text


def find_heading_numbers(document: Document, *, repeated: bool = False) -> Iterator[HeadingNumber]:
    """Yield the numbers of a page's headings, in order; not `4 ways to …` or a version (`1.2.3-rc`).

    `repeated` also yields those after another number: typed ones after computed ones.
    """
    for heading in document.headings:
        start = 0
        while match := _HEADING.match(heading.text, start):
            if not (match["word"] or "." in match["number"] or match["after"].strip()):
                break
            typed = str(heading.text[match.start() : match.end("number")])
            place = heading.text.locate(match.start(), match.end("number"))
            yield HeadingNumber(parse_number(match["number"]), place, typed)
            start = len(heading.text) - len(heading.text[match.end() :].lstrip(" .:\u00a0"))
            if not repeated:
                break


def parse_number(typed: str) -> Number:
    """Return `4.1` as (4, 1)."""
    return tuple(int(part) for part in typed.split("."))


def format_number(number: Number) -> str:
    """Return (4, 1) as `4.1`."""
    return ".".join(map(str, number))
