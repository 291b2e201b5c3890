"""Paths of files behind a mark, from the folder of all pages: `@/` of Zola, `{filename}` and `{static}` of Pelican."""

from __future__ import annotations

import re
from posixpath import basename, dirname, join, normpath
from typing import NamedTuple
from urllib.parse import unquote

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files
from tutorial_tool.links.pages import Found, Pages
from tutorial_tool.links.suggestions import NEAR_BESIDE, best

_MARK = lazy_re.compile(r"@/(?=[^?#]*\.md(?:[?#]|$))|\{(?:filename|static|attach)\}|\|(?:filename|static|attach)\|")
_BASE_URL = lazy_re.compile(r"^[ \t]*base_url[ \t]*=", re.MULTILINE)
_PATH = lazy_re.compile(
    r"^PATH[ \t]*=[ \t]*(?:(?P<quote>[\"'])(?P<path>[^\"'\n]*)(?P=quote)[ \t]*(?:#|$))?", re.MULTILINE
)


class Marked(NamedTuple):
    """What a path behind a mark names: `known` where nothing is there, and would be."""

    mark: str
    file: str
    found: Found
    known: bool


class MarkedPaths:
    """Finds the files that such paths name."""

    def __init__(self, pages: Pages) -> None:
        self._pages, self._disk = pages, pages.disk
        self._of_zola: dict[str, str | None] = {}
        self._of_pelican: dict[str, str | None] = {}

    def find(self, file: str, href: str) -> Marked | None:
        """What an address on the page in a file names; None where it has no such mark, or nobody who reads it."""
        mark = _MARK.match(href)
        if mark is None:
            return None
        is_zola = href[0] == "@"
        home = self._home(dirname(file), is_zola)
        if home is None:
            return None
        path = unquote(re.split(r"[?#]", href[mark.end() :])[0])
        start = home if is_zola or path.startswith("/") else dirname(file)
        named = normpath(join(start, path.lstrip("/")))
        result = self._pages.by_file.get(named) or (named if self._is_there(named) else None)
        return Marked(mark[0], named, result, is_zola or self._disk.is_folder(dirname(named)))

    def meant(self, file: str, href: str) -> str:
        """The address with the name of the file that is most like the one that is not there; "" where none is."""
        marked = self.find(file, href)
        entries = self._disk.entries(dirname(marked.file)).items() if marked else ()
        names = [name for name, is_folder in entries if not is_folder]
        near = best(basename(marked.file), names, NEAR_BESIDE) if marked else None
        head, _, tail = href.rpartition(basename(marked.file)) if marked and near else ("", "", "")
        return f"{head}{near}{tail}" if near else ""

    def _is_there(self, file: str) -> bool:
        return self._disk.is_file(file) or self._disk.is_folder(file)

    def _home(self, folder: str, is_zola: bool) -> str | None:
        """The folder of all pages, as the nearest configuration tells; None where there is none."""
        if is_zola:
            return self._disk.nearest(folder, self._of_zola, self._home_of_zola)
        return self._disk.nearest(folder, self._of_pelican, self._home_of_pelican)

    def _home_of_zola(self, folder: str) -> str | None:
        home = join(folder, "content")
        return home if self._disk.is_folder(home) and _BASE_URL.search(self._text(folder, "config.toml")) else None

    def _home_of_pelican(self, folder: str) -> str | None:
        text = self._text(folder, "pelicanconf.py")
        stated = _PATH.search(text)
        home = normpath(join(folder, (stated and stated["path"]) or "content"))
        return home if text and self._disk.is_folder(home) else None

    def _text(self, folder: str, name: str) -> str:
        read = files.read(join(folder, name), root=folder) if self._disk.is_file(join(folder, name)) else None
        return read.text if isinstance(read, Source) else ""
