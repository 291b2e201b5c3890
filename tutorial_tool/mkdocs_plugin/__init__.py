"""The MkDocs plugin: adds pages, navigation and images of tutorials, and serves errors as pages.

This module has the build events in order. Other modules and subpackages implement them and are loaded on demand: a
build without work needs none.
"""

from __future__ import annotations

import logging
import os
import posixpath
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click
from mkdocs.config import config_options as c
from mkdocs.config.base import Config, ConfigErrors, ConfigWarnings, ValidationError
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.plugins import BasePlugin, event_priority

from tutorial_tool.config import plugin_options

if TYPE_CHECKING:
    from jinja2 import Environment
    from mkdocs.livereload import LiveReloadServer
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page as MkDocsPage
    from mkdocs.utils.templates import TemplateContext

    from tutorial_tool.config.settings import Config as TutorialSettings
    from tutorial_tool.core.diagnostics import Finding, Severity
    from tutorial_tool.core.source import Source
    from tutorial_tool.data import Node
    from tutorial_tool.linter.baseline import Baseline
    from tutorial_tool.live_preview.background_linter import BackgroundLinter
    from tutorial_tool.mkdocs_plugin.author_views import AuthorViews
    from tutorial_tool.mkdocs_plugin.content import PageContents
    from tutorial_tool.mkdocs_plugin.error_pages import BrokenSite
    from tutorial_tool.mkdocs_plugin.incremental.rebuild import IncrementalBuilder
    from tutorial_tool.mkdocs_plugin.parallel import WorkerPool
    from tutorial_tool.mkdocs_plugin.serving import SourceWatcher
    from tutorial_tool.mkdocs_plugin.site_index import SiteIndex
    from tutorial_tool.publishing.render_timeout import Clock
    from tutorial_tool.site import Layout, Memory, Page, Site

log = logging.getLogger("mkdocs.plugins.tutorial")


class TutorialConfig(Config):
    """The options as MkDocs defines them; `plugin_options` documents them, and a test keeps both in sync."""

    project = c.Type(str, default=".")
    templates = c.Type(str, default="site_templates")
    lang = c.Optional(c.Type(str))
    lint = c.Type(bool, default=True)
    rules = c.Optional(c.Type(str))
    readers = c.Type(bool, default=True)
    sharing = c.Type(bool, default=True)
    dates = c.Type(bool, default=False)
    untrusted = c.Type(bool, default=False)
    prune = c.Type(bool, default=True)
    parallel = c.Type(bool, default=True)
    editor = c.Type(str, default=plugin_options.EDITOR)


