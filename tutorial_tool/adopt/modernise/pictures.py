"""Pictures of a template as calls of `figure()`: where one path pattern tells where all of a tutorial stand."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence

from tutorial_tool import lazy_re
from tutorial_tool.adopt.template import jinja

_IMAGE = lazy_re.compile(r"(?<!\\)!\[((?:[^\[\]{}%]|\{\{ [^{}]* \}\})+)\]\(((?:[^\s(){}%]|\{\{ platform\.id \}\})+)\)")
_PRINTED = lazy_re.compile(r"\{\{ ([^{}]*) \}\}")
_SUFFIXES = (".png", ".svg", ".jpg", ".jpeg", ".webp", ".avif", ".gif")
"""What `figure()` finds beside the suffix of the pattern."""


def pattern(templates: Mapping[str, str], pages: Mapping[str, str], steps: Mapping[str, str]) -> str | None:
    """Where all pictures of a tutorial stand, as its `images` say it; None where there are none, or no pattern holds.

    `templates` are texts by path; `pages` and `steps` tell the path pattern of the pages and the step of each.
    """
    found = [
        posixpath.splitext(place)
        for path, text in templates.items()
        for image in _IMAGE.finditer(text)
        if (place := _place(image[2], pages[path], steps[path]))
    ]
    if not found or any(suffix.lower() not in _SUFFIXES for _, suffix in found):
        return None
    folders = [posixpath.dirname(stem).split("/") for stem, _ in found]
    shared = _shared(folders)
    suffixes = [suffix for _, suffix in found]
    return "/".join([*shared, "{figure}"]) + max(dict.fromkeys(suffixes), key=suffixes.count)


def _shared(folders: Sequence[Sequence[str]]) -> list[str]:
    out: list[str] = []
    for parts in zip(*folders, strict=False):
        if len(set(parts)) > 1:
            break
        out.append(parts[0])
    return out


def _place(src: str, page: str, step: str) -> str | None:
    """A picture's path below the docs folder, with placeholders; None for one that stands elsewhere."""
    src = src.replace("{{ platform.id }}", "{platform}")
    if "://" in src or "#" in src or "?" in src or "{platform}" not in src:
        return None
    page = page.replace("{step}", step)
    path = src.lstrip("/") if src.startswith("/") else posixpath.join(posixpath.dirname(page), src)
    path = posixpath.normpath(path)
    if path.startswith("..") or not posixpath.splitext(path)[1]:
        return None
    return "/".join("{step}" if part == step else part for part in path.split("/"))


def called(text: str, images: str, page: str, step: str) -> str:
    """A template whose pictures are calls of `figure()`, as far as they stand where `images` say."""
    before, _, _ = images.partition("{figure}")

    def call(image: re.Match[str]) -> str:
        place = _place(image[2], page, step)
        if place is None or not place.startswith(before):
            return image[0]
        return f"{{{{ figure('{posixpath.splitext(place[len(before) :])[0]}', alt={_expression(image[1])}) }}}}"

    return _IMAGE.sub(call, text)


def _expression(text: str) -> str:
    """A text with what it prints, as one Jinja expression."""
    parts = _PRINTED.split(text)
    told = [part if at % 2 else jinja.literal(part) for at, part in enumerate(parts) if at % 2 or part]
    return " ~ ".join(told)
