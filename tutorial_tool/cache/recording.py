"""Notes all that a run looks at, and keeps what it printed.

Python tells of every file that is opened, folder that is listed and program that is started (PEP 578). It does not tell
of questions whether a path exists: for those, all folders below what was linted count as listed, and so do the folders
of all files that were opened; what is looked for in the folders above is noted by name.
"""

from __future__ import annotations

import functools
import os
import secrets
import sys
import sysconfig
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from tutorial_tool import cache
from tutorial_tool.cache import Entry, Input, Said

LARGEST = 4_000_000
"""Bytes of the longest entry."""
MOST = 50_000
"""Folders and files of a tree that is watched over."""
ENTRIES = 200
"""Entries that are kept, the newest."""
_ABOVE = (
    ".git",
    ".gitignore",
    "platforms.yaml",
    "pyproject.toml",
    "tutorial-tool.toml",
    "mkdocs.yml",
    "properdocs.yml",
)
"""What a run looks for in the folders around what it lints."""
_PASSED_OVER = ("/proc/", "/dev/", "/sys/")
_GIT = ("HEAD", "index", "config", "info/exclude", "packed-refs", "shallow", "info/grafts", "config.worktree")
_SETTINGS = ("~/.gitconfig", "~/.config/git/config", "~/.config/git/ignore", "/etc/gitconfig")


class Recording:
    """What a run has looked at so far, and said."""

    def __init__(self, arguments: list[str]) -> None:
        self.name, self.started = cache.name_of(arguments), time.time_ns()
        self.opened: dict[str, None] = {}
        self.listed: dict[str, None] = {}
        self.programs: dict[str, None] = {}
        self.said: list[Said] = []
        self.around = dict(_around(Path.cwd()))
        """The folders around this one, and which settings stand in each."""

    def hear(self, event: str, told: tuple[Any, ...]) -> None:
        """What Python tells of itself."""
        if event == "open":
            path, _, flags = told
            if isinstance(path, str | bytes | os.PathLike) and not flags & (os.O_WRONLY | os.O_RDWR):
                self.opened[os.fsdecode(path)] = None
        elif event in ("os.listdir", "os.scandir"):
            if isinstance(told[0], str | bytes | os.PathLike):
                self.listed[os.fsdecode(told[0])] = None
        elif event == "subprocess.Popen":
            self.programs[os.fsdecode(told[0])] = None
        elif event == "tutorial_tool.beside":  # asked for by `--with`: what it reads itself, nobody tells
            self.programs[f"{told[0]} beside"] = None

    def keep(self, code: int, roots: Iterable[Path]) -> None:
        """Keep what was said while all that was looked at stays as it is; nothing, where that cannot be known."""
        _now.clear()
        if any(Path(program).stem not in ("git", "typos") for program in self.programs):
            return  # what another tool depends on, nobody knows
        with suppress(OSError, ValueError):
            base = cache.folder()
            if base is None or (secret := _key(Path(base))) is None:
                return
            paths = dict.fromkeys(self._paths([root.absolute() for root in roots], Path(base)))
            entry = Entry(code, self.said, [self._input(path) for path in paths])
            if len(cache.packed(entry)) <= LARGEST:
                _sweep(Path(base, "runs"))
                cache.keep(str(Path(base, "runs", self.name)), entry, secret)

    def _input(self, path: str) -> Input:
        """A path as it is, and was when the run began. Raises ValueError where it changed meanwhile."""
        try:
            status = os.stat(path)  # noqa: PTH116
        except (FileNotFoundError, NotADirectoryError):
            return Input("none", "", "", path)
        if path in self.around:
            if cache.digest(path, "around") != self.around[path]:
                raise ValueError(f"the settings in {path} changed during the run")
            return Input("around", cache.settled(status), self.around[path], path)
        if not cache.settled(status, self.started):
            raise ValueError(f"{path} changed during the run, or just before")
        kind = cache.kind(status)
        return Input(kind, cache.settled(status), cache.digest(path, kind), path)

    def _paths(self, roots: list[Path], base: Path) -> Iterator[str]:
        """All that the output depends on."""
        yield from self.around
        own = str(Path(cache.__file__).parent.parent)
        for name in (*self.opened, *self.listed):
            path = os.path.abspath(name)  # noqa: PTH100 - links are not followed
            if _is_told(path, own, str(base)):
                yield path
                if not path.startswith(own):
                    yield os.path.dirname(path)  # noqa: PTH120
        yield from (path for path in map(_file_of, list(sys.modules.values())) if path.startswith(own))
        yield from (path for path in sys.path if os.path.isabs(path))  # noqa: PTH117 - what is installed
        yield from (path for path in self.programs if os.path.isabs(path))  # noqa: PTH117
        for root in dict.fromkeys([*roots, Path.cwd()]):
            for above in (root, *root.parents):
                yield from (str(above / name) for name in _ABOVE)
        yield from (path for root in roots for path in _below(root))
        if any(Path(program).stem == "git" for program in self.programs):
            yield from (path for root in roots for path in _of_git(root))


