"""Find when lines of a file last changed, from git. Without a repository, all times are unknown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from tutorial_tool.core import lazy_re
from tutorial_tool.fs import git

_TIME = lazy_re.compile(r"^(?P<revision>[0-9a-f]{40,64}) \d+ \d+|^committer-time (?P<time>\d+)$", re.MULTILINE)
APART = 24 * 60 * 60
"""Minimum seconds between two times to tell which text is newer: copies are often committed within a day."""


def get_line_times(path: Path) -> tuple[int, ...]:
    """Return when each line last changed, in seconds since 1970; empty if git does not know the file.

    An uncommitted line has the time 0: its author is in the middle of an edit. In a shallow clone, no line is older
    than the first commit of the clone.
    """
    for copy, (original, revision) in _COPIES.items():
        if path.is_relative_to(copy):
            return _read_times_at(original, revision, path.relative_to(copy).as_posix())
    try:
        return _read_times(path, path.stat().st_mtime_ns) if _repository(path.parent) else ()
    except OSError:
        return ()


def get_head(folder: Path) -> str:
    """Return the commit at HEAD of the folder's repository; "" outside of one."""
    top = _repository(folder)
    return _read_head(top) if top else ""


def get_save_time(path: Path) -> int:
    """Return when a file was last saved, in nanoseconds; 0 if it does not exist.

    As long as that is the same, so is the file's history.
    """
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def find_change_time(path: Path, first: int, last: int) -> int:
    """Return the time of the newest of some lines; 0 if unknown, or if one of them is uncommitted."""
    times = get_line_times(path)[first - 1 : last]
    return max(times) if times and all(times) else 0


def find_newest(times: Sequence[int]) -> list[int]:
    """Return the indices of the newest times and of those less than a day older; empty if one is unknown."""
    return [at for at, time in enumerate(times) if max(times) - time < APART] if all(times) else []


_COPIES: dict[Path, tuple[Path, str]] = {}  # Folders that contain a copy of a repository at a revision


def is_copy(path: Path) -> bool:
    """Return whether a path is in a folder that is deleted after this run."""
    return any(path.is_relative_to(copy) for copy in _COPIES)


@contextmanager
def register_copy(copy: Path, original: Path, revision: str) -> Iterator[None]:
    """Give the files of a copy the line times of its repository at a revision, within the context."""
    _COPIES[copy] = original, revision
    try:
        yield
    finally:
        del _COPIES[copy]


@cache
def _read_times(path: Path, _saved: int) -> tuple[int, ...]:
    return _run_blame(path.parent, "--", path.name)


@cache
def _read_times_at(repository: Path, revision: str, name: str) -> tuple[int, ...]:
    return _run_blame(repository, revision, "--", name)


def _run_blame(folder: Path, *what: str) -> tuple[int, ...]:
    output = git.read_output(folder, "blame", "--no-textconv", "--line-porcelain", "-w", *what)
    out: list[int] = []
    is_committed = False
    for match in _TIME.finditer((output or b"").decode("utf-8", "replace")):
        if match["revision"]:
            is_committed = bool(match["revision"].strip("0"))
        else:
            out.append(int(match["time"]) if is_committed else 0)
    return tuple(out)


@cache
def _read_head(top: Path) -> str:
    output = git.read_output(top, "rev-parse", "HEAD")
    return (output or b"").decode("ascii", "replace").strip()


_repository = cache(git.find_repository)
