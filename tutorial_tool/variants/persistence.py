"""Results computed from steps, kept from one run to the next, and identified by their inputs."""

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
makes: set[Callable[..., Any]] = set()  # Functions of a step whose results contain no part of a document


@dataclass(frozen=True)
class StoredResult:
    """What an earlier run computed from a step, with a digest of all its inputs.

    `files` are those whose history was queried, and `commit` is the commit that was checked out then. `answers` are the
    results of queries to the rest of the site.
    """

    described: str
    made: Any
    files: tuple[str, ...] = ()
    commit: str = ""
    answers: tuple[tuple[Any, object], ...] = ()

    def matches_inputs(self, parts: Iterable[object]) -> bool:
        """Return whether the result was computed from these inputs."""
        return self.described == digest_inputs(parts) and self.commit == get_last_commit(self.files)


def get_last_commit(files: Iterable[str]) -> str:
    """Return the commit at HEAD of the repository that has these files; "" without a repository or files."""
    return next((blame.get_head(Path(file).parent) for file in files), "")


def register_persistent(make: _Make) -> _Make:
    """Declare that results of `make(step)` may be kept on disk: findings, names, URLs."""
    makes.add(make)
    return make


def build_stored_result(known: Any) -> StoredResult | None:
    """Return a storable result of a step, if another run can check it; else None.

    It must not depend on the whole site.
    """
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
    """Return a digest of the inputs, except settings and data, which are the same within one file."""
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
