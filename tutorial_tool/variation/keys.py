"""Match the row keys that copies of a table write differently: retyped, or in another naming style."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from operator import eq

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

_MIN_SIMILARITY = 88  # Minimum similarity, in percent, of two keys that count as one, retyped
MAX_FUNCTION_WORD = 3  # Maximum letters of a word that says little alone: it may be a function word, and any slip
_JOINTS = str.maketrans("", "", "_-")  # Separators between the words of a name in some languages


def match_retyped(tables: Sequence[Sequence[str]]) -> Iterator[dict[str, str]]:
    """Yield, for each table, its keys that are retyped from an earlier one, with the original key.

    A key is retyped if both are nearly equal, if it differs by one letter and has the same key before or after it, or
    if it is the only key between the same neighbors.
    """
    known_keys: list[str] = []
    for keys in tables:
        free = [key for key in known_keys if key not in keys]
        known_neighbors, neighbors = _get_neighbors(known_keys), _get_neighbors(keys)
        result = {}
        for key in [key for key in keys if known_keys and key not in known_keys]:
            near = max(free, key=lambda other: fuzz.ratio(key, other), default=None)
            if near is None or fuzz.ratio(key, near) < _MIN_SIMILARITY or _get_digits(key) != _get_digits(near):
                retyped = (other for other in free if _is_retyped(key, other, neighbors[key], known_neighbors[other]))
                near = next(retyped, None)
            if near is not None:
                result[key] = near
                free.remove(near)
        yield result
        known_keys += [key for key in (result.get(key, key) for key in keys) if key not in known_keys]


def match_rewritten(tables: Sequence[Sequence[str]]) -> Iterator[dict[str, str]]:
    """Yield, for each table, its keys that join the words of an earlier key differently, with the original.

    For example, `idle_timeout` for `idletimeout`. All keys are in lower case.
    """
    known_keys: dict[str, str] = {}
    for keys in tables:
        words = {key: join_words(key) for key in keys if is_one_name(key)}
        times = Counter(words.values())
        yield {
            key: known_keys[word]
            for key, word in words.items()
            if times[word] == 1 and known_keys.get(word, key) not in words and any(map(str.isalpha, word))
        }
        for key, word in words.items():
            known_keys.setdefault(word, key)


def join_words(key: str) -> str:
    """Return a key in lower case with the joints between its words removed."""
    return key.translate(_JOINTS) if is_one_name(key) else key


def is_one_name(key: str) -> bool:
    """Return whether a key may be a name in code. Command options are not: `-v` and `--v` are two."""
    return " " not in key and not key.startswith("-")


def are_two_names(key: str, other: str) -> bool:
    """Return whether two keys of one row are different names, such as `tls` and `sslmode`."""
    if fuzz.ratio(key, other) >= _MIN_SIMILARITY or OSA.distance(key, other) <= 1:
        return False
    words, right = set(key.split()), set(other.split())
    return min(len(words), len(right)) == 1 or 2 * len(words & right) < len(words | right)


def has_wrong_letter(word: str, other: str) -> bool:
    """Return whether a word may be another one with a wrong letter."""
    return min(len(word), len(other)) > MAX_FUNCTION_WORD and OSA.distance(word, other) == 1


def _is_retyped(key: str, other: str, neighbors: tuple[str, str], other_neighbors: tuple[str, str]) -> bool:
    """Return whether a key has both neighbors of another key, or one of them and one letter that differs."""
    if neighbors == other_neighbors and all(neighbors):
        return True
    beside = any(map(eq, neighbors, other_neighbors))  # also if both are first or last
    return beside and has_wrong_letter(key, other) and _get_digits(key) == _get_digits(other)


def _get_neighbors(keys: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return the keys before and after each key; an empty one for the first and the last."""
    around = ["", *keys, ""]
    return {key: (around[at], around[at + 2]) for at, key in enumerate(keys)}


def _get_digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))