class TutorialPlugin(BasePlugin[TutorialConfig]):
    """Renders the tutorials of `platforms.yaml` into the site."""

    def __init__(self) -> None:
        self.serving = False
        self.findings: list[Finding] = []
        self.baselined_findings: list[Finding] = []
        self.ends_on: Severity | None = None  # Minimum severity that fails a strict build
        self.site: Site
        self.by_path: dict[str, Page] = {}  # The tutorials' pages
        self.own_paths: set[str] = set()  # The paths of all pages that this plugin parses
        self.files: Files
        self.generated_nav: list[Any] | None = None  # The navigation, if the configuration has no `nav`
        self.follows_folders = False  # Whether another plugin builds the navigation from the folders
        self.site_index: SiteIndex
        self.nav: Navigation
        self.folder_names: list[File] = []  # Files that give another plugin the folders' titles
        self.untitled: list[MkDocsPage] = []
        """Pages whose titles other plugins may need before MkDocs parses them."""
        self.env: Environment
        self.has_moved = False  # Whether the site has redirect pages, which show titles of other pages
        self.published: list[str] = []  # The inventory's URLs
        self.reported: list[str] = []  # The findings logged by the previous build
        self.last_good_site: Site | None = None  # While serving: the last site that loaded without an error
        self.broken: BrokenSite | None = None  # While serving: what is shown of a site with errors
        self.startup_error = ""  # While serving: why the last build stopped before it changed anything, if it did
        self.has_begun = False  # Whether a build has started to change the site
        self.is_late = False  # Whether the linter runs in parallel to the build, and its findings are logged at the end
        self.worker_pool: WorkerPool | None = None  # The processes that read and write pages, if there are enough pages
        self.layout: Layout
        self.settings: TutorialSettings
        self.baseline: Baseline | None = None

    @cached_property
    def memory(self) -> Memory:
        from tutorial_tool.site import Memory

        return Memory()

    @cached_property
    def contents(self) -> PageContents:
        from tutorial_tool.mkdocs_plugin.content import PageContents

        return PageContents()

    @cached_property
    def clock(self) -> Clock:
        from tutorial_tool.mkdocs_plugin import errors
        from tutorial_tool.publishing import render_timeout

        return render_timeout.Clock(errors.raise_timeout)

    # While serving

    @cached_property
    def watcher(self) -> SourceWatcher:
        from tutorial_tool.mkdocs_plugin.serving import SourceWatcher

        return SourceWatcher()

    @cached_property
    def incremental(self) -> IncrementalBuilder:
        from tutorial_tool.mkdocs_plugin.incremental.rebuild import IncrementalBuilder

        return IncrementalBuilder(self)

    @cached_property
    def background_linter(self) -> BackgroundLinter:
        from tutorial_tool.live_preview.background_linter import BackgroundLinter

        return BackgroundLinter(self.incremental.write_late_pages, self._collect_findings, self._log_new_findings)

    @cached_property
    def author_views(self) -> AuthorViews:
        from tutorial_tool.mkdocs_plugin.author_views import AuthorViews

        return AuthorViews(self)

    # The project

    def load_config(
        self, options: dict[str, Any], config_file_path: str | None = None
    ) -> tuple[ConfigErrors, ConfigWarnings]:
        """Load the options as MkDocs does, but report all errors at once, with what to write instead."""
        errors, warnings = super().load_config(options, config_file_path)
        known = plugin_options.OPTIONS
        recognized = {key: value for key, value in options.items() if key in known and value is not None}
        wrong: ConfigErrors = [
            (key, ValidationError(plugin_options.describe_wrong_value(known[key], value)))
            for key, value in recognized.items()
            if not isinstance(value, known[key].type)
        ]
        other: ConfigWarnings = [(key, plugin_options.describe_unknown(key)) for key in options if key not in known]
        return wrong or errors, [*other, *(warning for warning in warnings if warning[0] not in options)]

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Record the command. Defining this event keeps the plugin instance across a server's rebuilds."""
        context = click.get_current_context(silent=True)  # `serve --clean` reports itself as a build
        self.serving = command == "serve" or (context is not None and context.info_name == "serve")

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        from tutorial_tool.mkdocs_plugin import companions, garbage, site_extensions
        from tutorial_tool.site import TEMPLATES, Layout

        root = Path(config.config_file_path or "mkdocs.yml").parent.resolve() / self.config.project
        site_extensions.check_folders(config, self.config.project, self.config.templates)
        companions.check_plugins(config)
        companions.register_early(config, "page_markdown", self._escape_front_matter)
        companions.register_early(config, "nav", self._set_titles)
        config.plugins.events["files"].append(self._rebuild_nav)
        docs = posixpath.relpath(Path(config.docs_dir).resolve().as_posix(), root.resolve().as_posix())
        lang = self.config.lang or ""
        self.layout = layout = Layout(root.resolve(), templates=self.config.templates, docs=docs, lang=lang)
        if layout.templates == TEMPLATES:  # the option is not set
            layout = replace(layout, templates=self._read_settings().templates)
        site_extensions.extend_config(config)
        if self.serving:
            self.incremental.start_build(config)
        with garbage.pause_collection(for_good=not self.serving):
            self.layout = layout
            loaded = self._load_site(layout, None if self.serving else partial(self._start_workers, config))
            self._configure_site(loaded, config)
            self.set_site(loaded)
            self.findings = (
                self._select_unsuppressed(self.site) if self.serving else self._collect_findings_in_parallel()
            )
        if self.config.prune and len(self.by_path) >= site_extensions.PRUNED_FROM:
            site_extensions.prune_navigation(config)
        self.ends_on = self.settings.fail_on if config.strict else None
        self._report_findings()
        return config

    def set_site(self, site: Site) -> None:
        """Set a loaded site; while serving, errors take away no more pages than necessary."""
        self.broken = None
        if self.serving and site.errors:
            from tutorial_tool.mkdocs_plugin import error_pages

            self.broken = error_pages.build_broken_site(site, self.last_good_site, self._get_data_nodes(site))
            site = self.broken.site
        elif self.serving:
            self.last_good_site = site
        self.site = self._extend_site(site)
        self.by_path = {page.path: page for page in self.site.by_address.values()}

    @staticmethod
    def _extend_site(site: Site) -> Site:
        """Return the site with its pages for all platforms, and only those in its language."""
        from tutorial_tool.publishing import combined_pages
        from tutorial_tool.publishing.export import languages

        return combined_pages.add_combined_pages(languages.select_language_pages(site))

    def _get_data_nodes(self, site: Site) -> dict[str, Node]:
        matches = ((path, self.memory.parsed.get(site.sources[path])) for path in site.data_files)
        return {path: loaded.node for path, loaded in matches if loaded and loaded.node}

    def _start_workers(self, config: MkDocsConfig, pages: int) -> None:
        """Start worker processes before the pages of a build are rendered, if worthwhile."""
        from tutorial_tool.mkdocs_plugin import parallel

        if self.config.parallel and parallel.is_worthwhile(config, pages):
            self.worker_pool = parallel.WorkerPool(config)

    def _load_site(self, layout: Layout, ready: Callable[[int], object] | None = None) -> Site:
        """Load the site, after a trial in a limited process if the project is untrusted."""
        from tutorial_tool import site
        from tutorial_tool.site import loading

        if self.config.untrusted:
            from tutorial_tool.data.model import Model
            from tutorial_tool.site import sandboxed_load

            if (late := sandboxed_load.run(layout)) is not None:
                return site.Site(layout, Model(), findings=[late])
        return loading.load(layout, memory=self.memory, on_loaded=ready, drafts=self.serving)

    def reload_site(self, config: MkDocsConfig) -> Site:
        """Reload the project with the same layout."""
        loaded = self._load_site(self.layout)
        self._configure_site(loaded, config)
        return self._extend_site(loaded)

    def _configure_site(self, loaded: Site, config: MkDocsConfig) -> None:
        """Apply the configuration to a loaded site. Abort the build if a file that it names is invalid.

        While serving, the sources and those files are watched.
        """
        from tutorial_tool.linter import baseline
        from tutorial_tool.mkdocs_plugin import errors
        from tutorial_tool.publishing import inventory

        if self.serving:
            self.watcher.watch_site(loaded, config)
        settings = self._read_settings()
        if self.serving:
            self.watcher.watch_files((settings.folder / name for name in settings.named_files), config)
        with errors.abort_on_config_error():
            self.published = [entry.url for entry in inventory.load_published(settings)]
            if self.config.lint:
                settings.read_files()
                self.baseline = baseline.get_configured(settings)
        loaded.configure(settings)

    def get_search_labeler(self, config: MkDocsConfig) -> Callable[[list[Any]], list[Any]]:
        """Return the function that prepares search entries for publication."""
        from tutorial_tool.mkdocs_plugin import search

        names, hidden = self._get_search_names(), self.site_index.find_superseded(self.site)
        return lambda entries: search.label_entries(entries, names, hidden, config)

    # Findings

    def _collect_findings(self, site: Site) -> list[Finding]:
        """Return the findings to report: those of the linter, or those of loading and rendering.

        A build ends on errors; while serving, the pages without errors are linted.
        """
        site = site.variants or site
        if (site.errors and not self.serving) or not self.config.lint:
            return self._select_unsuppressed(site)
        from tutorial_tool.core.diagnostics import Severity
        from tutorial_tool.linter import baseline, engine

        checkpoint = self.background_linter.raise_if_replaced
        run = engine.run(site.published_site, self.settings, memory=self.memory, checkpoint=checkpoint)
        compared = baseline.compare(run, self.baseline, site.layout.root)
        self.baselined_findings = compared.baselined
        unfinished = site.unfinished if self.serving else []
        return [*compared.new.values(), *(replace(finding, severity=Severity.HINT) for finding in unfinished)]

    def _collect_findings_in_parallel(self) -> list[Finding]:
        """Return the findings known now. For a large site, the linter runs in parallel with the build."""
        if self.worker_pool is None or self.site.errors or not self.config.lint or not self.site.is_project:
            return self._collect_findings(self.site)
        from tutorial_tool.linter import serialization

        self.worker_pool.start_work(partial(self._lint_in_worker, serialization.index_sources(self.site)))
        self.is_late = True
        return []

    def _lint_in_worker(self, shared: Mapping[str, Source]) -> bytes:
        """Lint in a worker; return the pickled findings, and those that the baseline suppresses.

        `shared` are sources that both processes have.
        """
        from tutorial_tool.linter import serialization

        return serialization.dump_pickle((self._collect_findings(self.site), self.baselined_findings), shared)

    def _take_deferred_findings(self) -> list[Finding]:
        """Return the findings of the linter that ran in parallel with the build."""
        if not self.is_late:
            return []
        from tutorial_tool.linter import serialization

        self.is_late = False
        value = self.worker_pool.get_result() if self.worker_pool else None
        if value is None:
            self.findings = self._collect_findings(self.site)
        else:
            self.findings, self.baselined_findings = serialization.load_findings(value, self.site)
        return self.findings

    def _select_unsuppressed(self, site: Site) -> list[Finding]:
        """Return the findings of loading and rendering, except those that the configuration turns off."""
        if site.errors or not site.findings:
            return site.findings
        from tutorial_tool.linter import engine

        return engine.prepare_late_findings(site, self.settings, site.findings)

    def on_build_error(self, *, error: Exception) -> None:
        """Log pending findings, and abort if a page nests too deeply for Python-Markdown.

        The message names the cause; a traceback shows no more.
        """
        from tutorial_tool.mkdocs_plugin import errors

        self.clock.stop()
        errors.log_findings(self._take_deferred_findings(), self.ends_on)
        self._stop_workers()
        if isinstance(error, RecursionError) and not self.serving:
            raise Abort("A page nests lists, quotations, or emphasis deeper than Python-Markdown can parse.")

    def _stop_workers(self) -> None:
        if self.worker_pool:
            self.worker_pool.stop_workers()
            self.worker_pool = None

    def _log_new_findings(self, findings: Sequence[Finding]) -> None:
        """Set the linter's findings while serving, and log the new ones."""
        from tutorial_tool.mkdocs_plugin import errors

        self.findings = list(findings)
        logged, self.reported = set(self.reported), [str(finding) for finding in findings]
        errors.log_findings([finding for finding in findings if str(finding) not in logged])

    def _read_settings(self) -> TutorialSettings:
        """Return the configuration of the project. Abort the build if it is invalid."""
        from tutorial_tool.linter.config_lookup import LookupOptions
        from tutorial_tool.mkdocs_plugin import errors

        root = self.layout.root
        with errors.abort_on_config_error():
            stated = LookupOptions(root).load_config(root)
            self.settings = replace(stated, root=root, home=stated.root)
            return self.settings

    def _report_findings(self) -> None:
        from tutorial_tool.mkdocs_plugin import errors

        wrong = self.broken.errors if self.broken else self.site.errors
        if not wrong:
            errors.log_findings(self.findings, self.ends_on)
            self.reported += map(str, self.findings)
            return
        from tutorial_tool.linter import engine

        self.reported += map(str, wrong)
        click.echo("\n".join(f"{finding}" for finding in engine.merge_missing_names(wrong)), err=True)
        if not self.serving:
            raise Abort("The tutorial cannot be rendered.")

    # Serving

    def on_serve(self, server: LiveReloadServer, /, *, config: MkDocsConfig, builder: Any) -> LiveReloadServer:
        from tutorial_tool.live_preview.app import App
        from tutorial_tool.live_preview.hosts import ServerAddress
        from tutorial_tool.mkdocs_plugin import serving
        from tutorial_tool.mkdocs_plugin.incremental import file_events

        serving.check_port(config)
        self.watcher.start_watching(self.site, server)
        right = server.get_app()
        assert right is not None
        shown = (
            self.author_views.render_panel,
            self.author_views.render_overview,
            lambda path: self.site.get_page(path),  # noqa: PLW0108 - a rebuild replaces the site
        )
        address = ServerAddress(config.dev_addr.host, config.dev_addr.port)
        server.set_app(App(right, server.mount_path, address, self.incremental.write_requested, *shown))
        self.watcher.watches_missing = file_events.use_system_events(server)
        self.watcher.watch_site(self.site, config)
        server.builder = partial(self._rebuild_site, builder)
        return server

    def _rebuild_site(self, builder: Callable[[], None]) -> None:
        """Build what a change affects, or the whole site if that is unknown."""
        self.background_linter.release_site()
        self.has_begun, self.startup_error = False, ""
        with self.incremental.lock:
            again = self.incremental.rebuild_changed()
            if not again:
                try:
                    builder()
                except Exception as error:
                    if self.has_begun:
                        raise
                    self.startup_error = str(error)  # the pages of the last build stay: MkDocs would serve none
                    log.error("%s", error)
        if again:
            self.background_linter.start_linting(self.site)

    # A build

    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        """Note that MkDocs changes the site's folder from here on."""
        self.has_begun = True

    @event_priority(50)
    def on_files(self, files: Files, /, *, config: MkDocsConfig) -> Files:
        from tutorial_tool.mkdocs_plugin import companions, pages

        pages.remove_outside(self.site, files, config)
        self.contents.build_texts(self.site)
        pages.remove_drafts(self.site, files)
        if self.site.catalogs:
            pages.translate_pages(self.site, files, config)
        pages.add_generated(self.site, self.contents.texts, self.config.rules, files, config)
        if self.broken:
            from tutorial_tool.mkdocs_plugin import error_pages

            error_pages.add_error_pages(self.broken, self.author_views.build_author(), files, config)
        self.generated_nav = None
        if companions.has_nav_plugin(config):
            companions.add_folder_files(self.site, files, config)
        else:
            is_made = config.nav is None
            self.follows_folders = companions.follows_folders(config)
            config.nav = self._build_nav(files, config)
            self.generated_nav = config.nav if is_made else None
            if self.follows_folders:
                companions.pass_nav(self.site, config)
        self.folder_names = companions.name_folders(self.site, files, config)
        self.own_paths = {page.path for page in self.site.pages}
        self.has_moved = pages.add_redirects(self.site, self.published, files, config)
        return files

    def _build_nav(self, files: Files, config: MkDocsConfig) -> list[Any]:
        from tutorial_tool.mkdocs_plugin import pages

        if self.follows_folders:
            return pages.build_folder_nav(self.site, self.contents.texts, files)
        return pages.build_nav(self.site, self.config.rules, files, config)

    def _rebuild_nav(self, files: Files, /, *, config: MkDocsConfig) -> Files:
        """Rebuild a `nav` that is not configured once other plugins have added or hidden pages."""
        for file in self.folder_names:
            files.remove(file)
        if self.generated_nav is not None and config.nav is self.generated_nav:
            config.nav = None
            config.nav = self._build_nav(files, config)
        return files

    def _set_titles(self, nav: Navigation, /, **_: Any) -> Navigation:
        from tutorial_tool.mkdocs_plugin import pages

        self.untitled = pages.set_titles(self.site, nav)
        return nav

    @event_priority(-100)  # after other plugins have ordered the pages
    def on_nav(self, nav: Navigation, /, *, config: MkDocsConfig, files: Files) -> Navigation:
        from tutorial_tool.mkdocs_plugin import pages

        pages.clear_titles(self.untitled)
        pages.set_neighbors(self.site, nav)
        self.nav, self.files = nav, files
        if self.worker_pool:
            self.worker_pool.start_reading(files)
        return nav

    @event_priority(100)  # before another plugin changes it
    def on_pre_page(self, page: MkDocsPage, /, *, config: MkDocsConfig, files: Files) -> MkDocsPage:
        if self.serving:
            self.incremental.record_initial(page)
        return page

    def _escape_front_matter(self, markdown: str, /, *, page: MkDocsPage, **_: Any) -> str:
        from tutorial_tool.mkdocs_plugin import pages

        pages.escape_front_matter(page)
        return markdown

    def on_page_markdown(self, markdown: str, /, *, page: MkDocsPage, config: MkDocsConfig, files: Files) -> str:
        from tutorial_tool.markdown import directive_comments

        self.clock.start(page.file.src_uri)
        return directive_comments.strip_comments(markdown)

    @event_priority(50)  # other plugins get the page without marks
    def on_page_content(self, content: str, /, *, page: MkDocsPage, config: MkDocsConfig, files: Files) -> str:
        from tutorial_tool.mkdocs_plugin import pages
        from tutorial_tool.publishing import draft_marks, html_escaping

        self.clock.stop()
        pages.escape_titles(page)
        content = content.replace("</label><label", "</label> <label")  # separates the words of two tabs for the search
        shown = self.by_path.get(page.file.src_uri)
        if shown is None:
            return html_escaping.restore_html(content)
        from tutorial_tool.mkdocs_plugin import companions

        if shown.place and shown.place.draft:
            content = draft_marks.mark_draft(content, self.site, shown)
        content = html_escaping.restore_html(
            content, html_escaping.find_typed_handlers(shown, frozenset(self.site.data_files))
        )
        return companions.add_heading(content, page, config)

    def on_env(self, env: Environment, /, *, config: MkDocsConfig, files: Files) -> Environment:
        """Prepare the index of files and dates, and the workers, before the first page is built."""
        from tutorial_tool.mkdocs_plugin.site_index import SiteIndex

        self.env = env
        self.site_index = SiteIndex(files, self.incremental.record_dependency if self.serving else None)
        if self.config.dates and not self.serving:
            self.site_index.compute_dates(self.site)
        if self.serving:
            self.incremental.record_content(files)
        if self.worker_pool:
            self.worker_pool.start_writing()
        return env

    @event_priority(-100)  # after a search plugin has read the page: what is around a step is not its text
    def on_page_context(
        self, context: TemplateContext, /, *, page: MkDocsPage, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext:
        from tutorial_tool.mkdocs_plugin import companions, page_html, post_build, side_navigation
        from tutorial_tool.publishing import platform_switcher

        if self.serving:
            self.incremental.record_entries(page, config)
        shown = self.by_path.get(page.file.src_uri)
        if shown is not None and shown.generated:
            companions.remove_dates(page.meta, shown)
        context["nav"] = side_navigation.filter_by_platform(nav, shown, self.site)
        whole = platform_switcher.find_combined_page(self.site, shown) if shown else None
        if whole is not None and (target := self.site_index.find_page(whole.path)):
            page.canonical_url = target.canonical_url
        above = "/.." if os.environ.get(post_build.MIKE) else ""  # the reader's platform is remembered across versions
        root = context["base_url"] + above
        page_html.render_content(page, shown, self.site, self.site_index, nav, root, config.theme.name)
        if self.serving:
            from tutorial_tool.live_preview.app import render_placeholder

            page.content = (page.content or "") + render_placeholder(page.file.src_uri)
        return context

    def on_post_page(self, output: str, /, *, page: MkDocsPage, config: MkDocsConfig) -> str:
        if not self.config.sharing:
            return output
        from tutorial_tool.mkdocs_plugin import cards
        from tutorial_tool.publishing import social_meta

        path = page.file.src_uri
        listed = self.config.readers and not self.serving and path in self.own_paths
        return social_meta.add_head_tags(
            output, cards.build_card(page, self.by_path.get(path), self.site_index, config, listed=listed)
        )

    @event_priority(-100)  # after other plugins have written their pages, such as redirects
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Complete the build: label the search index, write extra files, check the site, fail if strict.

        With `-q`, MkDocs counts no warnings and exits with 0, so that a strict build has to fail here.
        """
        from tutorial_tool.mkdocs_plugin import errors, post_build, search

        late = self._take_deferred_findings()
        self._stop_workers()
        errors.log_findings(late, self.ends_on)
        search.label_index_file(config, self._get_search_names(), self.site_index.find_superseded(self.site))
        if self.serving:
            if self.broken is None:
                self.incremental.finish_build(config, self.nav, self.files, self.env)
                self.background_linter.start_linting(self.site)
            elif not self.broken.is_last_site:
                self.background_linter.start_linting(self.broken.loaded)
            return
        post_build.write_files(self.site, self.published, self.files, config, for_readers=self.config.readers)
        if self.config.lint:
            findings = post_build.check_built_site(
                self.site, self.files, config, [*self.findings, *self.baselined_findings], self.settings
            )
            errors.log_findings(findings, self.ends_on)
            self.findings = [*self.findings, *findings]
        if self.ends_on:
            errors.fail_strict_build(self.findings, self.ends_on)

    def _get_search_names(self) -> dict[str, str]:
        return self.site_index.get_platform_names(self.by_path.values())
