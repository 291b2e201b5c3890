"""Findings on the pages of a tree, and the facts of each page, cached on disk for later runs.

An unchanged page is neither parsed nor checked again: only comparisons of pages are made in each run. The cache key is
the content of a page, its path below the root, and the settings, but not the location of the tree or modification
times.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path

from tutorial_tool.cache import digest, inputs, store
from tutorial_tool.cache.results import Results
from tutorial_tool.config.settings import Config
from tutorial_tool.core.source import Source
from tutorial_tool.linter import rule_cache, serialization
from tutorial_tool.site import Memory, Page, Site
from tutorial_tool.variants import persistence, tab_steps

FORM = "tutorial-tool pages 9"  # Increment when the cached data of a page changes
MIN_PAGES = 5  # Minimum pages of a tree that is cached: fewer are linted as fast as the cache is read


@contextmanager
def reuse_results(site: Site, config: Config, memory: Memory) -> Iterator[None]:
    """Restore the cached results for the pages of a plain tree, and cache the new ones afterwards."""
    if len(site.pages) < MIN_PAGES or site.is_project:
        yield
        return
    base_key = store.digest_key(
        FORM, _describe_program(), _describe_setting(config), _describe_setting(config.full_vocabulary)
    )
    settings = (config, site.is_project)
    page_keys = {
        page: store.digest_key(base_key, "page", page.path, page.digest, page.dialect.value, page.is_link_only)
        for page in site.pages
    }
    site_key = store.digest_key(base_key, "site", min((page.path for page in site.pages), key=store.digest_key))
    stored = store.read([*page_keys.values(), site_key])
    pages = {page.path: page for page in site.pages}
    for page in site.pages:
        if (facts := stored.get(page_keys[page])) is not None:
            serialization.restore_page(rule_cache.load_page_findings(page, settings), page, facts, pages)
    stored |= store.read(_build_step_keys(site, base_key).values())
    for page, key in _build_step_keys(site, base_key).items():
        if step := stored.get(key):
            with suppress(KeyError):  # a page of the step is gone
                page.cache.update(serialization.load_pickle(step, pages))
    earlier = serialization.load_pickle(stored[site_key], pages) if site_key in stored else None
    memory.cache[Results] = results = Results(earlier)
    yield
    new = {
        key: page.get_cached(serialization.serialize_page, *settings)
        for page, key in page_keys.items()
        if key not in stored
    }
    sources = {page.source.path: page.source for page in site.pages}
    new |= {key: _serialize_step(page, sources) for page, key in _build_step_keys(site, base_key).items()}
    if results.has_new:
        new[site_key] = serialization.dump_pickle(results.get_latest(), sources)
    _write_new(new, stored)


def _write_new(new: Mapping[bytes, bytes], stored: Mapping[bytes, bytes]) -> None:
    store.write({key: value for key, value in new.items() if value and stored.get(key) != value})


def _build_step_keys(site: Site, base: bytes) -> dict[Page, bytes]:
    """Return cache keys for pages that may be first of a step, and for each compared tabset's first view.

    Views only of pages whose tabs are known.
    """
    keys = {page: store.digest_key(base, "step", page.path, page.digest) for page in site.pages}
    for page in site.pages:
        has_tabs = page.cache.get(tab_steps.find_variant_tabsets, ((), ()))[1]
        for number, views in enumerate(page.get_cached(tab_steps.build_views) if has_tabs else ()):
            keys[views[0]] = store.digest_key(base, "tabs", page.path, page.digest, page.dialect.value, number)
    return keys


def _serialize_step(page: Page, sources: Mapping[str, Source]) -> bytes:
    """Serialize the results for the step with this first page or view; empty if nothing is new."""
    # no result names a page, which may be a view
    functions = (rule_cache.load_step_findings, *persistence.persistent_functions)
    cached = {make: page.cache[make] for make in functions if make in page.cache}
    if all(isinstance(storable, persistence.StoredResult) for storable in cached.values()):
        return b""
    results = {make: result for make, value in cached.items() if (result := persistence.build_stored_result(value))}
    return serialization.dump_pickle(results, sources) if results else b""


# Keys


_LOCATION_SETTINGS = ("root", "home", "file", "output_format")
"""Settings for the location of the configuration and the output format: neither changes the findings."""


def _describe_setting(value: object) -> object:
    """Describe a setting so that another program in another folder describes it the same way."""
    if is_dataclass(value):
        return [
            (field.name, _describe_setting(getattr(value, field.name)))
            for field in fields(value)
            if field.name not in _LOCATION_SETTINGS
        ]
    if isinstance(value, Mapping):
        return sorted((repr(_describe_setting(key)), _describe_setting(item)) for key, item in value.items())
    if isinstance(value, (set, frozenset)):
        return sorted(map(repr, map(_describe_setting, value)))
    if isinstance(value, (list, tuple)):
        return list(map(_describe_setting, value))
    return value.name if isinstance(value, Enum) else repr(value)


def _describe_program() -> object:
    """Describe the release of this program and of its dependencies, wherever they are installed.

    An installed program is identified by the digests in its RECORD, one that runs from source by those of its files.
    """
    package = Path(inputs.PACKAGE)
    installed = sorted(path.name for path in Path(sysconfig.get_path("purelib")).glob("*.dist-info"))
    records = list(package.parent.glob("tutorial_tool-*.dist-info/RECORD"))
    lines = records[0].read_text(encoding="utf-8").splitlines() if len(records) == 1 else []
    record_lines = sorted(line for line in lines if line.startswith("tutorial_tool/") and ".pyc," not in line)
    return sys.version, installed, record_lines, [] if record_lines else list(_iter_digests(package))


def _iter_digests(folder: Path) -> Iterator[tuple[str, str]]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            path = Path(parent, name)
            yield path.relative_to(folder).as_posix(), digest(str(path), "file")
