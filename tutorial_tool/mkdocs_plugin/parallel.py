"""Parallel reading and writing of the pages of a large site.

MkDocs processes one page after another, twice: it reads all of them, then renders each with the theme's template. Here
worker processes do their share first, and MkDocs gets their results. If a page logs anything or fails, this process
does it itself: what people see, and what counts for `strict`, is as in one process.
"""

from __future__ import annotations

import logging
import pickle
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from mkdocs.commands import build as theirs
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as MkDocsPage

from tutorial_tool.cache import workers
from tutorial_tool.mkdocs_plugin.incremental.known_inputs import find_parallel_risk
from tutorial_tool.mkdocs_plugin.incremental.search import get_entries

if TYPE_CHECKING:
    from jinja2 import Environment

FEWEST = 24  # Minimum pages that are worth another process
_READ_ATTRIBUTES = frozenset(
    ("markdown", "content", "meta", "toc", "title", "_title_from_render", "present_anchor_ids", "links_to_anchors")
)
"""Attributes that MkDocs sets when it parses a page."""
_populate, _build = theirs._populate_page, theirs._build_page


def is_worthwhile(config: MkDocsConfig, pages: int) -> bool:
    """Return whether workers make a build faster with the same output: all its parts are known."""
    return (
        workers.count_available() > 1
        and pages >= FEWEST
        and not logging.getLogger("mkdocs").isEnabledFor(logging.DEBUG)  # each page logs something
        and find_parallel_risk(config) is None
    )


class WorkerPool:
    """Worker processes that run in parallel with a build until it ends.

    `start_work` gives them work; from `start_reading` and `start_writing` on they process pages like MkDocs.
    """

    def __init__(self, config: MkDocsConfig) -> None:
        self._config = config
        self._files = Files([])
        self._pages: list[File] = []
        self._numbers: dict[str, int] = {}
        self._ahead: workers.PrefetchWorkers | None = None
        self._parallel_work: workers.PrefetchWorkers | None = None
        self._detector = _OutputDetector()

    def start_work(self, work: Callable[[], Any]) -> None:
        """Start work in parallel with the build."""
        self._parallel_work = workers.PrefetchWorkers(lambda _: self._detector.pack_quiet_result(work), 2, 2)

    def get_result(self) -> Any:
        """Wait for the result of the started work; None if this process has to do it."""
        value = self._parallel_work.get(1) if self._parallel_work else None
        return pickle.loads(value) if value else None  # noqa: S301 - by a copy of this process

    def start_reading(self, files: Files) -> None:
        """Start the workers that read pages."""
        self._files, self._pages = files, list(files.documentation_pages())
        self._numbers = {file.src_uri: number for number, file in enumerate(self._pages)}
        theirs._populate_page = self._populate_page

    def start_writing(self) -> None:
        """Start the workers that write pages, once all have been read."""
        self._stop_page_workers()
        theirs._build_page = self._build_page

    def stop_workers(self) -> None:
        """Stop all workers; MkDocs continues alone."""
        self._stop_page_workers()
        if self._parallel_work is not None:
            self._parallel_work.end()
            self._parallel_work = None

    def _stop_page_workers(self) -> None:
        theirs._populate_page, theirs._build_page = _populate, _build
        if self._ahead is not None:
            self._ahead.end()
            self._ahead = None

    def _populate_page(self, page: MkDocsPage, config: MkDocsConfig, files: Files, dirty: bool = False) -> None:
        """Populate a page from a worker's result, or else by MkDocs' `_populate_page`, which this replaces."""
        value = None if dirty or self._is_over(config) else self._get_page_result(page, self._read_page)
        if value is None:
            _populate(page, config, files, dirty)
            return
        if links := value.get("links_to_anchors"):
            value["links_to_anchors"] = {files.src_uris[path]: anchors for path, anchors in links.items()}
        page.__dict__.update(value)

    def _read_page(self, file: File) -> dict[str, Any] | None:
        """Return the attributes that reading a page sets; None if these may be incomplete."""
        page = file.page or MkDocsPage(None, file, self._config)
        before = dict(page.__dict__)
        _populate(page, self._config, self._files)
        attributes = {key: value for key, value in page.__dict__.items() if value is not before.get(key)}
        if page.links_to_anchors:
            attributes["links_to_anchors"] = {to.src_uri: links for to, links in page.links_to_anchors.items()}
        return attributes if attributes.keys() <= _READ_ATTRIBUTES else None

    def _build_page(
        self,
        page: MkDocsPage,
        config: MkDocsConfig,
        doc_files: Sequence[File],
        nav: Navigation,
        env: Environment,
        dirty: bool = False,
        excluded: bool = False,
    ) -> None:
        """Take a worker's result for a page, or else build it by MkDocs' `_build_page`, which this replaces."""
        write = partial(self._write_page, doc_files=doc_files, nav=nav, env=env)
        value = None if dirty or self._is_over(config) else self._get_page_result(page, write)
        if value is None:
            _build(page, config, doc_files, nav, env, dirty, excluded)
        else:
            get_entries(config).extend(value)

    def _write_page(self, file: File, doc_files: Sequence[File], nav: Navigation, env: Environment) -> list[Any]:
        entries = get_entries(self._config)
        count = len(entries)
        assert file.page is not None
        _build(file.page, self._config, doc_files, nav, env, excluded=file.inclusion.is_excluded())
        return entries[count:]

    def _is_over(self, config: MkDocsConfig) -> bool:
        """Return whether this build ended silently, as by Ctrl-C, and another one runs; if so, stop the workers."""
        if config is self._config:
            return False
        self.stop_workers()
        return True

    def _get_page_result(self, page: MkDocsPage, work: Callable[[File], Any]) -> Any:
        """Return a worker's result for a page; None if this process must do it.

        Workers start after the first page: by then this process has loaded what all of them need.
        """
        number = self._numbers.get(page.file.src_uri, 0)
        if self._ahead is None:
            if number != 1:
                return None
            do = self._detector.pack_quiet_result
            count = workers.count_available()
            self._ahead = workers.PrefetchWorkers(
                lambda index: do(partial(work, self._pages[index])), len(self._pages), count
            )
        value = self._ahead.get(number)
        return pickle.loads(value) if value else None  # noqa: S301 - by a copy of this process


class _OutputDetector(logging.Handler):
    """Detects, in a worker, whether some work logs anything; nobody sees it there."""

    def __init__(self) -> None:
        super().__init__()
        self._has_begun = self._has_logged = False

    def emit(self, record: logging.LogRecord) -> None:
        self._has_logged = True

    def pack_quiet_result(self, work: Callable[[], Any]) -> bytes:
        """Return the pickled result of some work; empty if it is None, or the work fails or logs anything."""
        if not self._has_begun:
            self._install_handlers()
        self._has_logged = False
        try:
            result = work()
            return b"" if result is None or self._has_logged else pickle.dumps(result)
        except Exception:  # noqa: BLE001 - the asking process meets it, and tells
            return b""

    def _install_handlers(self) -> None:
        self._has_begun = True
        for logger in logging.root.manager.loggerDict.values():
            if isinstance(logger, logging.Logger) and logger.handlers:
                logger.handlers = [self]
        logging.root.handlers = [self]
        warnings.showwarning = lambda *_args, **_options: setattr(self, "_has_logged", True)
