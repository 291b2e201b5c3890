"""Find what a run works on: the projects and trees of the named paths, each with its configuration."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tutorial_tool import data, site
from tutorial_tool.cache import get_recording, inputs
from tutorial_tool.config import settings as config
from tutorial_tool.config import site_generator
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding, select_places
from tutorial_tool.core.errors import TutorialToolError
from tutorial_tool.core.source import Edit, Source, Span
from tutorial_tool.fs import files
from tutorial_tool.linter import baseline, engine
from tutorial_tool.linter.baseline import Baseline, BaselineComparison
from tutorial_tool.linter.config_lookup import LookupOptions
from tutorial_tool.linter.last_run import LastRun
from tutorial_tool.linter.linted_site import LintedSite
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules import get_rules
from tutorial_tool.site import DATA, Layout, Memory, Site, output_manifest, plugin_layout

if TYPE_CHECKING:
    from tutorial_tool import external_linters
    from tutorial_tool.links import external

SUFFIXES = (".md", ".markdown", ".mdx")  # Files linted in folders
NAMED_SUFFIXES = (*SUFFIXES, ".txt")  # Files linted if named


class NothingToLint(TutorialToolError):
    """No file matched."""


class NothingLeft(NothingToLint):
    """`force-exclude` excludes all of the named files, which is not an error."""


class ChangeFilter(Protocol):
    """A filter for the new findings that a change affects."""

    def filter_new(
        self, compared: BaselineComparison, findings: Iterable[Finding], target: Target
    ) -> BaselineComparison: ...


@dataclass(frozen=True)
class Target:
    """A project, or a tree of Markdown files. Findings name paths relative to `root`.

    `paths` are the files of a tree; of a project, the files and folders whose findings are requested, or all if empty.
    `context_paths` are further files of a tree, read as context for the first, and `old_version_paths` those of
    versions that a newer one replaces.

    `overlay` gives texts that replace those of files, by path.
    """

    root: Path
    config: Config
    paths: tuple[Path, ...]
    layout: Layout | None = None
    overlay: tuple[tuple[str, str], ...] = ()
    external: external.Links | None = field(default=None, compare=False)  # Checks external links, if requested
    tools: external_linters.ExternalLinters | None = field(default=None, compare=False)
    """Runs the other tools in the configuration, if requested."""
    baseline: Baseline | None = field(default=None, compare=False)  # Its findings are suppressed
    since: ChangeFilter | None = field(default=None, compare=False)  # Skips what is older than a change, if requested
    context_paths: tuple[Path, ...] = ()
    old_version_paths: tuple[Path, ...] = ()
    is_cached: bool = True  # Whether results are kept for the next run
    drafts: bool = False  # Whether unpublished pages are linted, and what they lack is reported
    has_named_pages_only: bool = False  # Whether pages are named and no folders: of a tree, no other file is reported

    def load(self, overlay: Mapping[str, str] | None = None, memory: Memory | None = None) -> Site:
        loaded = self._read(overlay, memory)
        loaded.configure(self.config)
        return loaded

    def _read(self, overlay: Mapping[str, str] | None, memory: Memory | None) -> Site:
        texts = {**dict(self.overlay), **(overlay or {})}
        if self.layout is not None:
            from tutorial_tool.site import loading  # imports Jinja, which a plain tree does not need

            loaded = loading.load(self.layout, texts, memory=memory, drafts=self.drafts)
            loaded.findings += loaded.unfinished if self.drafts else []
            return loaded
        dialect = Dialect(self.config.dialect) if self.config.dialect else None
        unlinted = (*self.context_paths, *self.old_version_paths)
        paths = _sort_paths((*self.paths, *unlinted)) if unlinted else self.paths
        loaded = site.load_plain(paths, self.root, texts, dialect=dialect, memory=memory)
        for page in loaded.pages:
            page.is_link_only = page.path in self._old_version_names
        return loaded

    def lint(
        self, overlay: Mapping[str, str] | None = None, memory: Memory | None = None, processes: int = 1
    ) -> LintedSite:
        """Return all findings of the target; those that are not requested have no fixes.

        A memory passed to each run of a target saves the work on unchanged files, and more processes save time; neither
        changes the result.
        """
        memory = memory or Memory()
        is_stored = (memory.is_stored or get_recording() is not None) and not memory.last_pages
        loaded = self.load(overlay, memory)
        if not memory.is_stored or self.layout is not None or self.external or self.tools:
            return self._lint(loaded, memory, processes, is_stored=is_stored)
        request = self, self.baseline, get_rules()
        last_run: LastRun | None = memory.cache.get(LastRun)
        if last_run is None or (linted := last_run.get_linted(request, loaded)) is None:
            last_run = LastRun(request, loaded)
            inputs.begin(last_run.observer)
            try:
                last_run.linted = linted = self._lint(loaded, memory, processes, is_stored=is_stored)
            finally:
                inputs.end()
            memory.cache[LastRun] = last_run
        return linted

    def _lint(self, loaded: Site, memory: Memory, processes: int, *, is_stored: bool) -> LintedSite:
        link_findings = self.external.check_site(loaded, self.config) if self.external else None
        tool_findings = list(self.tools.collect_findings(loaded, self.config)) if self.tools else []
        tools_run = self.tools.ran if self.tools else ()
        with self._reuse_results(loaded, memory) if is_stored else nullcontext():
            findings = engine.run(
                loaded,
                self.config,
                link_findings=link_findings,
                tool_findings=tool_findings,
                tools_run=tools_run,
                memory=memory,
                max_workers=processes,
            )
        fixable = {
            finding
            for finding in self.compare_with_baseline(findings).new.values()
            if self.is_requested(finding) and (self.layout or self._is_named(finding.span))
        }
        findings = [finding if finding in fixable else replace(finding, fix=None) for finding in findings]
        return LintedSite(loaded, findings)

    def _reuse_results(self, loaded: Site, memory: Memory) -> AbstractContextManager[None]:
        if self.layout is not None or not self.is_cached:
            return nullcontext()
        from tutorial_tool.linter import disk_cache

        return disk_cache.reuse_results(loaded, self.config, memory)

    def compare_with_baseline(self, findings: Iterable[Finding]) -> BaselineComparison:
        """Compare all findings of the target with its baseline."""
        findings = list(findings)
        result = baseline.compare(findings, self.baseline, self.root)
        return self.since.filter_new(result, findings, self) if self.since else result

    def is_requested(self, finding: Finding) -> bool:
        """Return whether a finding is requested: it is in a named file, or relates to one.

        In a tree, only findings that compare copies count by all their related spans; in a project, all but those of
        prose, which name other pages as evidence.
        """
        rule = get_rules().get(finding.rule)
        is_of_copies, is_of_prose = rule is not None and rule.level == "Step", rule is not None and rule.group == "text"
        is_about_all = is_of_copies if self.layout is None else not is_of_prose
        spans = [finding.span, *(item.span for item in finding.related if item.again or is_about_all)]
        return finding.span.path not in self._old_version_names and any(map(self._is_named, spans))

    def _is_named(self, span: Span) -> bool:
        """Return whether a span is in a file that is not read only as context for others."""
        if self.layout is not None:
            return not self._names or any(is_below(span.path, name) for name in self._names)
        is_limited = self.context_paths or self.has_named_pages_only
        return span.path in self._names if is_limited else span.path not in self._old_version_names

    @cached_property
    def _old_version_names(self) -> frozenset[str]:
        return frozenset(files.format_path(path, self.root) for path in self.old_version_paths)

    @cached_property
    def _names(self) -> list[str]:
        return [files.format_path(path, self.root) for path in self.paths]

    def list_files(self, start: Path) -> list[str]:
        """Return the files that are linted, relative to `start`."""
        if self.layout is None:
            return [files.format_path(path, start) for path in self.paths]
        names = [name for name in self.load().sources if not self.config.excludes(name)]
        requested = [name for name in names if not self._names or any(is_below(name, other) for other in self._names)]
        return [files.format_path(self.root / name, start) for name in requested]

    def _move_to_named(self, finding: Finding) -> Finding:
        """Return a finding in a named file, if the same mistake is there, too."""
        return finding if self._is_named(finding.span) else select_places(finding, self._is_named) or finding

    def select_findings(self, findings: Iterable[Finding], start: Path) -> list[Finding]:
        """Return the requested findings, with paths relative to `start`."""
        requested = engine.merge_missing_names(map(self._move_to_named, filter(self.is_requested, findings)))
        return requested if self.root == start else list(_move_findings(requested, self.root, start))


def is_below(path: str, name: str) -> bool:
    """Return whether a path is `name`, or is below it."""
    return name in (".", path) or path.startswith(f"{name}/")


def build_span_mapper(root: Path, start: Path) -> Callable[[Span], Span]:
    """Return a function that makes the path of a span relative to `start` instead of `root`."""

    @cache
    def map_source(source: Source) -> Source:
        return Source(files.format_path(root / source.path, start), source.raw)

    return lambda span: Span(map_source(span.source), span.start, span.end)


def _move_findings(findings: Iterable[Finding], root: Path, start: Path) -> Iterator[Finding]:
    """Yield findings with paths relative to `start` instead of `root`."""
    move = build_span_mapper(root, start)
    for finding in findings:
        related = tuple(item._replace(span=move(item.span)) for item in finding.related)
        edits = [Edit(move(edit.span), edit.text) for edit in finding.fix.edits] if finding.fix else []
        fix = finding.fix._replace(edits=tuple(edits)) if finding.fix else None
        yield replace(finding, span=move(finding.span), related=related, fix=fix)


def _build_not_found_error(named: list[Path], lookup: LookupOptions, start: Path) -> NothingToLint:
    config_, defaults = lookup.load_config(lookup.start), Config()
    if named and config_.force_exclude:
        return NothingLeft("nothing to lint: the named files are excluded or are not Markdown")
    is_set = (config_.exclude, config_.extend_exclude) != (defaults.exclude, defaults.extend_exclude)
    unless_excluded = " that `exclude` leaves" if is_set else ""
    places = ", ".join(f"`{files.format_path(path, start)}`" for path in named)
    places = places or f"this folder{unless_excluded}; name another folder, or start with `tutorial-tool init DIR`"
    return NothingToLint(f"no Markdown file ({', '.join(NAMED_SUFFIXES if named else SUFFIXES)}) in {places}")


def find(paths: Iterable[Path], lookup: LookupOptions, unsaved: Iterable[Path] = ()) -> list[Target]:
    """Return the targets of the paths; without paths, the project in or above this folder, or the folder.

    `unsaved` are files that are not saved yet: each joins the tree of the files around it, if there is one.

    Raises: NothingToLint if no file matches, and config.ConfigError.
    """
    start, named = lookup.start, [Path(os.path.normpath(lookup.start / path)) for path in paths]
    lookup = replace(lookup, start=_find_common_folder(lookup, named))
    search = _Search(lookup)
    for path in named:
        search.add(path)
    if not named:
        search.add(search.project_at(lookup.start) or lookup.start)
    for path in unsaved:
        search.add_new(path)
    if not search.projects and not search.trees and not search.old_versions:
        raise _build_not_found_error(named, lookup, start)
    has_pages_only = bool(named) and all(
        path.name.lower().endswith(NAMED_SUFFIXES) and not path.is_dir() for path in named
    )
    targets = [replace(target, has_named_pages_only=has_pages_only) for target in search.build_targets()]
    return list(_add_context_files(targets, lookup)) if named and lookup.whole_project else targets


def _find_common_folder(lookup: LookupOptions, named: list[Path]) -> Path:
    """Return the folder that the run starts in, or that the named paths share if one is not below it."""
    is_below = lookup.file or all(path.is_relative_to(lookup.start) for path in named)
    return lookup.start if is_below else find_shared_folder(named) or lookup.start


def find_shared_folder(paths: Iterable[Path]) -> Path | None:
    """Return the innermost folder that contains all paths; None without any, or if they are on several drives."""
    with suppress(ValueError):
        return Path(os.path.commonpath([path if path.is_dir() else path.parent for path in paths]))
    return None


def _add_context_files(targets: Iterable[Target], lookup: LookupOptions) -> Iterator[Target]:
    """Yield the targets; trees with the other files that a run in the same folder reads with them."""
    search = _Search(lookup)
    search.add(lookup.start)
    for target in targets:
        trees = (search.trees, search.old_versions) if target.layout is None else ({}, {})
        files_ = (_deduplicate(tree.get(target.config, ())) for tree in trees)
        context, old_context = (_sort_paths(paths.difference(target.paths)) for paths in files_)
        yield replace(target, context_paths=context, old_version_paths=old_context)


class _Search:
    """The assignment of paths to projects and trees.

    Results for folders are cached: there may be thousands of files.
    """

    def __init__(self, lookup: LookupOptions) -> None:
        self.lookup = lookup
        self.read = cache(lookup.read)
        self.config_file_at = cache(partial(lookup.find_file, find_here=cache(config.find_in_folder)))
        self.project_at = cache(self._find_project_at)
        self.project_in = cache(self._find_project_in)
        self.layout_at = cache(self._build_layout)
        self.rendered_by = cache(output_manifest.build_filter)
        self.projects: dict[Path, list[Path]] = {}
        self.trees: dict[Config, list[Path]] = {}
        self.old_versions: dict[Config, list[Path]] = {}  # Files of old versions, by their tree

    def add(self, path: Path) -> None:
        """Add a named file, or a folder with all its contents."""
        if self._is_left_out(path):
            return
        if not path.is_dir():
            if not self._add_to_project(path) and path.name.lower().endswith(NAMED_SUFFIXES):
                self._add_to_tree(path)
            return
        if self._add_to_project(path) and self._has_all_pages(path):
            return
        top_config = self.get_config(path)
        is_excluded = top_config.excludes(f"{files.format_path(path, top_config.root)}/page.md")
        base = path if is_excluded else top_config.root  # an excluded folder that is named is linted nevertheless
        is_published = cache(partial(_is_published, below=path))
        is_old = _build_old_test(path)
        for file in files.find(path, SUFFIXES):
            if top_config.excludes(files.format_path(file, base)):
                continue
            if self._add_nested(file) or is_published(file.parent):
                continue
            config_at = self.get_config(file.parent)
            if config_at is top_config or not config_at.excludes(files.format_path(file, config_at.root)):
                self._add_to_tree(file, self.old_versions if is_old(file.parent) else self.trees)

    def _has_all_pages(self, folder: Path) -> bool:
        """Return whether a project has all pages of a folder: other generators may publish a blog as well."""
        root = self.project_at(folder)
        engine = site_generator.Finder().engine_at(root / self.layout_at(root).docs) if root == folder else None
        return (
            engine is None
            or engine.dialect is Dialect.PYTHON_MARKDOWN
            or plugin_layout.find_enclosing(folder) is not None
        )

    def add_new(self, path: Path) -> None:
        """Add an unsaved file to the tree of the files around it; a project reads its own."""
        config_at, root = self.get_config(path.parent), self.project_at(path.parent)
        is_in_tree = config_at in self.trees and not config_at.excludes(files.format_path(path, config_at.root))
        if (
            is_in_tree
            and path.name.lower().endswith(SUFFIXES)
            and not (root and _is_in_project(path, self.layout_at(root)))
        ):
            self._add_to_tree(path)

    def _is_left_out(self, path: Path) -> bool:
        """Return whether a named path is excluded nevertheless."""
        config_at = self.get_config(path if path.is_dir() else path.parent)
        name = files.format_path(path, config_at.root)
        return config_at.force_exclude and config_at.excludes(f"{name}/page.md" if path.is_dir() else name)

    def _add_to_project(self, path: Path) -> bool:
        root = self.project_at(path if path.is_dir() else path.parent)
        if root is None or not _is_in_project(path, self.layout_at(root)):
            return False
        self.projects.setdefault(root, []).append(root if root.is_relative_to(path) else path)
        return True

    def _add_nested(self, file: Path) -> bool:
        """Add the project below a named folder that a file belongs to, unless the project rendered the file.

        Returns whether the file is part of a project or was rendered by it.
        """
        root = self.project_at(file.parent)
        if root is None or not _is_in_project(file, self.layout_at(root)):
            return root is not None and self.rendered_by(root)(files.format_path(file, root))
        requested = self.projects.setdefault(root, [])
        requested += [] if root in requested else [root]
        return True

    def _add_to_tree(self, file: Path, trees: dict[Config, list[Path]] | None = None) -> None:
        (self.trees if trees is None else trees).setdefault(self.get_config(file.parent), []).append(file)

    def get_config(self, folder: Path) -> Config:
        """Return the nearest configuration for a folder."""
        return self.read(self.config_file_at(folder))

    def _find_project_at(self, folder: Path) -> Path | None:
        if self.lookup.isolated:
            return None
        return next(filter(None, map(self.project_in, (folder, *folder.parents))), None)

    def _find_project_in(self, folder: Path) -> Path | None:
        """Return the project in a folder, or elsewhere if an MkDocs configuration there says so."""
        if (folder / DATA).is_file():
            return folder
        plugin_config = plugin_layout.read_config(folder)
        if plugin_config is not None and plugin_config.project != folder and (plugin_config.project / DATA).is_file():
            return plugin_config.project
        return folder if self._lacks_data(folder) else None

    def _lacks_data(self, folder: Path) -> bool:
        """Return whether this is a project without its data file: MkDocs would render its templates."""
        if not (folder / "mkdocs.yml").is_file() or not (folder / self.layout_at(folder).templates).is_dir():
            return False
        from tutorial_tool.links.generators import mkdocs

        tree = mkdocs.read_yaml(str(folder), "mkdocs.yml", str(folder))
        used = mkdocs.get_plugin_options(tree, "tutorial")
        elsewhere = isinstance(used, data.Mapping) and used.get("project") is not None
        return "tutorial" in mkdocs.get_plugins(tree) and not elsewhere

    def _build_layout(self, root: Path) -> Layout:
        config_at = self.get_config(root)
        return Layout.find(root, docs=config_at.docs, templates=config_at.templates)

    def build_targets(self) -> list[Target]:
        targets = []
        for root, requested in self.projects.items():
            config_at = self.get_config(root)
            tree_config = replace(config_at, root=root, home=config_at.root)
            places = (
                files.format_path(path / name, root) for path in {*requested} - {root} for name in ("", "page.md")
            )
            if any(map(tree_config.excludes, places)):  # what is named is linted nevertheless
                tree_config = replace(tree_config, exclude=(), extend_exclude=())
            names, layout = () if root in requested else tuple(requested), self.layout_at(root)
            targets.append(Target(root, tree_config, names, layout, drafts=self.lookup.drafts))
        for tree_config in dict.fromkeys((*self.trees, *self.old_versions)):
            newest = _deduplicate(self.trees.get(tree_config, ()))
            old = _deduplicate(self.old_versions.get(tree_config, ()))
            paths, link_only = (newest, _sort_paths(old - newest)) if newest else (old, ())
            targets.append(Target(tree_config.root, tree_config, _sort_paths(paths), old_version_paths=link_only))
        return targets


def _build_old_test(top: Path) -> Callable[[Path], bool]:
    """Return a function that tells whether a folder's pages are of an older version.

    Those of `top` itself never are, since it was named.
    """
    from tutorial_tool.links import version_folders
    from tutorial_tool.links.disk import Disk
    from tutorial_tool.links.generators import registry

    disk, folders = Disk(), set[str]()

    @cache
    def is_old(folder: Path) -> bool:
        is_inside = folder not in (top, folder.parent) and is_old(folder.parent)
        folders.update(registry.find_old_versions(folder.as_posix(), disk))
        folders.update(version_folders.find_old_versions(folder.as_posix(), disk))
        return is_inside or folder.as_posix() in folders

    return is_old


def _is_published(folder: Path, below: Path) -> bool:
    """Return whether a folder is in a site that MkDocs has built, which contains its pages as Markdown."""
    for path in (folder, *folder.parents):
        if path == below or not path.is_relative_to(below):
            return False
        if (path / "sitemap.xml").is_file() and (path / "index.html").is_file():
            return (path / "llms.txt").is_file() or (path / "search/search_index.json").is_file()
    return False


def _sort_paths(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(sorted(paths, key=lambda path: path.as_posix().split("/")))


def _deduplicate(paths: Iterable[Path]) -> set[Path]:
    """Return the paths without symbolic links to others of them, or to the target of another link."""
    out, links = set[Path](), dict[Path, Path]()
    for path in paths:
        if path.is_symlink():
            links.setdefault(path.resolve(), path)
        else:
            out.add(path)
    resolved = {path.resolve() for path in out} if links else set()
    return out | {link for target, link in links.items() if target not in resolved}


def _is_in_project(path: Path, layout: Layout) -> bool:
    """Return whether a path is in a project or contains one: docs, templates, or data, but not a README."""
    folders = [Path(os.path.normpath(layout.root / folder)) for folder in (layout.docs, layout.templates)]
    if any(path.is_relative_to(folder) or folder.is_relative_to(path) for folder in folders):
        return True
    return not files.find(path, SUFFIXES) if path.is_dir() else not path.name.lower().endswith(NAMED_SUFFIXES)


def find_layout(folder: Path, *, is_named: bool) -> Layout:
    """Return the layout of the project in a folder, or above it unless named. Raises config.ConfigError.

    Without a project, return the layout that a new one in the folder would have.
    """
    search = _Search(LookupOptions(folder))
    path = search.project_in(folder) if is_named else search.project_at(folder)
    return search.layout_at(path or folder)


def replace_text(targets: Iterable[Target], path: Path, text: str) -> list[Target]:
    """Return the targets with a text in place of a file's."""
    return [
        replace(target, overlay=(*target.overlay, (files.format_path(path, target.root), text))) for target in targets
    ]
