"""The MkDocs plugin: adds the tutorial's pages, navigation and pictures to a build, and serves errors as pages."""

from __future__ import annotations

import html
import json
import logging
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

import click
from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader
from mkdocs.config import config_options as c
from mkdocs.config.base import Config, ConfigErrors, ConfigWarnings, ValidationError
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as MkDocsPage
from mkdocs.structure.toc import AnchorLink
from mkdocs.utils import get_relative_url, get_theme_dir, nest_paths
from mkdocs.utils.templates import TemplateContext

from tutorial_tool import (
    addresses,
    baseline,
    built,
    comments,
    data,
    guarded,
    inventory,
    linter,
    moved,
    navigation,
    patience,
    plugin_options,
    published,
    readers,
    rebuild,
    rule_pages,
    search_labels,
    sharing,
    site,
    switcher,
    targets,
    theme,
    trial,
    writing,
)
from tutorial_tool import (
    files as disk,
)
from tutorial_tool.config import Config as TutorialSettings
from tutorial_tool.config import ConfigError
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.model import Model
from tutorial_tool.rules import slow_markup
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


_MOVED = re.compile(r"redirect|alias|old_urls", re.IGNORECASE)
PRUNED_FROM = 200
"""Pages of tutorials from which on each page shows the open part of the navigation only: else all of them show all."""


