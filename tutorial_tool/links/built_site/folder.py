"""The folder of a built site: its files, the anchors of its pages, and the targets of URLs in them."""

from __future__ import annotations

import os
import re
from functools import cached_property
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from tutorial_tool.core import lazy_re
from tutorial_tool.links import urls
from tutorial_tool.markdown import html_tags
from tutorial_tool.markdown.html_tags import Attribute

NOT_FOUND = "404.html"
"""The page that hosts show for any missing URL: its relative links have no fixed base."""
_ELSEWHERE = lazy_re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
_CLIMBING = lazy_re.compile(r"(?:\.\.(?:/|$))+")


class Address(NamedTuple):
    """A path in a site without a leading slash, whether a slash follows it, and a decoded fragment."""

    path: str
    slash: bool
    fragment: str


class Folder:
    """A built site, published at `url` ("" if unknown). Files are relative to the folder."""

    def __init__(self, folder: Path, url: str = "") -> None:
        self.folder = folder
        parts = urlsplit(url)
        self.base = urls.normalize_base(parts.path)
        self.origin = f"{parts.scheme}://{parts.netloc}".lower() if parts.netloc else ""
        self._ids: dict[str, frozenset[str]] = {}

    @cached_property
    def files(self) -> frozenset[str]:
        """All files of the site."""
        out = []
        for parent, _, names in os.walk(self.folder):
            path = parent[len(str(self.folder)) :].replace(os.sep, "/").strip("/")
            out += [join(path, name) for name in names]
        return frozenset(out)

    def read_html(self, file: str) -> str:
        """Return the text of a file, or "" if it cannot be read."""
        try:
            return (self.folder / file).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""

    def read_attributes(self, file: str) -> list[Attribute]:
        """Return the ids and URLs of a page, and remember its ids."""
        attributes = list(html_tags.iter_attributes(self.read_html(file)))
        self._ids[file] = frozenset(attribute.value for attribute in attributes if attribute.is_id)
        return attributes

    def get_ids(self, file: str) -> frozenset[str]:
        """Return the anchors of a page."""
        if file not in self._ids:
            self.read_attributes(file)
        return self._ids[file]

    def parse_url(self, file: str, href: str) -> Address | None:
        """Return what a URL in a file names within the site, or None if it points outside."""
        href = href.strip()
        if self.origin and f"{href}/".lower().startswith(self.origin + "/"):
            href = href[len(self.origin) :] or "/"
        path, _, fragment = href.partition("#")
        path, fragment = path.partition("?")[0], unquote(fragment)
        if _ELSEWHERE.match(path):
            return None
        if not path:
            return Address(file, False, fragment)
        if not path.startswith("/"):
            return self._clamp_path(join("" if file == NOT_FOUND else dirname(file), unquote(path)), fragment)
        below = f"{path}/".startswith(self.base)
        return self._clamp_path(unquote(path[len(self.base) :]), fragment) if below else None

    def _clamp_path(self, path: str, fragment: str) -> Address | None:
        """Resolve `..` in a path as browsers do, or return None if it leaves the site.

        Above the root of a host is its root; above a site's base are other sites.
        """
        slash = path.endswith(("/", "/.", "/..", "..")) or path in ("", ".")
        path = normpath(path.lstrip("/") or ".")
        if climbing := _CLIMBING.match(path):
            if self.base != "/":
                return None
            path = path[climbing.end() :] or "."
        return Address("" if path == "." else path, slash, fragment)

    def find_file(self, address: Address) -> str | None:
        """Return the file at a path, or None; for a folder its index, with or without a trailing slash."""
        if not address.slash and address.path in self.files:
            return address.path
        index = f"{address.path}/index.html".lstrip("/")
        return index if index in self.files else None
