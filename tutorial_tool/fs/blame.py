"""Find when lines of a file last changed, from git. Without a repository, all times are unknown."""

from __future__ import annotations

import re
from collections.abc import Sequence
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
    try:
        return _read_times(path, path.stat().st_mtime_ns) if _repository(path.parent) else ()
    except OSError:
        return ()


def find_change_time(path: Path, first: int, last: int) -> int:
    """Return the time of the newest of some lines; 0 if unknown, or if one of them is uncommitted."""
    times = get_line_times(path)[first - 1 : last]
    return max(times) if times and all(times) else 0


def find_newest(times: Sequence[int]) -> list[int]:
    """Return the indices of the newest times and of those less than a day older; empty if one is unknown."""
    return [at for at, time in enumerate(times) if max(times) - time < APART] if all(times) else []


@cache
def _read_times(path: Path, _saved: int) -> tuple[int, ...]:
    output = git.read_output(path.parent, "blame", "--no-textconv", "--line-porcelain", "-w", "--", path.name)
    out: list[int] = []
    is_committed = False
    for match in _TIME.finditer((output or b"").decode("utf-8", "replace")):
        if match["revision"]:
            is_committed = bool(match["revision"].strip("0"))
        else:
            out.append(int(match["time"]) if is_committed else 0)
    return tuple(out)


_repository = cache(git.find_repository)
