"""Load a project: its data, its handwritten pages, and the templates that `rendering` turns into pages."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from tutorial_tool import data, translation
from tutorial_tool.config import site_generator
from tutorial_tool.core import traced
from tutorial_tool.core.diagnostics import Finding, InvalidInput, Related, Severity, build_error, find_nearest
from tutorial_tool.core.source import Source, Span
from tutorial_tool.data.model import Model, building
from tutorial_tool.fs import files, limited_process
from tutorial_tool.markdown.dialects import Dialect, guess_dialect
from tutorial_tool.site import Layout, Memory, Page, Site, collisions, find_path_findings, plugin_layout
from tutorial_tool.site.front import read_front_matter
from tutorial_tool.site.rendering import Renderer
from tutorial_tool.templating.environment import TemplateEnvironment, TemplateFailure
from tutorial_tool.templating.functions import PICTURES, build_page_path
from tutorial_tool.templating.places import Figure, PageId, PageLocation

if TYPE_CHECKING:
    from tutorial_tool.translation.catalog import Catalog


def find_misplaced_images(site: Site, names: Iterable[str]) -> Iterator[Finding]:
    """Yield findings about images of the docs folder that are only close to where a figure looks, at that figure."""
    figures: dict[str, Figure] = {}
    for page in site.pages:
        for figure in page.figures:
            figures.setdefault(posixpath.splitext(figure.path)[0], figure)
    if not figures:
        return
    reported = {item.span.path for finding in site.findings for item in finding.related}
    tutorials = site.model.tutorials.values()
    ids = {*site.model.platforms, *(id_ for tutorial in tutorials for id_ in (tutorial.id, *tutorial.steps))}
    for name in names:
        path, (stem, suffix) = f"{site.layout.docs}/{name}", posixpath.splitext(name)
        is_unused = suffix.lower() in PICTURES and path not in reported
        if is_unused and (intended := _find_intended_path(stem, figures, ids)):
            wanted, figure = f"{site.layout.docs}/{intended}{suffix.lower()}", figures[intended]
            message = f"`{path}` is not shown: the image of this figure is `{wanted}`"
            related = (Related(Source(path, "").span(0), "the image that is not shown"),)
            platforms = (figure.place.platform.id,)
            yield Finding("missing-figure", Severity.HINT, message, figure.call, platforms, related)


def _find_intended_path(stem: str, expected: dict[str, Figure], ids: set[str]) -> str | None:
    """Return the path a file is intended for: it differs by case, or in one similar part that is no name."""
    parts = stem.split("/")
    for candidate in expected:
        if candidate.lower() == stem.lower():
            return candidate
        differing = [pair for pair in zip(parts, candidate.split("/"), strict=False) if pair[0] != pair[1]]
        if len(differing) == 1 and candidate.count("/") == stem.count("/"):
            (actual, wanted), *_ = differing
            is_name = actual in ids or any(actual in text.split("/") for text in expected)
            if not is_name and not actual.isdigit() and find_nearest(actual, [wanted]):
                return candidate
    return None


SECTIONS = ("platforms", "groups", "tutorials", "tables")  # Sections of the data that templates use
NO_TUTORIALS = "no tutorial has steps, although there are templates; write `tutorials: {ID: {title: …, steps: […]}}`"


def load(
    layout: Layout,
    overlay: Mapping[str, str] | None = None,
    *,
    memory: Memory | None = None,
    on_loaded: Callable[[int], object] | None = None,
    drafts: bool = False,
) -> Site:
    """Load a project and render all its pages; problems become the site's findings, nothing is raised.

    With `drafts`, unpublished pages are included. `overlay` gives texts that replace those of files, by path relative
    to the project: an editor's unsaved texts. `ready` is called with the number of pages before they are rendered.
    """
    with limited_process.limit_rendering():
        return Loader(layout, overlay or {}, memory or Memory(), on_loaded, drafts=drafts).load()


class Loader:
    def __init__(
        self,
        layout: Layout,
        overlay: Mapping[str, str],
        memory: Memory,
        on_load: Callable[[int], object] | None = None,
        *,
        drafts: bool = False,
    ) -> None:
        self.layout, self.overlay, self.memory = layout, overlay, memory
        self._on_loaded, self._drafts = on_load, drafts
        self.sources: dict[str, Source] = {}
        self._lookups: dict[str, Source | Finding] = {}
        self.findings: list[Finding] = []
        self.catalog: Catalog | None = None
        self._originals: dict[Source, Source] = {}  # Files with translations, mapped to their untranslated versions
        self._finder, self._docs_folder = site_generator.Finder(), (layout.root / layout.docs).absolute()
        self._engine = self._finder.engine_at(self._docs_folder)

    def load(self) -> Site:
        self.memory.documents.begin_load()
        self.catalog = self._load_catalog()
        parsed = list(self._load_data_files(self.layout.data, {self.layout.data: None}))
        model, places = self._build_model(parsed)
        self.findings += model.findings
        if not self.findings and not model.tutorials and any(name.startswith("steps/") for name in self.template_names):
            self.findings.append(build_error("invalid-data", NO_TUTORIALS, parsed[0][0].span(0)))
        invalid_sections = frozenset(self._find_invalid_sections(parsed))
        handwritten, other_files = self._load_docs()
        self.findings += (url_collisions := list(collisions.find_all(places.values(), handwritten, other_files)))
        invalid_sections |= {"tutorials"} if url_collisions else set()
        site = Site(self.layout, model, findings=self.findings, places=places, sources=self.sources)
        site.relocate_finding = self._relocate_finding
        site.drafts, site.unfinished = self.memory.drafts, list(model.unfinished)
        site.data_files = tuple(source.path for source, _ in parsed)
        site.template_names, site.invalid_sections = self.template_names, invalid_sections
        if self._on_loaded is not None:
            self._on_loaded(len(places) + len(handwritten))
        renderer = Renderer(self, site, handwritten, invalid_sections, drafts=self._drafts)
        rendered = renderer.render()
        site.literals = renderer.library.environment.find_literals(renderer.loaded_templates)
        site.requested_names = frozenset({*renderer.library.requested, *_find_needed_capabilities(model)})
        site.overdue = renderer.library.environment.timeout_finding
        used_paths = {page.path for page in rendered}
        site.hidden = [] if self._drafts else renderer.drafts
        site.withheld = frozenset(page.path for page in site.hidden if not page.generated)
        used_paths |= site.withheld
        site.pages = rendered + [page for path, page in handwritten.items() if path not in used_paths]
        site.unfinished = list(dict.fromkeys(map(_downgrade_error, site.unfinished)))
        self.memory.last_pages = site.pages
        self.findings += self._check_parts(frozenset(name for page in rendered for name in page.used_files))
        if site.errors:
            self._check_templates()
        else:
            self.findings += find_misplaced_images(site, other_files)
        site.findings = list(dict.fromkeys(map(site.relocate_finding, self.findings)))
        return site

    @cached_property
    def publisher(self) -> Dialect | None:
        """The dialect of the generator that publishes the project, if that takes no MkDocs plugin."""
        return self._engine.dialect if self._engine and not self._is_mkdocs else None

    @cached_property
    def _is_mkdocs(self) -> bool:
        is_configured = self._engine is not None and self._engine.dialect is Dialect.PYTHON_MARKDOWN
        return is_configured or plugin_layout.find_enclosing(self.layout.root) is not None

    # Files

    def read(self, path: str) -> Source | Finding:
        """Return a file of the project, read once, by its path relative to the root."""
        result = self._look_up(path)
        if isinstance(result, Source):
            self.sources[path] = result
        return result

    def get_read_source(self, path: str) -> Source | None:
        """Return a file that was looked up, and make it part of the site; None if there is none.

        A template that an earlier load compiled is part of the site, too.
        """
        result = self.read(path) if path in self._lookups else None
        return result if isinstance(result, Source) else None

    def _look_up(self, path: str) -> Source | Finding:
        """Return a file in its current state, without making it part of the site."""
        if path not in self._lookups:
            file, text = self.layout.root / path, self.overlay.get(path)
            is_new = (
                text is not None and not os.path.lexists(file) and files.contains(self.layout.root, str(file.parent))
            )
            result = Source(path, "") if is_new else self.memory.files.read(file, self.layout.root)
            if isinstance(result, Source):
                edited = result if text is None else self.memory.files.get_edited(result, text)
                result = self._translate(path, edited)
            self._lookups[path] = result
        return self._lookups[path]

    def _translate(self, path: str, original: Source) -> Source:
        """Return a file of the project with its texts in the language of the site; files of the docs folder as is."""
        if self.catalog is None or path.startswith(f"{self.layout.docs}/"):
            return original
        from tutorial_tool.translation import units

        text = units.translate_source(path, original, self.catalog.translations)
        translated = self.memory.files.get_edited(original, text)
        self._originals[translated] = original
        return translated

    def _relocate_finding(self, finding: Finding) -> Finding:
        return self.catalog.locate_finding(finding, self._originals) if self.catalog else finding

    def _load_catalog(self) -> Catalog | None:
        """Load the catalog of the requested language, if any; read all others as sources."""
        for name in self._list_names(translation.FOLDER):
            if name.endswith(translation.SUFFIX):
                self.read(f"{translation.FOLDER}/{name}")
        if not self.layout.lang:
            return None
        from tutorial_tool.translation import catalog  # most loads need no translation

        path = f"{translation.FOLDER}/{self.layout.lang}{translation.SUFFIX}"
        source = self.read(path)
        try:
            if isinstance(source, Source):
                return catalog.Catalog(source)
            message = f"{source.message}; `tutorial-tool translate {self.layout.lang}` writes it"
            self.findings.append(source if (self.layout.root / path).exists() else replace(source, message=message))
        except InvalidInput as problem:
            self.findings += problem.findings
        return None

    def _load_data_files(
        self, path: str, included_spans: dict[str, Span | None]
    ) -> Iterator[tuple[Source, data.Node | None]]:
        """Parse a data file and those that it includes, each once."""
        source = self.read(path)
        if isinstance(source, Finding):
            self.findings.append(self._flag_unread(path, source, included_spans.get(path)))
            return
        loaded = self.memory.parsed.get(source) or data.load_yaml(source)
        self.memory.parsed[source] = loaded
        self.findings += loaded.findings
        if loaded.node is None and path == self.layout.data and not loaded.findings:
            message = "the file is empty: it needs `platforms` and `tutorials` (`tutorial-tool init DIR` writes one)"
            self.findings.append(build_error("invalid-data", message, source.span(0)))
        yield source, loaded.node
        for included, span in self._iter_included(loaded.node, posixpath.dirname(path)):
            if included not in included_spans:
                included_spans[included] = span
                yield from self._load_data_files(included, included_spans)

    def _flag_unread(self, path: str, reason: Finding, included_at: Span | None) -> Finding:
        finding = replace(reason, message=self._explain_unread(path, reason))
        if included_at and reason.rule == "unsafe-path":  # the include is wrong, not the file
            return replace(finding, span=included_at)
        return replace(finding, related=(Related(included_at, "included here"),)) if included_at else finding

    def _build_model(self, parsed: list[tuple[Source, data.Node | None]]) -> tuple[Model, dict[PageId, PageLocation]]:
        """Build the model and the places of all pages, or reuse those of the last load.

        Both are rebuilt if anything changed that all pages see.
        """
        memory = self.memory
        translations = self.catalog and self.catalog.translations
        sources = tuple(source for source, _ in parsed)
        key = (self.layout, sources, self.template_names, self.publisher, self._drafts, translations)
        if memory.model is None or memory.key != key:
            memory.key, memory.model = key, building.build_model(parsed, tuple(self.findings))
            strings = {name: (translations or {}).get((text, ""), text) for name, text in memory.model.strings.items()}
            memory.model = replace(memory.model, strings=strings)
            memory.places, memory.drafts = _split_drafts(memory.model, drafts=self._drafts)
            memory.pages = {}
            memory.parsed = {source: loaded for source, loaded in memory.parsed.items() if source in sources}
        return memory.model, memory.places

    def _find_invalid_sections(self, parsed: list[tuple[Source, data.Node | None]]) -> Iterator[str]:
        """Yield the sections of the data with findings, which may lack what templates request.

        A finding outside of them affects all.
        """
        entries = chain.from_iterable(data.get_entries(node) for _, node in parsed)
        sections = [(key, value) for key, value in entries if key.plain in SECTIONS]
        for finding in self.findings:
            inside = [key.plain for key, value in sections if _contains_span(key.span, value.span, finding.span)]
            yield from inside or SECTIONS

    def _check_parts(self, used: frozenset[str]) -> Iterator[Finding]:
        """Yield findings about parts and code, once each, however many pages use them."""
        for name in sorted(used):
            source = self.sources.get(f"{self.layout.templates}/{name}")
            if name.endswith(".md"):
                yield from _check_part(source)
            elif not name.endswith(".j2"):
                yield from _check_code(source or self.sources.get(name))

    def _explain_unread(self, path: str, reason: Finding) -> str:
        """Return why a data file was not read and, if there is no project, what to do."""
        if path != self.layout.data or (self.layout.root / path).exists():
            return reason.message
        if (misnamed := (self.layout.root / path).with_suffix(".yml")).is_file():
            return f"there is no such file here, but {misnamed.name}: rename it to {path}"
        message = "name the project's folder (--project, or `project` below the plugin in mkdocs.yml)"
        return f"there is no such file here; {message}, or write one with `tutorial-tool init DIR`"

    def _iter_included(self, node: data.Node | None, folder: str) -> Iterator[tuple[str, Span]]:
        for pattern in data.get_scalars(data.get_node(node, "include")):
            if pattern.text:
                yield from ((path, pattern.span) for path in self._find_included(pattern, folder))

    def _find_included(self, pattern: data.Scalar, folder: str) -> list[str]:
        if reason := files.explain_unsafe(pattern.plain):
            self.findings.append(build_error("unsafe-path", f"`include` {reason}", pattern.span))
            return []
        if reason := _explain_bad_pattern(pattern.plain):
            self.findings.append(build_error("invalid-data", f"`include`: {reason}", pattern.span))
            return []
        root, glob = self.layout.root, pattern.plain
        on_disk = (path.relative_to(root).as_posix() for path in (root / folder).glob(glob) if path.is_file())
        matches = sorted({*on_disk, *self._find_unsaved(posixpath.join(folder, glob))})
        if not matches:
            message = f"`include`: no file matches `{pattern.text}`"
            self.findings.append(build_error("invalid-data", message, pattern.span))
        return matches

    def _find_unsaved(self, glob: str) -> Iterable[str]:
        """Return the files that match a pattern and exist only in an editor so far."""
        unsaved = [name for name in self.overlay if not os.path.lexists(self.layout.root / name)]
        if not unsaved or files.explain_bad_pattern(f"/{glob}"):
            return ()
        from pathspec import GitIgnoreSpec

        return GitIgnoreSpec.from_lines([f"/{glob}"]).match_files(unsaved)

    def _load_docs(self) -> tuple[dict[str, Page], list[str]]:
        """Return the pages in the docs folder, and its other files, by paths relative to it."""
        suffixes = (".md", ".markdown") if self._is_mkdocs else (".md", ".markdown", ".mdx")
        pages, other_files = {}, []
        for name in self._list_names(self.layout.docs):
            if not name.lower().endswith(suffixes):
                other_files.append(name)
                continue
            source = self.read(f"{self.layout.docs}/{name}")
            if isinstance(source, Finding):
                self.findings.append(source)
                continue
            page = pages[name] = self._get_written_page(name, source)
            front = read_front_matter(page.text)
            self.findings += (*find_path_findings(page), *(front.findings if front else ()))
        self.memory.written_pages = {page.source: page for page in pages.values()}
        return pages, other_files

    def _get_written_page(self, name: str, source: Source) -> Page:
        """Return a page of the docs folder: that of the last load, unless its file or publisher changed."""
        page = self.memory.written_pages.get(source)
        if page is None or page.place is not None or page.publisher is not self.publisher:
            text, shelf = traced.trace_span(source.get_full_span()), self.memory.documents
            dialect = self._choose_dialect(name, source.text)
            page = Page(name, source, text, dialect=dialect, publisher=self.publisher, document_cache=shelf)
        return page

    def _choose_dialect(self, name: str, text: str) -> Dialect:
        """Return the dialect of a handwritten page: its publisher's, unless it has template-only syntax."""
        publisher_dialect = None if self._is_mkdocs else self._finder.find_dialect(self._docs_folder / name)
        has_template_syntax = guess_dialect(name, text) is Dialect.PYTHON_MARKDOWN or "){ ." in text  # `{ .md-button }`
        return Dialect.PYTHON_MARKDOWN if publisher_dialect is None or has_template_syntax else publisher_dialect

    def _list_names(self, folder: str) -> list[str]:
        """List the files of a folder of the project, relative to it, including unsaved new ones."""
        names = set(_iter_files(self.layout.root / folder))
        prefix = "" if folder in ("", ".") else f"{folder}/"
        edited = (path[len(prefix) :] for path in self.overlay if path.startswith(prefix))
        return sorted(names.union(name for name in edited if not any(part.startswith(".") for part in name.split("/"))))

    @cached_property
    def template_names(self) -> frozenset[str]:
        return frozenset(self._list_names(self.layout.templates))

    def load_template(self, name: str) -> Source | None:
        if name not in self.template_names:
            return None
        source = self.read(f"{self.layout.templates}/{name}")
        if isinstance(source, Finding):
            raise TemplateFailure(source)
        return source

    def get_environment(self) -> TemplateEnvironment:
        def names() -> list[str]:
            return sorted(self.template_names)

        environment = self.memory.environment
        if environment is None:
            environment = self.memory.environment = TemplateEnvironment(self.load_template, names)
        else:
            sources = {name: parsed.source for name, parsed in environment.parsed.items()}
            changed = {name for name, source in sources.items() if self._get_current_template(name) is not source}
            environment.update_sources(changed, self.load_template, names)
        return environment

    def _get_current_template(self, name: str) -> Source | None:
        """Return a template if it still exists and is readable, else None."""
        result = self._look_up(f"{self.layout.templates}/{name}") if name in self.template_names else None
        return result if isinstance(result, Source) else None

    def _check_templates(self) -> None:
        """Check the syntax of all templates, so that one run reports their errors along with the data's."""
        environment = self.get_environment()
        reported = {(finding.rule, finding.span) for finding in self.findings}
        for name in sorted(self.template_names):
            result = environment.check_syntax(name) if name.endswith(".md.j2") else None
            if name in environment.parsed:
                self.get_read_source(f"{self.layout.templates}/{name}")
            if result is not None and (result.rule, result.span) not in reported:
                self.findings.append(result)


