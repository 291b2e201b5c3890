"""Metadata of pages for search engines, sites that link to them, and browser tabs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape, unescape

from tutorial_tool.core import lazy_re

_HEAD = lazy_re.compile(r"</head\s*>", re.IGNORECASE)
_TITLE = lazy_re.compile(r"(<title\b[^>]*>)(.*?)(</title\s*>)", re.IGNORECASE | re.DOTALL)
_CARD = lazy_re.compile(r"""<meta\b[^>]*\bproperty\s*=\s*["']?og:""", re.IGNORECASE)
_CANONICAL = lazy_re.compile(r"""<link\b[^>]*\brel\s*=\s*["']?canonical\b""", re.IGNORECASE)
SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".gif")  # Image formats that sites show on a card: none supports SVG
MIN_LARGE_WIDTH = 300  # Minimum width, in pixels, of an image that fills a card


@dataclass(frozen=True)
class Image:
    """A page's preview image: its absolute URL, its alt text, and its size in pixels."""

    url: str
    alt: str = ""
    size: tuple[int, int] | None = None


@dataclass(frozen=True)
class Card:
    """Metadata of a page. Texts are plain; `url` is absolute, empty if the site's URL is unknown.

    `platform` is the name of its platform, `markdown` the URL of the page as Markdown.
    """

    title: str
    site: str
    description: str = ""
    url: str = ""
    platform: str = ""
    image: Image | None = None
    markdown: str = ""
    is_home: bool = False


def add_platform_name(title: str, platform: str) -> str:
    """Return a title with the platform's name, unless it already contains it."""
    match = re.search(rf"(?<!\w){re.escape(platform)}(?!\w)", title)
    return title if match or not platform else f"{title} · {platform}"


def add_head_tags(html: str, card: Card) -> str:
    """Return a page with missing head tags added. Those of a theme, a plugin or an author stay."""
    end = _HEAD.search(html)
    if end is None:
        return html
    head = html[: end.start()]
    if card.platform:
        head = _TITLE.sub(lambda match: match[1] + _add_title_platform(match[2], card) + match[3], head, count=1)
    lines = list(_render_missing_tags(head, card))
    return head + "".join(f"  {line}\n    " for line in lines) + html[end.start() :]


def _add_title_platform(window_title: str, card: Card) -> str:
    """Return the window title in HTML, with the platform after the page's own title."""
    title = escape(card.title, quote=False)
    start = window_title.find(title)
    if start < 0 or add_platform_name(unescape(window_title), card.platform) == unescape(window_title):
        return window_title
    end = start + len(title)
    return f"{window_title[:end]} · {escape(card.platform, quote=False)}{window_title[end:]}"


def _render_missing_tags(head: str, card: Card) -> Iterator[str]:
    if card.url and not _CANONICAL.search(head):
        yield f'<link rel="canonical" href="{escape(card.url)}">'
    if card.markdown:
        # the space hides it from a script of Material, which takes `[rel=alternate]` for a translation
        yield f'<link rel="alternate " type="text/markdown" href="{escape(card.markdown)}">'
    if "og:" not in head.lower() or not _CARD.search(head):
        yield from _render_card(card)


def _render_card(card: Card) -> Iterator[str]:
    for name, value in _iter_properties(card):
        yield f'<meta property="{name}" content="{escape(value)}">'
    large = card.image is not None and (card.image.size or (MIN_LARGE_WIDTH, 0))[0] >= MIN_LARGE_WIDTH
    yield f'<meta name="twitter:card" content="{"summary_large_image" if large else "summary"}">'


def _iter_properties(card: Card) -> Iterator[tuple[str, str]]:
    """Yield Open Graph properties (ogp.me); those of an image follow it, as the protocol requires."""
    yield "og:type", "website" if card.is_home else "article"
    yield "og:title", card.site if card.is_home else add_platform_name(card.title, card.platform)
    yield "og:site_name", card.site
    if card.description:
        yield "og:description", card.description
    if card.url:
        yield "og:url", card.url
    if card.image:
        yield "og:image", card.image.url
        if card.image.size:
            yield "og:image:width", str(card.image.size[0])
            yield "og:image:height", str(card.image.size[1])
        if card.image.alt:
            yield "og:image:alt", card.image.alt
