"""Repeated builds, each of which after the first rebuilds only what a change affects."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from jinja2 import Environment
from mkdocs.commands import build as mkdocs_build
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as MkDocsPage
from mkdocs.utils import get_build_date

from tutorial_tool.mkdocs_plugin.incremental.disk import FolderSnapshot, read_configuration
from tutorial_tool.mkdocs_plugin.incremental.known_inputs import find_unknown
from tutorial_tool.mkdocs_plugin.incremental.search import FILE, SearchFile, get_entries

if TYPE_CHECKING:
    from tutorial_tool.mkdocs_plugin import TutorialPlugin

log = logging.getLogger("mkdocs.plugins.tutorial")

PAGE_ONLY_META = frozenset(("description", "image"))  # Front matter that no other page shows


@dataclass
class _CachedPage:
    """The cached state of a page between two builds."""

    initial: dict[str, Any]  # Its attributes before it is read
    body: str | None = None  # Its content, without the navigation around it
    meta: dict[str, Any] = field(default_factory=dict)
    dependencies: set[str] = field(default_factory=set)  # The paths of the pages and images that it depends on
    entries: list[Any] = field(default_factory=list)  # Its entries in the search index


@dataclass
class _BuildState:
    """The result of a full build, and its inputs."""

    config: MkDocsConfig
    nav: Navigation
    files: Files
    env: Environment
    pages: dict[str, _CachedPage]
    configuration: object
    folders: FolderSnapshot
    date: str
    content: dict[str, str]
    shape: object
    search: SearchFile | None
    rewritten: set[str] = field(default_factory=set)  # The pages with new entries in the search index

    @cached_property
    def paths_by_output(self) -> dict[str, str]:
        """The path of each page by its output file in the site's folder."""
        return {self.files.src_uris[path].dest_uri: path for path in self.pages}

    @cached_property
    def doc_files(self) -> list[File]:
        return [self.files.src_uris[path] for path in self.pages]

    def restore_pages(self, paths: Iterable[str]) -> None:
        """Restore pages to their state before templates are applied, as the theme's templates see them."""
        for path in paths:
            page, cached = self.files.src_uris[path].page, self.pages[path]
            assert page is not None
            page.content, page.meta = cached.body, dict(cached.meta)

    def write_pages(self, shortcut: IncrementalBuilder, paths: Iterable[str]) -> None:
        for path in paths:
            file, entries = self.files.src_uris[path], self.pages[path].entries
            assert file.page is not None
            self.restore_pages([path])
            shortcut.reset_entries(self.config)
            mkdocs_build._build_page(
                file.page, self.config, self.doc_files, self.nav, self.env, excluded=file.inclusion.is_excluded()
            )
            if self.pages[path].entries != entries:
                self.rewritten.add(path)

    def write_search(self) -> None:
        if self.rewritten and self.search is not None:
            numbered = enumerate(self.pages.items())
            self.search.write_entries(
                {number: cached.entries for number, (path, cached) in numbered if path in self.rewritten}
            )
        elif self.rewritten:
            get_entries(self.config)[:] = [entry for cached in self.pages.values() for entry in cached.entries]
            self.config.plugins.on_post_build(config=self.config)
        self.rewritten = set()


