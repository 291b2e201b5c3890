"""Pages named by their files: by `ref` in Hugo, `link` in Jekyll, `toctree` in Sphinx."""

from __future__ import annotations

from posixpath import basename, dirname, join, normpath, splitext
from urllib.parse import unquote

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import CLEAR_TYPO
from tutorial_tool.links.disk import read_text
from tutorial_tool.links.pages import Found, Pages
from tutorial_tool.links.references import has_scheme
from tutorial_tool.links.suggestions import find_best_match
from tutorial_tool.links.target_candidates import TargetFinder
from tutorial_tool.site import Page

_PLAIN = lazy_re.compile(r"[\w./ +-]+")  # A path without a pattern
_DOCUMENTS = (".md", ".rst", ".ipynb", ".txt", ".markdown")


class Paths:
    """Finds pages by path. The generator fails if there is none, so one that is not found is missing."""

    def __init__(self, pages: Pages, targets: TargetFinder) -> None:
        self._pages, self._targets = pages, targets

    def find(self, page: Page, path: str, kind: str, *, translated: bool = True) -> tuple[Found, bool]:
        """Return what a path on a page names, and whether it is missing if that is None.

        `translated`: a page in another language than the page's does not count.
        """
        tree = self._pages.get_tree(page)
        if kind == "ref":
            if (result := self._targets.find_hugo_page(page, unquote(path), translated=translated)) is not None:
                return result, True
            return None, tree.hugo is not None and tree.hugo.is_fully_loaded and not self._is_generated(page, path)
        if kind in ("toctree", "doc"):
            return self._find_document(page, path)
        if not tree.generator.fills_liquid:
            return None, False
        file = normpath(join(tree.docs, path.strip("/")))
        there = self._pages.by_file.get(file) or (file if self._pages.disk.is_file(file) else None)
        return there, bool(splitext(file)[1])

    def _find_document(self, page: Page, path: str) -> tuple[Found, bool]:
        """Find the document of a `toctree` entry: without suffix, relative to the page or the root.

        If a program writes pages, too, a document is missing only if a name in its folder is similar.
        """
        tree = self._pages.get_tree(page)
        if not tree.generator.has_labels or has_scheme(path) or not _PLAIN.fullmatch(path):
            return None, False
        start = tree.docs if path.startswith("/") else dirname(self._pages.get_file(page))
        near = normpath(join(start, path.lstrip("/")))
        for name in (near, *(near + suffix for suffix in _DOCUMENTS)):
            if result := self._pages.by_file.get(name) or (name if self._pages.disk.is_file(name) else None):
                return result, True
        configuration = read_text(tree.root, "conf.py")  # a program, which may write the pages that it names
        if any(f"{basename(near)}{suffix}" in configuration for suffix in _DOCUMENTS):
            return None, False
        folder = self._pages.disk.list_entries(dirname(near))
        names = [splitext(name)[0] for name in folder if name.endswith(_DOCUMENTS)]
        is_whole = not tree.adds_pages or find_best_match(basename(near), names, CLEAR_TYPO) is not None
        return None, bool(folder) and is_whole

    def _is_generated(self, page: Page, path: str) -> bool:
        """Return whether a path may name a page without a file: a taxonomy, or a folder without an index."""
        tree = self._pages.get_tree(page)
        assert tree.hugo is not None
        folders = (dirname(self._pages.get_file(page)), *(language.folder for language in tree.hugo.languages))
        if any(self._pages.disk.is_folder(normpath(join(folder, path.strip("/")))) for folder in folders):
            return True
        return tree.is_generated(path) or "{" in path or ":" in path
