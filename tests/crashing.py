"""Runs a command of ours in a process of its own that is killed at a step of its work on the disk."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import itertools, os, signal, sys
at, how, count = int(sys.argv[1]), sys.argv[2], itertools.count(1)
if how == "limited":
    import resource
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (at, at))
STEPS = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.chmod", "os.truncate"}
def step(event, arguments):
    is_write = event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
    named = str(arguments[0]) if arguments else ""
    if (event in STEPS or is_write) and named.startswith(ROOT) and how == "killed" and next(count) == at:
        os.kill(os.getpid(), signal.SIGKILL)
ROOT = os.getcwd()
from tutorial_tool.cli import main
sys.addaudithook(step)
sys.argv = ["tutorial-tool", *sys.argv[3:]]
main()
"""
"""The interpreter tells an audit hook of each file that it opens, renames or removes, before it does."""


def killed(at: int, command: list[str], folder: Path) -> bool:
    """Whether the command was killed before its step number `at` on the files of a folder: False if it had fewer."""
    done = _run(at, "killed", command, folder)
    if done.returncode != -signal.SIGKILL:
        assert done.returncode in (0, 1), done.stderr
        return False
    return True


def with_full_disk(size: int, command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """The command, where no file may get longer than `size` bytes."""
    return _run(size, "limited", command, folder)


def _run(number: int, how: str, command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, str(number), how, *command],
        cwd=folder,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "TUTORIAL_TOOL_CACHE": ""},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
