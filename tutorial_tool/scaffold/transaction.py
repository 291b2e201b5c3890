"""Atomic changes of several files: a run killed in between is finished by the next.

A half-done rename is a project that can't be rendered, and so could not be renamed either.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from tutorial_tool.config.settings import OWN_FILE
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.fs import files
from tutorial_tool.site import Layout

FILE = ".tutorial-tool-unfinished.json"
"""A file in the project while files are written: the new bytes of each, by path, with the digest of the old ones."""


def write_all(made: Mapping[str, bytes | None], layout: Layout) -> None:
    """Write project files, and delete those without bytes; `finish_write` completes a killed run."""
    new = {path: None if data is None else b64encode(data).decode() for path, data in made.items()}
    notes = {path: [_compute_digest(layout.root / path), data] for path, data in new.items()}
    files.write(layout.root / FILE, json.dumps(notes).encode(), root=layout.root)
    _write_changes(made, layout)


def finish_write(layout: Layout) -> list[str]:
    """Finish the writes of a killed run and return the paths of its files; none if one changed since.

    The notes may be untrusted: only templates, data, docs, and this tool's configuration are written.
    """
    source = files.read(layout.root / FILE, root=layout.root, limit=files.LARGEST)
    if isinstance(source, Finding):
        return []
    try:
        made = dict(_iter_pending(json.loads(source.text), layout))
    except (ValueError, TypeError, AttributeError, OSError):
        made = {}
    _write_changes(made, layout)
    return sorted(made)


def _write_changes(made: Mapping[str, bytes | None], layout: Layout) -> None:
    root = layout.root
    gone = [root / path for path, data in made.items() if data is None]
    changed = {root / path: data for path, data in made.items() if data is not None}
    files.write_all(changed, gone, root=root)  # in this order, so that a moved file is always in one of the two places
    for folder in sorted({folder for path in gone for folder in path.parents}, key=lambda f: -len(f.parts)):
        if folder.is_relative_to(root):
            with suppress(OSError):  # it has other files
                folder.rmdir()
    (root / FILE).unlink(missing_ok=True)  # last: a run that finds this file removes what was left over


def _iter_pending(
    notes: dict[str, tuple[str | None, str | None]], layout: Layout
) -> Iterator[tuple[str, bytes | None]]:
    folders = (f"{layout.templates}/", f"{layout.docs}/")
    for path, (old, text) in notes.items():
        is_ours = path.startswith(folders) or path.endswith((".yaml", ".yml")) or path == OWN_FILE
        if not is_ours or any(part.startswith(".") for part in path.split("/")):
            raise ValueError(path)
        data = None if text is None else b64decode(text)
        if _compute_digest(layout.root / path) not in (old, None if data is None else sha256(data).hexdigest()):
            raise ValueError(path)
        yield path, data


def _compute_digest(path: Path) -> str | None:
    return sha256(path.read_bytes()).hexdigest() if path.is_file() else None