class IncrementalBuilder:
    """Records the result of a full build, and reuses it for the next one where possible."""

    def __init__(self, host: TutorialPlugin) -> None:
        self.host = host
        self.pages: dict[str, _CachedPage] = {}
        self.built: _BuildState | None = None
        self.reported: str | None = None
        self.lock = threading.RLock()  # Held during a build
        self.late: dict[str, None] = {}
        """Pages to write, by path: a requested one is written at once, the others later."""
        self.requested: deque[str] = deque(maxlen=4)  # The last requested pages, by path
        self._count = 0
        self._inputs_at_start: tuple[object, FolderSnapshot, str]
        """The configuration, the folders, and the day at the start of the build."""

    # Called by the events of a build.

    def start_build(self, config: MkDocsConfig) -> None:
        """Start a full build: files saved from here on are for the next one, unless this one has read them."""
        self.built, self.pages, self.late = None, {}, {}
        self._inputs_at_start = read_configuration(config), FolderSnapshot.from_config(config), get_build_date()

    def record_initial(self, page: MkDocsPage) -> None:
        self.pages[page.file.src_uri] = _CachedPage(dict(page.__dict__))

    def record_content(self, files: Files) -> None:
        """Record the content of all pages once they have been read."""
        for file in files:
            if (cached := self.pages.get(file.src_uri)) is not None and file.page is not None:
                cached.body, cached.meta = file.page.content, dict(file.page.meta)
        self._count = 0

    def record_entries(self, page: MkDocsPage, config: MkDocsConfig) -> None:
        """Record the search entries of a page after other plugins have processed it."""
        cached, entries = self.pages[page.file.src_uri], get_entries(config)
        cached.dependencies, cached.entries, self._count = set(), entries[self._count :], len(entries)

    def reset_entries(self, config: MkDocsConfig) -> None:
        """Reset the search entries for the next page."""
        get_entries(config).clear()
        self._count = 0

    def record_dependency(self, page: MkDocsPage, path: str) -> None:
        self.pages[page.file.src_uri].dependencies.add(path)

    def finish_build(self, config: MkDocsConfig, nav: Navigation, files: Files, env: Environment) -> None:
        """Record a full build for incremental ones, unless an unknown part or an error prevents these.

        An unknown part of the build is logged once.
        """
        site, reason = self.host.site, find_unknown(config)
        if reason is not None and reason != self.reported:
            log.info("Each change builds the whole site: %s may depend on more than the page that changed.", reason)
        self.reported = reason
        if reason is not None or site.errors:
            return
        self.built = _BuildState(
            config,
            nav,
            files,
            env,
            self.pages,
            *self._inputs_at_start,
            self.host.contents.build_texts(site),
            self.host.contents.compute_shape(site),
            SearchFile.read(
                config.site_dir, [page.entries for page in self.pages.values()], self.host.get_search_labeler(config)
            ),
        )

    # A build of what changed.

    def rebuild_changed(self) -> bool:
        """Build what changed since the last build; return False if a full build is needed.

        Pages that are not open are written later: by `write_late_pages`, or when `write_requested` is called for them.
        """
        built, self.built = self.built, None
        if built is None:
            return False
        started = time.monotonic()
        try:
            change = self._detect_change(built)
            count = change.build_pages() if change is not None else None
        except Exception as error:  # noqa: BLE001 - a whole build tells what is wrong
            log.debug("Rebuilding the whole site: %r", error)
            return False
        if count is None:
            return False
        self.built = built
        log.info("%d of %d pages built in %.2f seconds", count, len(built.pages), time.monotonic() - started)
        return True

    def write_requested(self, address: str) -> None:
        """Write the requested file of the site if it is late; for the search index, all late pages."""
        built = self.built
        if address == FILE:
            self.write_late_pages()
        elif built is not None and (path := built.paths_by_output.get(address)):
            self.requested.append(path)
            with self.lock:
                if path in self.late:
                    self._write_pages([path])

    def write_late_pages(self) -> None:
        """Write late pages until another build starts."""
        while self.late:
            with self.lock:
                if self.late:
                    self._write_pages(list(self.late)[:1])

    def _write_pages(self, paths: Sequence[str]) -> None:
        """Write pages, and their search entries once no more pages are late."""
        if self.built is None:
            self.late = {}
            return
        built, self.built = self.built, None
        try:
            built.write_pages(self, paths)
            for path in paths:
                del self.late[path]
            if not self.late:
                built.write_search()
        except Exception:
            self.late = {}
            log.exception("The next change builds the whole site")
        else:
            self.built = built

    def _detect_change(self, built: _BuildState) -> _Change | None:
        """Return the change; None if it affects more than single pages."""
        folders = FolderSnapshot.from_config(built.config)
        if built.date != get_build_date() or built.configuration != read_configuration(built.config):
            return None
        if folders.docs.keys() != built.folders.docs.keys() or folders.theme != built.folders.theme:
            return None
        site = self.host.reload_site(built.config)
        if site.errors or built.shape != self.host.contents.compute_shape(site):
            return None
        content = self.host.contents.build_texts(site)
        if content.keys() != built.content.keys():
            return None
        changed = {path for path, text in content.items() if text != built.content[path]}
        for path in changed:
            file = built.files.get_file_from_path(path)
            if file is None:
                return None
            file._content = content[path]
        on_disk = {path for path in folders.docs if not folders.is_unchanged(built.folders, path)}
        built.folders, built.content = folders, content
        self.host.set_site(site)
        return _Change(self, built, changed | (on_disk - content.keys()))


@dataclass
class _Change:
    """Changed files, and what must be rebuilt. `is_site_wide`: something that all pages show has changed."""

    shortcut: IncrementalBuilder
    built: _BuildState
    changed: set[str]
    is_site_wide: bool = False

    def _read_changed(self) -> set[str]:
        """Reread changed pages and copy other files; return the paths that may affect more pages."""
        paths = set(self.changed)
        for file in filter(None, map(self.built.files.get_file_from_path, sorted(self.changed))):
            if not file.is_documentation_page():
                if file.inclusion.is_included():
                    file.copy_file()
            elif file.src_uri in self.built.pages and self._reread_page(file):
                paths.discard(file.src_uri)
        return paths

    def build_pages(self) -> int | None:
        """Build the change; return the number of pages written, or None if a full build is needed."""
        changed_paths = self._read_changed()
        if self.is_site_wide and self.shortcut.host.has_moved:
            return None
        built, late = self.built, self.shortcut.late
        affected = [
            path for path in built.pages if self.is_site_wide or path in late or self._is_affected(path, changed_paths)
        ]
        if self.is_site_wide:
            built.restore_pages(affected)
            for template in built.config.theme.static_templates:
                mkdocs_build._build_theme_template(template, built.env, built.files, built.config, built.nav)
        self.shortcut.late = dict.fromkeys(affected)
        open_pages = [path for path in affected if path in self.shortcut.requested]
        built.write_pages(self.shortcut, open_pages)
        for path in open_pages:
            del self.shortcut.late[path]
        if not self.shortcut.late:
            built.write_search()
        for file in built.doc_files:
            if file.page is not None and file.page.links_to_anchors:
                file.page.validate_anchor_links(files=built.files, log_level=built.config.validation.links.anchors)
        return len(affected)

    def _is_affected(self, path: str, changed_paths: set[str]) -> bool:
        return path in self.changed or not changed_paths.isdisjoint(self.built.pages[path].dependencies)

    def _reread_page(self, file: File) -> bool:
        """Reread a changed page; return whether what others show of it is unchanged."""
        page, cached = file.page, self.built.pages[file.src_uri]
        assert page is not None
        page.meta = cached.meta
        before = page.title, _select_shared_meta(page.meta), page.present_anchor_ids
        page.__dict__.clear()
        page.__dict__.update(cached.initial)
        mkdocs_build._populate_page(page, self.built.config, self.built.files)
        self.shortcut.pages[file.src_uri] = cached
        cached.body, cached.meta = page.content, dict(page.meta)
        self.is_site_wide = self.is_site_wide or before[:2] != (page.title, _select_shared_meta(page.meta))
        return before[2] == page.present_anchor_ids


def _select_shared_meta(meta: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in meta.items() if key not in PAGE_ONLY_META}
