"""Files and folders on disk, as links need them: each folder is listed once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from posixpath import basename, dirname, join, relpath
from typing import TypeVar

from tutorial_tool.core.diagnostics import MAX_DEPTH
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files
from tutorial_tool.fs.globs import LEFT_OUT

Found = TypeVar("Found")
SUFFIXES = (".md", ".mdx", ".markdown")  # Suffixes of pages that links name as files
PUBLISHED = ("public", "static")  # Folders that are published unchanged by any generator

_BUILT = frozenset(("index.html", "sitemap.xml"))  # Files that are together in the folder of a built site


def read_text(folder: str, name: str) -> str:
    """Return the text of a file in a folder, or "" if it cannot be read."""
    read = files.read(Path(folder, name), root=folder)
    return read.text if isinstance(read, Source) else ""


class Disk:
    """The existing files and folders. Paths are absolute, with `/` and without `..`."""

    def __init__(self) -> None:
        self._listed: dict[str, Mapping[str, bool]] = {}
        self.asked: dict[str, None] | None = None  # Requested files, in order of request

    def list_entries(self, folder: str) -> Mapping[str, bool]:
        """Return the names in a folder, each with whether it is a folder; none if it cannot be read."""
        matches = self._listed.get(folder)
        if matches is None:
            matches = self._listed[folder] = _scan_folder(folder) if self._may_exist(folder) else {}
        return matches

    def _may_exist(self, folder: str) -> bool:
        """Return whether a folder may exist: not if its parent was listed and lacks it.

        Broken links then cost no system call.
        """
        around = self._listed.get(dirname(folder))
        return around is None or folder == "/" or basename(folder) in around

    def is_file(self, path: str) -> bool:
        if self.asked is not None:
            self.asked[path] = None
        folder, _, name = path.rpartition("/")
        return self.list_entries(folder or "/").get(name) is False

    def is_folder(self, path: str) -> bool:
        return path == "/" or self.list_entries(dirname(path)).get(basename(path)) is True

    def iter_ancestors(self, folder: str) -> Iterator[str]:
        """Yield a folder and its ancestors, up to the root of the repository."""
        yield folder
        while folder not in (".", above := dirname(folder)) and ".git" not in self.list_entries(folder):
            folder = above
            yield folder

    def find_nearest(
        self, folder: str, known: dict[str, Found | None], look: Callable[[str], Found | None]
    ) -> Found | None:
        """Return the result of `look` for a folder or its nearest ancestor with one, cached in `known`."""
        result, asked = None, []
        for text in self.iter_ancestors(folder):
            if text in known:
                result = known[text]
                break
            asked.append(text)
            if result := look(text):
                break
        known.update(dict.fromkeys(asked, result))
        return result

    def walk(self, folder: str, depth: int = MAX_DEPTH) -> Iterator[str]:
        """Yield the files below a folder, at most `depth` folders deep.

        Skips hidden folders, installed packages, symbolic links and built sites.
        """
        todo = [(folder, depth)]
        while todo:
            here, left = todo.pop()
            for name, is_folder in self.list_entries(here).items():
                path = join(here, name)
                if not is_folder:
                    yield path
                elif left and self._is_source(path, name):
                    todo.append((path, left - 1))

    def _is_source(self, folder: str, name: str) -> bool:
        if name.startswith(".") or name in LEFT_OUT or Path(folder).is_symlink():
            return False
        return not self.list_entries(folder).keys() >= _BUILT


def _scan_folder(folder: str) -> Mapping[str, bool]:
    try:
        with os.scandir(folder) as entries:
            return {entry.name: entry.is_dir() for entry in entries}
    except (OSError, ValueError):  # no folder, or an invalid file name
        return {}


def make_relative(path: str, folder: str) -> str:
    """Return a path relative to a folder."""
    stem = folder.rstrip("/") + "/"
    return path[len(stem) :] if path.startswith(stem) else relpath(path, folder)