class TutorialConfig(Config):
    """The options, as MkDocs wants them; `plugin_options` says what they are for, and a test holds the two together."""

    project = c.Type(str, default=".")
    templates = c.Type(str, default="site_templates")
    lint = c.Type(bool, default=True)
    rules = c.Optional(c.Type(str))
    readers = c.Type(bool, default=True)
    sharing = c.Type(bool, default=True)
    untrusted = c.Type(bool, default=False)
    cache = c.Type(bool, default=True)
    prune = c.Type(bool, default=True)
    editor = c.Type(str, default=plugin_options.EDITOR)


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
        self.own_paths: set[str] = set()
        """The paths of all pages that we read."""
        self.files: Files
        self.nav: Navigation
        self.env: Environment
        self.memory = site.Memory()
        self.has_moved = False
        """Whether the site has pages at old addresses, which show titles of others."""
        self.fronts: dict[Page, str] = {}
        self.texts: dict[Page, str] = {}
        """The generated pages as MkDocs reads them."""
        self.shortcut = rebuild.Shortcut(self)
        self.lookout = writing.Lookout(self.shortcut.finish, self._found, self._tell)
        self.clock = patience.Clock(_take_too_long)
        self.told: list[str] = []
        """The findings that the log holds since the last build but one."""

    def load_config(
        self, options: dict[str, Any], config_file_path: str | None = None
    ) -> tuple[ConfigErrors, ConfigWarnings]:
        """As MkDocs does it, with all mistakes in one run, in words that say what to write instead."""
        errors, warnings = super().load_config(options, config_file_path)
        known = plugin_options.OPTIONS
        told = {key: value for key, value in options.items() if key in known and value is not None}
        wrong: ConfigErrors = [
            (key, ValidationError(plugin_options.wrong(known[key], value)))
            for key, value in told.items()
            if not isinstance(value, known[key].type)
        ]
        other: ConfigWarnings = [(key, plugin_options.unknown(key)) for key in options if key not in known]
        return wrong or errors, [*other, *(warning for warning in warnings if warning[0] not in options)]

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Note the command. Defined, so that the plugin lives across the rebuilds of a server."""
        context = click.get_current_context(silent=True)  # `serve --clean` calls itself a build
        self.serving = command == "serve" or (context is not None and context.info_name == "serve")
        if self.config.cache and not self.serving:
            rebuild.once()

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        root = Path(config.config_file_path or "mkdocs.yml").parent.resolve() / self.config.project
        docs = posixpath.relpath(Path(config.docs_dir).resolve().as_posix(), root.resolve().as_posix())
        layout = Layout.find(root.resolve(), docs=docs, templates=self.config.templates)
        for name, options in EXTENSIONS.items():
            if name not in config.markdown_extensions:
                config.markdown_extensions.append(name)
                config.mdx_configs.setdefault(name, options)
        _dress(config)
        self.shortcut.begin()
        self.site = self._read(layout)
        self.take(self._redirected(self.site))
        if self.config.prune and len(self.by_path) >= PRUNED_FROM:
            _prune(config)
        self._watch(config)
        self.findings = self.site.findings if self.serving else self._found(self.site)
        self._report()
        return config

    def _redirected(self, loaded: Site) -> Site:
        loaded.redirects = self._told().redirects
        return loaded

    def take(self, site: Site) -> None:
        """Go on with a site that was loaded."""
        self.site = site
        self.by_path = {page.path: page for page in site.by_address.values()}

    def _read(self, layout: Layout) -> Site:
        """The site, once a process with limits has come to its end with it, if that is wanted."""
        late = trial.run(layout) if self.config.untrusted else None
        if late is not None:
            return Site(layout, Model(), findings=[late])
        loaded = site.load(layout, memory=self.memory)
        loaded.findings += slow_markup.hanging(loaded)
        return loaded

    def loaded(self, config: MkDocsConfig) -> Site:
        """The project as it is now, in the layout that it had."""
        loaded = self._redirected(self._read(self.site.layout))
        self._watch(config)
        return loaded

    def content(self, site: Site) -> dict[str, str]:
        """The text of each page and figure that is generated, by path."""
        told = frozenset(site.data_files)
        ours = [page for page in site.pages if page.generated]
        self.texts = {page: self.texts.get(page) or guarded.text(page, told) for page in ours}
        return {page.path: text for page, text in self.texts.items()} | {
            path: figure.svg for path, figure in site.figures.items()
        }

    def shape(self, site: Site) -> object:
        """What more than single pages show, the titles of pages aside: where it changes, the whole site is built."""
        read = site.model
        return (
            [(page.path, page.source.path, page.generated, page.number) for page in site.pages],
            [(id_, plain(platform.name)) for id_, platform in read.platforms.items()],
            [(id_, plain(tutorial.title)) for id_, tutorial in read.tutorials.items()],
            _reasons(read),
            published.tables_of(site, None),
            {key: plain(text) for key, text in read.strings.items()},
            site.redirects,
            self._moving(site),
        )

    def _moving(self, site: Site) -> list[tuple[str, str]]:
        """The front matter of pages that may name old addresses of theirs."""
        self.fronts = {page: self.fronts.get(page) or _front(page) for page in site.pages}
        return [(page.path, front) for page, front in self.fronts.items() if _MOVED.search(front)]

    def labelled(self, entries: list[Any], config: MkDocsConfig) -> list[Any]:
        """Entries of the search as `_label_search` writes them."""
        index = json.dumps({"docs": entries}, separators=(",", ":"), default=str)
        names, grouped = self._names_in_search(), config.theme.name == "material"
        return list(json.loads(search_labels.labelled(index, names, grouped=grouped))["docs"])

    def _found(self, site: Site) -> list[Finding]:
        """What is to be reported: all that the linter finds, or what loading and rendering found."""
        if site.errors or not self.config.lint:
            return site.findings
        try:
            told = self._told()
            found = linter.run(site, told, memory=self.memory, timings=self.lookout.timings)
            compared = baseline.compared(found, baseline.of(told), site.layout.root)
        except ConfigError as error:
            raise Abort(str(error)) from error
        self.known = compared.known
        return compared.new

    def on_build_error(self, *, error: Exception) -> None:
        """What nests too deeply for Python-Markdown is named in the log; no traceback tells more."""
        self.clock.stop()
        if isinstance(error, RecursionError) and not self.serving:
            raise Abort(
                "A page has lists, quotations or emphasis inside each other, deeper than Python-Markdown reads."
            )

    def _tell(self, findings: Sequence[Finding]) -> None:
        """While serving: what the linter found, the new ones in the log."""
        self.findings = list(findings)
        known, self.told = set(self.told), [str(finding) for finding in findings]
        for finding in findings:
            if str(finding) not in known:
                _log(finding)

    def _told(self) -> TutorialSettings:
        """The configuration of our own, which holds in the project. Ends the build where it is wrong."""
        root = self.site.layout.root
        try:
            return targets.Settings(root).config(root)
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
        server.set_app(writing.App(theirs, server.mount_path, self.shortcut.wanted, self._panel, self._overview))
        rebuild.notified(server)
        server.builder = partial(self._rebuilt, builder)
        return server

    def _rebuilt(self, builder: Callable[[], None]) -> None:
        """Build what a change concerns, or the whole site where that is not known."""
        self.lookout.rest()
        with self.shortcut.lock:
            again = self.shortcut.again()
            if not again:
                builder()
        if again:
            self.lookout.see(self.site)

    def _overview(self) -> str | None:
        """The author's overview, which is made when it is asked for."""
        if self.site.errors:
            return None
        findings = self.lookout.findings(timeout=60) or self.findings
        return writing.overview(self.site, self._told(), findings)

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
        self._leave_outside(files, config)
        self.content(self.site)
        for page, text in self.texts.items():
            _put(files, self._page_file(page, text, config))
        for path, figure in self.site.figures.items():
            _put(files, File.generated(config, path, content=figure.svg))
        for path, content in rule_pages.pages(self.config.rules).items() if self.config.rules else ():
            _put(files, File.generated(config, path, content=content))
        ours = {page.path for page in self.site.pages if page.place}
        others = [file.src_uri for file in files.documentation_pages() if file.src_uri not in ours]
        config.nav = navigation.whole(self.site, self._with_rules(config.nav), nest_paths(others), html.escape)
        self.last_paths = [file.src_uri for file in files.documentation_pages()]
        self.last_nav = config.nav
        self.own_paths = {page.path for page in self.site.pages}
        self._add_moved(files, config)
        return files

    def _leave_outside(self, files: Files, config: MkDocsConfig) -> None:
        """MkDocs follows symbolic links wherever they lead: what stands outside of the project is not published."""
        roots = [self.site.layout.root.resolve(), Path(config.docs_dir).resolve()]
        for file in list(files):
            path = Path(file.abs_src_path) if file.abs_src_path else None
            if path is None or not path.is_relative_to(config.docs_dir):
                continue
            if not any(path.resolve().is_relative_to(root) for root in roots):
                files.remove(file)
                name = disk.shown(path, self.site.layout.root)
                log.warning("%s: unsafe-path: a symbolic link leads out of the project; it is not published", name)

    def _add_moved(self, files: Files, config: MkDocsConfig) -> None:
        """Add the pages at old addresses, where nothing else stands."""
        self.has_moved = False
        taken = {file.dest_uri for file in files}
        for old, target in moved.moves(self.site):
            there = File.generated(config, old, content="") if old not in taken else None
            if there is None or not (target.kind == "external" or files.get_file_from_path(target.path)):
                continue
            url = partial(_seen_from, files, there)
            file = files.get_file_from_path(target.path)
            whole = target.path if file is None else _whole(config, file.url)
            title = addresses.of(self.site).title(target.page) if target.page else ""
            language = str(config.theme.get("language", "en"))
            text = moved.page(target, url, title, whole, self.site.model.strings, language)
            files.append(File.generated(config, old, content=text))
            self.has_moved = True

    def _with_rules(self, nav: Any) -> Any:
        """The configured navigation with the rules' pages at their mark."""
        if isinstance(nav, list):
            return [self._with_rules(entry) for entry in nav]
        if isinstance(nav, dict):
            return {title: self._with_rules(value) for title, value in nav.items()}
        return rule_pages.nav(self.config.rules) if nav == rule_pages.MARK and self.config.rules else nav

    def _page_file(self, page: Page, text: str, config: MkDocsConfig) -> File:
        file = File.generated(config, page.path, content=text)
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
        self.nav = nav
        return nav

    @event_priority(100)  # before another plugin changes it
    def on_pre_page(self, page: MkDocsPage, /, *, config: MkDocsConfig, files: Files) -> MkDocsPage:
        self.shortcut.reading(page)
        return page

    def on_page_markdown(self, markdown: str, /, *, page: MkDocsPage, config: MkDocsConfig, files: Files) -> str:
        """MkDocs and its themes write front matter into HTML as it is: what people type there is text."""
        page.meta = {key: _as_html(value) for key, value in page.meta.items()}
        self.clock.start(page.file.src_uri)
        return comments.strip(markdown)

    def on_page_content(self, content: str, /, *, page: MkDocsPage, config: MkDocsConfig, files: Files) -> str:
        self.clock.stop()
        for anchor in _anchors(page.toc):
            anchor.title = guarded.html(anchor.title)
        title = str(page.title)
        if guarded.html(title) != title:
            page.title = guarded.html(title)
        shown = self.by_path.get(page.file.src_uri)
        return guarded.html(content, guarded.handlers(shown, frozenset(self.site.data_files)) if shown else None)

    def on_env(self, env: Environment, /, *, config: MkDocsConfig, files: Files) -> Environment:
        """The templates that mend Material's take its own from `material/`."""
        self.files, self.env = files, env
        self.shortcut.read(files)
        if env.loader is not None and config.theme.name == "material":
            theirs = {"material": FileSystemLoader(get_theme_dir("material"))}
            env.loader = ChoiceLoader([env.loader, PrefixLoader(theirs)])
        return env

    @event_priority(-100)  # once a search plugin has read the page: what surrounds a step is not a part of its text
    def on_page_context(
        self, context: TemplateContext, /, *, page: MkDocsPage, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext:
        self.shortcut.surrounding(page, config)
        shown = self.by_path.get(page.file.src_uri)
        aside = writing.place(page.file.src_uri) if self.serving and not self.site.errors else ""
        page.content = content = published.page(page.content or "", self._published(page, shown, config))
        if shown is None and ("tutorial-start" in content or "tabbed-labels" in content):
            page.content = content + theme.elsewhere(self.site, partial(self._url, page), context["base_url"])
        elif shown is not None:
            home = nav.homepage.file.src_uri if nav.homepage else None
            shared = {
                choice.platform.id: self._anchors(page, page.file.src_uri) & self._anchors(page, choice.page.path)
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

    def on_post_page(self, output: str, /, *, page: MkDocsPage, config: MkDocsConfig) -> str:
        return sharing.headed(output, self._card(page, config)) if self.config.sharing else output

    def _card(self, page: MkDocsPage, config: MkDocsConfig) -> sharing.Card:
        shown = self.by_path.get(page.file.src_uri)
        listed = self.config.readers and not self.serving and page.file.src_uri in self.own_paths
        description = page.meta.get("description") or config.site_description or ""
        return sharing.Card(
            html.unescape(str(page.title or "")),
            html.unescape(config.site_name),
            html.unescape(str(description)),
            _whole(config, page.url),
            plain(shown.place.platform.name) if shown and shown.place else "",
            self._image(page, config),
            get_relative_url(page.file.src_uri, page.url) if listed else "",
            page.is_homepage,
        )

    def _image(self, page: MkDocsPage, config: MkDocsConfig) -> sharing.Image | None:
        """The picture that stands for a page: the one that its front matter names, or the first that it shows."""
        if not config.site_url:
            return None
        shown = [(self._path(page, src), alt) for src, alt in published.pictures(page.content or "")]
        if isinstance(told := page.meta.get("image"), str):
            named = html.unescape(told).lstrip("/")
            shown = [(named, ""), (posixpath.join(posixpath.dirname(page.file.src_uri), named), "")]
        for path, alt in shown:
            self.shortcut.asked(page, path or "")
            file = self.files.get_file_from_path(path) if path and path.lower().endswith(sharing.SUFFIXES) else None
            if file is not None and file.abs_src_path:
                return sharing.Image(_whole(config, file.url), alt, published.size_of(Path(file.abs_src_path)))
        return None

    def _panel(self, path: str, timeout: float) -> str | None:
        """While serving: what the linter finds on a page; None where it has not looked yet, after so many seconds."""
        found = self.lookout.findings(timeout)
        file = self.files.get_file_from_path(path)
        if found is None or file is None or file.page is None:
            return None
        ours = next((each for each in self.site.pages if each.path == path), None)
        author = writing.Author(self.site.layout.root, self.config.editor, partial(self._manual, file.page))
        return writing.panel(ours, found, author, posixpath.relpath(writing.OVERVIEW, file.page.url or ".") + "/")

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
        path = self._path(page, src)
        if path is None:
            return None
        self.shortcut.asked(page, path)
        if figure := self.site.figures.get(path):
            return published.Picture(svg=figure.svg)
        file = self.files.get_file_from_path(path)
        if file is None or file.abs_src_path is None:
            return None
        return published.Picture(size=published.size_of(Path(file.abs_src_path)))

    def _path(self, page: MkDocsPage, src: str) -> str | None:
        """The path in the docs folder of what stands at a relative address, as seen from a page."""
        try:
            parts = urlsplit(src)
        except ValueError:
            return None
        if parts.scheme or parts.netloc or not parts.path or parts.path.startswith("/"):
            return None
        return posixpath.normpath(posixpath.join(posixpath.dirname(page.url), unquote(parts.path)))

    def _url(self, page: MkDocsPage, path: str) -> str:
        file = self.files.get_file_from_path(path)
        return file.url_relative_to(page.file) if file else ""

    def _title(self, page: Page) -> str:
        """The title that readers see, with its number."""
        file = self.files.get_file_from_path(page.path)
        return html.unescape(str(file.page.title)) if file and file.page else page.title

    def _anchors(self, asking: MkDocsPage, path: str) -> set[str]:
        """The anchors of a page, once it is rendered."""
        self.shortcut.asked(asking, path)
        file = self.files.get_file_from_path(path)
        return (file.page.present_anchor_ids if file and file.page else None) or set()

    @event_priority(-100)  # once other plugins have written their pages, such as redirects
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """A strict build fails on our findings itself: with `-q` MkDocs counts no warnings, and exits with 0."""
        if not self.site.errors:
            self._label_search(config)
        if self.serving:
            self.shortcut.end(config, self.nav, self.files, self.env)
            self.lookout.see(self.site)
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

    def _label_search(self, config: MkDocsConfig) -> None:
        """Tell the results of a search apart, once the search plugin has written them."""
        folder = Path(config.site_dir)
        read = disk.read(folder / search_labels.FILE, root=folder)
        if not isinstance(read, Finding):
            text = search_labels.labelled(read.text, self._names_in_search(), grouped=config.theme.name == "material")
            disk.write(folder / search_labels.FILE, text.encode(), root=folder)

    def _names_in_search(self) -> dict[str, str]:
        """The platform of each page of a tutorial, by the page's address."""
        files = {path: self.files.get_file_from_path(path) for path in self.by_path}
        return {
            file.url: plain(page.place.platform.name)
            for path, page in self.by_path.items()
            if page.place and (file := files[path])
        }

    def _write_for_readers(self, config: MkDocsConfig, folder: Path) -> None:
        """Write what other tools read, never over a file of the site."""
        taken = {file.dest_uri for file in self.files}
        present = {file.src_uri for file in self.files.documentation_pages()}
        pages = [page for page in self.site.pages if page.path in present]
        base = f"{config.site_url.rstrip('/')}/" if config.site_url else ""
        found = readers.files(self.site, pages, html.unescape(config.site_name), config.site_description or "", base)
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
        settings = self._told()
        told = baseline.compared(linter.later(self.site, settings, found), baseline.of(settings), root)
        for finding in told.new:
            _log(finding)
        self.findings = [*self.findings, *told.new]


def _reasons(model: Model) -> list[str | None]:
    """Why platforms lack steps."""
    return [
        plain(reason) if (reason := tutorial.absence(step, platform)) else None
        for tutorial in model.tutorials.values()
        for step in tutorial.steps.values()
        for platform in model.platforms.values()
    ]


def _take_too_long(path: str) -> None:
    raise PluginError(
        f"{path}: Python-Markdown takes more than {patience.SECONDS:g} s for this page. Such text is rarely prose: "
        "put it into a code block, or into a file of its own"
    )


def _front(page: Page) -> str:
    text = plain(page.text)
    found = data.split(text)
    return text[: found.body] if found else ""


def _dress(config: MkDocsConfig) -> None:
    """Add the style and the script of tutorial pages, and the templates that mend Material's behind the user's own."""
    config.theme.dirs.append(str(theme.STATIC))
    config.extra_css[:0] = theme.STYLES  # the user's own styles come after them, and win
    config.extra_javascript += theme.SCRIPTS
    if config.theme.name == "material":
        config.extra_css.insert(0, theme.MATERIAL_STYLE)
        config.extra_javascript.append(theme.MATERIAL_SCRIPT)
        config.theme.dirs.insert(1 if config.theme.custom_dir else 0, str(theme.MATERIAL))


def _prune(config: MkDocsConfig) -> None:
    """Leave closed sections out of Material's navigation: their names lead to their first page, which opens them."""
    features = list(config.theme.get("features") or ())
    if config.theme.name == "material" and not {"navigation.expand", "navigation.prune"} & set(features):
        config.theme["features"] = [*features, "navigation.prune"]


def _put(files: Files, file: File) -> None:
    """Add a file in place of the one that stands at its path, if one does."""
    known = files.get_file_from_path(file.src_uri)
    if known is not None:
        files.remove(known)
    files.append(file)


def _whole(config: MkDocsConfig, url: str) -> str:
    """The whole address of a file of the site; empty where the site's is not known."""
    return f"{config.site_url.rstrip('/')}/{'' if url == './' else url}" if config.site_url else ""


def _seen_from(files: Files, there: File, path: str) -> str:
    """The address of a file of the site, as a page that stands elsewhere names it."""
    file = files.get_file_from_path(path)
    return file.url_relative_to(there) if file else ""


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
