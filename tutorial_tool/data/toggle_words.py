"""Words for states, such as `Enabled` and `Off`: values of settings in tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

_OWN = -1  # The group of the words that a project defines


class State(NamedTuple):
    """The state of a value: `on` or off, with a `kind` of word; kinds of one `group` are synonyms."""

    group: int
    kind: int
    on: bool


def normalize_text(text: str) -> str:
    """Normalize a cell for comparison: drop case, outer white space and emphasis, and a final period."""
    return " ".join(text.split()).strip(" *_").rstrip(".").strip().lower()


@cache
def load_states() -> Mapping[str, State]:
    """Return the state words, in lower case."""
    out: dict[str, State] = {}
    text = Path(__file__).with_name("toggle_words.txt").read_text(encoding="utf-8")
    group = 0
    for kind, line in enumerate(text.splitlines()):
        group += not line
        for on, words in zip((True, False), [] if line[:1] in ("", "#") else line.split("|"), strict=False):
            out.update((word.strip(), State(group, kind, on)) for word in words.split(","))
    return out


def merge_states(on: Sequence[str], off: Sequence[str]) -> Mapping[str, State]:
    """Return the state words with a project's own. Words at the same index of both lists are of one kind."""
    project_states = {
        normalize_text(word): State(_OWN, kind, is_on)
        for is_on, words in ((True, on), (False, off))
        for kind, word in enumerate(words)
    }
    return {**load_states(), **project_states} if project_states else load_states()


def get_state(text: str, known: Mapping[str, State] | None = None) -> State | None:
    """Return the state of a cell that holds only a state word; `known` are a project's words."""
    return (load_states() if known is None else known).get(normalize_text(text))
