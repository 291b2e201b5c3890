"""What relative links without a suffix count from, as those that lead somewhere tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from posixpath import dirname, join, normpath, splitext
from urllib.parse import unquote

from tutorial_tool.links import urls
from tutorial_tool.links.pages import Found, Pages
from tutorial_tool.links.references import is_relative
from tutorial_tool.links.tree import Tree
from tutorial_tool.site import Page

_FEWEST, _MOST = 5, 10
"""How many links must lead somewhere from addresses alone, and of how many one may do so from files alone."""


class Starts:
    """Tells it of each tree of a site. `at` gives what stands at the path of a file."""

    def __init__(self, pages: Pages, at: Callable[[str], Found]) -> None:
        self._pages, self._at = pages, at

    def are_addresses(self, tree: Tree) -> bool:
        """Whether links count from the address of the page that they stand on, which is that of a folder."""
        return tree.id in self._of_addresses

    @cached_property
    def _of_addresses(self) -> frozenset[str]:
        matches: dict[str, list[int]] = {}
        for page, tree, path in self._links():
            near = self._at(normpath(join(dirname(self._pages.file(page)), path)))
            there = self._pages.by_url(tree, urls.joined(self._pages.url(page), path))
            if (near is None) != (there is None):
                matches.setdefault(tree.id, [0, 0])[near is None] += 1
        return frozenset(id_ for id_, (files, addresses) in matches.items() if addresses >= max(_FEWEST, _MOST * files))

    def _links(self) -> Iterator[tuple[Page, Tree, str]]:
        """The relative links without suffix on pages whose address is that of a folder, each address once a page."""
        for page in self._pages.site.pages:
            tree = self._pages.tree(page)
            if tree.is_plain or tree.is_exact or not self._pages.url(page).endswith("/"):
                continue
            hrefs = {
                reference.href
                for reference in self._pages.references(page)
                if not (reference.is_path or reference.raw or reference.is_image)
            }
            for href in filter(is_relative, hrefs):
                path = unquote(href.partition("#")[0].partition("?")[0])
                if path and not splitext(path)[1]:
                    yield page, tree, path
