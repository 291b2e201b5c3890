"""The URL of a page, as its site's generator makes it from its path and front matter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from posixpath import basename, dirname, join, normpath

from tutorial_tool.core import lazy_re
from tutorial_tool.links.languages import Hugo
from tutorial_tool.links.tree import Tree
from tutorial_tool.markdown.document import Document

_INDEX = ("index", "_index", "README", "readme")
_SAID = lazy_re.compile(
    r"^[ ]?(slug|permalink|url|id|path)[ \t]*:[ \t]*([\"']?)([^\s\"'#]+)\2[ \t]*(?:#.*)?$", re.MULTILINE | re.IGNORECASE
)
_PHRASE = lazy_re.compile(
    r"^slug[ \t]*:[ \t]*(?:([\"'])([^\n]*)\1|([^\s\"'#][^\n#]*?))[ \t]*(?:#.*)?$", re.MULTILINE | re.IGNORECASE
)
_NUMBERED = lazy_re.compile(r"^\d+[-_. ]+(?=\D)")
_DROPPED = lazy_re.compile(r"[^\w./\\#+~@%\s-]")
"""What Hugo takes out of paths."""
_AS_FILES = ("mdbook", "sphinx", "vitepress")
"""Generators that publish a page as a file in the folder around it."""
_POST = lazy_re.compile(r"(\d{4})-(\d\d?)-(\d\d?)-(.+)")
_SUFFIX = lazy_re.compile(r"\.(?:md|mdx|markdown|txt)$", re.IGNORECASE)


def said(document: Document) -> Mapping[str, str]:
    """What a page's front matter says of its address."""
    front = document.front_matter
    if front is None:
        return {}
    text = document.front_text
    found = {match[1].lower(): match[3] for match in _SAID.finditer(text, front.start, front.end)}
    if "slug" not in found and (phrase := _PHRASE.search(text, front.start, front.end)):  # Hugo makes a path of it
        found["slug"] = phrase[2] if phrase[1] else phrase[3]
    return found


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
    if tree.hugo is not None:
        return _hugo(tree, path, front)
    stem = _SUFFIX.sub("", path)
    if tree.engine == "docusaurus":
        stem = _docusaurus(tree, stem)
    if tree.engine == "jekyll":
        stem = _jekyll(stem)
    folder, name = dirname(stem), basename(stem)
    if told := front.get("permalink") or front.get("url") or front.get("slug"):
        return _told(tree, told, folder)
    if tree.engine == "docusaurus" and (told := front.get("id")):
        name = basename(told)
    if name in _INDEX or (tree.engine == "docusaurus" and name == basename(folder)):
        return folder + "/" * (tree.trailing_slash is not False) if folder else ""
    ending = ".html" if tree.engine in _AS_FILES else "/" * (tree.engine != "docusaurus" or bool(tree.trailing_slash))
    return join(folder, name) + ending


def of_hugo(tree: Tree, file: str) -> tuple[str, str]:
    """The language of a file of Hugo's content, by its folder or its name (`x.de.md`), and its path without that."""
    assert tree.hugo is not None
    languages = tree.hugo.languages
    here = [one for one in languages if file.startswith(one.folder + "/")]
    nearest = max(here, key=lambda one: len(one.folder), default=languages[0])
    path = file.removeprefix(nearest.folder + "/")
    stem, _, suffix = path.rpartition(".")
    before, _, code = stem.rpartition(".")
    named = next((one for one in languages if before and one.code == code.lower()), None)
    return (named.code, f"{before}.{suffix}") if named else (nearest.code, path)


def _hugo(tree: Tree, path: str, front: Mapping[str, str]) -> str:
    """As Hugo names its pages: `url` tells all of the path, `slug` its last part; letters become small ones."""
    assert tree.hugo is not None
    code, path = of_hugo(tree, join(tree.docs, path))
    prefix = next(one.prefix for one in tree.hugo.languages if one.code == code)
    if told := front.get("url"):
        told = key(told) + "/" if key(told) else ""
        return told if front["url"].startswith("/") else prefix + told
    parts = _sanitized(tree.hugo, _SUFFIX.sub("", path)).split("/")
    is_section = parts[-1] == "_index"
    if parts[-1] in ("_index", "index"):
        parts.pop()
    if (slug := front.get("slug")) and parts and not is_section:
        parts[-1] = _sanitized(tree.hugo, slug.strip("/"))
    return prefix + "/".join(parts) + "/" * bool(parts)


def _sanitized(hugo: Hugo, path: str) -> str:
    path = re.sub(r"\s", "-", _DROPPED.sub("", path))
    return path if hugo.keeps_case else path.lower()


def _jekyll(stem: str) -> str:
    """A path without the sign that marks folders of collections; that of a post, which its date is part of."""
    parts = [part.removeprefix("_") for part in stem.split("/")]
    post = _POST.fullmatch(parts[-1]) if "posts" in parts[:-1] else None
    return "/".join((post[1], post[2].zfill(2), post[3].zfill(2), post[4])) if post else "/".join(parts)


def _docusaurus(tree: Tree, stem: str) -> str:
    """A path without the numbers that order its parts, below the route of the docs; that of a page beside them."""
    if stem.startswith("src/pages/"):
        return stem.removeprefix("src/pages/")
    if stem.startswith("blog/"):
        return _of_blog(stem)
    parts = [_NUMBERED.sub("", part) for part in stem.split("/")]
    folder, route = tree.mounted(stem) if len(parts) > 1 else ("", "")
    parts[: len(folder.split("/")) if folder else 0] = [route] if route else []
    return "/".join(parts)


def _of_blog(stem: str) -> str:
    """The path of a post of Docusaurus' blog, which its date is part of."""
    parts = stem.removesuffix("/index").split("/")
    dated = next((at for at, part in enumerate(parts) if _POST.fullmatch(part)), None)
    if dated is None:
        return stem
    year, month, day, name = _POST.findall(parts[dated])[0]
    return "/".join((*parts[:dated], year, month.zfill(2), day.zfill(2), name, *parts[dated + 1 :]))


def _mkdocs(tree: Tree, path: str) -> str:
    """As MkDocs names its files: `README` is an index where no `index` stands beside it."""
    stem = _SUFFIX.sub("", tree.translations.published(path) if tree.translations else path)
    folder, name = dirname(stem), basename(stem)
    if name in ("index", "README"):
        return f"{folder}/" if folder else ""
    return f"{stem}/" if tree.directory_urls else f"{stem}.html"


def _told(tree: Tree, told: str, folder: str) -> str:
    """An address that the front matter tells: a whole path, or Docusaurus' and Hugo's name in the page's folder."""
    if told.startswith(("http:", "https:")):
        told = "/" + told.split("/", 3)[3] if told.count("/") > 2 else "/"
    if tree.engine == "docusaurus":
        return _slugged(tree, told, folder)
    if not told.startswith("/") and tree.engine not in ("astro", ""):
        told = join(folder, told)
    return key(told) + "/" if key(told) else ""


def _slugged(tree: Tree, slug: str, folder: str) -> str:
    """What Docusaurus makes of a `slug`: from the page's folder, or from the route of its docs or blog."""
    is_post = folder.partition("/")[0] == "blog"
    route = next((told for _, told in tree.routes if told and f"{folder}/".startswith(f"{told}/")), tree.route)
    home = folder if not slug.startswith("/") and not is_post else "blog" if is_post else route
    path = key(join(home, slug.strip("/")))
    ends = slug.endswith("/") if tree.trailing_slash is None else tree.trailing_slash
    return path + "/" * ends if path else ""
