"""Notes all that a run looks at, and keeps what it printed.

Python tells of every file that is opened, folder that is listed and program that is started (PEP 578). It does not tell
of questions whether a path exists: for those, all folders below what was linted count as listed, and so do the folders
of all files that were opened; what is looked for in the folders above is noted by name.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from tutorial_tool import cache
from tutorial_tool.cache import Entry, Input, Said, inputs

NEVER_READ = frozenset((".git", "node_modules", "__pycache__"))
"""Folders of which nothing is a part of a project, wherever they stand."""
LARGEST = 4_000_000  # Bytes of the longest entry
MOST = 50_000  # Folders and files of a tree that is watched over
ENTRIES = 200  # Entries that are kept, the newest


class Recording(inputs.Heard):
    """What a run has looked at so far, and said."""

    def __init__(self, arguments: list[str]) -> None:
        super().__init__()
        self.name, self.started = cache.name_of(arguments), time.time_ns()
        self.said: list[Said] = []
        self.day = ""  # The day, if the run asked for it
        self.around = dict(_around(Path.cwd()))
        """The folders around this one, and which settings stand in each."""

    def keep(self, code: int, roots: Iterable[Path]) -> None:
        """Keep what was said while all that was looked at stays as it is; nothing, where that cannot be known."""
        inputs.end()
        cache.recorded.clear()
        if any(Path(program).stem not in ("git", "typos") for program in self.programs):
            return  # what another tool depends on, nobody knows
        with suppress(OSError, ValueError):
            base = cache.folder()
            if base is None or (secret := inputs.key(Path(base))) is None:
                return
            paths = dict.fromkeys(self._paths([root.absolute() for root in roots], base))
            day = [Input("day", self.day, "", "")] if self.day else []
            entry = Entry(code, self.said, day + [self._input(path) for path in paths])
            if len(cache.packed(entry)) <= LARGEST:
                inputs.sweep(Path(base, "runs"), ENTRIES)
                cache.keep(str(Path(base, "runs", self.name)), entry, secret)

    def _input(self, path: str) -> Input:
        """A path as it is, and was when the run began. Raises ValueError where it changed meanwhile."""
        if path not in self.around:
            is_program = path in self.programs or path in sys.path or inputs.is_in(path, [inputs.OWN])
            return inputs.taken(path, self.started, is_program=is_program)
        if cache.digest(path, "around") != self.around[path]:
            raise ValueError(f"the settings in {path} changed during the run")
        return Input("around", cache.settled(os.stat(path)), self.around[path], path)  # noqa: PTH116

    def _paths(self, roots: list[Path], base: str) -> Iterator[str]:
        """All that the output depends on."""
        yield from self.around
        for name in (*self.opened, *self.listed):
            path = os.path.abspath(name)  # noqa: PTH100 - links are not followed
            if inputs.is_recorded(path, [base]):
                yield path
                if not inputs.is_in(path, [inputs.OWN]):
                    yield os.path.dirname(path)  # noqa: PTH120
        yield from inputs.program()
        yield from (path for path in self.programs if os.path.isabs(path))  # noqa: PTH117
        for root in dict.fromkeys([*roots, Path.cwd()]):
            yield from inputs.above(root)
        yield from (path for root in roots for path in _below(root))
        if any(Path(program).stem == "git" for program in self.programs):
            yield from (path for root in roots for path in inputs.of_git(root))


def _around(here: Path) -> Iterator[tuple[str, str]]:
    for folder in here.parents:
        with suppress(OSError):
            yield str(folder), cache.digest(str(folder), "around")


def _below(root: Path) -> Iterator[str]:
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


def begin(arguments: list[str]) -> None:
    """From here on, note what is looked at: called before anything else is imported."""
    cache.recorded[:] = [Recording(arguments)]
    inputs.begin(cache.recorded[0])
