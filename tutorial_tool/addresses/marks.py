"""Files by which a program that publishes pages can be told: they stand in the folders around these."""

from __future__ import annotations

from collections.abc import Collection
from posixpath import dirname

from tutorial_tool.addresses.disk import Disk

OF_CODE = frozenset(
    """mix.exs rebar.config Doxyfile Doxyfile.in docfx.json typedoc.json typedoc.js jsdoc.json .jsdoc.json .yardopts
    .rdoc_options dub.json shard.yml""".split()
)
"""What those have that document code: they write a page for each module, and bring all pages into one folder."""


class Marks:
    """Looks for them; each folder is looked at once."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._known: dict[tuple[str, Collection[str]], bool] = {}

    def has(self, file: str, names: Collection[str]) -> bool:
        """Whether one of some names stands in a folder around a file, no further up than the repository goes."""
        folder = dirname(file)
        if (folder, names) not in self._known:
            entries = self._disk.entries(folder)
            is_top = folder == dirname(folder) or ".git" in entries
            found = any(name in entries for name in names)
            self._known[folder, names] = found or (not is_top and self.has(folder, names))
        return self._known[folder, names]
