"""The `nav` of a `mkdocs.yml`: the pages that it names, and their spans."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from tutorial_tool import data
from tutorial_tool.config.plugin_options import parse_nav_entry
from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import Span
from tutorial_tool.core.traced import ensure_traced, strip_origins
from tutorial_tool.data.forms import get_section, parse_toml
from tutorial_tool.fs.globs import matches
from tutorial_tool.links.generators import mkdocs
from tutorial_tool.links.generators.mkdocs import JOINING, get_plugins
from tutorial_tool.links.tree import Tree

if TYPE_CHECKING:
    from tutorial_tool.links.target import Target

_PAGE = lazy_re.compile(r"(?![a-z][a-z0-9+.-]*:)[^*]+\.(?:md|markdown)", re.IGNORECASE)
_OWN_FILES = ("awesome-pages", "awesome-nav", "literate-nav", "include_dir_to_nav", "monorepo", "multirepo")
"""Plugins that also read the navigation from other files."""


class Entry(NamedTuple):
    """A page that the navigation names, relative to the docs folder."""

    path: str
    target: Target
    span: Span
    tree: Tree


def has_nav(tree: Tree) -> bool:
    """Return whether the configuration contains the whole navigation."""
    is_here = get_plugins(tree).isdisjoint(_OWN_FILES)
    return tree.node is not None and isinstance(tree.node.get("nav"), data.Sequence) and is_here


def can_prove_missing(tree: Tree, path: str) -> bool:
    """Return whether a page in the navigation that is not in the docs folder is provably missing."""
    if tree.is_generated(path) or tree.adds_pages:
        return False
    if tree.node is None and tree.config is not None:
        return True
    is_joined = "/" not in path and not get_plugins(tree).isdisjoint({*JOINING, "multirepo"})
    return tree.is_complete or tree.has_all_pages or is_joined


def is_unlisted(tree: Tree, path: str) -> bool:
    """Return whether the configuration excludes a page from the navigation or the site."""
    keys = ("not_in_nav", "exclude_docs", "draft_docs")
    texts = [node.text for key in keys if isinstance(node := tree.node and tree.node.get(key), data.Scalar)]
    globs = [
        line.strip() for text in texts for line in strip_origins(text).splitlines() if line.strip()[:1] not in ("", "#")
    ]
    return bool(globs) and matches(globs, path)


def find_exclusion(tree: Tree, path: str) -> Span | None:
    """Return the span of the pattern that keeps a page, relative to the docs folder, from being published.

    As in `.gitignore`, the last matching pattern decides, and one with `!` includes the page again.
    """
    for node in iter_exclusions(tree):
        decides = None
        for line in node.text.splitlines():
            pattern = ensure_traced(line.strip())
            glob = strip_origins(pattern)
            if glob[:1] not in ("", "#") and matches([glob.removeprefix("!")], path):
                decides = None if glob.startswith("!") else pattern.runs[0].span
        if decides is not None:
            return decides
    return None


def iter_exclusions(tree: Tree) -> Iterator[data.Scalar]:
    nodes = (tree.node.get(key) for key in ("exclude_docs", "draft_docs")) if tree.node is not None else ()
    return (node for node in nodes if isinstance(node, data.Scalar))


def is_navigation_file(tree: Tree, path: str) -> bool:
    """Return whether a page, relative to the docs folder, is a navigation file of `literate-nav`."""
    if tree.node is None or "literate-nav" not in get_plugins(tree):
        return False
    return path.rpartition("/")[2] == (
        data.get_text(mkdocs.get_plugin_options(tree, "literate-nav"), "nav_file") or "SUMMARY.md"
    )


def iter_pages(tree: Tree) -> Iterator[tuple[str, Span]]:
    """Yield the pages that the navigation names, with their spans."""
    names = ((name, span) for _, name, span in _iter_entries(tree))
    return ((name, span) for name, span in (*names, *_iter_zensical_entries(tree)) if _PAGE.fullmatch(name))


_INCLUDED = lazy_re.compile(r"!include[ \t]+([^\s*]+\.ya?ml)")


def iter_included(tree: Tree) -> Iterator[tuple[str, Span]]:
    """Yield the configurations that `monorepo` includes, by paths relative to this one, with their spans."""
    for _, name, span in _iter_entries(tree) if not get_plugins(tree).isdisjoint(JOINING) else ():
        if match := _INCLUDED.fullmatch(name):
            yield match[1], span


def _iter_zensical_entries(tree: Tree) -> Iterator[tuple[str, Span]]:
    """Yield the texts of the `nav` in a `zensical.toml`, with their spans."""
    source = tree.config
    if source is None or tree.node is not None:
        return
    todo: list[Any] = [get_section(parse_toml(source.text), "project").get("nav")]
    at = max(source.text.find("nav"), 0)
    while todo:
        value = todo.pop()
        if isinstance(value, list | dict):
            todo += reversed([*(value.values() if isinstance(value, dict) else value)])
        elif isinstance(value, str) and (index := source.text.find(f'"{value}"', at)) >= 0:
            at = index + 1
            yield value, source.span(at, at + len(value))


def iter_tutorials(tree: Tree) -> Iterator[tuple[str, Span]]:
    """Yield the ids of the tutorials that our plugin adds to the navigation, with their spans."""
    for title, name, span in _iter_entries(tree) if "tutorial" in get_plugins(tree) else ():
        if mark := parse_nav_entry(title, name):
            yield mark.id, span


def _iter_entries(tree: Tree) -> Iterator[tuple[str, str, Span]]:
    """Yield the targets of entries, each with its title or "", and its span."""
    for title, node in data.iter_keyed(data.get_node(tree.node, "nav")):
        yield title, node.plain, node.span
