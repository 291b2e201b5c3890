"""A change of several files, none of which can be left out: a run that was killed between two is finished by the next.

Half a rename is a project that cannot be rendered, and so could not be renamed either.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.fs import files
from tutorial_tool.site import Layout

FILE = ".tutorial-tool-unfinished.json"
"""Lies in the project while files are written: the new text of each, by path, with the digest of the old one."""


def write_all(made: Mapping[str, bytes], layout: Layout) -> None:
    """Write files of a project; a run that is killed leaves what `finish` needs."""
    root = layout.root
    notes = {path: [_digest(root / path), data.decode()] for path, data in made.items()}
    files.write(root / FILE, json.dumps(notes).encode(), root=root)
    files.write_all({root / path: data for path, data in made.items()}, root=root)
    (root / FILE).unlink()


def finish(layout: Layout) -> list[str]:
    """Write what a killed run did not come to, and return the paths of its files; none where one changed since.

    The notes may come from a stranger: templates and data are written, and nothing else.
    """
    source = files.read(layout.root / FILE, root=layout.root)
    if isinstance(source, Finding):
        return []
    try:
        made = dict(_read(json.loads(source.text), layout))
    except (ValueError, TypeError, AttributeError, OSError):
        made = {}
    files.write_all({layout.root / path: data for path, data in made.items()}, [layout.root / FILE], root=layout.root)
    return sorted(made)


def _read(notes: dict[str, tuple[str, str]], layout: Layout) -> Iterator[tuple[str, bytes]]:
    for path, (old, text) in notes.items():
        is_ours = path.startswith(f"{layout.templates}/") or path.endswith((".yaml", ".yml"))
        if not is_ours or any(part.startswith(".") for part in path.split("/")):
            raise ValueError(path)
        data = text.encode()
        if _digest(layout.root / path) not in (old, sha256(data).hexdigest()):
            raise ValueError(path)
        yield path, data


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()
