"""Pages that Hugo finds by path: for `ref` and `relref`, and for links that its render hooks resolve."""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import basename, dirname, join, normpath
from typing import TYPE_CHECKING

from tutorial_tool.core import lazy_re
from tutorial_tool.links.generators import hugo
from tutorial_tool.links.tree import Tree

if TYPE_CHECKING:
    from tutorial_tool.links.disk import Disk

_SUFFIX = lazy_re.compile(r"\.(?:md|mdx|markdown|html?|adoc|asciidoc|ad|rst|org|pdc|pandoc|ipynb)$", re.IGNORECASE)
_INDEX = ("index", "_index")
_LEAF = lazy_re.compile(r"index\.")  # The page of a leaf bundle, in any language and format
_BUNDLES = ("index.md", "_index.md")


class Content:
    """The content files of a tree, by the paths that Hugo gives pages: without suffix, language and case."""

    def __init__(self, tree: Tree, disk: Disk) -> None:
        self._tree = tree
        self._by_path: dict[str, dict[str, str]] = {}
        self._by_name: dict[str, set[str]] = {}
        files = [file for folder in tree.folders for file in disk.walk(folder) if _SUFFIX.search(file)]
        bundles = {dirname(file) for file in files if _LEAF.match(basename(file))}
        for file in files:
            if not _is_resource(file, tree.docs, bundles):
                self._add(file)

    def _add(self, file: str) -> None:
        language, path = hugo.split_language(self._tree, file)
        stem = _SUFFIX.sub("", path)
        logical = _normalize_path(dirname(stem) if basename(stem) in _INDEX else stem)
        self._by_path.setdefault(logical, {}).setdefault(language, file)
        self._by_name.setdefault(basename(logical), set()).add(logical)

    def find(self, file: str, path: str, *, translated: bool = False) -> str | None:
        """Return the file of the page that a path in `file` names, or None.

        If several pages have the name, Hugo requires a path: then return the content folder. `translated`: a page in
        another language does not count.
        """
        language, own = hugo.split_language(self._tree, file)
        path = self._strip_language(path.rstrip("/") or path)
        for candidate in _iter_candidates(own, path):
            if matches := self._by_path.get(candidate):
                return matches.get(language) or (None if translated else next(iter(matches.values())))
        is_name = "/" not in path.rstrip("/")
        named = self._by_name.get(_normalize_path(_SUFFIX.sub("", path)), set()) if is_name else set()
        if len(named) > 1:
            return self._tree.docs
        return next((self.find(file, f"/{logical}", translated=translated) for logical in named), None)

    def _strip_language(self, path: str) -> str:
        """Return the path of a page's file without the language before its suffix, as in `menu.en.md`."""
        stem, end = _SUFFIX.sub("", path), _SUFFIX.search(path)
        codes = {language.code for language in self._tree.hugo.languages} if self._tree.hugo else set()
        before, _, code = stem.rpartition(".")
        return before + end[0] if end and code in codes else path

    def format_path(self, start: str, file: str, like: str) -> str:
        """Return how `ref` in the page `start` names a file, with a suffix or from the root as in `like`."""
        path, own = (hugo.split_language(self._tree, text)[1] for text in (file, start))
        if not _SUFFIX.search(like):
            stem = _SUFFIX.sub("", path)
            path = dirname(stem) if basename(stem) in _INDEX else stem
        is_beside = not like.startswith("/") and dirname(path) == dirname(own) and basename(own) not in _BUNDLES
        return basename(path) if is_beside else f"/{path}"


def _is_resource(file: str, docs: str, bundles: set[str]) -> bool:
    """Return whether a file is a page resource and no page: it is in the folder of a bundle, or below."""
    folder = dirname(file) if not _LEAF.match(basename(file)) else dirname(dirname(file))
    while folder != docs and folder != dirname(folder):
        if folder in bundles:
            return True
        folder = dirname(folder)
    return False


def _iter_candidates(own: str, path: str) -> Iterator[str]:
    """Yield the paths that a link may mean: from the page, its parent folder, and the root of the content."""
    stem = _SUFFIX.sub("", path.strip())
    if basename(stem) in _INDEX:
        stem = dirname(stem) or ("/" if stem.startswith("/") else ".")
    if not stem.startswith("/"):
        yield _normalize_path(normpath(join(dirname(own), stem)))
        if basename(own).partition(".")[0] == "index":
            yield _normalize_path(normpath(join(dirname(dirname(own)), stem)))
    yield _normalize_path(normpath(stem.lstrip("/") or "."))


def _normalize_path(path: str) -> str:
    return "" if path in (".", "/") else path.strip("/").lower().replace(" ", "-")
