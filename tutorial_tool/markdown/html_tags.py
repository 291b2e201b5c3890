"""Ids and URLs in an HTML file, and the names of elements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from html import unescape
from typing import NamedTuple

from tutorial_tool.core import lazy_re

VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
"""Void elements, which have no end tag (HTML, 13.1.2)."""
ELEMENTS = frozenset(
    "a abbr acronym address animate applet area article aside audio b base basefont bdi bdo big blink"
    " blockquote body br button canvas caption center circle cite clippath code col colgroup command content"
    " data datalist dd defs del details dfn dialog dir div dl dt element ellipse em embed fencedframe fieldset"
    " figcaption figure filter font footer form frame frameset g h1 h2 h3 h4 h5 h6 head header hgroup hr html"
    " i iframe image img input ins isindex kbd keygen label legend li line link listing main map mark marker"
    " marquee mask math menu menuitem meta meter multicol nav nextid nobr noembed noframes noscript object ol"
    " optgroup option output p param path pattern picture plaintext polygon polyline portal pre progress q rb"
    " rect rp rt rtc ruby s samp script search section select selectedcontent shadow slot small source spacer"
    " span stop strike strong style sub summary sup svg symbol table tbody td template text textarea tfoot th"
    " thead time title tr track tspan tt u ul use var video wbr xmp".split()
)
"""Current and obsolete element names of HTML and SVG."""


class Attribute(NamedTuple):
    """An attribute with its element's name, both in lower case; `start` is the tag's offset in the file."""

    element: str
    name: str
    value: str
    start: int

    @property
    def is_id(self) -> bool:
        """Whether it is an anchor; otherwise it is a URL."""
        return self.name in ("id", "name")


# After HTML's tokenizer (13.2.5), without backtracking; an unclosed construct takes the rest of the file.
_VALUE = r"(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>\"'][^\s>]*+))?+"
_ATTRIBUTES = rf"(?:[\s/]++|[^\s/>][^\s/>=]*+{_VALUE})*+"
_TAG = lazy_re.compile(
    rf"<!--.*?(?:-->|\Z)|</(?P<end>svg)\b"
    rf"|<(?:(?P<raw>script|style|textarea|title)(?=[\s/>])|(?P<name>[a-z][^\s/>]*+))(?P<text>{_ATTRIBUTES})>"
    rf"(?(raw)(?>(?:[^<]++|<(?!/(?P=raw)\b))*))"
    rf"|<[a-z].*",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTE = lazy_re.compile(r"""([^\s/>][^\s/>=]*+)(?:\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+))?+""")
_WANTED = lazy_re.compile(r"\b(?:id|name|src|href|srcset|poster|data|imagesrcset|content)\s*=", re.IGNORECASE)
_LOADS = frozenset(("src", "href", "srcset", "poster", "xlink:href", "imagesrcset"))
_ONLY_OF = {"content": "meta", "data": "object", "name": "a"}
_HOSTS = lazy_re.compile(r"preconnect|dns-prefetch", re.IGNORECASE)


def iter_attributes(html: str) -> Iterator[Attribute]:
    """Yield every attribute of an HTML file that is an id or a URL, in file order.

    Comments, scripts, styles and titles are skipped. Elements within an `svg` are named `svg:NAME`: copies of one
    drawing on a page repeat their ids. A `meta` refresh is yielded with its `content`. A translation, which is often a
    separate site, is left out.
    """
    drawing = False
    for tag in _TAG.finditer(html):
        text = tag["text"]
        if text is None:
            drawing = drawing and not tag["end"]
            continue
        name = (tag["name"] or tag["raw"]).lower()
        element = f"svg:{name}" if drawing or name == "svg" else name
        yield from (Attribute(element, name, value, tag.start()) for name, value in _parse_tag(element, text))
        drawing = drawing or (name == "svg" and not text.endswith("/"))


@lru_cache(maxsize=1 << 14)  # the navigation is on every page
def _parse_tag(element: str, text: str) -> tuple[tuple[str, str], ...]:
    """Return the ids and URLs among a tag's attributes, by name."""
    if not _WANTED.search(text):
        return ()
    seen: dict[str, str] = {}
    for name, value in _ATTRIBUTE.findall(text):
        seen.setdefault(name.lower(), value)  # browsers take the first of several
    if element == "meta" and "refresh" not in seen.get("http-equiv", "").lower():
        return ()
    expected = [name for name in seen if name == "id" or _is_relevant(element, name, seen)]
    return tuple((name, unescape(_unquote(seen[name]))) for name in expected)


def _unquote(value: str) -> str:
    return value[1:-1] if value[:1] in ("'", '"') else value


def _is_relevant(element: str, name: str, seen: dict[str, str]) -> bool:
    if name in _ONLY_OF:
        return element == _ONLY_OF[name]
    if name not in _LOADS or element == "base" or "hreflang" in seen:
        return False
    return not (element == "link" and _HOSTS.search(seen.get("rel", "")))
