"""The parts and code files of a templated tutorial that answer to each other: `add.ios.md`, `add.android.md`."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from pathlib import Path

from tutorial_tool import site as sites
from tutorial_tool import variants
from tutorial_tool.fs import files
from tutorial_tool.site import Layout, Site
from tutorial_tool.variants import Step, Variant

_FOLDER = "steps"


def steps(site: Site, layout: Layout, overlay: Mapping[str, str]) -> Iterator[Step]:
    """The sets of parts and code files, each as a step of its own."""
    known = {id_: variant for step in variants.of(site) for id_, variant in step.variants.items()}
    folder = layout.root / layout.templates / _FOLDER
    sets: dict[str, dict[str, Path]] = {}
    below = [path for item in files.below(folder) for path in item.iterdir()] if folder.is_dir() else []
    for path in sorted(path for path in below if path.is_file()):
        if named := _split(files.shown(path, layout.root), known):
            sets.setdefault(named[0], {})[named[1]] = path
    for pattern, paths in sets.items():
        if len(paths) > 1:
            yield _step(pattern, paths, known, layout.root, overlay)


def _split(path: str, known: Mapping[str, Variant]) -> tuple[str, str] | None:
    """The path with a placeholder for the platform that its name has, and that platform."""
    folder, name = posixpath.split(path)
    parts = name.split(".")
    index = next((i for i in range(len(parts) - 2, 0, -1) if parts[i] in known), None)
    if index is None:
        return None
    shared = ".".join([*parts[:index], variants.PLACEHOLDER, *parts[index + 1 :]])
    return f"{folder}/{shared}", parts[index]


def _step(
    pattern: str, paths: Mapping[str, Path], known: Mapping[str, Variant], root: Path, overlay: Mapping[str, str]
) -> Step:
    read = sites.plain(paths.values(), root, overlay)
    by_path = {page.path: page for page in read.pages}
    pages = {id_: by_path[name] for id_, path in paths.items() if (name := files.shown(path, root)) in by_path}
    return Step(pattern, pattern, pages, {id_: known[id_] for id_ in pages}, read)
