"""What stands beside the linted pages: other pages, and files that name pictures."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import commonpath, dirname

from tutorial_tool import files
from tutorial_tool.addresses.pages import Pages
from tutorial_tool.addresses.readings import SUFFIXES
from tutorial_tool.addresses.tree import Tree
from tutorial_tool.source import Source

_NAMING = (
    ".css",
    ".scss",
    ".html",
    ".js",
    ".jsx",
    ".ts",
    ".tsx",
    ".yml",
    ".yaml",
    ".toml",
    ".json",
    ".vue",
    ".astro",
    *SUFFIXES,
)
_DEPTH, _NEAR = 50, 3
"""How many folders deep pages are looked for, and files that name pictures."""


def is_whole(pages: Pages, tree: Tree) -> bool:
    """Whether all pages that stand in the folder of a tree are among those that are linted."""
    found = pages.disk.walk(_folder(pages, tree), _DEPTH)
    return all(file in pages.by_file for file in found if file.lower().endswith(SUFFIXES))


def _folder(pages: Pages, tree: Tree) -> str:
    """The folder of a tree's pages; of plain files the one that holds those that are linted."""
    if tree.engine:
        return tree.docs
    return commonpath([dirname(pages.file(page)) for page in pages.site.pages if pages.tree(page) is tree])


def sources(pages: Pages) -> Iterator[Source]:
    """The files beside the pages that may name another: templates, data, configurations, styles, other pages."""
    yield from pages.site.sources.values()
    roots = (tree.root if tree.engine else _folder(pages, tree) for tree in pages.trees)
    for file in dict.fromkeys(file for root in dict.fromkeys(roots) for file in pages.disk.walk(root, _NEAR)):
        names = file.endswith(_NAMING) and file not in pages.by_file
        read = files.read(file, root=pages.root) if names else None
        if isinstance(read, Source):
            yield read
