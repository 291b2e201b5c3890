"""The order of pages in the `nav` of a `mkdocs.yml` or mdBook's `SUMMARY.md`: as a whole, and by section."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from posixpath import join, normpath
from typing import NamedTuple

from tutorial_tool import data
from tutorial_tool.links.resolver import Addresses
from tutorial_tool.links.tree import Tree
from tutorial_tool.site import Page
from tutorial_tool.variants.ordering.sequences import PageOrder

FindPage = Callable[[data.Scalar], Page | None]


def build_navigation(addresses: Addresses, tree: Tree) -> PageOrder | None:
    """Return all pages of a tree's nav in the engine's previous/next order; None if there are under two."""
    nav = tree.node.get("nav") if tree.node is not None else None
    if isinstance(nav, data.Sequence):
        pages = tuple(dict.fromkeys(_iter_pages(nav, partial(_get_page, addresses, tree))))
    else:
        pages = tuple(addresses.get_chapter_titles(tree))  # mdBook's
    if len(pages) < 2:
        return None
    return PageOrder(pages, "nav", {page: float(index) for index, page in enumerate(pages)}, "the nav")


class NavEntry(NamedTuple):
    """A page in a nav: its title there, if any, and those of the sections around it."""

    page: Page
    title: str
    sections: tuple[str, ...]


def iter_entries(addresses: Addresses, tree: Tree) -> Iterator[NavEntry]:
    """Yield the pages of a tree's nav."""
    yield from (NavEntry(page, title, ()) for page, title in addresses.get_chapter_titles(tree).items())
    nav = tree.node.get("nav") if tree.node is not None else None
    todo: list[tuple[tuple[str, ...], data.Node]] = [((), nav)] if nav is not None else []
    while todo:
        titles, node = todo.pop()
        if isinstance(node, data.Sequence):
            todo += [(titles, child) for child in node.items]
        elif isinstance(node, data.Mapping):
            for key, child in node.items:
                if isinstance(child, data.Scalar):
                    if page := _get_page(addresses, tree, child):
                        yield NavEntry(page, key.plain, titles)
                else:
                    todo.append(((*titles, key.plain), child))
        elif page := _get_page(addresses, tree, node):
            yield NavEntry(page, "", titles)


def _get_page(addresses: Addresses, tree: Tree, node: data.Scalar) -> Page | None:
    return addresses.pages.by_file.get(normpath(join(tree.docs, node.plain)))


def _iter_pages(node: data.Node, find: FindPage) -> Iterator[Page]:
    todo: list[data.Node] = [node]
    while todo:
        entry = todo.pop()
        if isinstance(entry, data.Sequence):
            todo += reversed(entry.items)
        elif isinstance(entry, data.Mapping):
            todo += reversed([value for _, value in entry.items])
        elif page := find(entry):
            yield page
