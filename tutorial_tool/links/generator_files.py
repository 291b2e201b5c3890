"""Files that identify the program that publishes pages: they are in the folders around these."""

from __future__ import annotations

from collections.abc import Collection
from posixpath import dirname

from tutorial_tool.links.disk import Disk

OF_CODE = frozenset(
    """mix.exs rebar.config Doxyfile Doxyfile.in docfx.json typedoc.json typedoc.js jsdoc.json .jsdoc.json .yardopts
    .rdoc_options dub.json shard.yml""".split()
)
"""Marker files of code documentation generators, which write a page per module and collect all pages in one folder."""

OF_DOXYGEN = ("Doxyfile", "Doxyfile.in", "doxyfile", "doxyfile.in")
"""Marker files of Doxygen, which finds pages by the end of their path, and labels on any page."""

OF_WINDOWS = ("docfx.json", "web.config")  # Of DocFX and IIS, which seldom tell small letters from capitals

OF_GITBOOK = (".gitbook.yaml", ".gitbook.yml", ".gitbook")  # GitBook spells out some characters in heading IDs


class MarkerFiles:
    """Finds marker files; each folder is checked once."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._known: dict[Collection[str], dict[str, bool | None]] = {}

    def has(self, file: str, names: Collection[str]) -> bool:
        """Return whether a folder around a file, within the repository, contains one of these names."""
        known = self._known.setdefault(names, {})
        return self._disk.find_nearest(dirname(file), known, lambda text: self._contains_any(text, names)) is True

    def _contains_any(self, folder: str, names: Collection[str]) -> bool:
        entries = self._disk.list_entries(folder)
        return any(name in entries for name in names)
