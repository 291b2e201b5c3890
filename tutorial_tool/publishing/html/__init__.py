"""Postprocesses a page's HTML before publishing: images and tables.

The text of a page is the same for every engine: images are images, and tables are tables. Where the plugin publishes,
figures are inlined, images get their sizes, and tables get scoped headers, badges and scrolling.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from tutorial_tool.core import lazy_re
from tutorial_tool.data.toggle_words import get_state
from tutorial_tool.publishing.html.html import ATTRIBUTES, RAW, parse_attributes, render_start_tag
from tutorial_tool.publishing.html.tables import StateTable, TableContent, render_tables
from tutorial_tool.site import Page, Site
from tutorial_tool.site.figures import strip_markdown
from tutorial_tool.site.figures.inline import compute_style_key, inline_figure

# Images of a page: inlined figures, sizes for all others, and lazy loading further down.
_IMG = lazy_re.compile(rf"{RAW}|<img\b{ATTRIBUTES}>", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True)
class ImageSource:
    """The content of an image URL: a drawn figure, or a file with its size in pixels."""

    svg: str = ""
    size: tuple[int, int] | None = None


def measure_image(path: Path) -> tuple[int, int] | None:
    """Return an image file's width and height in pixels, after rotation by browsers; None if unknown."""
    try:
        return _read_size(path, path.stat().st_mtime_ns)
    except OSError:
        return None


@lru_cache(maxsize=10_000)
def _read_size(path: Path, _: int) -> tuple[int, int] | None:
    import imagesize

    try:
        width, height = imagesize.get(path)
    except Exception:  # noqa: BLE001 - whatever reading a broken picture raises, it has no size
        return None
    return (width, height) if width > 0 and height > 0 else None


def render_images(html: str, find: Callable[[str], ImageSource | None], dark: str | None) -> str:
    """Return the page with inlined figures, and with width, height and loading of other images.

    The first image of a page is loaded eagerly: it may be what a reader sees first.
    """
    return _ImageRenderer(html, find, dark).render_page()


def find_images(html: str) -> list[tuple[str, str]]:
    """Return the URL and alt text of each image of a page, except for platform icons."""
    tags = [parse_attributes(match[0]) for match in _IMG.finditer(html) if match[0][:4].lower() == "<img"]
    return [(tag.get("src", ""), tag.get("alt", "")) for tag in tags if tag.get("class") != "tt-icon"]


class _ImageRenderer:
    def __init__(self, html: str, find: Callable[[str], ImageSource | None], dark: str | None) -> None:
        self.html, self.find, self.dark = html, find, dark
        self.number = self.loaded = 0
        self.styles: set[str] = set()

    def render_page(self) -> str:
        return _IMG.sub(
            lambda match: match[0] if match[0][:4].lower() != "<img" else self._render_image(match[0]), self.html
        )

    def _render_image(self, tag: str) -> str:
        values = parse_attributes(tag)
        picture = self.find(values.get("src", ""))
        if picture is not None and picture.svg:
            return self._render_figure(picture.svg, values)
        self.loaded += 1
        return _render_img_tag(values, picture, first=self.loaded == 1)

    def _render_figure(self, svg: str, values: dict[str, str]) -> str:
        key = compute_style_key(svg)
        drawn = inline_figure(svg, self._find_free_prefix(), f".tt-{key}", self.dark)
        style = f"<style>{drawn.style}</style>" if drawn.style and key not in self.styles else ""
        self.styles.add(key)
        around = {"class": " ".join(["tt-figure", f"tt-{key}", *values.get("class", "").split()])}
        around |= {name: values[name] for name in ("id", "title") if values.get(name)}
        if not drawn.fluid:  # it may be wider than a phone
            around |= {"role": "group", "aria-label": values.get("alt", ""), "tabindex": "0"}
            around["style"] = f"--tt-width:{drawn.width:g}px"
        start = drawn.svg.find(">") + 1
        return f"{render_start_tag('span', around)}{drawn.svg[:start]}{style}{drawn.svg[start:]}</span>"

    def _find_free_prefix(self) -> str:
        """Return an id prefix for the next figure that no id of the page starts with."""
        self.number += 1
        while f'id="tt{self.number}-' in self.html:
            self.number += 1
        return f"tt{self.number}-"


def _render_img_tag(values: dict[str, str], picture: ImageSource | None, *, first: bool) -> str:
    """Return an image tag with size and loading, unless the author has set them."""
    sized = {"width", "height", "style"} & set(values)
    if picture is not None and picture.size and not sized:
        values["width"], values["height"] = map(str, picture.size)
    if not first:
        values.setdefault("loading", "lazy")
    return render_start_tag("img", values)


DARK = {"material": '[data-md-color-scheme="slate"]', "mkdocs": '[data-bs-theme="dark"]'}
"""The selector of dark mode, by theme."""


@dataclass(frozen=True)
class HtmlContext:
    """What a page's HTML depends on.

    `find_image` returns the image at a URL in `src`, or None if it is not one of the site. `tables` are the data tables
    that the page shows, `strings` the fixed strings of the project. `dark` selects a page in dark colors; None if the
    theme has none. `rendered_tables` caches tables of other pages with these `tables`.
    """

    find_image: Callable[[str], ImageSource | None]
    tables: Sequence[StateTable] = ()
    strings: Mapping[str, str] = field(default_factory=dict)
    dark: str | None = DARK["material"]
    rendered_tables: dict[str, TableContent] = field(default_factory=dict)


def build_state_tables(site: Site, shown: Page | None) -> list[StateTable]:
    """Return the data tables that may be on a page: those that its template shows, then all in full."""
    declared = site.model.tables
    expected = [*(sorted(shown.tables) if shown else ()), *((id_, tuple(declared[id_].columns)) for id_ in declared)]
    return [
        StateTable(
            tuple(strip_markdown(declared[id_].columns[column]) for column in columns),
            columns[:1] == tuple(declared[id_].columns)[:1],
            {
                columns.index(column): {strip_markdown(word): _is_on(word, site) for word in words}
                for column, words in declared[id_].values.items()
                if column in columns
            },
        )
        for id_, columns in expected
    ]


def _is_on(word: str, site: Site) -> bool | None:
    """Return whether a word means that a setting is on; None if it is not a state word."""
    state = get_state(strip_markdown(word), site.model.states)
    return state.on if state else None


def render_page(html: str, context: HtmlContext) -> str:
    """Return a page's content as published."""
    if "<img" in html:
        html = render_images(html, context.find_image, context.dark)
    return render_tables(html, context.tables, context.strings, context.rendered_tables) if "<table" in html else html


__all__ = ["StateTable"]  # Of the modules within; the rest is defined here