def _contains_span(key: Span, value: Span, span: Span) -> bool:
    """Return whether a span is at a key, in its value, or between both."""
    lines = range(key.position.line, value.end_position.line + 1)
    return key.path == span.path and span.position.line in lines


def _explain_bad_pattern(text: str) -> str | None:
    """Explain why a text is not a file pattern; return None if it is one."""
    parts = text.split("/")
    if any("**" in part and part != "**" for part in parts):
        return "`**` matches folders: write it alone between two `/`"
    if parts.count("**") > 2:
        return "a pattern has `**` twice at most"
    return "a pattern names files, not a folder" if parts[-1] in ("", ".") else None


def _find_needed_capabilities(model: Model) -> Iterator[tuple[str, str]]:
    """Yield the capabilities that the data requires."""
    for tutorial in model.tutorials.values():
        yield from (("can", capability) for step in tutorial.steps.values() for capability in step.needs)
    for table in model.tables.values():
        needs = (*table.needs.values(), *(row.needs for row in table.rows.values()))
        yield from (("can", capability) for capabilities in needs for capability in capabilities)


def _downgrade_error(finding: Finding) -> Finding:
    """Downgrade an error in a draft to a warning, since a draft may lack things."""
    return replace(finding, severity=Severity.WARNING) if finding.severity is Severity.ERROR else finding


