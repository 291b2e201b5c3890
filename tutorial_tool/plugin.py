"""The MkDocs plugin: adds the tutorial's pages, navigation and pictures to a build, and serves errors as pages."""

from __future__ import annotations

import html
import logging
import posixpath
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import unquote, urlsplit

import click
from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader
from mkdocs.config import config_options as c
from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as MkDocsPage
from mkdocs.structure.toc import AnchorLink
from mkdocs.utils import get_theme_dir, nest_paths
from mkdocs.utils.templates import TemplateContext

from tutorial_tool import (
    baseline,
    built,
    comments,
    guarded,
    inventory,
    linter,
    navigation,
    published,
    readers,
    rule_pages,
    site,
    switcher,
    targets,
    theme,
    writing,
)
from tutorial_tool import (
    files as disk,
)
from tutorial_tool.config import ConfigError
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.site import Layout, Page, Site

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

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
    readers = c.Type(bool, default=True)
    """Whether a build has each page as Markdown, and `llms.txt`."""
    editor = c.Type(str, default=writing.EDITOR)
    """While serving: the address that opens a place of a source, with {path}, {line} and {column}."""


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
        self.known: list[Finding] = []
        """Those that the baseline silences."""
        self.site: Site
        self.by_path: dict[str, Page] = {}
        """The pages of tutorials."""
        self.files: Files

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
        _dress(config)
        self.site = site.load(layout)
        self.by_path = {page.path: page for page in self.site.by_address.values()}
        self._watch(config)
        self.findings = self._found(layout.root)
        self._report()
        return config

    def _found(self, root: Path) -> list[Finding]:
        """What is to be reported: all that the linter finds, or what loading and rendering found."""
        if self.site.errors or not self.config.lint:
            return self.site.findings
        try:
            told = targets.Settings(root).config(root)
            new, self.known, _ = baseline.compared(linter.run(self.site, told), baseline.of(told), root)
            return new
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
        theirs = server.get_app()
        assert theirs is not None
        server.set_app(partial(self._app, theirs, f"{server.mount_path}{writing.OVERVIEW}"))
        return server

    def _app(
        self, theirs: WSGIApplication, path: str, environ: WSGIEnvironment, start: StartResponse
    ) -> Iterable[bytes]:
        """The server, and the author's overview, which is made when it is asked for."""
        if environ["PATH_INFO"] not in (path, path.removesuffix("/")) or self.site.errors:
            return theirs(environ, start)
        told = targets.Settings(self.site.layout.root).config(self.site.layout.root)
        text = writing.overview(self.site, told, self.findings).encode()
        start("200 OK", [("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(text)))])
        return [text]

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
            _put(files, File.generated(config, path, content=figure.svg))
        for path, content in rule_pages.pages(self.config.rules).items() if self.config.rules else ():
            _put(files, File.generated(config, path, content=content))
        ours = {page.path for page in self.site.pages if page.place}
        others = [file.src_uri for file in files.documentation_pages() if file.src_uri not in ours]
        config.nav = navigation.whole(self.site, self._with_rules(config.nav), nest_paths(others), html.escape)
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
        file = File.generated(config, page.path, content=guarded.text(page, frozenset(self.site.data_files)))
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
        """MkDocs and its themes write front matter into HTML as it is: what people type there is text."""
        page.meta = {key: _as_html(value) for key, value in page.meta.items()}
        return comments.strip(markdown)

    def on_page_content(self, content: str, /, *, page: MkDocsPage, config: MkDocsConfig, files: Files) -> str:
        for anchor in _anchors(page.toc):
            anchor.title = guarded.html(anchor.title)
        title = str(page.title)
        if guarded.html(title) != title:
            page.title = guarded.html(title)
        shown = self.by_path.get(page.file.src_uri)
        return guarded.html(content, guarded.handlers(shown, frozenset(self.site.data_files)) if shown else None)

    def on_env(self, env: Environment, /, *, config: MkDocsConfig, files: Files) -> Environment:
        """The templates that mend Material's take its own from `material/`."""
        self.files = files
        if env.loader is not None and config.theme.name == "material":
            theirs = {"material": FileSystemLoader(get_theme_dir("material"))}
            env.loader = ChoiceLoader([env.loader, PrefixLoader(theirs)])
        return env

    @event_priority(-100)  # once a search plugin has read the page: what surrounds a step is not a part of its text
    def on_page_context(
        self, context: TemplateContext, /, *, page: MkDocsPage, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext:
        shown = self.by_path.get(page.file.src_uri)
        aside = self._panel(page, context["base_url"]) if self.serving and not self.site.errors else ""
        page.content = content = published.page(page.content or "", self._published(page, shown, config))
        if shown is None and ("tutorial-start" in content or "tabbed-labels" in content):
            page.content = content + theme.elsewhere(self.site, partial(self._url, page), context["base_url"])
        elif shown is not None:
            home = nav.homepage.file.src_uri if nav.homepage else None
            shared = {
                choice.platform.id: self._anchors(page.file.src_uri) & self._anchors(choice.page.path)
                for choice in switcher.choices(self.site, shown)
                if choice.page
            }
            before, after = theme.around(
                self.site,
                shown,
                partial(self._url, page),
                self._title,
                context["base_url"],
                home=home,
                anchors=shared,
                heading="<h1" not in content,
            )
            page.content = before + content + after
            hidden = page.meta.get("hide", [])  # what Material would print a second time
            page.meta["hide"] = [*(hidden if isinstance(hidden, list) else [hidden]), "footer", "path"]
        page.content += aside
        return context

    def _panel(self, page: MkDocsPage, base: str) -> str:
        """While serving: what the linter finds on a page."""
        ours = next((each for each in self.site.pages if each.path == page.file.src_uri), None)
        author = writing.Author(self.site.layout.root, self.config.editor, partial(self._manual, page))
        return writing.panel(ours, self.findings, author, f"{base}/{writing.OVERVIEW}")

    def _manual(self, page: MkDocsPage, rule: str) -> str | None:
        return self._url(page, f"{self.config.rules}/{rule}.md") or None if self.config.rules else None

    def _published(self, page: MkDocsPage, shown: Page | None, config: MkDocsConfig) -> published.Context:
        return published.Context(
            partial(self._picture, page),
            published.tables_of(self.site, shown),
            self.site.model.strings,
            published.DARK if config.theme.name == "material" else None,
        )

    def _picture(self, page: MkDocsPage, src: str) -> published.Picture | None:
        """What stands at an address of a picture, as seen from a page."""
        parts = urlsplit(src)
        if parts.scheme or parts.netloc or not parts.path or parts.path.startswith("/"):
            return None
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page.url), unquote(parts.path)))
        if figure := self.site.figures.get(path):
            return published.Picture(svg=figure.svg)
        file = self.files.get_file_from_path(path)
        if file is None or file.abs_src_path is None:
            return None
        return published.Picture(size=published.size_of(Path(file.abs_src_path)))

    def _url(self, page: MkDocsPage, path: str) -> str:
        file = self.files.get_file_from_path(path)
        return file.url_relative_to(page.file) if file else ""

    def _title(self, page: Page) -> str:
        """The title that readers see, with its number."""
        file = self.files.get_file_from_path(page.path)
        return html.unescape(str(file.page.title)) if file and file.page else page.title

    def _anchors(self, path: str) -> set[str]:
        """The anchors of a page, once it is rendered."""
        file = self.files.get_file_from_path(path)
        return (file.page.present_anchor_ids if file and file.page else None) or set()

    @event_priority(-100)  # once other plugins have written their pages, such as redirects
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """A strict build fails on our findings itself: with `-q` MkDocs counts no warnings, and exits with 0."""
        if not self.serving and not self.site.errors:
            folder = Path(config.site_dir)
            disk.write(folder / inventory.FILE, inventory.write([self.site]).encode(), root=folder)
            if self.config.readers:
                self._write_for_readers(config, folder)
        if self.config.lint and not self.serving and not self.site.errors:
            self._check_built(config)
        failing = [finding for finding in self.findings if finding.severity.reaches(Severity.WARNING)]
        if config.strict and failing and not self.serving:
            quiet = not log.isEnabledFor(logging.WARNING)
            if quiet:
                click.echo("\n".join(map(str, failing)), err=True)
            raise Abort(f"The tutorial has {len(failing)} finding{'s' * (len(failing) > 1)}, and the build is strict.")

    def _write_for_readers(self, config: MkDocsConfig, folder: Path) -> None:
        """Write what other tools read, never over a file of the site."""
        taken = {file.dest_uri for file in self.files}
        present = {file.src_uri for file in self.files.documentation_pages()}
        pages = [page for page in self.site.pages if page.path in present]
        base = f"{config.site_url.rstrip('/')}/" if config.site_url else ""
        found = readers.files(self.site, pages, config.site_name, config.site_description or "", base)
        disk.write_all({folder / path: text for path, text in found.items() if path not in taken}, root=folder)

    def _check_built(self, config: MkDocsConfig) -> None:
        """Read the site that was written; what no look at the sources could tell is reported, too."""
        root, custom = self.site.layout.root, config.theme.custom_dir
        by_path = {page.path: page for page in self.site.pages}
        beside = [Path(config.config_file_path)] if config.config_file_path else []
        beside += sorted(Path(custom).rglob("*.html")) if custom else []
        written = built.Written(
            Path(config.site_dir),
            root,
            config.site_url or "",
            {file.dest_uri: by_path[file.src_uri] for file in self.files if file.src_uri in by_path},
            frozenset(file.dest_uri for file in self.files if not file.is_documentation_page()),
            tuple(beside),
        )
        found = built.check(self.site, written, [*self.findings, *self.known])
        settings = targets.Settings(root).config(root)
        told = baseline.compared(linter.later(self.site, settings, found), baseline.of(settings), root)
        for finding in told.new:
            _log(finding)
        self.findings = [*self.findings, *told.new]


def _dress(config: MkDocsConfig) -> None:
    """Add the style and the script of tutorial pages, and the templates that mend Material's behind the user's own."""
    config.theme.dirs.append(str(theme.STATIC))
    config.extra_css[:0] = theme.STYLES  # the user's own styles come after them, and win
    config.extra_javascript += theme.SCRIPTS
    if config.theme.name == "material":
        config.extra_css.insert(0, theme.MATERIAL_STYLE)
        config.extra_javascript.append(theme.MATERIAL_SCRIPT)
        config.theme.dirs.insert(1 if config.theme.custom_dir else 0, str(theme.MATERIAL))


def _put(files: Files, file: File) -> None:
    """Add a file in place of the one that stands at its path, if one does."""
    known = files.get_file_from_path(file.src_uri)
    if known is not None:
        files.remove(known)
    files.append(file)


def _anchors(entries: Iterable[AnchorLink]) -> Iterator[AnchorLink]:
    for entry in entries:
        yield entry
        yield from _anchors(entry.children)


def _as_html(value: Any) -> Any:
    """A value of the front matter, its texts as HTML."""
    if isinstance(value, str):
        return html.escape(guarded.typed(value), quote=True)
    if isinstance(value, list):
        return [_as_html(item) for item in value]
    return {key: _as_html(item) for key, item in value.items()} if isinstance(value, dict) else value


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
