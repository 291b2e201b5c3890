"""Read the manifest in which `render` lists the files that it wrote to a folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

MANIFEST = ".tutorial-tool.json"  # In a rendered folder; lists the files that were written


def read_paths(folder: Path) -> list[str]:
    """Return the paths in a folder's manifest; none if it is missing or unreadable."""
    try:
        paths = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return []
    return [path for path in paths if isinstance(path, str)] if isinstance(paths, list) else []


def build_filter(root: Path) -> Callable[[str], bool]:
    """Build a function that checks whether a path, relative to `root`, was rendered.

    Each folder's manifest is read once.
    """
    base = root.absolute()

    @cache
    def list_written(folder: Path) -> frozenset[Path]:
        return frozenset(folder / path for path in read_paths(folder))

    @cache
    def list_written_around(folder: Path) -> list[frozenset[Path]]:
        return [paths for parent in (folder, *folder.parents) if (paths := list_written(parent))]

    return lambda path: any(base / path in paths for paths in list_written_around((base / path).parent))
