"""Observe the inputs of a run through Python's audit events (PEP 578), and list its dependencies."""

from __future__ import annotations

import functools
import os
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

from tutorial_tool import cache
from tutorial_tool.cache import Input

PACKAGE = str(Path(cache.__file__).parent.parent)  # The folder of this package
_SEARCHED_NAMES = ".git .gitignore platforms.yaml pyproject.toml tutorial-tool.toml mkdocs.yml properdocs.yml".split()
MAX_TREE_ENTRIES = 50_000  # Maximum folders and files of a tree that is tracked
NEVER_READ = frozenset((".git", "node_modules", "__pycache__"))
"""Folders that are never part of a project, at any level."""
_SYSTEM = ("/proc", "/dev", "/sys")
_GIT = ("HEAD", "index", "config", "info/exclude", "packed-refs", "shallow", "info/grafts", "config.worktree")
_SETTINGS = ("~/.gitconfig", "~/.config/git/config", "~/.config/git/ignore", "/etc/gitconfig")


class InputObserver:
    """The files, folders, and programs that were opened, listed, and started."""

    def __init__(self, opened: dict[str, None] | None = None) -> None:
        self.opened = opened or {}
        self.listed: dict[str, None] = {}
        self.programs: dict[str, None] = {}

    def share_inputs(self, earlier: InputObserver) -> None:
        """Share the inputs of earlier runs, whose results this one may use: what it adds is theirs, too."""
        self.opened, self.listed, self.programs = earlier.opened, earlier.listed, earlier.programs

    def note_event(self, event: str, args: tuple[Any, ...]) -> None:
        """Record an audit event of Python."""
        if event == "open":
            path, _, flags = args
            if isinstance(path, str | bytes | os.PathLike) and not flags & (os.O_WRONLY | os.O_RDWR):
                self.opened[os.fsdecode(path)] = None
        elif event in ("os.listdir", "os.scandir"):
            if isinstance(args[0], str | bytes | os.PathLike):
                self.listed[os.fsdecode(args[0])] = None
        elif event == "subprocess.Popen":
            self.programs[os.fsdecode(args[0])] = None
        elif event == "tutorial_tool.external_linters":  # with `--with`: its inputs are unknown
            self.programs[f"{args[0]} beside"] = None

    def iter_paths(self, skipped: Sequence[str], roots: Sequence[Path]) -> Iterator[str]:
        """Yield the opened and listed paths, their parents, all folders below the roots, and git's inputs."""
        for name in (*self.opened, *self.listed):
            path = os.path.abspath(name)  # noqa: PTH100 - links are not followed
            if is_recorded(path, skipped):
                yield path
                if not is_in(path, [PACKAGE]):
                    yield os.path.dirname(path)  # noqa: PTH120
        yield from chain.from_iterable(map(_iter_tree, roots))
        if any(Path(program).stem == "git" for program in self.programs):
            yield from chain.from_iterable(map(iter_git_paths, roots))


_observers: list[InputObserver] = []


@functools.cache
def _add_audit_hook() -> None:
    sys.addaudithook(
        lambda event, pair: _observers[0].note_event(event, pair) if _observers else None
    )  # the hook cannot be removed


def begin(observer: InputObserver) -> None:
    """Start observing inputs."""
    _observers[:] = [observer]
    _add_audit_hook()


def end() -> None:
    """Stop observing inputs."""
    _observers.clear()


def build_input(path: str, started: int, *, is_program: bool) -> Input:
    """Build the input of a path. Raises ValueError if it has changed since `started`, in nanoseconds.

    Programs are identified by their times alone: reading them all (`typos` has 34 MB) took a quarter of a run of one
    page.
    """
    try:
        status = os.stat(path)  # noqa: PTH116
    except (FileNotFoundError, NotADirectoryError):
        return Input("none", "", "", path)
    if not cache.get_settled_stamp(status, started):
        raise ValueError(f"{path} changed meanwhile, or just before")
    kind = cache.get_kind(status)
    return Input(kind, cache.get_settled_stamp(status), "" if is_program else cache.digest(path, kind), path)


def is_recorded(path: str, skipped: Sequence[str]) -> bool:
    """Return whether a path is outside of Python, its packages, the system, and the `skipped` folders."""
    if "__pycache__" in path or is_in(path, skipped):
        return False
    return is_in(path, [PACKAGE]) or not is_in(path, (*_get_installed_folders(), *_SYSTEM))