def _split_drafts(model: Model, *, drafts: bool) -> tuple[dict[PageId, PageLocation], dict[PageId, PageLocation]]:
    """Return the places of the site's pages, drafts included if they are shown, and all drafts."""
    all_places = _build_places(model, drafts=True)
    unpublished = {address: place for address, place in all_places.items() if place.draft}
    return all_places if drafts or not unpublished else _build_places(model, drafts=False), unpublished


def _check_part(part: Source | None) -> Iterator[Finding]:
    front = data.find_front_matter(part.text) if part else None
    if part and front and not data.is_text(part.text, front):
        message = "a part has no front matter, and this would be text on the page: remove these lines"
        yield build_error("front-matter", message, part.span(0, front.end + 3))


def _check_code(code: Source | None) -> Iterator[Finding]:
    if code and not code.text.strip():
        message = "the file is empty, and so is the code on the page"
        yield Finding("missing-code", Severity.WARNING, message, code.span(0))


def _build_places(model: Model, *, drafts: bool) -> dict[PageId, PageLocation]:
    """Return the place of every page, in the order of tutorials, platforms and steps."""
    out: dict[PageId, PageLocation] = {}
    for tutorial in model.tutorials.values():
        for platform in model.platforms.values():
            steps = [step for step in tutorial.get_steps(platform) if drafts or not step.is_draft(platform)]
            addresses = [PageId(tutorial.id, step.id, platform.id) for step in steps]
            number = 0
            earlier, later = [None, *addresses][:-1], [*addresses, None][1:]
            for step, address, before, after in zip(steps, addresses, earlier, later, strict=True):
                number += step.numbered
                out[address] = PageLocation(
                    address,
                    tutorial,
                    step,
                    platform,
                    build_page_path(tutorial, step.id, platform) + ".md",
                    number if step.numbered else None,
                    before,
                    after,
                    step.is_draft(platform),
                )
    return out


def _iter_files(folder: Path) -> Iterator[str]:
    """Yield the files below a folder, relative to it.

    Hidden files and links out of the folder are skipped; links to folders are not followed.
    """
    todo = [""]
    while todo:
        subfolder = todo.pop()
        with suppress(OSError), os.scandir(folder / subfolder) as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    todo.append(f"{subfolder}{entry.name}/")
                elif entry.is_file() and (not entry.is_symlink() or files.contains(folder, entry.path)):
                    yield subfolder + entry.name


def collect_texts(site: Site) -> dict[tuple[str, str], list[Span]]:
    """Return the texts for translators, each with its context, and where it is written."""
    from tutorial_tool.translation import units

    return units.collect_texts(site.sources, site.data_files, site.project.templates, site.model.strings.values())
