"""Files on disk that a build reads without the project's loader."""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig

from tutorial_tool.cache import FINE_TICK_NANOSECONDS
from tutorial_tool.core import lazy_re

_INHERIT = lazy_re.compile(r"^INHERIT:\s*(.+?)\s*$", re.MULTILINE)

FileStamp = tuple[int, int, int] | None
"""What identifies an unchanged file: modification time, size, and inode; None if nothing does."""


@dataclass
class FolderSnapshot:
    """The files of the docs folder by relative path, and those of the theme's custom folder."""

    docs: dict[str, FileStamp]
    theme: dict[str, FileStamp]

    @classmethod
    def from_config(cls, config: MkDocsConfig) -> FolderSnapshot:
        custom = config.theme.custom_dir
        return cls(_scan_files(config.docs_dir), _scan_files(custom) if custom else {})

    def is_unchanged(self, other: FolderSnapshot, path: str) -> bool:
        return self.docs[path] is not None and self.docs[path] == other.docs[path]


def _scan_files(folder: str) -> dict[str, FileStamp]:
    out: dict[str, FileStamp] = {}
    now = time.time_ns()
    for parent, names, files in os.walk(folder, followlinks=True):
        names.sort()
        below = os.path.relpath(parent, folder).replace(os.sep, "/")
        for name in sorted(files):
            try:
                status = os.stat(os.path.join(parent, name))
            except OSError:
                continue
            is_recent = now - max(status.st_mtime_ns, status.st_ctime_ns) < FINE_TICK_NANOSECONDS
            stamp = None if is_recent else (status.st_mtime_ns, status.st_size, status.st_ino)
            out[name if below == "." else f"{below}/{name}"] = stamp
    return out


def read_configuration(config: MkDocsConfig) -> tuple[tuple[str, bytes], ...]:
    """Return the texts of the configuration: MkDocs' file and those that it inherits from."""
    matches: list[tuple[str, bytes]] = []
    path = Path(config.config_file_path) if config.config_file_path else None
    while path is not None and str(path) not in dict(matches):
        try:
            text = path.read_bytes()
        except OSError:
            text = b""
        matches.append((str(path), text))
        inherited = _INHERIT.search(text.decode("utf-8", "replace"))
        path = (path.parent / inherited[1].strip("'\"")).resolve() if inherited else None
    return tuple(matches)
