"""Run work on untrusted files in a separate process, with limits on time and memory.

The process limits what a run costs. It is not a sandbox: the sandbox of the templates keeps them from files and the
network.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import NoReturn

from tutorial_tool.core import time_budget
from tutorial_tool.core.errors import LimitExceeded, TutorialToolError

if sys.platform != "win32":
    import resource

SECONDS = 10  # CPU time to load and render all pages once
WHOLE_SECONDS = 60  # CPU time of a whole command, which also lints and, with --fix, renders several times
MEMORY = 512 * 1024 * 1024
WRITTEN = 256 * 1024 * 1024  # Maximum bytes of a written file
_LATE = f"it takes more than {WHOLE_SECONDS} s of CPU time"


class LimitedProcessError(TutorialToolError):
    """The process was ended, or could not be started; the message says why."""


class RenderingTimeout(LimitExceeded):
    """The time limit for rendering was exceeded."""


def run(program: str, arguments: Sequence[str]) -> int:
    """Run a Python program with limits and this process's standard streams; return its exit code."""
    import subprocess  # slow to load

    return check_exit_code(subprocess.run(build_command(program, arguments), check=False).returncode)


def build_command(program: str, arguments: Sequence[str]) -> list[str]:
    """Return the command that starts a program with limits. Raises LimitedProcessError if unsupported.

    `-P` keeps Python from importing a `yaml.py` from the folder of the untrusted files.
    """
    if sys.platform == "win32":
        raise LimitedProcessError("--untrusted limits memory and CPU time, which Windows cannot do: run it on Linux")
    if not sys.executable:
        raise LimitedProcessError("--untrusted starts Python a second time, and this one does not know its own path")
    started = f"from tutorial_tool.fs import limited_process\nlimited_process.limit()\n{program}"
    return [sys.executable, "-P", "-c", started, *arguments]


def check_exit_code(code: int) -> int:
    """Return the exit code of a process with limits. Raises LimitedProcessError if it was ended."""
    if code >= 0:
        return code
    name = next((number.name for number in signal.Signals if number == -code), str(-code))
    what = {
        "SIGXCPU": _LATE,
        "SIGKILL": f"{_LATE}, or somebody ended it",
        "SIGXFSZ": f"it would write a file of more than {WRITTEN:,} bytes",
    }
    raise LimitedProcessError(f"the run with limits was ended by {name}: {what.get(name, 'perhaps memory was short')}")


# In the process


class _State:
    """The limits in effect for this process. Only `limit` and the context managers below change it."""

    limited = False
    in_template = False


def is_limited() -> bool:
    """Return whether this process has limits."""
    return _State.limited


def limit() -> None:
    """Apply the limits to this process permanently."""
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (WRITTEN, WRITTEN))
        resource.setrlimit(resource.RLIMIT_CPU, (WHOLE_SECONDS, WHOLE_SECONDS + 5))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    except (OSError, ValueError) as problem:
        _end_process(f"--untrusted cannot limit memory and CPU time here: {problem}")
    signal.signal(signal.SIGXCPU, _stop_late_run)
    _State.limited = True


def _stop_late_run(_signal: int, _frame: FrameType | None) -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    whole = used.ru_utime + used.ru_stime >= WHOLE_SECONDS
    if _State.in_template and not whole:
        raise RenderingTimeout(f"rendering takes more than {SECONDS} s of CPU time")
    what = time_budget.describe_current_work()
    while_ = f" ({what})" if what else ""
    reason = _LATE if whole else f"reading takes more than {SECONDS} s"
    _end_process(f"the run was ended: {reason}{while_}")


def _end_process(message: str) -> NoReturn:
    sys.stderr.write(f"tutorial-tool: {message}\n")
    sys.stderr.flush()
    os._exit(2)


@contextlib.contextmanager
def limit_rendering() -> Iterator[None]:
    """Limit the time for loading and rendering a project, if this process has limits."""
    if not _State.limited:
        yield
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    hard = WHOLE_SECONDS + 5
    until = min(int(used.ru_utime + used.ru_stime) + SECONDS, WHOLE_SECONDS)
    resource.setrlimit(resource.RLIMIT_CPU, (until, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, (WHOLE_SECONDS, hard))


@contextlib.contextmanager
def enter_template() -> Iterator[None]:
    """Mark that a template is running: when the time is over, `RenderingTimeout` stops it."""
    before, _State.in_template = _State.in_template, True
    try:
        yield
    finally:
        _State.in_template = before
