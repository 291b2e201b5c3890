"""The folder that is rendered into: what an earlier run left there is told from the files of somebody else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from tutorial_tool.core.errors import TutorialToolError
from tutorial_tool.fs import files as files_
from tutorial_tool.site import output_manifest
from tutorial_tool.site.output_manifest import NOTE


class FolderNotEmpty(TutorialToolError):
    """The target folder holds files that were not rendered."""


def write(folder: Path, contents: Mapping[str, bytes], *, force: bool = False) -> int:
    """Write the files, and delete those of an earlier run that are gone: all or nothing. Returns how many there are.

    Raises `NotEmpty` for a folder with other files in it, unless `force`, and `Error` where nothing can be written.
    """
    before = output_manifest.listed(folder)
    if not force and not before and not _is_ours(folder, contents):
        raise FolderNotEmpty(f"{folder} holds other files: name an empty folder, or use --force")
    old = [path for path in before if path not in contents and not files_.unsafe(path)]
    known = _listed([*contents, *old])  # a run that is killed before its end still knows what to delete
    targets = {folder / path: content for path, content in {**contents, NOTE: known}.items()}
    gone = [folder / path for path in old]
    folder.mkdir(parents=True, exist_ok=True)
    files_.sweep(files_.below(folder))  # and one that was killed may have left files where nothing is written any more
    if gone:
        files_.write(folder / NOTE, known, root=folder)
    files_.write_all(targets, gone, root=folder)
    if gone:
        files_.write(folder / NOTE, _listed(contents), root=folder)
    return len(contents)


def _listed(paths: Iterable[str]) -> bytes:
    return (json.dumps(sorted(paths), indent=0) + "\n").encode()


def _is_ours(folder: Path, contents: Mapping[str, bytes]) -> bool:
    """Whether a folder is empty, or holds what a run that was killed had written by then."""
    paths = [path for path in folder.rglob("*") if path.is_file() or path.is_symlink()] if folder.is_dir() else []
    left = set(files_.sweep({path.parent for path in paths}))
    return all(_is_same(path, contents.get(path.relative_to(folder).as_posix())) for path in paths if path not in left)


def _is_same(path: Path, content: bytes | None) -> bool:
    return content is not None and path.stat().st_size == len(content) and path.read_bytes() == content
