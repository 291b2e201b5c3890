"""Results computed from steps, kept from one run to the next, and identified by their inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from tutorial_tool.cache import blake2b
from tutorial_tool.config.settings import Config
from tutorial_tool.data.model import Model
from tutorial_tool.site import Page

F = TypeVar("F", bound=Callable[..., Any])
persistent_functions: set[Callable[..., Any]] = set()  # Functions of a step whose results contain no part of a document


@dataclass(frozen=True)
class StoredResult:
    """What an earlier run computed from a step, with a digest of all its inputs.

    `answers` are the results of queries to the rest of the site.
    """

    inputs_digest: str
    result: Any
    answers: tuple[tuple[Any, object], ...] = ()


def register_persistent(make: F) -> F:
    """Declare that results of `make(step)` may be kept on disk: findings, names, URLs."""
    persistent_functions.add(make)
    return make


def build_stored_result(cached: Any) -> StoredResult | None:
    """Return a storable result of a step, if another run can check it; else None.

    It must not depend on the whole site.
    """
    if isinstance(cached, StoredResult):
        return cached
    inputs, dependencies, result = cached
    answers = tuple(dependencies.answers.items())
    return None if dependencies.uses_site else StoredResult(digest_inputs(inputs), result, answers)


def digest_inputs(inputs: Iterable[object]) -> str:
    """Return a digest of the inputs, except settings and data, which are the same within one file."""
    text = repr(list(map(_normalize_input, inputs)))
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _normalize_input(value: object) -> object:
    if isinstance(value, Page):
        return value.path, value.digest, value.dialect.value
    if isinstance(value, (set, frozenset)):
        return sorted(repr(_normalize_input(item)) for item in value)
    if isinstance(value, tuple) and type(value) is tuple:
        return [_normalize_input(item) for item in value]
    return "" if isinstance(value, (Config, Model)) else repr(value)
