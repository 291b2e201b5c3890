"""What is kept of pure functions between runs."""

from __future__ import annotations

import pytest

from tutorial_tool.cache import results
from tutorial_tool.cache.results import Results


def test_a_result_is_made_once_for_the_same_inputs_here_and_in_the_next_program() -> None:
    calls: list[str] = []

    def make(text: str) -> int:
        calls.append(text)
        return len(text)

    first = Results()
    assert [first.get(lambda: make("abc"), "length", "abc") for _ in range(2)] == [3, 3]
    second = Results(first.get_latest())
    assert second.get(lambda: make("abc"), "length", "abc") == 3
    assert (first.has_new, second.has_new, calls) == (True, False, ["abc"])
    assert second.get(lambda: make("abc"), "words", "abc") == 3
    assert second.has_new


def test_what_was_not_asked_for_for_longest_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "MAX_REMEMBERED", 2)
    kept = Results()
    for number in (1, 2, 1, 3):
        kept.get(lambda number=number: number, number)  # type: ignore[misc]
    assert sorted(kept.get_latest().values()) == [1, 3]
