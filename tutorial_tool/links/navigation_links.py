"""Links named previous or next by their text, label or `rel`, and the page titles that they name."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from html import unescape
from itertools import takewhile
from typing import Literal

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import find_line_end, find_line_start
from tutorial_tool.markdown.document import CONTEXT, Document, Link
from tutorial_tool.markdown.shortcodes import MAX_LENGTH

Direction = Literal["previous", "next"]

_BACK, _ON = "«‹←⇐◀⬅❮⟵", "»›→⇒▶➡❯➜⟶"
_ARROWS = f"<>{_BACK}{_ON}"
_KIND = r"(?:[ \u00a0]+(?:page|step|chapter|section|lesson|part|article|topic|tutorial|unit|module|exercise|up))?"
_WORD = rf"(?P<word>previous|prev|next){_KIND}"
_AROUND = r"(?:&\w{2,8};|(?!&\w{2,8};)[\W_])*"
_MARK = rf"(?:[ \u00a0]*(?:&\w{{2,8}};|[:{_ARROWS}])+[\W_]*|[ \u00a0\n]+[-–—|][ \u00a0]+|[ \u00a0]*\n[ \u00a0]*)"
_TEXT = lazy_re.compile(rf"{_AROUND}{_WORD}(?:{_MARK}(?P<name>\S.*?))?{_AROUND}", re.IGNORECASE | re.DOTALL)
_LABEL = lazy_re.compile(
    rf"(?:^|[|•·])[^\w\n|]*(?:<\w[^<>\n]*>[^\w\n]*)*{_WORD}(?:</?\w[^<>\n]*>|[*_ \u00a0])*"
    rf"[:{_ARROWS}–—-](?:</?\w[^<>\n]*>|[^\w\n<])*$",
    re.IGNORECASE,
)
_AFTER_LABELLED = lazy_re.compile(
    r"[^\w\n]*(?:</?\w[^<>\n]*>[^\w\n]*)*"
    r"(?:$|\n|(?:previous|next|prev|home|up|back|top|contents|index|table|overview)\b)",
    re.IGNORECASE,
)
_ATTRIBUTES = lazy_re.compile(r"\{:?[ \t]*\.[^{}\n]*\}")  # Classes after a link, which make it a button
_TAG_OR_WORD = lazy_re.compile(r"<[^<>\n]*>|[^\W\d_]+")
_BETWEEN = frozenset("previous prev next home up back top contents index or and of page step chapter section".split())


def find_prev_next_links(document: Document) -> Iterator[tuple[Link, Direction, str]]:
    """Yield the links to the previous and next pages, with the titles that they name, "" if none."""
    text = document.text.lower()
    if not any(sign in text for sign in ("next", "prev", *_BACK)):
        return
    for link in document.links:
        if len(link.text) <= CONTEXT and (read := _read_link(document, link)):
            yield link, *read


def _read_link(document: Document, link: Link) -> tuple[Direction, str] | None:
    match = _TEXT.fullmatch(link.text)
    if match and _find_navigation_row(document, link):
        return _parse_direction(match["word"]), _clean_title(match["name"])
    before = document.text[max(find_line_start(document.text, link.start), link.start - CONTEXT) : link.start]
    if (label := _LABEL.search(before)) and _AFTER_LABELLED.match(document.text, link.end):
        return _parse_direction(label["word"]), _clean_title(link.text)
    arrow = _find_arrow_direction(link)
    if arrow and any(
        _find_arrow_direction(other) not in (arrow, None) for other in _find_navigation_row(document, link)
    ):
        return arrow, _clean_title(link.text)
    return None


def _parse_direction(word: str) -> Direction:
    return "next" if word.lower() == "next" else "previous"


def _clean_title(text: str | None) -> str:
    """Return the title in a link's text, without arrows around it."""
    name = unescape(text or "").strip(f" \u00a0\n{_ARROWS}:|–—-*_.\ufffc")
    return " ".join(name.split())


def _find_arrow_direction(link: Link) -> Direction | None:
    """Return the direction of the arrow in a link's text. It counts only if the row has both arrows."""
    text = unescape(link.text).strip()
    if text[:1] and text[0] in _BACK:
        return "previous"
    return "next" if text[-1:] and text[-1] in _ON else None


def _find_navigation_row(document: Document, link: Link) -> list[Link]:
    """Return the links of a line that contains only navigation; none if it has other words."""
    start, end = find_line_start(document.text, link.start), find_line_end(document.text, link.end)
    if end - start > MAX_LENGTH:
        return []
    first = bisect_left(document.links, start, key=lambda other: other.start)
    row = list(takewhile(lambda other: other.end <= end, document.links[first : first + MAX_LENGTH]))
    between, at = "", start
    for other in row:
        between += document.text[at : max(at, other.start)] + " "
        at = max(at, other.end)
    words = _TAG_OR_WORD.findall(_ATTRIBUTES.sub("", between + document.text[at:end]))
    return row if all(word.lower() in _BETWEEN for word in words if not word.startswith("<")) else []
