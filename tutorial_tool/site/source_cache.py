"""Cache files and parsed pages in memory between two runs."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from tutorial_tool.cache import COARSE_TICK_NANOSECONDS
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files
from tutorial_tool.markdown.document import Document
from tutorial_tool.markdown.parser import Dialect

if TYPE_CHECKING:
    from tutorial_tool.markdown.fragment_cache import FragmentCache

_Stamp = tuple[int, ...]


class SourceCache:
    """Files by path; an unchanged file is not read or decoded again, and stays the same object."""

    def __init__(self) -> None:
        self._read: dict[Path, tuple[_Stamp | None, Source]] = {}
        self._edited: dict[str, Source] = {}

    def read(self, path: Path, root: Path) -> Source | Finding:
        """Read a file as `files.read` does."""
        stamp, cached = _get_stamp(path), self._read.get(path)
        same_name = cached is not None and cached[1].path == files.format_path(path, root)
        if cached and same_name and stamp and cached[0] == stamp:
            return cached[1]
        read = files.read(path, root=root)
        if isinstance(read, Finding):
            self._read.pop(path, None)
            return read
        if cached and same_name and cached[1].raw == read.raw:
            read = cached[1]
        self._read[path] = stamp, read
        return read

    def get_edited(self, source: Source, text: str) -> Source:
        """Return a file with the unsaved text from an editor."""
        edited, cached = source.replace_text(text), self._edited.get(source.path)
        if edited.raw == source.raw:
            return source
        if cached is None or cached.raw != edited.raw:
            cached = self._edited[source.path] = edited
        return cached


def _get_stamp(path: Path) -> _Stamp | None:
    """Return a value that changes whenever a file's content does; None if that cannot be known."""
    try:
        stat_result = path.stat()
    except OSError:
        return None
    changed = max(stat_result.st_mtime_ns, stat_result.st_ctime_ns)
    if not 0 <= changed < time.time_ns() - COARSE_TICK_NANOSECONDS:
        return None
    return stat_result.st_dev, stat_result.st_ino, stat_result.st_size, stat_result.st_mtime_ns, stat_result.st_ctime_ns


class DocumentCache:
    """Parsed documents by (text, dialect): no text is parsed again while its document is in use.

    Those that the current or the previous load requested are held here: a page is rendered two or three times in one
    load, mostly to the same text.
    """

    def __init__(self) -> None:
        self._by_text: WeakValueDictionary[tuple[str, Dialect], Document] = WeakValueDictionary()
        self._current: list[Document] = []
        self._previous: list[Document] = []
        self._fragments: FragmentCache | None = None

    def parse(self, text: str, dialect: Dialect, *, is_rendered: bool = False) -> Document:
        """Return the document of a text; `is_rendered` if it is from a template, which renders similar ones."""
        result = self._by_text.get((text, dialect))
        if result is None:
            fragments = self._get_fragments() if is_rendered else None
            result = self._by_text[text, dialect] = Document(text, dialect, fragments)
        self._current.append(result)
        return result

    def begin_load(self) -> None:
        """Begin another load: drop what was requested before the last one."""
        self._previous, self._current = self._current, []
        if self._fragments is not None:
            self._fragments.begin_load()

    def _get_fragments(self) -> FragmentCache:
        from tutorial_tool.markdown.fragment_cache import FragmentCache  # not needed in a plain tree

        self._fragments = self._fragments or FragmentCache()
        return self._fragments
