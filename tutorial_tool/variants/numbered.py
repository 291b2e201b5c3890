"""Number prefixes of file and folder names, which sort trees: `04-svelte` is named `svelte`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
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
_MOST = 2 / 3  # Minimum share of sibling names with numbers, for these to be their order
_Said = Callable[[str, str], bool]


class _Name(NamedTuple):
    """A name of a file or folder without its number."""

    before: str
    levels: tuple[str, ...]
    name: str

    def drop_levels(self, levels: int) -> str:
        """Return the name without the given number of levels of its number."""
        return self.before + "".join(self.levels[levels:]) + self.name

    @property
    def normalized(self) -> str:
        """The name without any number, in lower case."""
        return f"{self.before}{self.name}".lower()

    @property
    def phrases(self) -> Iterator[str]:
        """The number with an adjacent word, as a text would have it if it were part of the topic."""
        number = self.levels[0].strip("-_. )")
        yield f"{number}-{paths.get_tokens(self.name)[0]}"
        if before := paths.get_tokens(self.before):
            yield f"{before[-1]}-{number}"


def strip_numbers(matches: Iterable[str]) -> dict[str, str]:
    """Return the names of siblings without the numbers that put them in order."""
    return _strip_order(dict.fromkeys(matches, ()), lambda _path, _text: False)


def strip_path_numbers(pages: Iterable[str], says: _Said) -> dict[str, str]:
    """Return the paths of pages without the numbers that sort files and folders, by path.

    `says(path, text)` returns whether a page has a text within a sentence: its number is then part of its name.
    """
    split = {path: path.split("/") for path in pages}
    below: dict[tuple[str, ...], dict[str, list[str]]] = {}
    for parts in split.values():
        for place, part in enumerate(parts):
            if any(map(str.isdigit, part)):
                below.setdefault(tuple(parts[:place]), {})
    for path, parts in split.items():
        for place, part in enumerate(parts):
            if (beside := below.get(tuple(parts[:place]))) is not None:
                is_page = place == len(parts) - 1
                beside.setdefault(_get_stem(part) if is_page else part, []).append(path)
    called = {folder: _strip_order(beside, says) for folder, beside in below.items()}
    return {path: _join_path(parts, called) if called else path for path, parts in split.items()}


def _join_path(parts: list[str], called: Mapping[tuple[str, ...], Mapping[str, str]]) -> str:
    folders = [called.get(tuple(parts[:place]), {}).get(part, part) for place, part in enumerate(parts[:-1])]
    stem = _get_stem(parts[-1])
    return "/".join((*folders, called.get(tuple(parts[:-1]), {}).get(stem, stem) + parts[-1][len(stem) :]))


def _get_stem(name: str) -> str:
    return name.rpartition(".")[0] or name


def _strip_order(beside: Mapping[str, Iterable[str]], says: _Said) -> dict[str, str]:
    """Return sibling names without numbers, if most have one and pages do not use it as part of the topic.

    The values of `beside` are the paths of the pages at each name. An index has no number.
    """
    counted = [name for name in beside if name.lower() not in paths.INDEXES]
    by_name = {name: number for name in counted if (number := _parse_name(name))}
    starts = Counter(number.before.lower() for number in by_name.values())
    before = max(starts, key=lambda start: starts[start], default="")
    by_name = {name: number for name, number in by_name.items() if number.before.lower() == before}
    if not _are_most(by_name, counted) or (
        before and len({number.levels for number in by_name.values()}) < len(by_name)
    ):
        return {}
    depth = min(len(number.levels) for number in by_name.values())
    left = Counter(by_name[name].normalized if name in by_name else name.lower() for name in counted)
    kept = {
        name: number.drop_levels(depth)
        for name, number in by_name.items()
        if left[number.normalized] == 1 and not _is_stated(number, beside[name], says)
    }
    return kept if _are_most(kept, counted) else {}


def _is_stated(number: _Name, pages: Iterable[str], says: _Said) -> bool:
    """Return whether a page uses its number as part of its topic."""
    return any(says(path, text) for path in pages for text in number.phrases)


def _are_most(some: Collection[str], names: Collection[str]) -> bool:
    return len(some) >= max(2, _MOST * len(names))


def _parse_name(name: str) -> _Name | None:
    match = _NUMBERED.fullmatch(name)
    if not match or paths.is_version(name) or paths.is_version(match["name"]):
        return None
    return _Name(match["before"], tuple(_ONE_LEVEL.findall(match["levels"])), match["name"])


def is_at_path(path: str, stated: str) -> bool:
    """Return whether a page is at a path without suffix, or in its folder, ignoring sorting numbers."""
    parts, wanted = ([_get_bare_name(part) for part in text.split("/")] for text in (_get_stem(path), stated))
    return parts[: len(wanted)] == wanted


def _get_bare_name(name: str) -> str:
    result = _parse_name(name)
    return result.normalized if result else name.lower()
