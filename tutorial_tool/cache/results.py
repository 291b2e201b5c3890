"""Results of pure functions, cached across runs and processes by their inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, TypeVar

from tutorial_tool.cache import MAX_REMEMBERED
from tutorial_tool.cache.store import digest_key

T = TypeVar("T")


class Results:
    """Results by a digest of their inputs, ordered by last use."""

    def __init__(self, earlier: Mapping[bytes, Any] | None = None) -> None:
        self._by_key: dict[bytes, Any] = dict(earlier or {})
        self.has_new = False  # Whether there are results that no earlier run left

    def get(self, make: Callable[[], T], *inputs: object) -> T:
        """Return the result of `make()`, called once for the same inputs, identified by their `repr`."""
        key = digest_key(*inputs)
        if key in self._by_key:
            result: T = self._by_key.pop(key)
        else:
            result, self.has_new = make(), True
        self._by_key[key] = result
        return result

    def check_words(self, make: Callable[[str], object], words: Iterable[str]) -> dict[str, bool]:
        """Return whether `make(word)` is true for each word; each word is computed once."""
        key = digest_key(f"{make.__module__}.{make.__qualname__}", "of words")
        earlier: dict[str, bool] = self._by_key.pop(key, {})
        by_word = {word: earlier[word] if word in earlier else bool(make(word)) for word in words}
        self._by_key[key] = by_word
        self.has_new = self.has_new or not by_word.keys() <= earlier.keys()
        return by_word

    def get_latest(self) -> Mapping[bytes, Any]:
        """Return the most recently used results, for a later run."""
        return dict(islice(self._by_key.items(), max(0, len(self._by_key) - MAX_REMEMBERED), None))
