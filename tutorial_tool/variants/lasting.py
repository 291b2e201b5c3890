"""What was made of steps, from one program to the next: told by what it was made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tutorial_tool.cache import blake2b
from tutorial_tool.config.settings import Config
from tutorial_tool.data.model import Model
from tutorial_tool.fs import blame
from tutorial_tool.site import Page

_Make = TypeVar("_Make", bound=Callable[..., Any])
makes: set[Callable[..., Any]] = set()  # What makes something of a step that holds no part of a document


@dataclass(frozen=True)
class StoredResult:
    """What an earlier program made of a step, and all that it was made of, told.

    `files` are those whose history was asked for, and `commit` the one that it ended with. `answers` are those of the
    rest of the site to questions.
    """

    described: str
    made: Any
    files: tuple[str, ...] = ()
    commit: str = ""
    answers: tuple[tuple[Any, object], ...] = ()

    def matches_inputs(self, parts: Iterable[object]) -> bool:
        """Whether it was made of such parts."""
        return self.described == digest_inputs(parts) and self.commit == get_last_commit(self.files)


def get_last_commit(files: Iterable[str]) -> str:
    """The commit with which the history of some files ends; "" where they have none."""
    return next((blame.get_head(Path(file).parent) for file in files), "")


def register_persistent(make: _Make) -> _Make:
    """Declare that what `make(step)` gives may be kept on disk: findings, names, addresses."""
    makes.add(make)
    return make


def build_stored_result(known: Any) -> StoredResult | None:
    """What was made of a step, if another program can tell whether it still holds: the whole site was not asked."""
    if isinstance(known, StoredResult):
        return known
    state, asked, made = known
    files = tuple(map(str, asked.file_times))
    return (
        None
        if asked.uses_site
        else StoredResult(digest_inputs(state), made, files, get_last_commit(files), tuple(asked.answers.items()))
    )


def digest_inputs(parts: Iterable[object]) -> str:
    """The parts that something was made of, but the settings and the data, which are the same in one file."""
    return blake2b(
        repr([_normalize_part(part) for part in parts]).encode("utf-8", "surrogatepass"), digest_size=16
    ).hexdigest()


def _normalize_part(part: object) -> object:
    if isinstance(part, Page):
        return part.path, part.digest, part.dialect.value
    if isinstance(part, (set, frozenset)):
        return sorted(repr(_normalize_part(item)) for item in part)
    if isinstance(part, tuple) and type(part) is tuple:
        return [_normalize_part(item) for item in part]
    return "" if isinstance(part, (Config, Model)) else repr(part)
