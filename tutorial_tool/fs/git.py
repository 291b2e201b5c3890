"""Git, asked. The only code that starts it: nothing is written, and nothing that a repository names is run."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from tutorial_tool.core.errors import TutorialToolError

SECONDS = 10.0  # How long git may take to answer, where nothing else is said
_SAFE = (
    "--no-pager",
    "--no-optional-locks",
    *("-c", "core.fsmonitor=false"),
    *("-c", "safe.bareRepository=explicit"),
    *("-c", "protocol.allow=never"),  # a clone without its files would fetch each, unasked
)
_OF_A_HOOK = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_DIR",
        "GIT_GRAFT_FILE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_INTERNAL_SUPER_PREFIX",
        "GIT_NAMESPACE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
    }
)
"""Variables of `git rev-parse --local-env-vars`: in a hook they name the hook's repository and its half-made index,
whatever folder is asked about. Those that carry settings stay: CI names its safe directories with them."""


class GitNotFound(TutorialToolError):
    """There is no git, or it cannot be started."""


class Answer(NamedTuple):
    """How git ended: exit code, what it printed, and the last line of what it complained about."""

    code: int
    out: bytes
    complaint: str = ""

    @property
    def lines(self) -> list[str]:
        """What it printed, by line. Names that are no UTF-8 come as `os.fsdecode` has them."""
        return os.fsdecode(self.out).splitlines()


def find_repository(folder: Path) -> Path | None:
    """The folder of the repository that a folder stands in, as its `.git` shows; None outside of one."""
    return next((around for around in (folder, *folder.parents) if (around / ".git").exists()), None)


def ask(folder: Path, *arguments: str, seconds: float = SECONDS) -> Answer:
    """What git answers in a folder. One that takes too long has failed. Raises NotInstalled."""
    import subprocess  # slow to load, and a run that is given a file asks nothing

    try:
        run = subprocess.run(
            ["git", *_SAFE, *arguments],
            cwd=folder,
            env=_build_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Answer(-1, b"", f"git {arguments[0]} took longer than {seconds:g} s")
    except OSError as e:
        raise GitNotFound("git not found; install it, or add it to PATH") from e
    return Answer(run.returncode, run.stdout, _get_last_line(run.stderr))


def read_output(folder: Path, *arguments: str, seconds: float = SECONDS) -> bytes | None:
    """What git prints; None where it fails, or where there is no git."""
    try:
        answer = ask(folder, *arguments, seconds=seconds)
    except GitNotFound:
        return None
    return answer.out if answer.code == 0 else None


@contextlib.contextmanager
def open_output(folder: Path, *arguments: str, given: IO[bytes], seconds: float) -> Iterator[IO[bytes]]:
    """Git's output as a stream, for what is too long to hold; git is ended with the block, and after `seconds`."""
    import subprocess
    import threading

    git = subprocess.Popen(
        ["git", *_SAFE, *arguments],
        cwd=folder,
        env=_build_environment(),
        stdin=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    timer = threading.Timer(seconds, git.kill)
    timer.daemon = True
    timer.start()
    try:
        assert git.stdout is not None
        yield git.stdout
    finally:
        timer.cancel()
        git.kill()
        git.communicate()


def _build_environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _OF_A_HOOK}
    return {**kept, "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}


def _get_last_line(value: bytes) -> str:
    lines = value.decode("utf-8", "replace").strip().splitlines()
    message = next((line for line in lines if line.startswith(("fatal:", "error:"))), lines[-1] if lines else "")
    return message.removeprefix("fatal: ").removeprefix("error: ").strip()


def write_patch(old_path: str, new_path: str, old: str, new: str) -> str:
    """Return the unified diff of one file, as `git apply` and `patch` read it; only `\\n` ends a line."""
    from difflib import unified_diff

    before, after = ([f"{line}\n" for line in text.split("\n")] for text in (old, new))
    for lines in (before, after):
        lines[-1:] = [lines[-1][:-1]] if lines[-1] != "\n" else []  # what is behind the last line end is no line
    changes = unified_diff(before, after, old_path, new_path)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in changes)
