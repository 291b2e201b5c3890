"""MyST targets, which links on any page of a site may name."""

from __future__ import annotations

import re

from tutorial_tool.core import lazy_re
from tutorial_tool.links.disk import SUFFIXES, read_text
from tutorial_tool.links.pages import Pages
from tutorial_tool.site import Page

_NAME = lazy_re.compile(r"[\w:.+-]+")
_BEFORE = lazy_re.compile(r"^[ \t]*\(([^\s()]+)\)=[ \t]*$", re.MULTILINE)  # A MyST target on its own line


class Labels:
    """The MyST targets on the pages of each tree."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._targets: dict[str, frozenset[str]] = {}

    def is_target(self, page: Page, name: str) -> bool:
        """Return whether a page in the same tree defines a MyST target of this name."""
        tree = self._pages.get_tree(page)
        if tree.is_exact or not _NAME.fullmatch(name) or name.endswith((".html", *SUFFIXES)):
            return False
        if tree.id not in self._targets:
            folder, by_file = self._pages.get_folder(tree), self._pages.by_file
            files = (file for file in self._pages.disk.walk(folder) if file in by_file or file.endswith(SUFFIXES))
            texts = (by_file[file].plain if file in by_file else read_text(folder, file) for file in files)
            self._targets[tree.id] = frozenset(item.lower() for text in texts for item in _BEFORE.findall(text))
        return name.lower() in self._targets[tree.id]
