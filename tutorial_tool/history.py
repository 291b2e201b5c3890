"""When lines of a file were last changed, as git tells it. Without a repository nothing is known, and nothing fails."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from tutorial_tool import git

_TIME = re.compile(r"^committer-time (\d+)$", re.MULTILINE)
_PATIENCE = 20
"""Seconds that git may take for one file."""


def line_times(path: Path) -> tuple[int, ...]:
    """The time of the last change of each line, in seconds since 1970; empty where git does not know the file.

    A line that is not committed yet is the newest. Where the history is cut off, a line is as old as the cut.
    """
    for copy, (original, revision) in _COPIES.items():
        if path.is_relative_to(copy):
            return _times_then(original, revision, path.relative_to(copy).as_posix())
    try:
        return _times(path, path.stat().st_mtime_ns) if _in_repository(path.parent) else ()
    except OSError:
        return ()


_COPIES: dict[Path, tuple[Path, str]] = {}
"""Folders that are copies of a repository at a revision."""


@contextmanager
def copied(copy: Path, original: Path, revision: str) -> Iterator[None]:
    """While this holds, files of a copy have the times that they had in a repository at a revision."""
    _COPIES[copy] = original, revision
    try:
        yield
    finally:
        del _COPIES[copy]


@cache
def _times(path: Path, _saved: int) -> tuple[int, ...]:
    return _blamed(path.parent, "--", path.name)


@cache
def _times_then(repository: Path, revision: str, name: str) -> tuple[int, ...]:
    return _blamed(repository, revision, "--", name)


def _blamed(folder: Path, *what: str) -> tuple[int, ...]:
    told = git.output(folder, "blame", "--no-textconv", "--line-porcelain", "-w", *what, seconds=_PATIENCE)
    return tuple(int(time) for time in _TIME.findall((told or b"").decode("utf-8", "replace")))


@cache
def _in_repository(folder: Path) -> bool:
    return any((parent / ".git").exists() for parent in (folder, *folder.parents))