def is_in(path: str, folders: Sequence[str]) -> bool:
    """Return whether a path is one of the folders, or below one."""
    parts = ((folder, path[len(folder) :]) for folder in folders if path.startswith(folder))
    return any(not rest or folder.endswith(os.sep) or rest.startswith(os.sep) for folder, rest in parts)


@functools.cache
def _get_installed_folders() -> tuple[str, ...]:
    """Return the folders of Python and its packages. Others with the same prefix may be projects."""
    return tuple(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib"))


def iter_program_files() -> Iterator[str]:
    """Yield the loaded files of this program, and the folders whose names show what is installed."""
    modules = (getattr(module, "__file__", None) or "" for module in list(sys.modules.values()))
    yield from (path for path in modules if is_in(path, [PACKAGE]))
    yield from (path for path in sys.path if os.path.isabs(path))  # noqa: PTH117


def digest_parents(folder: Path) -> dict[str, str]:
    """Return the digest of each parent folder, by the names of its settings."""
    out = {}
    for parent in folder.parents:
        with suppress(OSError):
            out[str(parent)] = cache.digest(str(parent), "around")
    return out


def _iter_tree(root: Path) -> Iterator[str]:
    """Yield all folders of a tree, and its ignore files. Raises ValueError if the tree is too large."""
    count = 0
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in NEVER_READ]
        count += len(names) + 1
        if count > MAX_TREE_ENTRIES:
            raise ValueError("too large a tree")
        yield folder
        if ".gitignore" in names:
            yield os.path.join(folder, ".gitignore")  # noqa: PTH118


def iter_searched_paths(folder: Path) -> Iterator[str]:
    """Yield the paths that a run looks for in a folder and its parents."""
    return (str(parent / name) for parent in (folder, *folder.parents) for name in _SEARCHED_NAMES)


def iter_git_paths(folder: Path) -> Iterator[str]:
    """Yield the files that git's output for a folder depends on; none outside of a repository.

    Raises: ValueError in a linked worktree or a submodule.
    """
    from tutorial_tool.fs import git

    top = git.find_repository(folder)
    if top is None:
        return
    if not (top / ".git").is_dir():
        raise ValueError("a linked worktree, or a submodule")
    yield from (str(top / ".git" / name) for name in _GIT)
    head = (top / ".git" / "HEAD").read_text(encoding="utf-8").strip()
    if head.startswith("ref: "):
        yield str(top / ".git" / head.removeprefix("ref: "))
    yield from (str(Path(name).expanduser()) for name in _SETTINGS)
    output = git.read_output(top, "config", "--path", "--get", "core.excludesFile")
    if output:
        yield os.fsdecode(output).rstrip("\n")


def get_key(base: Path) -> bytes | None:
    """Return the user's key; create it if it is missing or invalid. Raises OSError."""
    if (result := cache.read_key(str(base))) is not None:
        return result
    (base / "runs").mkdir(parents=True, exist_ok=True, mode=0o700)
    for stale_file in filter(is_left_over, map(str, (base / "runs").glob("key.*"))):
        Path(stale_file).unlink(missing_ok=True)
    temporary = base / "runs" / f"key.{os.getpid()}"  # a partial key would disable the cache for this user, permanently
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(descriptor, os.urandom(32))
    finally:
        os.close(descriptor)
    temporary.replace(base / "key")
    return cache.read_key(str(base))


def remove_oldest(folder: Path, max_files: int) -> None:
    """Remove the files of killed runs and the oldest ones, so that with a new one there are `max_files`."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    entries = [(status.st_mtime, path) for path, status in _iter_files(folder)]
    for number, (_, path) in enumerate(sorted(entries, reverse=True)):
        if number >= max_files - 1 or is_left_over(path):
            with suppress(OSError):
                os.unlink(path)  # noqa: PTH108


def _iter_files(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError):  # another run removed it first
                yield entry.path, entry.stat()


def is_left_over(path: str) -> bool:
    """Return whether the run that wrote this file has ended: its process ID follows the name's first dot."""
    _, _, suffix = os.path.basename(path).partition(".")  # noqa: PTH119
    if not suffix or sys.platform == "win32":  # there, os.kill would end the process
        return False
    try:
        os.kill(int(suffix.partition(".")[0]), 0)
    except ProcessLookupError:
        return True
    except (OSError, ValueError, OverflowError):
        pass
    return False
