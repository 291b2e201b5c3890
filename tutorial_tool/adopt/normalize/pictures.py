"""Replace images of a template by calls of `figure()`, if one path pattern fits those of a tutorial."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from itertools import takewhile

from tutorial_tool.adopt.template import jinja
from tutorial_tool.core import lazy_re

_IMAGE = lazy_re.compile(r"(?<!\\)!\[((?:[^\[\]{}%]|\{\{ [^{}]* \}\})+)\]\(((?:[^\s(){}%]|\{\{ platform\.id \}\})+)\)")
_PRINTED = lazy_re.compile(r"\{\{ ([^{}]*) \}\}")
_PLATFORM, _FIGURE = "{platform}", "{figure}"
_EXTERNAL = lazy_re.compile(r"://|[#?]")
_NAMED = lazy_re.compile(r"\{platform\}([-_.])[^{}]+|[^{}]+([-_.])\{platform\}")
"""A file name that starts or ends with the platform."""
_SUFFIXES = (".png", ".svg", ".jpg", ".jpeg", ".webp", ".avif", ".gif")
"""Suffixes that `figure()` finds besides that of the pattern."""


def find_pattern(templates: Mapping[str, str], pages: Mapping[str, str], steps: Mapping[str, str]) -> str | None:
    """Return the path pattern of a tutorial's images, for its `images`; None if there is none.

    `templates` are texts by path; `pages` and `steps` have the path pattern of the pages and the step of each.
    """
    places = [
        place
        for path, text in templates.items()
        for image in _IMAGE.finditer(text)
        if (place := _locate_image(image[2], pages[path], steps[path]))
    ]
    forms = [_find_name_form(posixpath.basename(place)) for place in places]
    if not any(forms):
        return None
    usual = max(filter(None, dict.fromkeys(forms)), key=forms.count)
    matches = [posixpath.splitext(place) for place, form in zip(places, forms, strict=True) if form == usual]
    if any(suffix.lower() not in _SUFFIXES for _, suffix in matches):
        return None
    folders = zip(*(posixpath.dirname(stem).split("/") for stem, _ in matches), strict=False)
    shared = [names[0] for names in takewhile(lambda names: len(set(names)) == 1, folders)]
    suffixes = [suffix for _, suffix in matches]
    out = "/".join([*filter(None, shared), usual]) + max(dict.fromkeys(suffixes), key=suffixes.count)
    return out if _PLATFORM in out else None


def _find_name_form(name: str) -> str | None:
    """Return the pattern of an image's file name, such as `{platform}-{figure}`; None if there is none."""
    stem = posixpath.splitext(name)[0]
    if _PLATFORM not in stem:
        return _FIGURE
    match = _NAMED.fullmatch(stem)
    if match is None:
        return None
    return f"{_PLATFORM}{match[1]}{_FIGURE}" if match[1] else f"{_FIGURE}{match[2]}{_PLATFORM}"


def _locate_image(src: str, page: str, step: str) -> str | None:
    """Return an image's path below the docs folder, with placeholders; None if it is elsewhere."""
    src = src.replace("{{ platform.id }}", "{platform}")
    if _EXTERNAL.search(src) or "{platform}" not in src:
        return None
    page = page.replace("{step}", step)
    path = src.lstrip("/") if src.startswith("/") else posixpath.join(posixpath.dirname(page), src)
    path = posixpath.normpath(path)
    if path.startswith("..") or not posixpath.splitext(path)[1]:
        return None
    return "/".join("{step}" if part == step else part for part in path.split("/"))


def insert_figure_calls(text: str, images: str, page: str, step: str) -> str:
    """Replace a template's images by calls of `figure()`, if their paths match `images`."""
    before, _, after = posixpath.splitext(images)[0].partition(_FIGURE)

    def build_call(image: re.Match[str]) -> str:
        place = _locate_image(image[2], page, step)
        stem = posixpath.splitext(place)[0] if place else ""
        name = stem.removeprefix(before).removesuffix(after).replace("{step}", step)
        known = (f"{before}{item}{after}" for item in (name, _insert_step(name, step)))
        if not name or "{" in name or stem not in known:
            return image[0]
        return f"{{{{ figure({jinja.quote_literal(name)}, alt={_build_expression(image[1])}) }}}}"

    return _IMAGE.sub(build_call, text)


def _insert_step(name: str, step: str) -> str:
    """Return a name with a placeholder for the step's folder."""
    return "/".join("{step}" if part == step else part for part in name.split("/"))


def _build_expression(text: str) -> str:
    """Build one Jinja expression from a text with expressions in it."""
    parts = _PRINTED.split(text)
    reported = [part if at % 2 else jinja.quote_literal(part) for at, part in enumerate(parts) if at % 2 or part]
    return " ~ ".join(reported)
