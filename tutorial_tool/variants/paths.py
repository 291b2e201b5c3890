"""How the paths of two pages differ: by a platform, by a version or language (never one), or by more."""

from __future__ import annotations

import posixpath
import re
from functools import cache, lru_cache
from typing import NamedTuple

from tutorial_tool.core import language, lazy_re

INDEXES = frozenset(("index", "_index", "readme"))  # File names that represent their folder
_SPLIT = lazy_re.compile(r"([-_. ]+)")
_VERSION = lazy_re.compile(
    r"(?:v|ver|version|release|r)?[-_.]?\d+(?:[-_.](?:\d+|x))*(?:[-_.]?(?:x|rc|alpha|beta|preview)\d*)?"
    r"|latest|next|current|stable|legacy|old|new|nightly|canary|deprecated|archive|alpha|beta|preview|lts"
    r"|drafts?|wip|unreleased|unpublished",
    re.IGNORECASE,
)
_LOCALE_PART = lazy_re.compile(
    r"(?P<before>(?:.*?[_.-])?)(?P<locale>[a-z]{2}(?:[-_](?:[A-Z]{2}|[A-Za-z][a-z]{3}|\d{3}|[a-z]{2}))?)"
)
"""A part of a path that is a language, or ends with one: `de`, `pt-BR`, `intro.de`."""
_LOCALES = frozenset(("i18n", "l10n", "lang", "langs", "language", "languages", "locale", "locales", "translations"))
"""Folders of translations."""
_ENGLISH = lazy_re.compile(r"en(?:[-_]\w+)?", re.IGNORECASE)


class PathDifference(NamedTuple):
    """Where two paths differ: the 0-based numbers of the parts, and each text without common tokens."""

    positions: tuple[int, ...]
    left: tuple[str, ...]
    right: tuple[str, ...]


@cache
def get_parts(path: str) -> tuple[str, ...]:
    """Return the folders of a page and its stem; an index page is its folder."""
    folder, name = posixpath.split(path)
    stem = name.rpartition(".")[0] or name
    folders = tuple(folder.split("/")) if folder else ()
    return folders if stem.lower() in INDEXES and folders else (*folders, stem)


def is_index(path: str) -> bool:
    """Return whether a page is the index of its folder."""
    return posixpath.basename(path).rpartition(".")[0].lower() in INDEXES


@lru_cache(100_000)
def find_difference(left: str, right: str) -> PathDifference | None:
    """Return how two paths differ.

    None if they have different numbers of parts, differ in no part or in more than two, or differ by a version, a
    language, or the order of names.
    """
    left_parts, right_parts = get_parts(left), get_parts(right)
    if len(left_parts) != len(right_parts):
        return None
    positions = tuple(i for i, (x, y) in enumerate(zip(left_parts, right_parts, strict=True)) if x != y)
    if not 1 <= len(positions) <= 2 or not all(may_separate_variants(left_parts, right_parts, i) for i in positions):
        return None
    slugs = [strip_common_tokens(left_parts[i], right_parts[i]) for i in positions]
    left_slugs, right_slugs = zip(*slugs, strict=True)
    if not {*map(str.lower, left_slugs)}.isdisjoint(map(str.lower, right_slugs)):
        return None  # `ios/web` and `web/ios` are not variants
    return PathDifference(positions, left_slugs, right_slugs)


def may_separate_variants(left: tuple[str, ...], right: tuple[str, ...], index: int) -> bool:
    """Return whether a part in which two paths differ may separate variants: no version, no language."""
    return not _is_version(*strip_common_tokens(left[index], right[index])) and not is_locale(left, right, index)


@lru_cache(1 << 14)  # steps are compared with each other, but have few folders
def strip_common_tokens(left: str, right: str) -> tuple[str, str]:
    """Return two parts without common tokens: `install-ios` and `install-web` are `ios` and `web`.

    If nothing would be left of one of them, both are returned unchanged.
    """
    a, b = _SPLIT.split(left), _SPLIT.split(right)
    start = 0
    while start < min(len(a), len(b)) and a[start].lower() == b[start].lower():
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end].lower() == b[-1 - end].lower():
        end += 1
    shorter = ["".join(tokens[start : len(tokens) - end]).strip("-_. ") for tokens in (a, b)]
    return (shorter[0], shorter[1]) if all(shorter) else (left, right)


def split_part(part: str) -> list[str]:
    """Return the words of a part of a path, with the separators in between."""
    return _SPLIT.split(part)


def get_tokens(part: str) -> list[str]:
    """Return the words of a part of a path, in lower case."""
    return [token.lower() for token in _SPLIT.split(part)[::2] if token]


def is_version(part: str) -> bool:
    """Return whether a part of a path is a version or a year."""
    return _VERSION.fullmatch(part) is not None


@lru_cache(1 << 14)
def _is_version(left: str, right: str) -> bool:
    """Return whether two parts are versions of one thing, including `lib` and `lib-v1`."""
    a, b = ([token for token in get_tokens(part) if not is_version(token)] for part in (left, right))
    return a == b or is_version(left) or is_version(right)


def is_language(part: str) -> bool:
    """Return whether a part of a path is only a language: `it`, `pt-BR`."""
    match = _LOCALE_PART.fullmatch(part)
    return match is not None and not match["before"] and match["locale"][:2] in language.CODES


def is_locale(left: tuple[str, ...], right: tuple[str, ...], index: int) -> bool:
    """Return whether the part at `index` of two paths is a language, not a platform.

    It is one if only the language is added (`intro`, `intro.de`), if both are language codes, if it is below a folder
    of translations, or if one is English or has a region.
    """
    left_match, right_match = (_LOCALE_PART.fullmatch(part) for part in (left[index], right[index]))
    for match, other in ((left_match, right[index]), (right_match, left[index])):
        if match and match["before"] == f"{other}." and match["locale"][:2] in language.CODES:  # `intro` and `intro.de`
            return True
    if not left_match or not right_match or left_match["before"] != right_match["before"]:
        return False
    if {left_match["locale"], right_match["locale"]} <= language.CODES:
        return True
    if any(folder.lower() in _LOCALES for folder in left[:index]):
        return True
    locales = (left_match["locale"], right_match["locale"])
    return any(_ENGLISH.fullmatch(locale) or len(locale) > 2 for locale in locales)
