"""Author views while serving: the panel of each page, the overview, and a page's Markdown."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from mkdocs.structure.pages import Page as MkDocsPage

from tutorial_tool import live_preview
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.live_preview import Author
from tutorial_tool.site import Site

if TYPE_CHECKING:
    from tutorial_tool.mkdocs_plugin import TutorialPlugin


class AuthorViews:
    """Renders author views from the plugin's current state."""

    def __init__(self, plugin: TutorialPlugin) -> None:
        self.plugin = plugin

    def build_author(self, page: MkDocsPage | None = None) -> Author:
        """Return how links open sources in an editor, and rule documentation from a page."""
        plugin = self.plugin
        manual: Callable[[str], str | None] = lambda _rule: None  # noqa: E731 -- a page tells a better one
        if page is not None:
            manual = plugin.site_index.build_rule_linker(page, plugin.config.rules)
        return Author(plugin.site.layout.root, plugin.config.editor, manual)

    @property
    def errors(self) -> Sequence[Finding]:
        return self.plugin.broken.errors if self.plugin.broken else ()

    @property
    def is_outdated(self) -> bool:
        """Whether the pages are older than their sources."""
        return bool(self.plugin.startup_error) or (self.plugin.broken is not None and self.plugin.broken.is_last_site)

    def render_overview(self) -> str:
        """Render the overview on request, waiting up to 60 seconds for the linter."""
        plugin = self.plugin
        findings = tuple(plugin.background_linter.latest)
        if not self.is_outdated:
            findings = tuple(plugin.background_linter.wait_for_findings(timeout=60) or plugin.findings)
        wrong = live_preview.BuildProblems(self.errors, plugin.startup_error, is_old=self.is_outdated)
        value = live_preview.OverviewContent(self._select_rendered_site(), findings, wrong, self._build_url)
        return live_preview.render_overview(value, plugin.settings, self.build_author())

    def _select_rendered_site(self) -> Site:
        """Return the site without placeholders, which would compare as equal, and without combined pages."""
        site, wrong = self.plugin.site.variants or self.plugin.site, self.plugin.broken
        if wrong is None or wrong.is_last_site:
            return site
        return replace(site, pages=[page for page in site.pages if page.path not in wrong.pages], cache={})

    def _build_url(self, path: str) -> str | None:
        """Return a page's URL, relative to the overview."""
        page = self.plugin.site_index.find_page(path)
        return f"../{page.url.removeprefix('./')}" if page else None

    def render_panel(self, path: str, timeout: float) -> str | None:
        """Return a page's findings as HTML; None if there is no such page, or the linter is not done in time.

        `timeout` is in seconds. If the page is older than its sources, the panel explains why. Empty if the page itself
        shows the errors.
        """
        plugin, page = self.plugin, self.plugin.site_index.find_page(path)
        findings = () if self.is_outdated else plugin.background_linter.wait_for_findings(timeout)
        if findings is None or page is None:
            return None
        ours = plugin.site.get_page(path)
        wrong = plugin.broken
        if wrong is not None and path in wrong.pages and not plugin.startup_error:
            return ""
        why = live_preview.BuildProblems(self.errors, plugin.startup_error, is_old=self.is_outdated)
        overview = posixpath.relpath(live_preview.OVERVIEW, page.url or ".") + "/"
        return live_preview.render_panel(ours, findings, self.build_author(page), overview, why)
