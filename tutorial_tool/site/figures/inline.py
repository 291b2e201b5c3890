"""Inline a drawn figure in an HTML page: isolate its ids and styles; let it follow the page's colors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from typing import NamedTuple

from tutorial_tool.core import lazy_re

_TAG = lazy_re.compile(r"<[a-zA-Z](?:[^<>\"']|\"[^\"]*\"|'[^']*')*>")
_IDS = lazy_re.compile(r"(?<=[\s])(id|href|xlink:href|aria-labelledby|aria-describedby)=(\"[^\"]*\"|'[^']*')")
_URL = lazy_re.compile(r"url\(\s*#([^)\s]+)\s*\)")
_STYLE = lazy_re.compile(r"<style[^>]*>(.*?)</style>\n?", re.DOTALL)
_ROOT = lazy_re.compile(r"<svg\b(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>")
_ATTRIBUTE = lazy_re.compile(r"([\w:-]+)=(?:\"([^\"]*)\"|'([^']*)')")
_COMMENT = lazy_re.compile(r"/\*.*?\*/", re.DOTALL)
_DARK = lazy_re.compile(r"@media[^{]*prefers-color-scheme\s*:\s*dark[^{]*$")


class InlineFigure(NamedTuple):
    """A figure in a page: the SVG without its styles, the styles, and its size in pixels."""

    svg: str
    style: str
    width: float
    height: float
    fluid: bool  # Whether it adapts to any width; otherwise it is scaled


def inline_figure(svg: str, prefix: str, scope: str, dark: str | None) -> InlineFigure:
    """Return the figure with `prefix` before its ids and its styles limited to elements that match `scope`.

    `dark` selects a page in dark colors, instead of the reader's system; None keeps the light colors.
    """
    style = "\n".join(match[1] for match in _STYLE.finditer(svg))
    root = _ROOT.search(svg)
    attributes = {key: double or single for key, double, single in _ATTRIBUTE.findall(root[0])} if root else {}
    width, height = _parse_size(attributes)
    fluid = attributes.get("data-fluid") == "true"
    body = _STYLE.sub("", svg[root.start() if root else 0 :]).strip()
    body = _ROOT.sub(_make_resizer(width, height, fluid=fluid), body, count=1)
    body = _TAG.sub(lambda tag: _add_id_prefix(tag[0], prefix), body)
    return InlineFigure(body, _scope_styles(style, scope, dark), width, height, fluid)


def compute_style_key(svg: str) -> str:
    """Return a short key for the styles of a figure; figures with the same styles share it."""
    style = "\n".join(match[1] for match in _STYLE.finditer(svg))
    return sha256(style.encode()).hexdigest()[:8]


def _parse_size(attributes: dict[str, str]) -> tuple[float, float]:
    """Return the size from `width` and `height` in pixels, else from the view box, else 300 by 150."""
    box = [float(n) for n in re.findall(r"-?[\d.]+", attributes.get("viewBox", ""))]
    matches = [re.fullmatch(r"([\d.]+)(?:px)?", attributes.get(key, "")) for key in ("width", "height")]
    if matches[0] and matches[1]:
        return float(matches[0][1]), float(matches[1][1])
    return (box[2], box[3]) if len(box) == 4 else (300, 150)


def _make_resizer(width: float, height: float, *, fluid: bool) -> Callable[[re.Match[str]], str]:
    """Return a function that resizes the root element.

    A fluid one fills its container and keeps its height, so that its text keeps its size.
    """

    def change(root: re.Match[str]) -> str:
        tag = re.sub(r"\s(?:xmlns|data-fluid)=(?:\"[^\"]*\"|'[^']*')", "", root[0])
        if fluid:
            tag = re.sub(r"\s(?:viewBox|width|height|style)=(?:\"[^\"]*\"|'[^']*')", "", tag)
            return f'{tag[:-1]} style="max-width:{width:g}px;height:{height:g}px">'
        return tag

    return change


def _add_id_prefix(tag: str, prefix: str) -> str:
    """Add the prefix to the ids, and references to ids, in a tag."""

    def change(match: re.Match[str]) -> str:
        quote, value = match[2][0], match[2][1:-1]
        if match[1].endswith("href"):
            value = f"#{prefix}{value[1:]}" if value.startswith("#") else value
        else:
            value = " ".join(prefix + id_ for id_ in value.split())
        return f"{match[1]}={quote}{value}{quote}"

    return _URL.sub(rf"url(#{prefix}\1)", _IDS.sub(change, tag)) if "=" in tag else tag


# Styles


@cache
def _scope_styles(style: str, scope: str, dark: str | None) -> str:
    """Restrict the rules of a style to elements inside `scope`."""
    return "".join(_iter_scoped_rules(_COMMENT.sub("", style), f"{scope} ", dark)) if style.strip() else ""


def _iter_scoped_rules(css: str, ancestors: str, dark: str | None) -> Iterator[str]:
    for head, body in _iter_blocks(css):
        if _DARK.match(head):
            if dark is not None:
                rules = "".join(_iter_scoped_rules(body, f"{dark} {ancestors}", dark))
                yield f"@media screen{{{rules}}}"  # paper is white
        elif head.startswith(("@media", "@supports", "@container", "@layer")):
            yield f"{head}{{{''.join(_iter_scoped_rules(body, ancestors, dark))}}}"
        elif head.startswith("@"):
            yield f"{head}{{{body}}}"
        else:
            selectors = re.split(r",(?![^(]*\))", head)  # not at a comma in parentheses
            yield f"{','.join(ancestors + selector.strip() for selector in selectors)}{{{body.strip()}}}\n"


def _iter_blocks(css: str) -> Iterator[tuple[str, str]]:
    """Yield each rule's head and the text between its braces."""
    start = 0
    while (opening := css.find("{", start)) >= 0:
        depth, end = 1, opening + 1
        for brace in re.compile(r"[{}]").finditer(css, opening + 1):
            depth += 1 if brace[0] == "{" else -1
            if not depth:
                end = brace.start()
                break
        else:
            return
        yield " ".join(css[start:opening].split()), css[opening + 1 : end]
        start = end + 1
