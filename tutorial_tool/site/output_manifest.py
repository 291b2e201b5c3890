"""Which files a run of `render` wrote: the note that it leaves in the folder names them."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

NOTE = ".tutorial-tool.json"  # Stands in a rendered folder, and names what was written


def listed(folder: Path) -> list[str]:
    """The paths that a folder's note names; none where there is no note, or none that can be read."""
    try:
        value = json.loads((folder / NOTE).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return []
    return [path for path in value if isinstance(path, str)] if isinstance(value, list) else []


def of(root: Path) -> Callable[[str], bool]:
    """Tells of paths, relative to `root`, whether the file was rendered. Each folder is looked at once."""
    base = root.absolute()

    @cache
    def written_in(folder: Path) -> frozenset[Path]:
        return frozenset(folder / path for path in listed(folder))

    @cache
    def written_around(folder: Path) -> list[frozenset[Path]]:
        return [own for around in (folder, *folder.parents) if (own := written_in(around))]

    return lambda path: any(base / path in written for written in written_around((base / path).parent))
