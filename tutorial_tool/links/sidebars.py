"""Pages that the navigation of a generator lists, if it is written as literals: others have no entry."""

from __future__ import annotations

import re

from tutorial_tool.core import lazy_re
from tutorial_tool.links.pages import Pages
from tutorial_tool.site import Page

_HIDDEN = lazy_re.compile(
    r"^[ \t]*(?:(?:orphan|draft|unlisted)[ \t]*:[ \t]*true|sidebar[ \t]*:[ \t]*false"
    r"|(?:displayed_sidebar|layout)[ \t]*:)",
    re.MULTILINE,
)
"""Front matter of a page that readers reach without the sidebar."""


class Sidebars:
    """Checks whether a tree's navigation is known, and whether it lists a page."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._listed: dict[str, frozenset[str] | None] = {}

    def is_known(self, page: Page) -> bool:
        """Return whether the whole navigation is known, and the page should be in it."""
        return any(self._list_names(page)) and not is_hidden(page) and self._find_listed(page) is not None

    def lists_page(self, page: Page) -> bool:
        """Return whether the navigation lists a page."""
        return not (self._find_listed(page) or frozenset()).isdisjoint(self._list_names(page))

    def _list_names(self, page: Page) -> list[str]:
        tree = self._pages.get_tree(page)
        return list(tree.generator.list_names(tree, self._pages, page))

    def _find_listed(self, page: Page) -> frozenset[str] | None:
        tree = self._pages.get_tree(page)
        if tree.id not in self._listed:
            self._listed[tree.id] = tree.generator.find_listed(tree, self._pages)
        return self._listed[tree.id]


def is_hidden(page: Page) -> bool:
    """Return whether the front matter of a page hides it from the navigation."""
    return any(page.document.find_in_front_matter(_HIDDEN))
