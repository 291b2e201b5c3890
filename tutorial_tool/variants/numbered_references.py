"""References by a dotted number (`step 7.3`, `sections 4.1 and 4.2`), and the position of their reader."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import CONTEXT, Document, Prose, Range
from tutorial_tool.site import Page, page_facts
from tutorial_tool.spelling import word_lists
from tutorial_tool.variants.ordering import numbers
from tutorial_tool.variants.ordering.numbers import Number

Direction = Literal["back", "ahead"]


class Reference(NamedTuple):
    """A number that the text refers to, within `prose`; `direction` is that of the sentence, None if unknown."""

    text: str
    number: Number
    span: Range
    prose: str
    direction: Direction | None = None


_DOTTED = r"\d{1,2}(?:\.\d{1,2}){1,3}(?![\d%]|\.\d|[A-Za-z])"
_PATTERN = lazy_re.compile(
    rf"(?P<word>[Ss](?<![\w-][Ss])(?:teps?|ections?|(?<=S)(?:TEPS?|ECTIONS?)))[ \u00a0\n]+(?P<list>{_DOTTED}"
    rf"(?:(?:,? (?:and|or|to|through|&) |, ?| ?[-–—] ?){_DOTTED})*)"
)
_NUMBER = lazy_re.compile(_DOTTED)
_COLON = lazy_re.compile(r"[ ]*(?:[:–—-]|\.[ \n]|$)")
_SENTENCE = lazy_re.compile(r"[.!?:;][\"”')\]]*[ \n]+(?=[A-Z\"“(\[*])|\n\n")

# Sections of other documents

_IN_OTHER_DOCUMENT = lazy_re.compile(
    r"[ \n]*[,(]?[ \n]*(?:(?:of|from)[ \n]+(?!(?:this|the[ \n](?:current|same))\b)"
    r"|(?:in|within|on|at)[ \n]+(?:the[ \n]+|our[ \n]+|their[ \n]+|its[ \n]+)?(?-i:[A-Z\ufffc])"
    r"|(?:in|within)[ \n]+(?:the|our|their|its)[ \n]+(?:\w+[ \n]+){0,3}"
    r"(?:guide|tutorial|docs|documentation|reference|readme|course|quickstart|policy|page)\b)",
    re.IGNORECASE,
)
_OTHER_DOCUMENT = lazy_re.compile(
    r"(?:['’]s?|\b(?:19|20)\d\d\)?,?|[a-z),] [A-Z]\w*|\w [A-Z][a-z]+(?: [A-Z\d][\w.]*)+,?)[ \n]+$"
)
"""Text before a section of another document: its name, a possessive, a year."""
_SPECIFICATION = lazy_re.compile(r"(?<![\w-])spec(?:ification)?s?(?![a-z])", re.IGNORECASE)
"""A specification has steps of its own, wherever the sentence mentions it."""
_DIRECTLY = r"(?:[,;]|[ ](?:says|tells|describes|defines)[ ]in)?[ \n(]+$"  # Text between a document and its step
# Direction of a reference

_PAST = (
    r"(?!(?:need|feed|heed|seed|bleed|breed|speed|proceed|exceed|succeed|embed|shed|wed)\b)"
    r"(?:\w{2,}ed|made|wrote|built|chose|took|got|ran|saw|sent|found|left|began|kept|did)"
)
_CLAUSE = (
    r"(?:(?!\b(?:that|which|who|what|how|why|where|we|you|it|they|is|are|was|were|be|used?|needs?|to|for|and|or|so)\b)"
    r"[^,;]){0,60}"
)
_BACK = lazy_re.compile(
    rf"""(?:
      \b(?:(?:you|we|I)(?:'ve|’ve|[ ]have|[ ]had)?|having)[ ]just[ ]{_PAST}[ ](?:with[ ])?(?:the[ ])?
    | \bnow[ ]that[ ](?:you|we|I)(?:'ve|’ve|'re|’re|[ ]have|[ ]are)?[ ](?:{_PAST}|done)[ ](?:with[ ])?(?:the[ ])?
    | \b(?:you|we|I)(?:(?:'ve|’ve|[ ]have|[ ]had)[ ](?:just|already|previously)|[ ](?:just|already|previously|earlier))?
      [ ]{_PAST}\b(?:[ ](?:it|them))?{_CLAUSE}\b(?:in|during|at)[ ]
    | \b(?:you|we|I)(?:['’]re|[ ]are)?[ ](?:just[ ])?(?:come|came|coming|went[ ]through)(?:[ ]here)?(?:[ ]from)?[ ]
    | \b(?:previous|preceding|prior|earlier)[ ]
    | \b(?:earlier|previously|back)[ ]in[ ]
    )$""",
    re.VERBOSE | re.IGNORECASE,
)
_UNSURE = lazy_re.compile(
    r"\b(?:once|when|whenever|after|unless|until|before|assuming|will|would|can|could|may|might|should|must|not"
    r"|don't|didn't|don’t|didn’t)\b|['’]ll\b|\bif\b(?!.*\bjust\b)",
    re.IGNORECASE | re.DOTALL,
)
_AHEAD = lazy_re.compile(
    r"\b(?:later[ ](?:on[ ])?in|(?:the|our)[ ](?:next|upcoming|coming|following))[ ]$", re.IGNORECASE
)
_AFTER = lazy_re.compile(r"[ \n,(]*(?P<word>above|below)\b")


def find_references(page: Page) -> tuple[Reference, ...]:
    """Return the dotted references on an English page that are about this document, as far as is known."""
    return page.get_cached(_find_on_page)


@page_facts.register_english
def _find_on_page(page: Page) -> tuple[Reference, ...]:
    return tuple(_find_in_document(page.document))


def _find_in_document(document: Document) -> Iterator[Reference]:
    if document.words.isdisjoint(("step", "steps", "section", "sections")):
        return
    for prose in document.get_prose():
        if prose.kind != "alt":
            yield from _find_in_prose(prose)


def _find_in_prose(prose: Prose) -> Iterator[Reference]:
    matches = list(_PATTERN.finditer(prose))
    for match in matches if matches and not _compile_named("standards").search(prose) else ():  # it may be numbered
        if _is_label(prose, match) or is_of_other_document(prose, match):
            continue
        direction = _get_direction(prose, match)
        listed = list(_NUMBER.finditer(prose, *match.span("list")))
        for number in listed:
            start = match.start() if number is listed[0] else number.start()
            text = prose[start : number.end()].replace("\n", " ")
            span = prose.locate(start, number.end())
            yield Reference(text, numbers.parse_number(number[0]), span, str(prose), direction)


def _is_label(prose: Prose, match: re.Match[str]) -> bool:
    """Return whether a text that starts with `Step 4.1` is that step, not a reference to it."""
    if match.start() > CONTEXT or prose[: match.start()].strip():
        return False
    return prose.kind == "heading" or bool(_COLON.match(prose, match.end()))


def is_of_other_document(prose: Prose, match: re.Match[str]) -> bool:
    """Return whether a step or section, whose `word` a match has, may be another document's."""
    before, after = _get_text_before(prose, match), _SENTENCE.split(prose[match.end() : match.end() + CONTEXT])[0]
    if _IN_OTHER_DOCUMENT.match(prose, match.end()) or _OTHER_DOCUMENT.search(before):
        return True
    if match["word"][:2].lower() == "st":  # laws, licenses and books have no steps
        return bool(_SPECIFICATION.search(before + after) or _compile_named("documents", _DIRECTLY).search(before))
    return _compile_named("documents").search(before + after) is not None


def _get_text_before(prose: Prose, match: re.Match[str]) -> str:
    return _SENTENCE.split(prose[max(0, match.start() - CONTEXT) : match.start()])[-1].replace("\n", " ")


def _get_direction(prose: Prose, match: re.Match[str]) -> Direction | None:
    before = _get_text_before(prose, match)
    if _AHEAD.search(before):
        return "ahead"
    if position := _AFTER.match(prose, match.end()):
        return "back" if position["word"] == "above" else "ahead"
    return "back" if _BACK.search(before) and not _UNSURE.search(before) else None


@cache
def _compile_named(name: str, before: str = "") -> re.Pattern[str]:
    """Return a pattern for a document that a list names, before the pattern `before`."""
    return re.compile(rf"(?<![\w-])(?:{'|'.join(word_lists.read_words(name))})s?(?![a-z]){before}", re.IGNORECASE)
