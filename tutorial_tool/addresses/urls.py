"""The URL of a page, as its site's generator makes it from its path and front matter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from posixpath import basename, dirname, join, normpath

from tutorial_tool import lazy_re
from tutorial_tool.addresses.tree import Tree
from tutorial_tool.document import Document

_INDEX = ("index", "_index", "README", "readme")
_SAID = lazy_re.compile(
    r"^(slug|permalink|url|id|path)[ \t]*:[ \t]*([\"']?)([^\s\"'#]+)\2[ \t]*(?:#.*)?$", re.MULTILINE | re.IGNORECASE
)
_NUMBERED = lazy_re.compile(r"^\d+[-_. ]+(?=\D)")
_SUFFIX = lazy_re.compile(r"\.(?:md|mdx|markdown|txt)$", re.IGNORECASE)


def said(document: Document) -> Mapping[str, str]:
    """What a page's front matter says of its address."""
    front = document.front_matter
    if front is None:
        return {}
    return {match[1].lower(): match[3] for match in _SAID.finditer(document.text, front.start, front.end)}


def key(url: str) -> str:
    """What addresses of one page have in common: no slashes around, no `index.html`, no suffix."""
    path = url.strip("/")
    if path.endswith((".html", ".htm")):
        path = path.rpartition(".")[0]
    return path.removesuffix("index").rstrip("/") if path == "index" or path.endswith("/index") else path


def served(url: str) -> tuple[str, ...]:
    """The paths at which a server of files answers with the page of a URL, without the slash before them."""
    path = url.lstrip("/")
    if not path or path.endswith("/"):
        return path, path.rstrip("/"), f"{path}index.html"
    return path, path.removesuffix(".html")


def joined(url: str, path: str) -> str:
    """The path that a browser asks for when a page at `url` names `path`: `..` above the root means the root.

    `urllib.parse.urljoin` does not hold to that where there is no host.
    """
    whole = path if path.startswith("/") else url[: url.rfind("/") + 1] + path
    if "/." not in whole:
        return whole
    return normpath("/" + whole.lstrip("/")).rstrip("/") + "/" * whole.endswith(("/", "/.", "/..")) or "/"


def of(tree: Tree, path: str, front: Mapping[str, str]) -> str:
    """The path of a page's URL below the tree's base. `path` is relative to the folder of pages."""
    if tree.is_mkdocs:
        return _mkdocs(tree, path)
    stem = _SUFFIX.sub("", path)
    if tree.engine == "docusaurus":
        stem = _docusaurus(tree, stem)
    folder, name = dirname(stem), basename(stem)
    if told := front.get("permalink") or front.get("url") or front.get("slug"):
        return _told(tree, told, folder)
    if tree.engine == "docusaurus" and (told := front.get("id")):
        name = basename(told)
    if name in _INDEX or (tree.engine == "docusaurus" and name == basename(folder)):
        return folder + "/" if folder else ""
    return join(folder, name) + "/"


def _docusaurus(tree: Tree, stem: str) -> str:
    """A path without the numbers that order its parts, below the route of the docs."""
    parts = [_NUMBERED.sub("", part) for part in stem.split("/")]
    if parts[0] == "docs" and len(parts) > 1:
        parts[:1] = [tree.route] if tree.route else []
    return "/".join(parts)


def _mkdocs(tree: Tree, path: str) -> str:
    """As MkDocs names its files: `README` is an index where no `index` stands beside it."""
    stem = _SUFFIX.sub("", path)
    folder, name = dirname(stem), basename(stem)
    if name in ("index", "README"):
        return f"{folder}/" if folder else ""
    return f"{stem}/" if tree.directory_urls else f"{stem}.html"


def _told(tree: Tree, told: str, folder: str) -> str:
    """An address that the front matter tells: a whole path, or Docusaurus' and Hugo's name in the page's folder."""
    if told.startswith(("http:", "https:")):
        told = "/" + told.split("/", 3)[3] if told.count("/") > 2 else "/"
    if not told.startswith("/") and tree.engine not in ("astro", ""):
        told = join(folder, told)
    elif tree.engine == "docusaurus":
        told = join(tree.route, told.strip("/"))
    return key(told) + "/" if key(told) else ""
