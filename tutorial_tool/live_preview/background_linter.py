"""Lint in the background: a page is served at once, and its findings follow."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.fs.watch import SETTLE_SECONDS
from tutorial_tool.site import Site

SWITCH_SECONDS = 0.0005
"""Maximum time for which the linter blocks other threads: Python's 5 ms would delay each file that they read."""


class SiteReplaced(Exception):
    """The site being linted has been rebuilt."""


class BackgroundLinter:
    """Lints the site built last, and none that has been replaced.

    `prepare` does work that a build has left.
    """

    def __init__(
        self,
        prepare: Callable[[], None],
        lint: Callable[[Site], Sequence[Finding]],
        on_findings: Callable[[Sequence[Finding]], None],
    ) -> None:
        self._prepare, self._lint, self._on_findings = prepare, lint, on_findings
        self._changed = threading.Condition()
        self._current_site: Site | None = None
        self._linted_site: Site | None = None
        self._findings: Sequence[Finding] | None = None
        self.latest: Sequence[Finding] = ()  # The latest findings, of whichever site
        self._running = False
        self._thread: threading.Thread | None = None

    def raise_if_replaced(self) -> None:
        """Check for cancellation, called by the linter from time to time.

        Raises: SiteReplaced if this thread lints a site that was replaced.
        """
        if threading.current_thread() is self._thread and self._linted_site is not self._current_site:
            raise SiteReplaced

    def release_site(self) -> None:
        """Release the last site when a build starts: it is no longer linted."""
        with self._changed:
            self._current_site, self._findings = None, None

    def start_linting(self, site: Site) -> None:
        """Start linting a site that has been built."""
        with self._changed:
            self._current_site, self._findings = site, None
            if not self._running:
                self._running = True
                self._thread = threading.Thread(target=self._run_loop, daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def wait_for_findings(self, timeout: float) -> Sequence[Finding] | None:
        """Return the findings of the last site; None if they are not known within `timeout` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._findings is not None, timeout)
            return self._findings

    def _run_loop(self) -> None:
        interval = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_SECONDS)
        try:
            while self._lint_once():
                pass
        finally:
            sys.setswitchinterval(interval)

    def _lint_once(self) -> bool:
        with self._changed:
            while self._changed.wait(SETTLE_SECONDS):  # so that the open page is served first
                pass
            site = self._linted_site = self._current_site
            if site is None or self._findings is not None:
                self._running = False
                return False
        try:
            self._prepare()
            findings = self._lint(site)
        except SiteReplaced:
            return True
        except Exception:  # noqa: BLE001 - a file may be gone while it looks; a mistake of ours shows in a whole build
            findings = site.findings
        with self._changed:
            if self._current_site is site:
                self._findings = self.latest = findings
                self._changed.notify_all()
                self._on_findings(findings)
        return True
