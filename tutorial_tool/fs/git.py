"""Query git. The only code that starts it: nothing is written, and no program of a repository is run."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from tutorial_tool.core.errors import TutorialToolError

TREE_SECONDS = 300.0  # Timeout of a program that reads a whole tree: git, or a linter
PROGRAM_SECONDS = 20.0  # Timeout of git, and of `typos`: the history of one file takes longest
_SAFE = (
    "--no-pager",
    "--no-optional-locks",
    *("-c", "core.fsmonitor=false"),
    *("-c", "safe.bareRepository=explicit"),
    *("-c", "protocol.allow=never"),  # a partial clone would fetch each missing file
)
_OF_A_HOOK = frozenset(
    "GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_DIR GIT_GRAFT_FILE GIT_IMPLICIT_WORK_TREE GIT_INDEX_FILE"
    " GIT_INTERNAL_SUPER_PREFIX GIT_NAMESPACE GIT_OBJECT_DIRECTORY GIT_PREFIX GIT_SHALLOW_FILE GIT_WORK_TREE".split()
)
"""Variables of `git rev-parse --local-env-vars`: in a hook, they name the hook's repository and its partial index,
whatever folder is queried. Variables with settings stay: CI names its safe directories with them."""


class GitNotFound(TutorialToolError):
    """Git is not installed, or cannot be started."""


class Answer(NamedTuple):
    """The result of git: exit code, output, and the error message."""

    code: int
    out: bytes
    complaint: str = ""

    @property
    def lines(self) -> list[str]:
        """The output by line. Names that are not valid UTF-8 are decoded as by `os.fsdecode`."""
        return os.fsdecode(self.out).splitlines()


def find_repository(folder: Path) -> Path | None:
    """Return the root of the repository around a folder, by its `.git`; None outside of one."""
    return next((around for around in (folder, *folder.parents) if (around / ".git").exists()), None)


def ask(folder: Path, *arguments: str, seconds: float = PROGRAM_SECONDS) -> Answer:
    """Run git in a folder. A timeout counts as a failure. Raises GitNotFound."""
    import subprocess  # slow to load, and a run on a given file does not need git

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


def read_output(folder: Path, *arguments: str) -> bytes | None:
    """Return the output of git; None if it fails or is not installed."""
    try:
        answer = ask(folder, *arguments)
    except GitNotFound:
        return None
    return answer.out if answer.code == 0 else None


@contextlib.contextmanager
def open_output(folder: Path, *arguments: str, given: IO[bytes], seconds: float) -> Iterator[IO[bytes]]:
    """Yield git's output as a stream, for long output.

    Git is ended with the block, or after `seconds`.
    """
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
    r"""Return the unified diff of one file for `git apply` and `patch`; only `\n` ends a line."""
    from difflib import unified_diff

    before, after = ([f"{line}\n" for line in text.split("\n")] for text in (old, new))
    for lines in (before, after):
        lines[-1:] = [lines[-1][:-1]] if lines[-1] != "\n" else []  # there is no line after the last line end
    changes = unified_diff(before, after, old_path, new_path)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in changes)
