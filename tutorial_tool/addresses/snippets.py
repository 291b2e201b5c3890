"""Pages that others bring in: with the snippets of `pymdownx.snippets` in their places, for the anchors of these."""

from __future__ import annotations

import re
from collections.abc import Callable
from posixpath import basename, join, normpath

from tutorial_tool import data, files, lazy_re, shortcodes
from tutorial_tool.addresses.tree import Tree
from tutorial_tool.source import Source
from tutorial_tool.traced import plain

MARK = "8<-"
_LINE = lazy_re.compile(
    r"""^(?P<indent>[ \t]*)-{1,}8<-{1,}[ \t]+(?P<quote>["'])(?P<name>[^"'\n:]+)(?P=quote)[ \t]*$""", re.MULTILINE
)
"""A snippet that is a whole file; parts of files and lists of them are left where they stand."""
_INCLUDE = lazy_re.compile(
    r"\{\{#(?:include|template)\s+([^\s:{}]+\.md)|<!--\s*@include:\s*([^\s{}<>#]+\.md)"
    r"|\{%-?\s*include(?:_relative)?\s+([^\s%{}]+\.md)"
    r"|^[ \t]*(?:`{3,}|:{3,})[ ]*\{include\}[ \t]+(\S+\.md)[ \t]*$",
    re.MULTILINE,
)
"""How mdBook, VitePress, Jekyll and MyST bring in pages, with the path of each."""
_DEEPEST, _LARGEST = 6, 2_000_000
"""How deep snippets may stand in snippets, and the characters of a page with them."""


def expanded(text: str, tree: Tree, root: str) -> str:
    """A page's text with its snippets. What cannot be read stays as it is. `root` is where findings name paths from."""
    folders = [normpath(join(tree.root, folder)) for folder in _base_paths(tree)]

    def find(name: str) -> str | None:
        for folder in folders:
            read = files.read(join(folder, name), root=root)
            if isinstance(read, Source):
                return read.text
        return None

    return _expanded(text, find, 0)


def named(text: str) -> set[str]:
    """The names of the files that a page's snippets are, without their folders."""
    return {basename(found["name"].strip()) for found in _LINE.finditer(text)} if MARK in text else set()


def brought(text: str) -> set[str]:
    """The paths of the pages that a page brings in by what other engines have: as they are written there."""
    if ".md" not in text:
        return set()
    found = {next(filter(None, match.groups())) for match in _INCLUDE.finditer(text)}
    calls = (one for one in shortcodes.found(text) if one.name not in shortcodes.REFERS) if "{{" in text else ()
    return found | {argument.value for one in calls for argument in one.arguments if argument.value.endswith(".md")}


def _expanded(text: str, find: Callable[[str], str | None], depth: int) -> str:
    if depth > _DEEPEST or MARK not in text:
        return text
    out, at, size = [], 0, 0
    for found in _LINE.finditer(text):
        snippet = find(found["name"].strip())
        if snippet is None or size + len(snippet) > _LARGEST:
            continue
        inner = _expanded(_body(snippet), find, depth + 1)
        size += len(inner)
        lines = (found["indent"] + line if line else "" for line in inner.split("\n"))
        out += [text[at : found.start()], "\n".join(lines)]
        at = found.end()
    return "".join([*out, text[at:]])


def _body(text: str) -> str:
    """A snippet without its front matter."""
    front = data.split(text)
    return text[front.body :] if front else text


def _base_paths(tree: Tree) -> tuple[str, ...]:
    """The folders in which snippets are looked for, relative to the configuration's."""
    for name, options in data.named(tree.node, "markdown_extensions") if tree.node is not None else ():
        told = options.get("base_path") if name == "pymdownx.snippets" and isinstance(options, data.Mapping) else None
        if isinstance(told, data.Scalar):
            return (plain(told.text),)
        if isinstance(told, data.Sequence):
            return tuple(plain(one.text) for one in told.items if isinstance(one, data.Scalar))
    return (".",)
