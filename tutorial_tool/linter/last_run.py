"""The last run of a tree in a resident program, and whether a new one would give the same result."""

from __future__ import annotations

import operator
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from time import time_ns
from typing import Any

from tutorial_tool import cache
from tutorial_tool.cache import inputs
from tutorial_tool.linter.linted_site import LintedSite
from tutorial_tool.site import Site


@dataclass
class LastRun:
    """What a run was asked, which files it read besides the pages, and what it found.

    An unchanged page is the same object in the next run, and a file counts as unchanged if it was not modified since
    the run began: so opening, closing, or saving a text needs no new run.
    """

    request: Sequence[Any]
    site: Site
    linted: LintedSite | None = None

    def __post_init__(self) -> None:
        self.observer, self.started, self._day = inputs.InputObserver(), time_ns(), cache.get_today()
        self._root = self.site.layout.root.absolute()
        self._parent_digest = inputs.digest_parents(self._root)

    def get_linted(self, request: Sequence[Any], site: Site) -> LintedSite | None:
        """Return the result if a run with this request on the site as read now would give the same."""
        is_same = self._is_same_site(site) and tuple(request) == tuple(self.request)
        is_same = is_same and self._day == cache.get_today()
        is_same = is_same and self._parent_digest == inputs.digest_parents(self._root)
        return self.linted if is_same and self._files and all(map(self._is_untouched, self._files)) else None

    def _is_same_site(self, site: Site) -> bool:
        is_same = len(site.pages) == len(self.site.pages) and site.findings == self.site.findings
        return is_same and all(map(operator.is_, site.pages, self.site.pages))

    @cached_property
    def _files(self) -> Sequence[str]:
        """The files and folders that the run read, without its pages; empty if they cannot be determined."""
        ignored = [base] if (base := cache.get_folder()) else []
        pages = {str(self._root / page.path) for page in self.site.pages}
        try:
            paths = [*self.observer.iter_paths(ignored, [self._root]), *inputs.iter_searched_paths(self._root)]
        except (OSError, ValueError):
            return ()
        return tuple(set(paths) - pages - self._parent_digest.keys())

    def _is_untouched(self, path: str) -> bool:
        """Return whether a path is unmodified since the run began; a missing one is covered by its folder."""
        try:
            return bool(cache.get_settled_stamp(os.stat(path), self.started))  # noqa: PTH116
        except OSError:
            return True
