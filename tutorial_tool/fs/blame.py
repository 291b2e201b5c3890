"""When lines of a file were last changed, as git tells it. Without a repository nothing is known, and nothing fails."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from tutorial_tool.core import lazy_re
from tutorial_tool.fs import git

_TIME = lazy_re.compile(r"^(?P<revision>[0-9a-f]{40,64}) \d+ \d+|^committer-time (?P<time>\d+)$", re.MULTILINE)
_PATIENCE = 20  # Seconds that git may take for one file
APART = 24 * 60 * 60
"""Seconds between two times that tell which text is newer: within a day, people commit the copies one after another."""


def get_line_times(path: Path) -> tuple[int, ...]:
    """The time of the last change of each line, in seconds since 1970; empty where git does not know the file.

    A line that is not committed yet has the time 0: its author is in the middle of an edit. Where the history is cut
    off, a line is as old as the cut.
    """
    for copy, (original, revision) in _COPIES.items():
        if path.is_relative_to(copy):
            return _read_times_at(original, revision, path.relative_to(copy).as_posix())
    try:
        return _read_times(path, path.stat().st_mtime_ns) if _repository(path.parent) else ()
    except OSError:
        return ()


def get_head(folder: Path) -> str:
    """The commit that the repository of a folder stands at; "" outside of one."""
    top = _repository(folder)
    return _read_head(top) if top else ""


def get_save_time(path: Path) -> int:
    """When a file was saved last, in nanoseconds; 0 where there is none. As long as that holds, so does its history."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def find_change_time(path: Path, first: int, last: int) -> int:
    """When the newest of some lines was changed; 0 where nobody knows, or where one of them is not committed yet."""
    times = get_line_times(path)[first - 1 : last]
    return max(times) if times and all(times) else 0


def find_newest(times: Sequence[int]) -> list[int]:
    """The indexes of the newest of some times, with those less than a day older; none where one is not known."""
    return [at for at, time in enumerate(times) if max(times) - time < APART] if all(times) else []


_COPIES: dict[Path, tuple[Path, str]] = {}  # Folders that are copies of a repository at a revision


def is_copy(path: Path) -> bool:
    """Whether a path lies in a folder that is gone after this run."""
    return any(path.is_relative_to(copy) for copy in _COPIES)


@contextmanager
def register_copy(copy: Path, original: Path, revision: str) -> Iterator[None]:
    """While this holds, files of a copy have the times that they had in a repository at a revision."""
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
    output = git.read_output(folder, "blame", "--no-textconv", "--line-porcelain", "-w", *what, seconds=_PATIENCE)
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
    output = git.read_output(top, "rev-parse", "HEAD", seconds=_PATIENCE)
    return (output or b"").decode("ascii", "replace").strip()


_repository = cache(git.find_repository)
