"""Record all inputs of a run, and save what it printed.

Python reports every file that is opened, folder that is listed, and program that is started (PEP 578). It does not
report checks of whether a path exists: for those, all folders below the linted ones count as listed, and so do the
folders of all opened files; what is searched for in parent folders is recorded by name.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from tutorial_tool import cache
from tutorial_tool.cache import MAX_VALUE_BYTES, Entry, Input, PrintedText, inputs

MAX_ENTRIES = 200  # Maximum entries; the newest are kept


class Recording(inputs.InputObserver):
    """The inputs and the output of a run so far."""

    def __init__(self, arguments: list[str]) -> None:
        super().__init__()
        self.name, self.started = cache.build_name(arguments), time.time_ns()
        self.output: list[PrintedText] = []
        self.day = ""  # The day, if the run depends on it
        self.parent_digests = inputs.digest_parents(Path.cwd())
        """The parent folders, and a digest of the settings in each."""

    def save(self, code: int, roots: Iterable[Path]) -> None:
        """Save the output with all inputs; save nothing if they cannot be determined."""
        inputs.end()
        cache.recorded.clear()
        if any(Path(program).stem not in ("git", "typos") for program in self.programs):
            return  # inputs of other tools are unknown
        with suppress(OSError, ValueError):
            base = cache.get_folder()
            if base is None or (secret := inputs.get_key(Path(base))) is None:
                return
            paths = dict.fromkeys(self._iter_dependencies(list(map(Path.absolute, roots)), base))
            day = [Input("day", self.day, "", "")] if self.day else []
            entry = Entry(code, self.output, day + [self._build_input(path) for path in paths])
            if len(cache.pack(entry)) <= MAX_VALUE_BYTES:
                inputs.remove_oldest(Path(base, "runs"), MAX_ENTRIES)
                cache.write_entry(str(Path(base, "runs", self.name)), entry, secret)

    def _build_input(self, path: str) -> Input:
        """Build the input of a path. Raises ValueError if it changed during the run."""
        if path not in self.parent_digests:
            is_program = path in self.programs or path in sys.path or inputs.is_in(path, [inputs.PACKAGE])
            return inputs.build_input(path, self.started, is_program=is_program)
        if cache.digest(path, "around") != self.parent_digests[path]:
            raise ValueError(f"the settings in {path} changed during the run")
        return Input("around", cache.get_settled_stamp(os.stat(path)), self.parent_digests[path], path)  # noqa: PTH116

    def _iter_dependencies(self, roots: list[Path], base: str) -> Iterator[str]:
        yield from self.parent_digests
        yield from self.iter_paths([base], roots)
        yield from inputs.iter_program_files()
        yield from (path for path in self.programs if os.path.isabs(path))  # noqa: PTH117
        for root in dict.fromkeys([*roots, Path.cwd()]):
            yield from inputs.iter_searched_paths(root)


def begin(arguments: list[str]) -> None:
    """Start recording inputs: called before anything else is imported."""
    cache.recorded[:] = [Recording(arguments)]
    inputs.begin(cache.recorded[0])
