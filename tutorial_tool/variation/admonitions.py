"""The admonitions of a page: which of its texts start one, and with which word."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Range
from tutorial_tool.site import Page
from tutorial_tool.variation.units import Unit

_OPENED = lazy_re.compile(
    r"^[ \t>]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?(?:"
    r"(?:!!!|\?{3}\+?|:{3,}|`{3,}|~{3,})[ \t]*(?P<braced>\{)?(?P<word>[A-Za-z][\w-]*)[^\n]*"
    r"|\[!(?P<alert>[A-Za-z]+)\][^\n]*"
    r"|<(?P<tag>[A-Z][\w.]*)[^<>\n]*>[ \t]*$"
    r"|(?:\{\{[<%]|\{%-?)[ \t]*(?P<code>[A-Za-z][\w-]*)[^{}\n]*[>%]\}\}?[ \t]*$)",
    re.MULTILINE,
)
_KIND = lazy_re.compile(
    r"[ \t](?:(?:type|kind|style|color|variant|level|intent)=)?[\"']?"
    r"(?P<kind>note|info|tip|hint|important|warning|caution|danger|error|success)[\"']?(?=[ \t>%/])",
    re.IGNORECASE,
)
"""The kind of note in the arguments of a tag or shortcode: `<Callout type="warning">`."""


class Aside(NamedTuple):
    """The opening of an admonition: its kind in lower case, its span, and the bounds of its line."""

    word: str
    place: Range
    start: int
    end: int


def find_aside(page: Page, unit: Unit) -> Aside | None:
    """Return the admonition that a text is the first of, if any."""
    opened = page.get_cached(_find_openings)
    at = bisect_right(opened, unit.place.start, key=lambda item: item.start) - 1
    if at < 0 or unit.prose is None or not unit.is_first:
        return None
    between = page.plain[opened[at].end : unit.place.start]
    return None if between.strip("> \t\n") else opened[at]


def _find_openings(page: Page) -> tuple[Aside, ...]:
    text = page.plain
    if not any(sign in text for sign in ("!!!", "???", ":::", "[!", "{")) and "\n<" not in text:
        return ()
    result = []
    for match in _OPENED.finditer(text):
        if match["word"] and match[0].lstrip("> \t")[0] in "`~" and not match["braced"]:
            continue  # a fenced code block
        kind = next(name for name in ("word", "alert", "tag", "code") if match[name])
        given = _KIND.search(text, match.end(kind), match.end()) if kind in ("tag", "code") else None
        if kind != "code" or given:
            word, place = (given["kind"], given.span("kind")) if given else (match[kind], match.span(kind))
            result.append(Aside(word.lower(), Range(*place), *match.span()))
    return tuple(result)
