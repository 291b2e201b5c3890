"""The shapes of a path: what it has in common with the pages that differ from it in one name."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from tutorial_tool.core.diagnostics import MAX_DEPTH
from tutorial_tool.variants import known_names, paths

WILD = "*"
Shape = tuple[str, ...]  # The parts of a path in lower case, with `*` for the name
_MAX_WORDS_OPENED_INSIDE = 6  # Of a path part that is opened in the middle: a longer one has no name there


@lru_cache(1 << 15)
def build_shapes(path: str) -> tuple[tuple[Shape, str], ...]:
    """Return the shapes of a path, each with its open text: a run of words of one part, wherever it recurs.

    `node/node-setup` has `*/*-setup`. Two known names are open at once, too: `apple/setup-swift`.
    """
    parts = paths.get_parts(path)
    out: dict[Shape, str] = {}
    if len(parts) > MAX_DEPTH:
        return ()  # there would be a shape for each pair of parts, and none on another page
    for index, part in enumerate(parts):
        for opened, name in _iter_runs(part):
            if not _may_be_name(name):
                continue
            shape = tuple(opened if i == index else _insert_wildcard(other, name) for i, other in enumerate(parts))
            out.setdefault(tuple(map(str.lower, shape)), name)
    stem_runs = [(opened, name) for opened, name in _iter_runs(parts[-1]) if known_names.is_known_name(name)]
    for index, folder in enumerate(parts[:-1]):
        for opened, _ in stem_runs if known_names.is_known_name(folder) else ():
            if opened != WILD:
                out.setdefault(tuple(map(str.lower, (*parts[:index], WILD, *parts[index + 1 : -1], opened))), folder)
    return tuple(out.items())


def get_open_places(shape: Shape) -> list[int]:
    """Return the indices of the parts of a shape that are open."""
    return [index for index, part in enumerate(shape) if WILD in part]


def get_axis(shape: Shape) -> Shape:
    """Return the folders in which the names of a shape are distinguished, and how names are framed there."""
    index = get_open_places(shape)[0]
    return (*shape[:index], shape[index] if index < len(shape) - 1 else WILD)


def _may_be_name(words: str) -> bool:
    """Return whether a run of words may be a name: no version, language, or folder for parts of pages."""
    if known_names.is_known_name(words):
        return True
    return not (paths.is_version(words) or paths.is_language(words) or words.startswith("_"))


def _iter_runs(part: str) -> Iterator[tuple[str, str]]:
    """Yield a part of a path with each run of its words open, and the run."""
    pieces = paths.split_part(part)  # words and the separators between them
    count = len(pieces) // 2 + 1
    for start in range(count):
        for end in range(start + 1, count + 1):
            value = "".join(pieces[2 * start : 2 * end - 1])
            if value and (count <= _MAX_WORDS_OPENED_INSIDE or not start or end == count):
                yield "".join((*pieces[: 2 * start], WILD, *pieces[2 * end - 1 :])), value


def _insert_wildcard(part: str, value: str) -> str:
    """Return a part of a path with a name open where it occurs as whole words."""
    if value not in part:
        return part
    return next((opened for opened, run in _iter_runs(part) if run == value), part)
