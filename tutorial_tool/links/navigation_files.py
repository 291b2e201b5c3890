"""Navigation files of generators other than MkDocs: the pages that they name, and their spans."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from posixpath import join, normpath
from typing import Literal, NamedTuple

from tutorial_tool import data
from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import Source, Span
from tutorial_tool.links import literals
from tutorial_tool.links.literals import List, Object, Text

Trust = Literal["hosted", "built", "slip"]
"""What a missing page means: `hosted`: no program writes pages before publishing; `built`: one may; `slip`: the entry
may name more than a file next to it."""


class NamedPage(NamedTuple):
    """A page that a navigation names, as written there.

    `files` are the possible paths, with or without a suffix, `urls` its URLs below the base of the site. `exists` if it
    is known to exist all the same.
    """

    name: str
    span: Span
    files: tuple[str, ...]
    trust: Trust = "built"
    urls: tuple[str, ...] = ()
    exists: bool = False


Reader = Callable[[Source, str], Iterator[NamedPage]]  # Takes a file and its folder
_PATH = lazy_re.compile(r"(?!\.\.\.|[\w+.-]+:|/)[^\s*?#|{}<>\[\]!$,;:\"'`\\]+(?: [^\s*?#|{}<>\[\]!$,;:\"'`\\]+)*")
"""Text that can only be a relative path: no pattern, URL or API operation."""
_WORDLESS = lazy_re.compile(r"\S+")
_SOURCE = lazy_re.compile(r"[^\s*]+\.(?:mdx?|markdown|qmd|ipynb|[rR]md)")


def get_reader(name: str, beside: Callable[[str], bool]) -> Reader | None:
    """Return the reader for a navigation file of this name, or None.

    `beside(name)` returns whether a folder around the file contains one of that name.
    """
    for pattern, read, mark in _READERS:
        if pattern.fullmatch(name) and (not mark or beside(mark)):
            return read
    return None


# Data


def _read_awesome(source: Source, folder: str) -> Iterator[NamedPage]:
    """Read `.nav.yml` of awesome-nav or `.pages` of awesome-pages: pages and folders next to it."""
    root = data.load_yaml(source).node
    todo = [data.get_node(root, key) for key in ("arrange", "nav")]
    while todo:
        node = todo.pop()
        if isinstance(node, data.Sequence):
            todo += reversed(node.items)
        elif isinstance(node, data.Mapping):
            todo += [] if node.get("glob") is not None else reversed([value for _, value in node.items])
        elif isinstance(node, data.Scalar) and _PATH.fullmatch(node.plain):
            is_page = _SOURCE.fullmatch(node.plain) is not None
            name = node.plain
            yield NamedPage(name, node.span, (normpath(join(folder, name)),), "built" if is_page else "slip")


def _read_docfx(source: Source, folder: str) -> Iterator[NamedPage]:
    for key, node in data.iter_keyed(data.load_yaml(source).node):
        path = re.split(r"[?#]", node.plain)[0]
        if key in ("href", "topicHref", "homepage") and _SOURCE.fullmatch(path) and _PATH.fullmatch(path):
            yield NamedPage(node.plain, node.span, (normpath(join(folder, path)),), "slip")


# JSON and programs


def _read_mintlify(source: Source, folder: str) -> Iterator[NamedPage]:
    """Read pages by their paths without suffix; an API description may add others."""
    if source.path.endswith("docs.json") and "mintlify" not in source.text:
        return
    root = literals.parse_value(source.text, 0)
    for entry in literals.iter_values(root.get("navigation") if isinstance(root, Object) else None):
        if not isinstance(entry, Object):
            continue
        pages, root = entry.get("pages"), entry.get_text("root")
        texts = [item for item in pages.items if isinstance(item, Text)] if isinstance(pages, List) else []
        trust: Trust = "built" if entry.has("openapi") or entry.has("asyncapi") else "hosted"
        for text in (*([root] if root else ()), *texts):
            name = text.value.lstrip("/")
            if _PATH.fullmatch(name) and _WORDLESS.fullmatch(name):
                yield NamedPage(text.value, source.span(text.start, text.end), (normpath(join(folder, name)),), trust)


_READERS: tuple[tuple[re.Pattern[str], Reader, str], ...] = (
    (lazy_re.compile(r"mint\.json|docs\.json"), _read_mintlify, ""),
    (lazy_re.compile(r"(?:toc|TOC)\.yml"), _read_docfx, "docfx.json"),
)
"""File name pattern, reader, and a file that must be in a parent folder for the file to be of this kind."""
OF_MKDOCS: tuple[tuple[str, str], ...] = ((".nav.yml", "awesome-nav"), (".pages", "awesome-pages"))
"""Files in which MkDocs plugins keep the navigation of a folder."""
of_awesome: Reader = _read_awesome
