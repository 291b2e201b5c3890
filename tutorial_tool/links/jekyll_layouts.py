"""Jekyll layouts: the headings that they add around a page, whose anchors links may name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import join
from typing import Any, NamedTuple

from tutorial_tool import data
from tutorial_tool.config import site_generator
from tutorial_tool.core import lazy_re
from tutorial_tool.core.caching import cache_method
from tutorial_tool.links.disk import read_text
from tutorial_tool.links.heading_ids import hyphenate_text
from tutorial_tool.links.pages import Pages
from tutorial_tool.links.tree import Tree
from tutorial_tool.site import Page

_LAYOUT = lazy_re.compile(r"^layout[ \t]*:[ \t]*[\"']?([\w./-]+)[\"']?[ \t]*$", re.MULTILINE)
_INCLUDE = lazy_re.compile(r"\{%-?\s*include\s+([\w./-]+)")
_HEADING = lazy_re.compile(r"^#{2,6}[ \t]+([^\n]+?)[ \t#]*$|<h[2-6]\b[^<>]*>(.*?)</h[2-6]>", re.MULTILINE)
_ID = lazy_re.compile(r"\bid=[\"']([^\"'{}]+)[\"']")


class LayoutAnchors(NamedTuple):
    """The anchors that a layout adds; `is_complete` unless it builds some from data."""

    ids: frozenset[str] = frozenset()
    is_complete: bool = True


class Layouts:
    """The layouts of a site; each is read once."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    def get_anchors(self, tree: Tree, page: Page) -> LayoutAnchors:
        """Return the anchors that the layout of a page adds."""
        return self._read_anchors(tree, self._find_layout(tree, page) if tree.generator.fills_liquid else "")

    @cache_method
    def _read_anchors(self, tree: Tree, layout: str) -> LayoutAnchors:
        text = "\n".join(self._iter_texts(tree, join("_layouts", f"{layout}.html"))) if layout else ""
        match = [match[1] or match[2] or "" for match in _HEADING.finditer(text)]
        ids = {hyphenate_text(heading.strip().lower()) for heading in match} | set(_ID.findall(text))
        return LayoutAnchors(frozenset(ids), not any("{{" in heading for heading in match))

    def _find_layout(self, tree: Tree, page: Page) -> str:
        """Return the layout of a page, from its front matter or the defaults for its folder, or ""."""
        if stated := next(page.document.find_in_front_matter(_LAYOUT), None):
            return stated[1]
        config = self._load_config(tree)
        path = self._pages.get_docs_path(page).removeprefix(f"{_get_source_folder(config)}/")
        named = [
            (str(scope.get("path") or ""), str(values["layout"]))
            for entry in config.get("defaults") or ()
            if isinstance(entry, dict)
            and isinstance(scope := entry.get("scope"), dict)
            and isinstance(values := entry.get("values"), dict)
            and values.get("layout")
        ]
        fitting = [(prefix, layout) for prefix, layout in named if path.startswith(prefix)]
        return max(fitting, key=lambda pair: len(pair[0]), default=("", ""))[1]

    @cache_method
    def _load_config(self, tree: Tree) -> dict[str, Any]:
        read = data.convert_to_plain(site_generator.read_node("", read_text(tree.root, "_config.yml")))
        return read if isinstance(read, dict) else {}

    def _iter_texts(self, tree: Tree, name: str) -> Iterator[str]:
        """Yield the text of a layout, of those around it, and of their includes, each once."""
        home = join(tree.root, _get_source_folder(self._load_config(tree))).rstrip("/.")
        names = [name]
        for current in names:  # grows with what each text names
            text = read_text(home, current)
            yield text
            outer = _LAYOUT.search(text)
            named = [join("_layouts", f"{outer[1]}.html")] if outer else []
            named += (join("_includes", inner) for inner in _INCLUDE.findall(text))
            names += (other for other in dict.fromkeys(named) if other not in names)


def _get_source_folder(config: dict[str, Any]) -> str:
    return str(config.get("source") or "").strip("./")
