"""Number prefixes of file and folder names, which sort trees: `04-svelte` is named `svelte`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.variants import paths

_LEVEL = r"(?:\d{1,3}|0\d{3})(?:\)[-_. ]*|[-_. ]+)"
_NUMBERED = lazy_re.compile(
    rf"(?P<before>(?:[^\W\d_](?:[^\W\d_]|[-_. ])*[-_. ])?)(?P<levels>(?:{_LEVEL})+)(?P<name>(?=\w*[^\W\d_]).+)"
)
"""A number of one or more levels, alone or after the same prefix as its neighbors: `4.svelte`, `set-up-04-svelte`.

A year, and so a date, is none.
"""
_ONE_LEVEL = lazy_re.compile(_LEVEL)
_MIN_SHARE_NUMBERED = 2 / 3  # Minimum share of sibling names with numbers, for these to be their order


class _Name(NamedTuple):
    """A name of a file or folder without its number."""

    prefix: str
    levels: tuple[str, ...]
    name: str

    def drop_levels(self, levels: int) -> str:
        """Return the name without the given number of levels of its number."""
        return self.prefix + "".join(self.levels[levels:]) + self.name

    @property
    def normalized(self) -> str:
        """The name without any number, in lower case."""
        return f"{self.prefix}{self.name}".lower()


def strip_numbers(names: Iterable[str]) -> dict[str, str]:
    """Return the names of siblings without the numbers that put them in order."""
    return _strip_order(dict.fromkeys(names))


def strip_path_numbers(pages: Iterable[str]) -> dict[str, str]:
    """Return the paths of pages without the numbers that sort files and folders, by path."""
    split = {path: path.split("/") for path in pages}
    siblings_by_folder: dict[tuple[str, ...], dict[str, None]] = {}
    for parts in split.values():
        for depth, part in enumerate(parts):
            if any(map(str.isdigit, part)):
                siblings_by_folder.setdefault(tuple(parts[:depth]), {})
    for parts in split.values():
        for depth, part in enumerate(parts):
            if (siblings := siblings_by_folder.get(tuple(parts[:depth]))) is not None:
                is_page = depth == len(parts) - 1
                siblings[_get_stem(part) if is_page else part] = None
    bare_names = {folder: _strip_order(siblings) for folder, siblings in siblings_by_folder.items()}
    return {path: _join_path(parts, bare_names) if bare_names else path for path, parts in split.items()}


def _join_path(parts: list[str], bare_names: Mapping[tuple[str, ...], Mapping[str, str]]) -> str:
    folders = [bare_names.get(tuple(parts[:depth]), {}).get(part, part) for depth, part in enumerate(parts[:-1])]
    stem = _get_stem(parts[-1])
    return "/".join((*folders, bare_names.get(tuple(parts[:-1]), {}).get(stem, stem) + parts[-1][len(stem) :]))


def _get_stem(name: str) -> str:
    return name.rpartition(".")[0] or name


def _strip_order(names: Iterable[str]) -> dict[str, str]:
    """Return sibling names without numbers, if most have one. An index has no number."""
    numberable = [name for name in names if name.lower() not in paths.INDEXES]
    by_name = {name: parsed for name in numberable if (parsed := _parse_name(name))}
    prefixes = Counter(parsed.prefix.lower() for parsed in by_name.values())
    prefix = max(prefixes, key=lambda start: prefixes[start], default="")
    by_name = {name: parsed for name, parsed in by_name.items() if parsed.prefix.lower() == prefix}
    if not _are_most(by_name, numberable) or (
        prefix and len({parsed.levels for parsed in by_name.values()}) < len(by_name)
    ):
        return {}
    depth = min(len(parsed.levels) for parsed in by_name.values())
    bare_counts = Counter(by_name[name].normalized if name in by_name else name.lower() for name in numberable)
    stripped = {
        name: parsed.drop_levels(depth) for name, parsed in by_name.items() if bare_counts[parsed.normalized] == 1
    }
    return stripped if _are_most(stripped, numberable) else {}


def _are_most(numbered: Collection[str], names: Collection[str]) -> bool:
    return len(numbered) >= max(2, _MIN_SHARE_NUMBERED * len(names))


def _parse_name(name: str) -> _Name | None:
    match = _NUMBERED.fullmatch(name)
    if not match or paths.is_version(name) or paths.is_version(match["name"]):
        return None
    return _Name(match["before"], tuple(_ONE_LEVEL.findall(match["levels"])), match["name"])


def is_at_path(path: str, wanted_path: str) -> bool:
    """Return whether a page is at a path without suffix, or in its folder, ignoring sorting numbers."""
    parts, wanted = ([_get_bare_name(part) for part in text.split("/")] for text in (_get_stem(path), wanted_path))
    return parts[: len(wanted)] == wanted


def _get_bare_name(name: str) -> str:
    result = _parse_name(name)
    return result.normalized if result else name.lower()
