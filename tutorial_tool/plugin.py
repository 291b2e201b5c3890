"""The MkDocs plugin: adds the tutorial's pages, navigation and pictures to a build, and serves errors as pages."""

from __future__ import annotations

import html
import logging
import posixpath
from pathlib import Path
from typing import Any, Literal

import click
from mkdocs.config import config_options as c
from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as MkDocsPage
from mkdocs.utils import nest_paths

from tutorial_tool import comments, figures, linter, navigation, rule_pages, site, targets
from tutorial_tool.config import ConfigError
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.site import Layout, Page, Site
from tutorial_tool.traced import plain

log = logging.getLogger("mkdocs.plugins.tutorial")

EXTENSIONS: dict[str, dict[str, Any]] = {
    "attr_list": {},
    "tables": {},
    "admonition": {},
    "pymdownx.superfences": {},
    "pymdownx.tabbed": {"alternate_style": True},
}
"""The Markdown extensions that tutorial pages are written for, with what they need."""


class TutorialConfig(Config):
    project = c.Type(str, default=".")
    """The folder of `platforms.yaml`, relative to the configuration file."""
    templates = c.Type(str, default="site_templates")
    lint = c.Type(bool, default=True)
    """Whether the linter's findings are warnings of the build."""
    rules = c.Optional(c.Type(str))
    """A folder of the site for the rules' manuals; `rules:` in the navigation stands for them."""