def _around(here: Path) -> Iterator[tuple[str, str]]:
    for folder in here.parents:
        with suppress(OSError):
            yield str(folder), cache.digest(str(folder), "around")


def _is_told(path: str, own: str, base: str) -> bool:
    """Whether a path is one of what was linted or of this program, and not of Python, the system or the cache."""
    if path.startswith((base, *_PASSED_OVER)) or "__pycache__" in path:
        return False
    return path.startswith(own) or not path.startswith(_installed())


@functools.cache
def _installed() -> tuple[str, ...]:
    """The folders of Python and its packages. What stands beside them, in the same prefix, may be a project."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    return tuple(os.path.join(sysconfig.get_path(name), "") for name in names)  # noqa: PTH118


def _file_of(module: Any) -> str:
    return getattr(module, "__file__", None) or ""


def _below(root: Path) -> Iterator[str]:
    """All folders of a tree, and the files that say what git ignores. Raises ValueError for one that is too large."""
    seen = 0
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in (".git", "node_modules", "__pycache__")]
        seen += len(names) + 1
        if seen > MOST:
            raise ValueError("too large a tree")
        yield folder
        if ".gitignore" in names:
            yield os.path.join(folder, ".gitignore")  # noqa: PTH118


def _of_git(root: Path) -> Iterator[str]:
    """What git's answers about a folder depend on. Raises ValueError where that is not a plain repository."""
    from tutorial_tool import git

    top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), None)
    if top is None:
        return
    if not (top / ".git").is_dir():
        raise ValueError("a linked worktree, or a submodule")
    yield from (str(top / ".git" / name) for name in _GIT)
    head = (top / ".git" / "HEAD").read_text(encoding="utf-8").strip()
    if head.startswith("ref: "):
        yield str(top / ".git" / head.removeprefix("ref: "))
    yield from (str(Path(name).expanduser()) for name in _SETTINGS)
    told = git.output(top, "config", "--path", "--get", "core.excludesFile")
    if told:
        yield os.fsdecode(told).rstrip("\n")


def _key(base: Path) -> bytes | None:
    """The user's key, made where there is none. Raises OSError."""
    if (found := cache.key(str(base))) is not None:
        return found
    (base / "runs").mkdir(parents=True, exist_ok=True, mode=0o700)
    with suppress(FileExistsError):
        made = os.open(base / "key", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        os.write(made, secrets.token_bytes(32))
        os.close(made)
    return cache.key(str(base))


def _sweep(folder: Path) -> None:
    """Forget the oldest entries, and what a run that was killed left."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    entries = sorted(((entry.stat().st_mtime, entry.path) for entry in os.scandir(folder)), reverse=True)
    for _, path in entries[ENTRIES - 1 :]:
        with suppress(OSError):
            os.unlink(path)  # noqa: PTH108


_now: list[Recording] = []


@functools.cache
def _listen() -> None:
    sys.addaudithook(lambda event, told: _now[0].hear(event, told) if _now else None)  # there is no way to end it


def begin(arguments: list[str]) -> None:
    """From here on, note what is looked at: called before anything else is imported."""
    _now[:] = [Recording(arguments)]
    _listen()


def current() -> Recording | None:
    """What is being noted, if anything is."""
    return _now[0] if _now else None
