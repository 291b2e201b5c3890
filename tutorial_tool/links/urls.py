"""The URL of a page, as its site's generator builds it from path and front matter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from posixpath import basename, dirname, join, normpath
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from tutorial_tool.core import lazy_re

if TYPE_CHECKING:
    from tutorial_tool.links.tree import Tree
    from tutorial_tool.markdown.document import Document

INDEXES = ("index", "_index", "README", "readme")
_URL_FIELDS = lazy_re.compile(
    r"^[ ]?(slug|permalink|url|id|path)[ \t]*:[ \t]*([\"']?)([^\s\"'#]+)\2[ \t]*(?:#.*)?$", re.MULTILINE | re.IGNORECASE
)
_PHRASE = lazy_re.compile(
    r"^slug[ \t]*:[ \t]*(?:([\"'])([^\n]*)\1|([^\s\"'#][^\n#]*?))[ \t]*(?:#.*)?$", re.MULTILINE | re.IGNORECASE
)
POST = lazy_re.compile(r"(\d{4})-(\d\d?)-(\d\d?)-(.+)")
_SUFFIX = lazy_re.compile(r"\.(?:md|mdx|markdown|txt)$", re.IGNORECASE)


def read_stated(document: Document) -> Mapping[str, str]:
    """Return the front matter values of a page that affect its URL, by key."""
    matches = {match[1].lower(): match[3] for match in document.find_in_front_matter(_URL_FIELDS)}
    phrase = next(document.find_in_front_matter(_PHRASE), None) if "slug" not in matches else None
    if phrase:  # Hugo builds a path from it
        matches["slug"] = phrase[2] if phrase[1] else phrase[3]
    return matches


def build_key(url: str) -> str:
    """Return the form that URLs of one page share.

    It has no outer slashes, no `.html` or `.htm`, and no `index` as its last part.
    """
    path = url.strip("/")
    if path.endswith((".html", ".htm")):
        path = path.rpartition(".")[0]
    return path.removesuffix("index").rstrip("/") if path == "index" or path.endswith("/index") else path


def normalize_base(path: str) -> str:
    """Return the path of a site on its host, with slashes at both ends."""
    return f"/{path.strip('/')}/".replace("//", "/")


def build_origin(site: SplitResult) -> str:
    """Return the scheme and host of a site, or "" if its configuration has none."""
    return f"{site.scheme}://{site.netloc}" if site.scheme and site.netloc else ""


def list_served_paths(url: str) -> tuple[str, ...]:
    """Return the paths at which a file server serves the page of a URL, without a leading slash."""
    path = url.lstrip("/")
    if not path or path.endswith("/"):
        return path, path.rstrip("/"), f"{path}index.html"
    return path, path.removesuffix(".html")


def join_path(url: str, path: str) -> str:
    """Join `path` to the URL path of a page as browsers do: `..` above the root means the root.

    `urllib.parse.urljoin` does not do so without a host.
    """
    whole = path if path.startswith("/") else url[: url.rfind("/") + 1] + path
    if "/." not in whole:
        return whole
    return normpath("/" + whole.lstrip("/")).rstrip("/") + "/" * whole.endswith(("/", "/.", "/..")) or "/"


def build_page_path(
    _tree: Tree, path: str, front: Mapping[str, str], *, ending: str = "/", is_rooted: bool = False
) -> str:
    """Build the path of a page's URL below the tree's base, as most generators do.

    `path` is relative to the folder of pages, `front` the front matter that affects the URL: relative to the page's
    folder, unless `is_rooted`. `ending` ends the URLs of pages that are not indexes.
    """
    stem = strip_suffix(path)
    folder, name = dirname(stem), basename(stem)
    if stated := get_stated_path(front):
        path = build_key(stated if is_rooted else join(folder, stated))
        return f"{path}/" if path else ""
    if name in INDEXES:
        return f"{folder}/" if folder else ""
    return join(folder, name) + ending


def get_stated_path(front: Mapping[str, str]) -> str:
    """Return the path or last part that front matter sets, or ""."""
    stated = front.get("permalink") or front.get("url") or front.get("slug") or ""
    if stated.startswith(("http:", "https:")):
        return "/" + stated.split("/", 3)[3] if stated.count("/") > 2 else "/"
    return stated


def strip_suffix(path: str) -> str:
    """Strip the suffix of a page's file."""
    return _SUFFIX.sub("", path)


def split_url(url: str) -> SplitResult:
    """Return the parts of a URL; empty if it cannot be parsed."""
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", "", "", "")
