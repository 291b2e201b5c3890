"""The `nav` of a `mkdocs.yml`: which pages it names, and where."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from tutorial_tool import data, lazy_re
from tutorial_tool.addresses.mkdocs_tree import plugins
from tutorial_tool.addresses.tree import Tree
from tutorial_tool.config import matches
from tutorial_tool.plugin_options import NAV_MARK
from tutorial_tool.source import Span
from tutorial_tool.traced import plain

if TYPE_CHECKING:
    from tutorial_tool.addresses.target import Target

_PAGE = lazy_re.compile(r"(?![a-z][a-z0-9+.-]*:)[^*]+\.(?:md|markdown)", re.IGNORECASE)
_OWN_FILES = ("awesome-pages", "awesome-nav", "literate-nav", "include_dir_to_nav", "monorepo", "multirepo")
"""Plugins that read the navigation from elsewhere, too."""


class Entry(NamedTuple):
    """A page that the navigation names, relative to the docs folder."""

    path: str
    target: Target
    span: Span
    tree: Tree


def has_nav(tree: Tree) -> bool:
    """Whether the configuration tells the whole navigation."""
    return tree.node is not None and isinstance(tree.node.get("nav"), data.Sequence) and not _is_elsewhere(tree)


def is_left_out(tree: Tree, path: str) -> bool:
    """Whether the configuration keeps a page out of the navigation, or of the site."""
    keys = ("not_in_nav", "exclude_docs", "draft_docs")
    texts = [node.text for key in keys if isinstance(node := tree.node and tree.node.get(key), data.Scalar)]
    globs = [line.strip() for text in texts for line in plain(text).splitlines() if line.strip()[:1] not in ("", "#")]
    return bool(globs) and matches(globs, path)


def _is_elsewhere(tree: Tree) -> bool:
    return not plugins(tree).isdisjoint(_OWN_FILES)


def paths(tree: Tree) -> Iterator[tuple[str, Span]]:
    """The pages that the navigation names, with their places."""
    return ((name, span) for name, span in _names(tree) if _PAGE.fullmatch(name))


def tutorials(tree: Tree) -> Iterator[tuple[str, Span]]:
    """The ids of the tutorials that our plugin puts into the navigation, with their places."""
    names = _names(tree) if "tutorial" in plugins(tree) else ()
    return ((name.removeprefix(NAV_MARK), span) for name, span in names if name.startswith(NAV_MARK))


def _names(tree: Tree) -> Iterator[tuple[str, Span]]:
    todo = [tree.node.get("nav")] if tree.node is not None and has_nav(tree) else []
    while todo:
        node = todo.pop()
        if isinstance(node, data.Sequence):
            todo += reversed(node.items)
        elif isinstance(node, data.Mapping):
            todo += [value for _, value in reversed(node.items)]
        elif isinstance(node, data.Scalar):
            yield plain(node.text), node.span
