"""Serialize the facts of a page and its findings, for another process or a later run."""

from __future__ import annotations

import copyreg
import io
import pickle
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cache
from importlib import import_module
from typing import Any

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Source
from tutorial_tool.linter import rule_cache
from tutorial_tool.linter.rule_cache import CachedFindings
from tutorial_tool.site import Page, Site, page_facts
from tutorial_tool.variants import Step, persistence

_PACKAGE = __name__.partition(".")[0]
_PLAIN = ("collections", "Counter")  # The only other type in results


def serialize_page(page: Page, *settings: object) -> bytes:
    """Serialize the facts of a page checked under these settings; the page caches the result."""
    functions = [function for function in page_facts.list_registered() if function in page.cache]
    # the same for all pages: read once
    names = "\n".join(f"{function.__module__}:{function.__name__}" for function in functions)
    results = [page.cache[function][1] for function in functions]
    findings = rule_cache.load_page_findings(page, settings).findings
    return dump_pickle((names, results, findings), {page.source.path: page.source})


def restore_page(cached: CachedFindings, page: Page, serialized: bytes, pages: Mapping[str, Page]) -> None:
    """Restore what `serialize_page` returned, so that the page need not be checked again.

    `pages` are all those of the site, by path.
    """
    names, results, findings = load_pickle(serialized, pages)
    by_function = zip(_find_functions(names), results, strict=True)
    page.cache.update((function, ((), result)) for function, result in by_function)
    cached.findings.update(findings)


def serialize_step(
    cached: CachedFindings, findings: Mapping[str, Sequence[Finding]], sources: Mapping[str, Source]
) -> bytes:
    """Serialize a step and these new findings, for `restore_step`."""
    assert isinstance(cached.subject, Step)
    page_cache = cached.subject.first_page.cache
    results = {
        function: stored
        for function in persistence.persistent_functions
        if function in page_cache and (stored := persistence.build_stored_result(page_cache[function]))
    }
    return dump_pickle((findings, tuple(cached.findings), cached.dependency.answers, results), sources)


def restore_step(
    cached: CachedFindings, serialized: bytes, pages: Mapping[str, Page], sources: Mapping[str, Source]
) -> Mapping[str, tuple[Finding, ...]]:
    """Restore a step from what `serialize_step` returned, and return its findings by rule.

    The step need not be checked again.
    """
    assert isinstance(cached.subject, Step)
    findings: Mapping[str, tuple[Finding, ...]]
    findings, cacheable, answers, results = _Unpickler(serialized, pages, sources.__getitem__).load()
    cached.findings.update((name, findings[name]) for name in cacheable)
    cached.dependency.answers.update(answers)
    cached.subject.first_page.cache.update(results)
    return findings


def load_pickle(data: bytes, pages: Mapping[str, Page]) -> Any:
    """Load a pickle with this run's pages.

    Raises: KeyError for a missing page, and UnpicklingError for foreign types.
    """
    return _Unpickler(data, pages, lambda path: pages[path].source).load()


def dump_pickle(value: object, sources: Mapping[str, Source]) -> bytes:
    """Serialize data about pages, with references to pages and given sources; include other files."""
    data = io.BytesIO()

    def reduce_source(source: Source) -> tuple[object, tuple[str, ...]]:
        is_own = sources.get(source.path) is source
        return (_SourceReference, (source.path,)) if is_own else (Source, (source.path, source.raw))

    _Pickler(data, reduce_source).dump(value)
    return data.getvalue()


def load_findings(data: bytes, site: Site) -> Any:
    """Load pickled findings with the sources of the site in this process."""
    return _Unpickler(data, {page.path: page for page in site.pages}, index_sources(site).__getitem__).load()


def index_sources(site: Site) -> Mapping[str, Source]:
    """Return all sources of a site that were read so far, by path."""
    return {page.source.path: page.source for page in site.pages} | site.sources


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO, reduce_source: Callable[[Source], Any]) -> None:
        super().__init__(file, protocol=pickle.HIGHEST_PROTOCOL)
        self.dispatch_table = copyreg.dispatch_table.copy()
        self.dispatch_table[Page] = lambda page: (_PageReference, (page.path,))
        self.dispatch_table[Source] = reduce_source


class _Unpickler(pickle.Unpickler):
    def __init__(self, data: bytes, pages: Mapping[str, Page], get_source: Callable[[str], Source]) -> None:
        super().__init__(io.BytesIO(data))
        self._named = {_PageReference.__name__: pages.__getitem__, _SourceReference.__name__: get_source}

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("builtins", "getattr"):  # before Python 3.11.4, Enum members are pickled with it
            return _get_member
        return self._named.get(name) or _find_class(module, name)


def _get_member(enum_class: object, name: str) -> Enum:
    if not (isinstance(enum_class, type) and issubclass(enum_class, Enum)):
        raise pickle.UnpicklingError(f"{enum_class} has no members")
    return enum_class[name]


@cache
def _find_functions(names: str) -> tuple[Any, ...]:
    return tuple(_find_class(*name.split(":")) for name in names.split("\n") if name)


@cache
def _find_class(module: str, name: str) -> Any:
    if module.partition(".")[0] != _PACKAGE and (module, name) != _PLAIN:
        raise pickle.UnpicklingError(f"{module}.{name} is none of ours")
    return getattr(import_module(module), name)


class _PageReference:
    """A reference to a page by its path."""


class _SourceReference:
    """A reference to the source of a page by its path."""
