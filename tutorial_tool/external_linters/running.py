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
from tutorial_tool.fs import files

_MAX_ARGUMENT_CHARACTERS = 30_000 if os.name == "nt" else 100_000
"""Maximum characters of paths in a call: the system's limit, less room for the environment."""


class LinterFailed(TutorialToolError):
    """A requested linter did not run; the message is one line for people."""


def find_program(tool: Tool, root: Path) -> str | None:
    """Return the path of a linter: from the project's `node_modules`, this Python, or the user's PATH."""
    if tool.from_npm:
        for folder in (root, *root.parents):
            if path := shutil.which(tool.name, path=str(folder / "node_modules" / ".bin")):
                return path
    for programs in (sysconfig.get_path("scripts"), str(Path(sys.executable).parent)):
        if path := shutil.which(tool.name, path=programs):
            return path
    return shutil.which(tool.name)


def split_chunks(paths: Sequence[str]) -> Iterator[list[str]]:
    """Yield the paths in lists that fit a command line."""
    chunk: list[str] = []
    size = 0
    for path in paths:
        length = len(path.encode("utf-8", "surrogatepass")) + 3
        if chunk and size + length > _MAX_ARGUMENT_CHARACTERS:
            yield chunk
            chunk, size = [], 0
        chunk.append(path)
        size += length
    if chunk:
        yield chunk


READING_ERRORS = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
"""Errors raised by reading JSON that has another structure than the tool is known to print."""


def run_tool(
    tool: Tool, program: Sequence[str], files: Sequence[str], texts: LintedFiles, folder: Path, *, seconds: float
) -> list[Remark]:
    """Run a linter on files in a folder, and return its remarks; `program` starts the command.

    Raises: LinterFailed if it failed.
    """
    command = [*program, *(f"{tool.prefix}{file}" for file in files)]
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        code = _run_command(tool, command, folder, stdout, stderr, seconds)
        output, errors = _read_output(stdout, tool), _read_output(stderr, tool)
    if code not in tool.codes:
        raise LinterFailed(f"{tool.name} failed: it ended with code {code}{_format_excerpt(errors or output)}")
    try:
        return list(tool.read(errors if tool.on_stderr else output, texts))
    except UnreadableOutput as error:
        raise LinterFailed(f"{tool.name} failed: {error}{_format_tested_version(tool)}") from error
    except READING_ERRORS as error:
        raise LinterFailed(
            f"{tool.name} failed: what it printed cannot be read{_format_excerpt(output or errors)}"
            f"{_format_tested_version(tool)}"
        ) from error


def _run_command(
    tool: Tool, command: Sequence[str], folder: Path, stdout: IO[bytes], stderr: IO[bytes], seconds: float
) -> int:
    environment = {**os.environ, "NO_COLOR": "1", "PYTHONUTF8": "1"}
    for name in ("FORCE_COLOR", "RUMDL_OUTPUT_FORMAT"):
        environment.pop(name, None)
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            start_new_session=os.name != "nt",
        )
    except OSError as error:
        raise LinterFailed(f"{tool.name} failed: it could not be started: {error.strerror or error}") from error
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired as error:
        raise LinterFailed(f"{tool.name} failed: it took more than {seconds:g} seconds") from error
    finally:
        _terminate_process(process)


def _terminate_process(process: subprocess.Popen[bytes]) -> None:
    """Terminate a running linter and its child processes."""
    if process.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            if os.name == "nt":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _read_output(stream: IO[bytes], tool: Tool) -> str:
    size = stream.seek(0, os.SEEK_END)
    if size > files.LARGEST:
        raise LinterFailed(f"{tool.name} failed: it printed {size // 1_000_000} MB")
    stream.seek(0)
    return stream.read().decode("utf-8", "replace")


def _format_excerpt(output: str) -> str:
    """Return the first line of a linter's output, which usually has the reason."""
    line = next((line.strip() for line in output.splitlines() if line.strip(" \t{}[],")), "")
    return f": {line[:200]}" if line else ""


def _format_tested_version(tool: Tool) -> str:
    return f" ({tool.name} {tool.tested} has been tested)" if tool.tested else ""
