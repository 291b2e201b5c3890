"""What an author is shown while serving: the panel of each page, the overview, and the Markdown of a page."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from mkdocs.structure.pages import Page as MkDocsPage

from tutorial_tool import live_preview
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.live_preview import Author
from tutorial_tool.site import Site

if TYPE_CHECKING:
    from tutorial_tool.mkdocs_plugin import TutorialPlugin


class AuthorViews:
    """Asks the plugin for what stands on the site by now."""

    def __init__(self, plugin: TutorialPlugin) -> None:
        self.plugin = plugin

    def build_author(self, page: MkDocsPage | None = None) -> Author:
        """How links lead to sources, and from a page of the site to manuals."""
        plugin = self.plugin
        manual: Callable[[str], str | None] = lambda _rule: None  # noqa: E731 -- a page tells a better one
        if page is not None:
            manual = plugin.standing.build_rule_linker(page, plugin.config.rules)
        return Author(plugin.site.layout.root, plugin.config.editor, manual)

    @property
    def errors(self) -> Sequence[Finding]:
        return self.plugin.broken.errors if self.plugin.broken else ()

    @property
    def is_outdated(self) -> bool:
        """Whether the pages stay as they were, and not as the sources have them now."""
        return bool(self.plugin.stuck) or (self.plugin.broken is not None and self.plugin.broken.is_last_site)

    def render_overview(self) -> str:
        """The overview, which is made when it is asked for."""
        plugin = self.plugin
        findings = tuple(plugin.background_linter.before)
        if not self.is_outdated:
            findings = tuple(plugin.background_linter.wait_for_findings(timeout=60) or plugin.findings)
        wrong = live_preview.BuildProblems(self.errors, plugin.stuck, is_old=self.is_outdated)
        value = live_preview.OverviewContent(self._select_rendered_site(), findings, wrong, self._build_url)
        return live_preview.render_overview(value, plugin.settings or Config(), self.build_author())

    def _select_rendered_site(self) -> Site:
        """The site without pages that only stand for those that cannot be built, which would compare as equal, and
        without those for all platforms, which have a share of each."""
        site, wrong = self.plugin.site.variants or self.plugin.site, self.plugin.broken
        if wrong is None or wrong.is_last_site:
            return site
        return replace(site, pages=[page for page in site.pages if page.path not in wrong.pages], cache={})

    def _build_url(self, path: str) -> str | None:
        """The address of a page, relative to the overview."""
        page = self.plugin.standing.find_page(path)
        return f"../{page.url.removeprefix('./')}" if page else None

    def render_panel(self, path: str, timeout: float) -> str | None:
        """What the linter finds on a page; None where it has not looked yet, after so many seconds.

        Where the page is older than its sources, why. Nothing where the page itself tells what is wrong.
        """
        plugin, page = self.plugin, self.plugin.standing.find_page(path)
        findings = () if self.is_outdated else plugin.background_linter.wait_for_findings(timeout)
        if findings is None or page is None:
            return None
        ours = plugin.site.get_page(path)
        wrong = plugin.broken
        if wrong is not None and path in wrong.pages and not plugin.stuck:
            return ""
        why = live_preview.BuildProblems(self.errors, plugin.stuck, is_old=self.is_outdated)
        overview = posixpath.relpath(live_preview.OVERVIEW, page.url or ".") + "/"
        return live_preview.render_panel(ours, findings, self.build_author(page), overview, why)
