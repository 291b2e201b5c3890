"""Runs commands of ours that are killed at a step of their work on the disk, that find no room, or that may not write.

The tool is loaded once, in a process that waits: each run that is to be killed is a fork of that one, as fresh as one that
was started, and here in a tenth of the time.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
from tutorial_tool.cli import main
sys.argv = ["tutorial-tool", *sys.argv[2:]]
main()
"""
WAITING = """
import gc, importlib, itertools, json, os, pathlib, pkgutil, signal, sys, tempfile, traceback
import mkdocs.__main__, mkdocs.commands.build, mkdocs.contrib.search, tutorial_tool
from tutorial_tool import __main__, cli

for module in pkgutil.walk_packages(tutorial_tool.__path__, "tutorial_tool."):
    if "__main__" not in module.name and ".lsp" not in module.name:
        importlib.import_module(module.name)
sys.path.insert(0, sys.argv[1])
from tests import project, started  # templates of figures are compiled once
with tempfile.TemporaryDirectory() as folder:
    project.load(project.write(pathlib.Path(folder)))
sys.path.remove(sys.argv[1])
STEPS = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.chmod", "os.truncate"}

def kill_at(last, root):
    steps = itertools.count(1)
    def step(event, told):
        if event not in STEPS and not (event == "open" and isinstance(told[2], int) and told[2] & (os.O_WRONLY | os.O_RDWR)):
            return
        path = os.fsdecode(told[0]) if isinstance(told[0], (str, bytes, os.PathLike)) else "/"
        if (path.startswith(root) or not os.path.isabs(path)) and next(steps) == last:
            os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(step)

def run(task):
    for number, name in enumerate(("stdout", "stderr"), 1):
        os.dup2(os.open(task[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    os.chdir(task["folder"])
    os.environ.update(task["environment"])
    command = task["command"]
    sys.argv = command if command[0] == "mkdocs" else ["tutorial-tool", *command]
    program = mkdocs.__main__.cli if command[0] == "mkdocs" else __main__.main if task["kept"] else cli.main
    if task["at"]:
        kill_at(task["at"], task["root"])
    try:
        program()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0

gc.freeze()
print("ready", flush=True)
for line in sys.stdin:
    child = os.fork()
    if not child:
        code = 70
        try:
            code = run(json.loads(line))
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""The interpreter tells an audit hook of each file that it opens, renames or removes, before it does. A name that is
relative belongs to the folder that the command works on, or to an open one in it."""


CACHE = "cache"
"""The folder of the user's cache, in the one that a command works on."""
ENVIRONMENT = {
    **os.environ,
    "PYTHONDONTWRITEBYTECODE": "1",
    "NO_MKDOCS_2_WARNING": "1",
    "SOURCE_DATE_EPOCH": "1800000000",  # a site says when it was built
}
_SETPRIV = shutil.which("setpriv")


class Ran(NamedTuple):
    """How a command ended, and what it said."""

    code: int
    stdout: str
    stderr: str

    @property
    def was_killed(self) -> bool:
        return self.code == -signal.SIGKILL


def run(command: list[str], folder: Path, *, killed_at: int = 0, cache: Path | None = None) -> Ran:
    """The command, killed before its step of that number on the files of a folder: not killed if it has fewer.

    With a `cache`, that is the user's: steps in the folder around it count, too, and a run of `lint` is told again.
    """
    process, aside = _waiting()
    said = {name: str(aside / name) for name in ("stdout", "stderr")}
    given = {"XDG_CACHE_HOME": str(cache or aside / CACHE)}
    places = {"folder": str(folder), "root": str(cache.parent if cache else folder), **said}
    task = {"command": command, "at": killed_at, "kept": bool(cache), "environment": given, **places}
    assert process.stdin
    assert process.stdout
    process.stdin.write(json.dumps(task) + "\n")
    process.stdin.flush()
    code = int(process.stdout.readline())
    return Ran(code, *(Path(path).read_text(errors="replace") for path in said.values()))


def words() -> dict[str, bytes]:
    """The word lists in their fast form, by their path in the user's cache: they take seconds to make."""
    aside = _waiting()[1]
    (aside / "page.md").write_text("# Teh page\n")
    assert run(["lint", "--exit-zero", "page.md"], aside).code == 0
    return {path.relative_to(aside / CACHE).as_posix(): path.read_bytes() for path in (aside / CACHE).rglob("words*")}


@cache
def _waiting() -> tuple[subprocess.Popen[str], Path]:
    """The process that has loaded the tool, and the folder for what its forks say."""
    aside = Path(tempfile.mkdtemp(prefix="crashing-"))
    process = subprocess.Popen(
        [sys.executable, "-c", WAITING, str(Path(__file__).parent.parent)],
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(shutil.rmtree, aside, ignore_errors=True)
    atexit.register(process.kill)
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    return process, aside


def with_full_disk(size: int, command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """The command, where no file may get longer than `size` bytes."""
    return _ended([sys.executable, "-c", LIMITED, str(size), *command], folder)


def may_be_limited() -> bool:
    """Whether somebody can be had who may not write everywhere. In CI there has to be."""
    return os.geteuid() != 0 or _SETPRIV is not None or bool(os.environ.get("CI"))


def without_rights(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """The command, by somebody who may write what the modes of files and folders allow, and no more.

    Root may write everywhere by a right of its own (CAP_DAC_OVERRIDE). Without it, root is a user like others, who can
    still read Python where it is installed: another user often could not.
    """
    limited = [_SETPRIV, "--bounding-set=-dac_override,-dac_read_search"] if _SETPRIV and os.geteuid() == 0 else []
    return _ended([*limited, sys.executable, "-m", "tutorial_tool", *command], folder)


def _ended(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=120, check=False
    )
