"""What is kept in memory between two runs: files as they were read, and pages as they were parsed."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files
from tutorial_tool.markdown.document import Document
from tutorial_tool.markdown.parser import Dialect

if TYPE_CHECKING:
    from tutorial_tool.markdown.fragment_cache import FragmentCache

_Stamp = tuple[int, ...]
QUIET_NANOSECONDS = 2_000_000_000
"""How long a file must have been left alone before its size and times prove that it is the same: the coarsest clock
of a common file system (FAT) ticks every two seconds, and two savings within one tick look alike."""


class SourceCache:
    """Files by their path. One that has not changed is neither read nor decoded again, and stays the same object."""

    def __init__(self) -> None:
        self._read: dict[Path, tuple[_Stamp | None, Source]] = {}
        self._edited: dict[str, Source] = {}

    def read(self, path: Path, root: Path) -> Source | Finding:
        """As `files.read`."""
        stamp, known = _get_stamp(path), self._read.get(path)
        same_name = known is not None and known[1].path == files.format_path(path, root)
        if known and same_name and stamp and known[0] == stamp:
            return known[1]
        read = files.read(path, root=root)
        if isinstance(read, Finding):
            self._read.pop(path, None)
            return read
        if known and same_name and known[1].raw == read.raw:
            read = known[1]
        self._read[path] = stamp, read
        return read

    def get_edited(self, source: Source, text: str) -> Source:
        """A file with the text that an editor holds of it, unsaved."""
        new, known = source.replace_text(text), self._edited.get(source.path)
        if new.raw == source.raw:
            return source
        if known is None or known.raw != new.raw:
            known = self._edited[source.path] = new
        return known


def _get_stamp(path: Path) -> _Stamp | None:
    """What changes whenever a file's content does; None where that cannot be told."""
    try:
        stat_result = path.stat()
    except OSError:
        return None
    changed = max(stat_result.st_mtime_ns, stat_result.st_ctime_ns)
    if not 0 <= changed < time.time_ns() - QUIET_NANOSECONDS:
        return None
    return stat_result.st_dev, stat_result.st_ino, stat_result.st_size, stat_result.st_mtime_ns, stat_result.st_ctime_ns


class DocumentCache:
    """Documents by text and dialect: no text is parsed twice while somebody holds what came of it.

    Those that this load of a project asked for, or the one before, are held here: a page is rendered two or three times
    in one load, mostly to the same text.
    """

    def __init__(self) -> None:
        self._held: WeakValueDictionary[tuple[str, Dialect], Document] = WeakValueDictionary()
        self._asked: list[Document] = []
        self._before: list[Document] = []
        self._pieces: FragmentCache | None = None

    def parse(self, text: str, dialect: Dialect, *, made: bool = False) -> Document:
        """The document of a text; `made` by a template, which makes others like it."""
        result = self._held.get((text, dialect))
        if result is None:
            result = self._held[text, dialect] = Document(text, dialect, self._get_fragments() if made else None)
        self._asked.append(result)
        return result

    def begin_load(self) -> None:
        """Another load begins: what was asked for before the last one is forgotten."""
        self._before, self._asked = self._asked, []
        if self._pieces is not None:
            self._pieces.begin_load()

    def _get_fragments(self) -> FragmentCache:
        from tutorial_tool.markdown.fragment_cache import FragmentCache  # a plain tree has none

        self._pieces = self._pieces or FragmentCache()
        return self._pieces
