"""Runs a linter: without a shell, in chunks that fit a command line, with limits on time and output."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from tutorial_tool.core.errors import TutorialToolError
from tutorial_tool.external_linters.tool import LintedFiles, Remark, Tool, UnreadableOutput

SECONDS = 120.0  # Maximum seconds of a call
_ARGUMENTS = 30_000 if os.name == "nt" else 100_000
"""Maximum characters of paths in a call: the system's limit, less room for the environment."""
_MAX_OUTPUT_BYTES = 64_000_000  # Maximum bytes of output


class LinterFailed(TutorialToolError):
    """A requested linter did not run; the message is one line for people."""


def find_program(tool: Tool, root: Path) -> str | None:
    """Return the path of a linter: from the project's `node_modules`, this Python, or the user's PATH."""
    if tool.from_npm:
        for folder in (root, *root.parents):
            if text := shutil.which(tool.name, path=str(folder / "node_modules" / ".bin")):
                return text
    for name in (sysconfig.get_path("scripts"), str(Path(sys.executable).parent)):
        if text := shutil.which(tool.name, path=name):
            return text
    return shutil.which(tool.name)


def split_chunks(paths: Sequence[str]) -> Iterator[list[str]]:
    """Yield the paths in lists that fit a command line."""
    chunk: list[str] = []
    size = 0
    for path in paths:
        length = len(path.encode("utf-8", "surrogatepass")) + 3
        if chunk and size + length > _ARGUMENTS:
            yield chunk
            chunk, size = [], 0
        chunk.append(path)
        size += length
    if chunk:
        yield chunk


CANNOT_BE_READ = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
"""Errors of reading JSON in another form than a tool is known to print."""


def run_tool(
    tool: Tool,
    program: Sequence[str],
    files: Sequence[str],
    texts: LintedFiles,
    folder: Path,
    *,
    seconds: float = SECONDS,
) -> list[Remark]:
    """Run a linter on files in a folder, and return its remarks; `program` starts the command.

    Raises: LinterFailed if it failed.
    """
    command = [*program, *(f"{tool.prefix}{file}" for file in files)]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as problems:
        code = _run_command(tool, command, folder, out, problems, seconds)
        message, value = _read_output(out, tool), _read_output(problems, tool)
    if code not in tool.codes:
        raise LinterFailed(f"{tool.name} failed: it ended with code {code}{_format_excerpt(value or message)}")
    try:
        return list(tool.read(value if tool.on_stderr else message, texts))
    except UnreadableOutput as wrong:
        raise LinterFailed(f"{tool.name} failed: {wrong}{_format_tested_version(tool)}") from wrong
    except CANNOT_BE_READ as wrong:
        raise LinterFailed(
            f"{tool.name} failed: what it printed cannot be read{_format_excerpt(message or value)}"
            f"{_format_tested_version(tool)}"
        ) from wrong


def _run_command(
    tool: Tool, command: Sequence[str], folder: Path, out: IO[bytes], problems: IO[bytes], seconds: float
) -> int:
    environment = {**os.environ, "NO_COLOR": "1", "PYTHONUTF8": "1"}
    for name in ("FORCE_COLOR", "RUMDL_OUTPUT_FORMAT"):
        environment.pop(name, None)
    try:
        ran = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=problems,
            start_new_session=os.name != "nt",
        )
    except OSError as problem:
        raise LinterFailed(f"{tool.name} failed: it could not be started: {problem.strerror or problem}") from problem
    try:
        return ran.wait(seconds)
    except subprocess.TimeoutExpired as late:
        raise LinterFailed(f"{tool.name} failed: it took more than {seconds:g} seconds") from late
    finally:
        _terminate_process(ran)


def _terminate_process(ran: subprocess.Popen[bytes]) -> None:
    """Terminate a running linter and its child processes."""
    if ran.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            if os.name == "nt":
                ran.kill()
            else:
                os.killpg(ran.pid, signal.SIGKILL)
        ran.wait()


def _read_output(out: IO[bytes], tool: Tool) -> str:
    size = out.seek(0, os.SEEK_END)
    if size > _MAX_OUTPUT_BYTES:
        raise LinterFailed(f"{tool.name} failed: it printed {size // 1_000_000} MB")
    out.seek(0)
    return out.read().decode("utf-8", "replace")


def _format_excerpt(value: str) -> str:
    """Return the first line of a linter's output, which usually has the reason."""
    line = next((line.strip() for line in value.splitlines() if line.strip(" \t{}[],")), "")
    return f": {line[:200]}" if line else ""


def _format_tested_version(tool: Tool) -> str:
    return f" ({tool.name} {tool.tested} has been tested)" if tool.tested else ""