class TutorialPlugin(BasePlugin[TutorialConfig]):
    """Renders the tutorials of `platforms.yaml` into the site."""

    def __init__(self) -> None:
        self.serving = False
        self.server: LiveReloadServer | None = None
        self.watched: set[str] = set()
        self.awaited: str | None = None
        """The project's folder, watched as long as it has no data."""
        self.last_paths: list[str] = []
        self.last_nav: list[Any] | None = None
        self.findings: list[Finding] = []
        self.site: Site

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Note the command. Defined, so that the plugin lives across the rebuilds of a server."""
        context = click.get_current_context(silent=True)  # `serve --clean` calls itself a build
        self.serving = command == "serve" or (context is not None and context.info_name == "serve")

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        root = Path(config.config_file_path or "mkdocs.yml").parent.resolve() / self.config.project
        docs = posixpath.relpath(Path(config.docs_dir).resolve().as_posix(), root.resolve().as_posix())
        layout = Layout.find(root.resolve(), docs=docs, templates=self.config.templates)
        for name, options in EXTENSIONS.items():
            if name not in config.markdown_extensions:
                config.markdown_extensions.append(name)
                config.mdx_configs.setdefault(name, options)
        self.site = site.load(layout)
        self._watch(config)
        self.findings = self._found(layout.root)
        self._report()
        return config

    def _found(self, root: Path) -> list[Finding]:
        """What is to be reported: all that the linter finds, or what loading and rendering found."""
        if self.site.errors or not self.config.lint:
            return self.site.findings
        try:
            return linter.run(self.site, targets.Settings(root).config(root))
        except ConfigError as error:
            raise Abort(str(error)) from error

    def _watch(self, config: MkDocsConfig) -> None:
        """Watch all sources, before anything can fail: those of the first build, and those that come later."""
        layout = self.site.layout
        folder, docs = layout.root / layout.templates, Path(config.docs_dir)  # MkDocs watches the docs folder itself
        files = [layout.root / path for path in (layout.data, *self.site.sources)]
        loose = [path for path in files if not path.is_relative_to(folder) and not path.is_relative_to(docs)]
        for path in sorted({str(path) for path in (folder, *loose) if path.exists()} - self.watched):
            self.watched.add(path)
            if self.server is not None:
                self.server.watch(path)
            else:
                config.watch.append(path)
        if self.awaited and self.server is not None and (layout.root / layout.data).exists():
            self.server.unwatch(self.awaited)
            self.awaited = None

    def on_serve(self, server: LiveReloadServer, /, *, config: MkDocsConfig, builder: Any) -> LiveReloadServer:
        self.server = server
        root = self.site.layout.root
        if not (root / self.site.layout.data).exists():
            self.awaited = str(root)
            server.watch(self.awaited, recursive=False)
        return server

    def _report(self) -> None:
        for finding in self.findings:
            if not self.site.errors:
                _log(finding)
        if self.site.errors:
            click.echo("\n".join(f"{finding}" for finding in self.site.errors), err=True)
            if not self.serving:
                raise Abort("The tutorial cannot be rendered.")

    @event_priority(50)
    def on_files(self, files: Files, /, *, config: MkDocsConfig) -> Files:
        if self.site.errors:
            self._error_pages(files, config)
            return files
        for page in self.site.pages:
            if page.generated:
                _put(files, self._page_file(page, config))
        for path, figure in self.site.figures.items():
            _put(files, File.generated(config, path, content=figures.draw(figure)))
        for path, content in rule_pages.pages(self.config.rules).items() if self.config.rules else ():
            _put(files, File.generated(config, path, content=content))
        ours = {page.path for page in self.site.pages if page.place}
        others = [file.src_uri for file in files.documentation_pages() if file.src_uri not in ours]
        config.nav = navigation.whole(self.site, self._with_rules(config.nav), nest_paths(others))
        self.last_paths = [file.src_uri for file in files.documentation_pages()]
        self.last_nav = config.nav
        return files

    def _with_rules(self, nav: Any) -> Any:
        """The configured navigation with the rules' pages at their mark."""
        if isinstance(nav, list):
            return [self._with_rules(entry) for entry in nav]
        if isinstance(nav, dict):
            return {title: self._with_rules(value) for title, value in nav.items()}
        return rule_pages.nav(self.config.rules) if nav == rule_pages.MARK and self.config.rules else nav

    def _page_file(self, page: Page, config: MkDocsConfig) -> File:
        file = File.generated(config, page.path, content=plain(page.text))
        layout = self.site.layout
        file.edit_uri = posixpath.relpath(page.source.path, layout.docs)
        return file

    def _error_pages(self, files: Files, config: MkDocsConfig) -> None:
        """Every page of the last good build, at its address, with the error: a tab reloads when it is mended."""
        present = [file.src_uri for file in files.documentation_pages()]
        named = [place.path for place in self.site.places.values()]
        content = _error_markdown(self.site.errors)
        for path in dict.fromkeys([*self.last_paths, *present, *named, *(() if present or named else ("index.md",))]):
            _put(files, File.generated(config, path, content=content))
        config.nav = self.last_nav or list(dict.fromkeys([*present, *named])) or None

    def on_nav(self, nav: Navigation, /, *, config: MkDocsConfig, files: Files) -> Navigation:
        """Previous and next stay on the platform."""
        by_path = {page.file.src_uri: page for page in nav.pages}
        for page in self.site.pages:
            if page.place and (shown := by_path.get(page.path)):
                before, after = navigation.neighbours(self.site, page)
                shown.previous_page = by_path.get(before.path) if before else None
                shown.next_page = by_path.get(after.path) if after else None
        return nav

    def on_page_markdown(self, markdown: str, /, *, page: MkDocsPage, config: MkDocsConfig, files: Files) -> str:
        """MkDocs writes titles and descriptions into HTML as they are: what the tutorial prints is text."""
        if page.file.src_uri in self._tutorial_paths:
            page.title = html.escape(str(page.title), quote=True)
            for key in ("title", "description"):
                if isinstance(page.meta.get(key), str):
                    page.meta[key] = html.escape(page.meta[key], quote=True)
        return comments.strip(markdown)

    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """A strict build fails on our findings itself: with `-q` MkDocs counts no warnings, and exits with 0."""
        failing = [finding for finding in self.findings if finding.severity.reaches(Severity.WARNING)]
        if config.strict and failing and not self.serving:
            quiet = not log.isEnabledFor(logging.WARNING)
            if quiet:
                click.echo("\n".join(map(str, failing)), err=True)
            raise Abort(f"The tutorial has {len(failing)} finding{'s' * (len(failing) > 1)}, and the build is strict.")

    @property
    def _tutorial_paths(self) -> set[str]:
        return {page.path for page in self.site.pages if page.place}


def _put(files: Files, file: File) -> None:
    """Add a file in place of the one that stands at its path, if one does."""
    known = files.get_file_from_path(file.src_uri)
    if known is not None:
        files.remove(known)
    files.append(file)


def _log(finding: Finding) -> None:
    level = logging.INFO if finding.severity is Severity.HINT else logging.WARNING
    log.log(level, "%s", finding)


def _error_markdown(errors: list[Finding]) -> str:
    items = "\n".join(
        f"<li><p><strong>{html.escape(str(finding.span))}</strong>: {html.escape(finding.message)}</p>"
        f"<pre><code>{html.escape(finding.span.source.line_text(finding.span.position.line)) or ' '}</code></pre></li>"
        for finding in errors
    )
    return f"---\ntitle: This page cannot be built\n---\n\n<ul>\n{items}\n</ul>\n"
