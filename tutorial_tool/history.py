"""When lines of a file were last changed, as git tells it. Without a repository nothing is known, and nothing fails."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

_TIME = re.compile(r"^committer-time (\d+)$", re.MULTILINE)
_PATIENCE = 20
"""Seconds that git may take for one file."""


def line_times(path: Path) -> tuple[int, ...]:
    """The time of the last change of each line, in seconds since 1970; empty where git does not know the file.

    A line that is not committed yet is the newest. Where the history is cut off, a line is as old as the cut.
    """
    try:
        return _times(path, path.stat().st_mtime_ns) if _in_repository(path.parent) else ()
    except OSError:
        return ()


@cache
def _times(path: Path, _saved: int) -> tuple[int, ...]:
    try:
        done = subprocess.run(
            ["git", "--no-pager", "blame", "--line-porcelain", "-w", "--", path.name],
            cwd=path.parent,
            capture_output=True,
            check=False,
            timeout=_PATIENCE,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    if done.returncode:
        return ()
    return tuple(int(time) for time in _TIME.findall(done.stdout.decode("utf-8", "replace")))


@cache
def _in_repository(folder: Path) -> bool:
    return any((parent / ".git").exists() for parent in (folder, *folder.parents))
