"""Raw HTML and JSX in a page: tags, their attributes, and the text between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document.kinds import Attribute
from tutorial_tool.markdown.document.texts import MASK, Part

_ATTRIBUTE = lazy_re.compile(
    r"([A-Za-z_:@][\w:.@-]*+)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|\{((?:[^{}]|\{[^{}]*+\})*+)\}|([^\s\"'=<>`{}]++)))?+"
)
_EXPRESSION = r"\{[^{}]{0,3000}+\}"
for _ in range(4):  # nested objects and lists, as in the props of components
    _EXPRESSION = rf"\{{(?:[^{{}}]|{_EXPRESSION}){{0,3000}}+\}}"
_MARKUP = rf"<(/?)([A-Za-z][\w.:-]*+)((?:[^<>\"'{{}}]|\"[^\"]{{0,3000}}+\"|'[^']{{0,3000}}+'|{_EXPRESSION})*+)/?>"
TAG = lazy_re.compile(_MARKUP)
_TAG_OR_COMMENT = lazy_re.compile(f"<!--.*?-->|{_MARKUP}", re.DOTALL)
_NOT_TEXT = lazy_re.compile(
    r"&#?\w{1,31};|```(?>(?:(?!```).)*)```|\{\{(?:[^{}\n]|\{[^{}\n]*+\})*+\}\}|\{%[^{}\n]*+%\}|\{/\*(?>(?:(?!\*/|\{/\*).)*)\*/\}"
    rf"|{_MARKUP}|</?[A-Za-z!?][^<>]*+>?",
    re.DOTALL,
)


def find_tags(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """Return an iterator over raw HTML tags and comments.

    With an unclosed comment only tags are matched: each match would scan for its end again.
    """
    closed = text.rfind("<!--", start, end) < text.rfind("-->", start, end) + 1
    return (_TAG_OR_COMMENT if closed else TAG).finditer(text, start, end)


def iter_text(text: str, start: int, end: int) -> Iterator[Part]:
    """Yield the text between tags, as browsers show it."""
    at = start
    for match in _NOT_TEXT.finditer(text, start, end):
        yield text[at : match.start()], at, match.start()
        yield unescape(match[0]) if match[0].startswith("&") else MASK, match.start(), match.end()
        at = match.end()
    yield text[at:end], at, end


def iter_typed_text(text: str, start: int, end: int) -> Iterator[Part]:
    """Yield the text between tags, as typed."""
    at = start
    for tag in find_tags(text, start, end):
        yield text[at : tag.start()], at, tag.start()
        at = tag.end()
    yield text[at:end], at, end


def parse_attributes(text: str, start: int, end: int) -> dict[str, Attribute]:
    """Return a tag's attributes, from the text between its name and its end; the first of each name counts."""
    out: dict[str, Attribute] = {}
    for match in _ATTRIBUTE.finditer(text, start, end):
        group = next((g for g in (2, 3, 4, 5) if match[g] is not None), 1)
        value = match[group] if group > 1 else ""
        value = value if group == 4 else unescape(value)
        out.setdefault(match[1].lower(), Attribute(value, *match.span(group), group == 4))
    return out
