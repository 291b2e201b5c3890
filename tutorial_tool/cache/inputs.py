"""What a run looks at, as Python tells of it (PEP 578), and what else its output depends on."""

from __future__ import annotations

import functools
import os
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tutorial_tool import cache
from tutorial_tool.cache import Input

OWN = str(Path(cache.__file__).parent.parent)  # The folder of this program
_ABOVE = (
    ".git",
    ".gitignore",
    "platforms.yaml",
    "pyproject.toml",
    "tutorial-tool.toml",
    "mkdocs.yml",
    "properdocs.yml",
)
NEVER_READ = frozenset((".git", "node_modules", "__pycache__"))
"""Folders of which nothing is a part of a project, wherever they stand."""
MOST = 50_000  # Folders and files of a tree that is watched over
_SYSTEM = ("/proc", "/dev", "/sys")
_GIT = ("HEAD", "index", "config", "info/exclude", "packed-refs", "shallow", "info/grafts", "config.worktree")
_SETTINGS = ("~/.gitconfig", "~/.config/git/config", "~/.config/git/ignore", "/etc/gitconfig")


class InputObserver:
    """The files, folders and programs that were opened, listed and started."""

    def __init__(self) -> None:
        self.opened: dict[str, None] = {}
        self.listed: dict[str, None] = {}
        self.programs: dict[str, None] = {}

    def note_event(self, event: str, pair: tuple[Any, ...]) -> None:
        """What Python tells of itself."""
        if event == "open":
            path, _, flags = pair
            if isinstance(path, str | bytes | os.PathLike) and not flags & (os.O_WRONLY | os.O_RDWR):
                self.opened[os.fsdecode(path)] = None
        elif event in ("os.listdir", "os.scandir"):
            if isinstance(pair[0], str | bytes | os.PathLike):
                self.listed[os.fsdecode(pair[0])] = None
        elif event == "subprocess.Popen":
            self.programs[os.fsdecode(pair[0])] = None
        elif event == "tutorial_tool.external_linters":  # asked for by `--with`: what it reads itself, nobody tells
            self.programs[f"{pair[0]} beside"] = None

    def iter_paths(self, passed: Sequence[str], roots: Sequence[Path]) -> Iterator[str]:
        """The paths that were opened and listed, the folders of those, all below the roots, and what git looked at."""
        for name in (*self.opened, *self.listed):
            path = os.path.abspath(name)  # noqa: PTH100 - links are not followed
            if is_recorded(path, passed):
                yield path
                if not is_in(path, [OWN]):
                    yield os.path.dirname(path)  # noqa: PTH120
        yield from (path for root in roots for path in _iter_tree(root))
        if any(Path(program).stem == "git" for program in self.programs):
            yield from (path for root in roots for path in iter_git_paths(root))


_hearing: list[InputObserver] = []


@functools.cache
def _add_audit_hook() -> None:
    sys.addaudithook(
        lambda event, pair: _hearing[0].note_event(event, pair) if _hearing else None
    )  # nothing can end it


def begin(cached: InputObserver) -> None:
    """From here on, note what is looked at."""
    _hearing[:] = [cached]
    _add_audit_hook()


def end() -> None:
    """Note nothing more."""
    _hearing.clear()


def build_input(path: str, started: int, *, is_program: bool = False) -> Input:
    """A path as it is, and was at a time, in nanoseconds. Raises ValueError where it changed since.

    Programs are told by their times alone: to read them all (`typos` has 34 MB) took a quarter of a run of one page.
    """
    try:
        status = os.stat(path)  # noqa: PTH116
    except (FileNotFoundError, NotADirectoryError):
        return Input("none", "", "", path)
    if not cache.get_settled_stamp(status, started):
        raise ValueError(f"{path} changed meanwhile, or just before")
    kind = cache.get_kind(status)
    return Input(kind, cache.get_settled_stamp(status), "" if is_program else cache.digest(path, kind), path)


def is_recorded(path: str, passed: Sequence[str]) -> bool:
    """Whether a path is none of Python, its packages, the system and the folders that are `passed` over."""
    if "__pycache__" in path or is_in(path, passed):
        return False
    return is_in(path, [OWN]) or not is_in(path, (*_get_installed_folders(), *_SYSTEM))


def is_in(path: str, folders: Sequence[str]) -> bool:
    """Whether a path is one of some folders, or stands below one."""
    return any(path == folder or path.startswith(os.path.join(folder, "")) for folder in folders)  # noqa: PTH118


@functools.cache
def _get_installed_folders() -> tuple[str, ...]:
    """The folders of Python and its packages. What stands beside them, in the same prefix, may be a project."""
    return tuple(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib"))


def iter_program_files() -> Iterator[str]:
    """The files of this program that were loaded, and the folders whose names say what is installed."""
    modules = (getattr(module, "__file__", None) or "" for module in list(sys.modules.values()))
    yield from (path for path in modules if is_in(path, [OWN]))
    yield from (path for path in sys.path if os.path.isabs(path))  # noqa: PTH117


def digest_parents(here: Path) -> dict[str, str]:
    """The folders around one, and which settings stand in each."""
    out = {}
    for folder in here.parents:
        with suppress(OSError):
            out[str(folder)] = cache.digest(str(folder), "around")
    return out


def _iter_tree(root: Path) -> Iterator[str]:
    """All folders of a tree, and the files that say what git ignores. Raises ValueError for one that is too large."""
    seen = 0
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in NEVER_READ]
        seen += len(names) + 1
        if seen > MOST:
            raise ValueError("too large a tree")
        yield folder
        if ".gitignore" in names:
            yield os.path.join(folder, ".gitignore")  # noqa: PTH118


def iter_searched_paths(folder: Path) -> Iterator[str]:
    """What a run looks for in a folder and those around it."""
    return (str(around / name) for around in (folder, *folder.parents) for name in _ABOVE)


def iter_git_paths(folder: Path) -> Iterator[str]:
    """What git's answers about a folder depend on. Raises ValueError where that is not a plain repository."""
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
    """The user's key, made where there is none, or none that can be used. Raises OSError."""
    if (result := cache.read_key(str(base))) is not None:
        return result
    (base / "runs").mkdir(parents=True, exist_ok=True, mode=0o700)
    for old in filter(is_left_over, map(str, (base / "runs").glob("key.*"))):
        Path(old).unlink(missing_ok=True)
    aside = base / "runs" / f"key.{os.getpid()}"  # half a key would keep this user's runs from being kept, for ever
    made = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(made, os.urandom(32))
    finally:
        os.close(made)
    aside.replace(base / "key")
    return cache.read_key(str(base))


def remove_oldest(folder: Path, most: int) -> None:
    """Forget the oldest files of a folder, so that with a new one there are `most`, and what killed runs left."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    entries = [(status.st_mtime, path) for path, status in _iter_files(folder)]
    for number, (_, path) in enumerate(sorted(entries, reverse=True)):
        if number >= most - 1 or is_left_over(path):
            with suppress(OSError):
                os.unlink(path)  # noqa: PTH108


def _iter_files(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError):  # another run was faster
                yield entry.path, entry.stat()


def is_left_over(path: str) -> bool:
    """Whether a run was writing this file that is no more: behind the first dot of the name stands its number."""
    _, _, written = os.path.basename(path).partition(".")  # noqa: PTH119
    if not written or sys.platform == "win32":  # there, os.kill would end the process
        return False
    try:
        os.kill(int(written.partition(".")[0]), 0)
    except ProcessLookupError:
        return True
    except (OSError, ValueError, OverflowError):
        pass
    return False
