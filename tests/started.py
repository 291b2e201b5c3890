"""Commands in processes of their own that begin with all modules loaded, and what the processes of a run share.

Most of the time of a short command is its start. So a server loads the programs once and copies itself for each command
(`multiprocessing` calls it a fork server): a process with a folder, an environment, an exit code and output of its own.
What the start itself does is proved with `subprocess`: which modules it loads, signals, standard input, encodings.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from itertools import count
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path
from types import CodeType
from typing import ClassVar

import jinja2
import mkdocs.theme
from jinja2.bccache import Bucket

from tutorial_tool.core.source import Span
from tutorial_tool.site.figures.svg import FigureEnvironment, load_shipped
from tutorial_tool.templating.environment.places import ParsedTemplate, PrintedNode

_SHARED = "TUTORIAL_TOOL_TESTS"


def begin() -> None:
    """Make the folder that the processes of this run share."""
    os.environ[_SHARED] = tempfile.mkdtemp(prefix="tutorial-tool-tests-")


def end() -> None:
    shutil.rmtree(os.environ.pop(_SHARED), ignore_errors=True)


def shared(name: str, make: Callable[[Path], object]) -> Path:
    """A folder that one process of this run makes, and all others find made. Nobody may write into it afterwards."""
    folder = Path(os.environ[_SHARED]) / name
    with (folder.with_suffix(".lock")).open("w") as lock:
        with suppress(ImportError):  # where there is none, nobody shares the tests between processes
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            parts = folder.with_suffix(".parts")
            shutil.rmtree(parts, ignore_errors=True)
            parts.mkdir()
            make(parts)
            parts.rename(folder)
    return folder


def run(
    module: str, *arguments: str, cwd: Path, env: Mapping[str, str] = os.environ, timeout: float = 120
) -> subprocess.CompletedProcess[str]:
    """What `python -m module arguments` does, without the time that the start of MkDocs and of our own tool takes."""
    if module not in ("mkdocs", "tutorial_tool") or not hasattr(os, "fork"):  # others stand in the place of modules
        command = [sys.executable, "-m", module, *arguments]
        return subprocess.run(
            command, cwd=cwd, env=env, capture_output=True, text=True, timeout=timeout, check=False, encoding="utf-8"
        )
    with tempfile.TemporaryDirectory() as aside:
        said = [Path(aside, name) for name in ("stdout", "stderr")]
        for path in said:
            path.touch()
        process = start(module, *arguments, cwd=cwd, env=env, stdout=said[0], stderr=said[1])
        process.join(timeout)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired([module, *arguments], timeout, *(path.read_bytes() for path in said))
        stdout, stderr = (path.read_text(encoding="utf-8") for path in said)
        return subprocess.CompletedProcess([module, *arguments], process.exitcode, stdout, stderr)


def start(
    module: str, *arguments: str, cwd: Path, stdout: Path, stderr: Path, env: Mapping[str, str] = os.environ
) -> ForkServerProcess:
    """As `run`, but nobody waits for the end. What it prints is appended to files."""
    given = (module, arguments, str(cwd), dict(env), (str(stdout), str(stderr)))
    process = _server().Process(target=_main, args=given)
    process.start()
    return process


@cache
def _server() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, "tests.loaded"])
    return context


def _main(
    module: str, arguments: tuple[str, ...], cwd: str, environment: dict[str, str], said: tuple[str, str]
) -> None:
    """Be the process of a command."""
    for number, path in enumerate(said, 1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv[1:] = arguments
    sys.path.insert(0, cwd)
    runpy.run_module(module, run_name="__main__", alter_sys=True)


# Templates of themes


class Compiled(jinja2.BytecodeCache):
    """Templates of themes as this process, or the server that it is a copy of, has compiled them: in memory only."""

    _all: ClassVar[dict[tuple[str, str], bytes]] = {}

    def __init__(self, environment: jinja2.Environment) -> None:
        self._kind = " ".join(sorted(environment.extensions))

    def load_bytecode(self, bucket: Bucket) -> None:
        if code := self._all.get((self._kind, f"{bucket.key} {bucket.checksum}")):
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._all[self._kind, f"{bucket.key} {bucket.checksum}"] = bucket.bytecode_to_string()


def keep_templates(theme: type[mkdocs.theme.Theme]) -> None:
    """Let every environment of a theme take what another one has compiled of the same templates."""
    usual = theme.get_env

    def get_env(self: mkdocs.theme.Theme) -> jinja2.Environment:
        environment = usual(self)
        environment.bytecode_cache = Compiled(environment)
        return environment

    theme.get_env = get_env  # type: ignore[method-assign]


keep_templates(mkdocs.theme.Theme)


# Templates of figures


def keep_figures(environment: type[FigureEnvironment]) -> None:
    """Compile the shipped templates of figures once: each project that a test reads would do that again.

    What the code of a template prints it knows by numbers, which go on from one template to the next.
    """
    usual: Callable[..., CodeType] = environment.compile
    known: dict[tuple[str, int], tuple[CodeType, ParsedTemplate, dict[int, PrintedNode], dict[int, Span], int]] = {}

    def next_number(self: FigureEnvironment) -> int:
        number = next(self._numbers)
        self._numbers = count(number)
        return number

    def compiled(self: FigureEnvironment, source: str, name: str, *arguments: object) -> CodeType:
        if load_shipped().get(name) is not self.parsed[name].source:  # a project's own
            return usual(self, source, name, *arguments)
        key = name, next_number(self)
        if key not in known:
            code = usual(self, source, name, *arguments)
            outputs = {number: printed for number, printed in self.outputs.items() if number >= key[1]}
            places = {number: place for number, place in self.places.items() if number >= key[1]}
            known[key] = code, self.parsed[name], outputs, places, next_number(self)
        code, self.parsed[name], outputs, places, number = known[key]
        self.outputs.update(outputs)
        self.places.update(places)
        self._numbers = count(number)
        return code

    environment.compile = compiled  # type: ignore[assignment,method-assign]


keep_figures(FigureEnvironment)
