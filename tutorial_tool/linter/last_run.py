"""The last run of a plain tree in a resident program, and whether another one would see the same."""

from __future__ import annotations

import operator
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from time import time_ns
from typing import TYPE_CHECKING, Any

from tutorial_tool import cache
from tutorial_tool.cache import inputs
from tutorial_tool.site import Site

if TYPE_CHECKING:
    from tutorial_tool.linter.fix_guard import LintedSite


@dataclass
class LastRun:
    """What a run was asked, what it looked at besides the pages, and what it found.

    A page that has not changed is the same object in the next run, and a file is as it was where nothing has touched it
    since the run began: so whoever only opens, closes or saves a text need not wait for what is known.
    """

    requested: Sequence[Any]
    site: Site
    linted: LintedSite | None = None

    def __post_init__(self) -> None:
        self.heard, self.started, self._day = inputs.InputObserver(), time_ns(), cache.get_today()
        self._root = self.site.layout.root.absolute()
        self._around = inputs.digest_parents(self._root)

    def get_linted(self, asked: Sequence[Any], site: Site) -> LintedSite | None:
        """What was found, if a run that is asked this of a site as it was read now would find the same."""
        is_same = len(site.pages) == len(self.site.pages) and site.findings == self.site.findings
        is_same = (
            is_same and all(map(operator.is_, site.pages, self.site.pages)) and tuple(asked) == tuple(self.requested)
        )
        is_same = is_same and self._day == cache.get_today() and self._around == inputs.digest_parents(self._root)
        return self.linted if is_same and self._files and all(map(self._is_untouched, self._files)) else None

    @cached_property
    def _files(self) -> Sequence[str]:
        """The files and folders that the run looked at, without its pages; none where they cannot be told."""
        passed = [base] if (base := cache.get_folder()) else []
        pages = {str(self._root / page.path) for page in self.site.pages}
        try:
            paths = [*self.heard.iter_paths(passed, [self._root]), *inputs.iter_searched_paths(self._root)]
        except (OSError, ValueError):
            return ()
        return tuple(set(paths) - pages - self._around.keys())

    def _is_untouched(self, path: str) -> bool:
        """Whether a path was touched before the run began; what is not there is told by its folder."""
        try:
            return bool(cache.get_settled_stamp(os.stat(path), self.started))  # noqa: PTH116
        except OSError:
            return True
