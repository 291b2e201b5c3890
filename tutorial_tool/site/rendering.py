"""Render the pages of a project from its templates, and draw their figures."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Protocol

from tutorial_tool import data
from tutorial_tool.core import lazy_re, traced
from tutorial_tool.core.diagnostics import Finding, Related, Severity, build_error, find_nearest, format_suggestion
from tutorial_tool.core.source import Source, Span
from tutorial_tool.core.time_budget import TASK_SECONDS, Limit, TimeBudgetExceeded, run_clock
from tutorial_tool.core.traced import Traced
from tutorial_tool.fs import files
from tutorial_tool.markdown import headings
from tutorial_tool.markdown.document import Document
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.site import Memory, Page, Site, cell_words, collisions, misplaced
from tutorial_tool.site.figures import FigureRenderer
from tutorial_tool.site.front import find_entry_text, get_entry_text, read_front_matter
from tutorial_tool.site.quoting import format_yaml_scalar, quote_front_matter
from tutorial_tool.templating.environment import ANY, TemplateEnvironment, TemplateFailure
from tutorial_tool.templating.functions import NEAR_FILE, PICTURES, PageContext
from tutorial_tool.templating.places import Figure, Library, PageFacts, PageId, PageLocation

_OTHER_SUFFIXES = (".j2", ".jinja", ".jinja2", ".md.jinja", ".md.jinja2", ".md.tmpl", ".markdown.j2", ".mdx.j2")
"""Suffixes of templates in other projects."""
PAGE_SECONDS = 2 * TASK_SECONDS  # CPU time limit for rendering and parsing a page once
MAX_PASSES = 3  # Maximum number of passes until the titles and sections that pages print of others stop changing


@dataclass
class RenderedPage:
    """A rendered page and its dependencies, besides the data and the list of templates."""

    page: Page
    context: PageContext
    requested: set[tuple[str, str]]
    findings: list[Finding]
    template_names: set[str]  # Names of the templates and parts that were loaded
    pictures: dict[str, bool]  # Images that were looked for, and whether they exist
    failed: bool
    sources: dict[str, Source] = field(default_factory=dict)  # Files that were read, by path relative to the project
    drawing_findings: list[Finding] | None = None  # Findings from drawing the figures; None before that
    requested_drawing: set[tuple[str, str]] = field(default_factory=set)  # Data that drawing the figures requested


class FileLoader(Protocol):
    """The interface of the file loader: files of a project, by path or by template name."""

    memory: Memory
    findings: list[Finding]

    @property
    def template_names(self) -> frozenset[str]: ...
    @property
    def publisher(self) -> Dialect | None: ...
    def get_environment(self) -> TemplateEnvironment: ...
    def read(self, path: str) -> Source | Finding: ...
    def get_read_source(self, path: str) -> Source | None: ...
    def load_template(self, name: str) -> Source | None: ...


class Renderer:
    """The renderer of all pages, in passes.

    The first learns titles and sections; later ones print what other pages requested.
    """

    def __init__(
        self,
        loader: FileLoader,
        site: Site,
        hand_written: Mapping[str, Page],
        doubts: frozenset[str] = frozenset(),
        *,
        drafts: bool = False,
    ) -> None:
        self.loader, self.site, self.handwritten_pages = loader, site, hand_written
        self.invalid = doubts  # Invalid sections of the data: consequences of these are not reported
        self.failures: dict[tuple[str, Span], Finding] = {}
        self.contexts: dict[PageId, PageContext] = {}
        self.memory = loader.memory.pages
        self.rendered: dict[PageId, list[RenderedPage]] = {}
        self.loaded_templates: set[str] = set()  # All templates and parts that pages loaded, by name
        self.lookups: dict[str, bool] = {}
        """Images that a page looks for while it is rendered, and whether they exist."""
        self.failed = False  # Whether the page being rendered has an error
        self.docs = site.layout.root / site.layout.docs
        self.drafts: list[Page] = []  # Unpublished pages
        self.unfinished: dict[tuple[str, Span, str], Finding] = {}  # What drafts lack
        self.library = Library(
            site.model,
            loader.get_environment(),
            loader.template_names,
            {**site.places, **site.drafts},
            loader.read,
            loader.load_template,
            self._has_picture,
            site.layout.docs,
            site.layout.templates,
            drafts,
        )

    def _has_picture(self, path: str) -> bool:
        self.lookups[path] = (self.docs / path).is_file()
        return self.lookups[path]

    def render(self) -> list[Page]:
        with run_clock():
            return self._render()

    def _render_places(self) -> dict[PageId, Page]:
        """Render the pages, and those again that depend on others, until none changes."""
        pages: dict[PageId, Page] = {}
        todo = list(self.library.places.values())
        for pass_number in range(MAX_PASSES):
            unsettled = []
            for place in todo:
                page, used_others = self._render_page(place)
                if page is None:
                    pages.pop(place.address, None)
                    continue
                pages[place.address] = page
                if used_others:
                    unsettled.append(place)
            changed = self._record_facts(pages, pass_number)
            if not unsettled or not (changed or pass_number == 0):
                break
            todo = unsettled
        else:
            self._report_unstable(changed)
        return pages

    def _render(self) -> list[Page]:
        pages = self._render_places()
        if self.invalid:  # the pages are not usable: report only what their templates do wrong
            self.loader.findings += self.failures.values()
            return []
        self._draw_figures(pages)
        for address, finding in cell_words.find_unset(self.contexts):  # words of cells that table calls do not set
            self._report(address, finding)
        self._save_rendered()
        self.loader.findings += [*self.failures.values(), *self._missing.values()]
        self.site.unfinished += self.unfinished.values()
        self.drafts = [pages[address] for address in self.site.drafts if address in pages]
        return [pages[address] for address in self.site.places if address in pages]

    def _draw_figures(self, pages: Mapping[PageId, Page]) -> None:
        """Draw the figures of all pages; report different figures with one path."""
        memory, drawn = self.loader.memory, dict[str, Figure]()
        artist = FigureRenderer(self.library, memory.figures)
        memory.figures = artist.environment
        for address, page in pages.items():
            for finding in self._get_drawing_findings(artist, self.rendered[address][-1]) if page.figures else ():
                if finding.rule == "missing-figure" and not self.docs.is_dir():
                    continue  # the images are in another folder
                self._report(address, self._suggest_picture(finding, page))
            self._check_paths(page.figures, drawn)
            if address in self.contexts:
                page.dependencies = frozenset(self.contexts[address].dependencies)

    def _report(self, address: PageId, finding: Finding) -> None:
        """Record a finding of a page; for a draft, as something it lacks."""
        place = self.library.places[address]
        if place.draft:
            identity = finding.rule, finding.span, finding.message
            earlier = self.unfinished.setdefault(identity, replace(finding, platforms=()))
            platforms = tuple(dict.fromkeys((*earlier.platforms, place.platform.id)))
            self.unfinished[identity] = replace(earlier, platforms=platforms)
            self.site.unfinished_by_address.setdefault(address, {})[finding] = None
            return
        self._record_errors(place, [finding])
        findings_by_span = self.failures if finding.severity is Severity.ERROR else self._missing
        _merge_finding(findings_by_span, finding, place.platform.id)

    def _check_paths(self, figures: Iterable[Figure], drawn: dict[str, Figure]) -> None:
        """Report those with a path of a different figure, and add all to the ones that are `drawn`, by path."""
        for figure in figures:
            first = drawn.setdefault(figure.path, figure)
            if first.svg != figure.svg:
                self._fail(figure.place, _report_different_figures(figure, first))

    def _suggest_picture(self, finding: Finding, page: Page) -> Finding:
        """Add the existing image with a similar name to a finding about a missing one."""
        figure = next((figure for figure in page.figures if figure.call == finding.span), None)
        if finding.rule != "missing-figure" or figure is None:
            return finding
        name = figure.name.rpartition("/")[2]
        expected_name = posixpath.splitext(name)[0] if name.lower().endswith(PICTURES) else name
        if expected_name != figure.name:
            redundant_part = "its suffix" if expected_name != name else "its folder"
            return replace(finding, message=f"a figure is named without {redundant_part}: write `{expected_name}`")
        pictures = _list_pictures((self.docs / figure.path).parent, self.docs)
        similar = find_nearest(figure.name, pictures)
        if similar is None:
            return finding
        path = posixpath.join(self.site.layout.docs, posixpath.dirname(figure.path), pictures[similar])
        related = (*finding.related, Related(Source(path, "").span(0), "an image with a similar name"))
        return replace(finding, message=f"{finding.message}; did you mean `{path}`?", related=related)

    def _get_drawing_findings(self, artist: FigureRenderer, entry: RenderedPage) -> list[Finding]:
        """Return the findings from drawing the figures of a page."""
        if entry.drawing_findings is None:
            entry.drawing_findings, page, self.lookups = [], entry.page, entry.pictures
            earlier = self._find_earlier_drawing(entry, artist)
            drawn_before = dict(zip(page.figures, earlier.page.figures, strict=False)) if earlier else {}
            outer, self.library.requested = (self.library.requested, set(earlier.requested_drawing if earlier else ()))
            for figure in page.figures:
                entry.drawing_findings += _draw_figure(figure, drawn_before.get(figure), artist, entry)
                page.used_files |= {figure.template} - {""}
            entry.template_names |= artist.names | set(artist.environment.parsed)
            entry.requested_drawing, self.library.requested = (self.library.requested, outer | self.library.requested)
        return entry.drawing_findings

    def _find_earlier_drawing(self, entry: RenderedPage, artist: FigureRenderer) -> RenderedPage | None:
        """Return the page whose figures an earlier load drew from templates that are unchanged."""
        address = entry.page.place.address if entry.page.place else None
        drawing = {f"{self.site.layout.templates}/{name}" for name in artist.environment.parsed}
        for candidate in self.memory.get(address, ()) if address else ():
            if candidate is entry:  # an error elsewhere prevented its drawing
                continue
            read = ((path, source) for path, source in candidate.sources.items() if path in drawing)
            has_same_title = traced.strip_origins(candidate.page.title) == traced.strip_origins(entry.page.title)
            if (
                candidate.drawing_findings == []
                and has_same_title
                and all(self.loader.read(path) is source for path, source in read)
            ):
                entry.pictures |= candidate.pictures
                return candidate
        return None

    def _save_rendered(self) -> None:
        """Save the rendered pages for the next load, with all their dependencies."""
        for address, entries in self.rendered.items():
            for entry in entries:
                entry.sources = entry.sources or self._collect_sources(entry)
            self.memory[address] = [entry for entry in entries if not entry.failed]

    def _collect_sources(self, entry: RenderedPage) -> dict[str, Source]:
        """Return the files that a page was rendered from, by path."""
        names = self.library.environment.collect_templates(entry.template_names)
        paths = {f"{self.site.layout.templates}/{name}" for name in names}
        paths |= entry.page.used_files | set(entry.context.used_files)
        sources = {path: self.loader.get_read_source(path) for path in paths}
        return {path: source for path, source in sources.items() if source is not None}

    def _find_cached(self, place: PageLocation) -> RenderedPage | None:
        """Return the page as an earlier load rendered it, if the result would be the same."""
        facts, read = self.library.facts, self.loader.read
        for entry in self.memory.get(place.address, ()):
            if (
                all(facts.get(address) is known_facts for address, known_facts in entry.context.others.items())
                and all(read(path) is source for path, source in entry.sources.items())
                and all((self.docs / path).is_file() is exists for path, exists in entry.pictures.items())
            ):
                entry.context.library = self.library
                return entry
        return None

    @cached_property
    def _missing(self) -> dict[tuple[str, Span], Finding]:
        return {}

    def _record_facts(self, pages: Mapping[PageId, Page], pass_number: int) -> list[Page]:
        """Record titles and sections; return the pages where they differ from the known ones."""
        changed = []
        for address, page in pages.items():
            facts = page.facts
            recorded = self.library.facts.get(address)
            if (
                recorded is not None
                and recorded is not facts
                and (recorded.title, _get_section_keys(recorded)) != (facts.title, _get_section_keys(facts))
            ):
                changed.append(page)
            self.library.facts[address] = facts
        return changed

    def _report_unstable(self, changed: Iterable[Page]) -> None:
        for page in changed if not self.invalid else ():
            self.loader.findings.append(
                build_error(
                    "invalid-template",
                    f"a heading of `{page.step}` depends on a link that depends on it; give its sections ids",
                    page.find_origin(0).span,
                )
            )

    def _render_page(self, place: PageLocation) -> tuple[Page | None, bool]:
        """Return a page, and whether it printed something of other pages."""
        if copy := self._get_copy(place):
            return copy, False
        name = self._find_template(place)
        if name is None:
            if place.step.key not in self.site.model.doubtful:
                self._fail(place, build_error("invalid-data", self._explain_missing_source(place), place.step.key))
            return self._build_placeholder(place), False
        entry = self._find_cached(place) or self._render_fresh(place, name)
        if entry is None:
            return self._build_placeholder(place), False
        self.contexts[place.address] = entry.context
        self.rendered.setdefault(place.address, []).append(entry)
        self.loaded_templates |= entry.template_names
        self.library.requested |= entry.requested | entry.requested_drawing
        findings = entry.context.findings
        if place.draft:
            findings = [*entry.findings, *findings]
        else:
            self.loader.findings += entry.findings
            self._record_errors(place, entry.findings)
        for finding in findings:
            self._report(place.address, finding)
        return entry.page, entry.context.asks_others

    def _build_placeholder(self, place: PageLocation) -> Page | None:
        """Return the placeholder for a draft that cannot be rendered; None for any other page."""
        if not place.draft:
            return None
        name = self._find_template(place)
        source = self.loader.load_template(name) if name else place.step.key.source
        assert source is not None
        title = place.tutorial.get_title(place.step, place.platform) or traced.ensure_traced(place.step.id)
        words = self.site.model.strings["to-be-written"]
        findings = self.site.unfinished_by_address.get(place.address, ())
        todo_notes = "".join(f"\n> **{words}:** {finding.message}\n" for finding in findings)
        text = traced.concatenate(["---\ntitle: ", format_yaml_scalar(title), f"\n---\n{todo_notes}"])
        cache = self.loader.memory.documents
        return Page(place.path, source, text, place, title, generated=True, document_cache=cache)

    def _render_fresh(self, place: PageLocation, name: str) -> RenderedPage | None:
        """Render the page; return None if that fails."""
        library, environment = self.library, self.library.environment
        context = self.contexts[place.address] = PageContext(library, place, used_files={name})
        outer, library.requested, environment.loaded = library.requested, set(), set()
        findings, self.loader.findings = self.loader.findings, []
        self.lookups, self.failed = {}, False
        try:
            page = self._fill_within_limit(place, name, context)
            names = environment.loaded | context.used_files
            new_findings = self.loader.findings
            return RenderedPage(page, context, library.requested, new_findings, names, self.lookups, self.failed)
        except TemplateFailure as failure:
            for error in (failure, *failure.others):
                is_doubtful = (self.invalid and error.about == ANY) or not self.invalid.isdisjoint(error.about)
                if not is_doubtful and self._renamed_steps.isdisjoint(error.about):
                    self._fail(place, error.finding)
            for finding in context.findings:  # report what else the page lacks at the same time
                self._report(place.address, finding)
            return None
        finally:
            self.loaded_templates |= environment.loaded
            library.requested, self.loader.findings = outer | library.requested, findings

    def _fill_within_limit(self, place: PageLocation, name: str, context: PageContext) -> Page:
        """Render a page from a template within the time limit.

        Raises: TemplateFailure: rendering failed, or the output takes too long to parse.
        """
        limit = Limit(PAGE_SECONDS, "rendering", f"`{place.path}`")
        try:
            with limit:
                return self._fill_template(place, name, context)
        except TimeBudgetExceeded:
            source = self.loader.load_template(name)
            if source is None or not limit.is_over:
                raise
            message = "the page that this template renders takes too long to parse"
            raise TemplateFailure(build_error("invalid-template", message, source.span(0))) from None

    def _fill_template(self, place: PageLocation, name: str, context: PageContext) -> Page:
        """Render a page from a template.

        Raises: TemplateFailure: rendering failed, or a tag is misplaced.
        """
        text = self.library.environment.render_traced(name, context.variables)
        if findings := self._find_misplaced(self.library.environment.loaded):
            raise TemplateFailure(findings[0], others=tuple(map(TemplateFailure, findings[1:])))
        source = self.loader.load_template(name)
        assert source is not None
        page = self._assemble_page(place, source, text)
        page.figures, page.used_files = tuple(context.figures), frozenset(context.used_files)
        page.tables = frozenset(context.tables)
        return page

    def _find_misplaced(self, names: Iterable[str]) -> list[Finding]:
        """Return the findings about misplaced tags in templates that appear on the page."""
        sources = filter(None, map(self.loader.load_template, sorted(names)))
        return [finding for source in sources for finding in source.get_cached(misplaced.find_in_template)]

    def _get_copy(self, place: PageLocation) -> Page | None:
        page = self.handwritten_pages.get(place.path) or self._by_address.get(collisions.compute_address(place.path))
        if page is None:
            return None
        cached_place, cached_page = self.loader.memory.copies.get(place.address, (None, page))
        if cached_place is place and cached_page.source is page.source:
            return cached_page
        page = replace(page, place=replace(place, path=page.path))  # facts cached for the old object no longer apply
        self.loader.memory.copies[place.address] = place, page
        front = read_front_matter(page.text)
        page.title = get_entry_text(front, "title") or headings.get_title(page.document) or place.step.id
        page.description = get_entry_text(front, "description")
        page.sections = headings.read_sections(page.text, page.document)
        return page

    @cached_property
    def _by_address(self) -> dict[str, Page]:
        return collisions.index_by_address(self.handwritten_pages)

    def _find_template(self, place: PageLocation) -> str | None:
        names = (f"steps/{place.tutorial.id}/{place.step.id}.md.j2", f"steps/{place.step.id}.md.j2")
        return next((name for name in names if name in self.loader.template_names), None)

    def _explain_missing_source(self, place: PageLocation) -> str:
        layout = self.site.layout
        message = (
            f"step `{place.step.id}` has neither a template ({layout.templates}/steps/{place.step.id}.md.j2) "
            f"nor a page ({layout.docs}/{place.path})"
        )
        names = [f"{place.step.id}{suffix}" for suffix in (".md", ".md.j2", *_OTHER_SUFFIXES)]
        strays = sorted(name for name in self.loader.template_names if posixpath.basename(name) in names)
        if strays and strays[0].endswith(_OTHER_SUFFIXES) and not strays[0].endswith(".md.j2"):
            return f"{message}; there is {layout.templates}/{strays[0]}: rename it to {place.step.id}.md.j2"
        if strays:
            return f"{message}; there is {layout.templates}/{strays[0]}: move it there"
        stems = {name.removesuffix(".md.j2"): name for name in self._unused_templates}
        similar = find_nearest(place.step.id, stems) or (next(iter(stems)) if len(stems) == 1 else None)
        if similar:
            return f"{message}; there is {layout.templates}/steps/{stems[similar]}: rename it, or the step"
        return f"{message}; write one of them"

    @cached_property
    def _unused_templates(self) -> list[str]:
        """Step templates that no step uses."""
        steps = {f"{step}.md.j2" for tutorial in self.site.model.tutorials.values() for step in tutorial.steps}
        names = (name.removeprefix("steps/") for name in self.loader.template_names if name.startswith("steps/"))
        return sorted(name for name in names if name.endswith(".md.j2") and name.rpartition("/")[2] not in steps)

    @cached_property
    def _renamed_steps(self) -> frozenset[str]:
        """The names of unused step templates, if a step lacks one: renaming either is then suggested."""
        places = self.site.places.values()
        lacks = any(self._find_template(place) is None and self._get_copy(place) is None for place in places)
        return frozenset(name.removesuffix(".md.j2") for name in self._unused_templates) if lacks else frozenset()

    def _fail(self, place: PageLocation, finding: Finding) -> None:
        self.failed = True
        self._report(place.address, finding)

    def _record_errors(self, place: PageLocation | None, findings: Iterable[Finding]) -> None:
        """Record the errors among the findings as errors of the page, if there is one."""
        for finding in findings:
            if place is not None and finding.severity is Severity.ERROR:
                self.site.failed.setdefault(place.address, {})[finding] = None

    def _find_title(self, place: PageLocation, node: data.Node | None, text: Traced) -> Traced | None:
        title = place.tutorial.get_title(place.step, place.platform) or find_entry_text(node, "title")
        return title or traced.ensure_traced(headings.get_title(self._parse_document(text))) or None

    def _fail_without_title(self, place: PageLocation, source: Source, front: data.LoadedYaml | None) -> None:
        if front and front.findings:
            self.failed = True  # the unparsed part may have a title, and is reported itself
        else:
            self._fail(place, _report_missing_title(source, front.node if front else None))

    def _assemble_page(self, place: PageLocation, source: Source, text: Traced) -> Page:
        text = quote_front_matter(text)
        front = read_front_matter(text)
        node = front.node if front else None
        title = self._find_title(place, node, text)
        if title is None:
            title = traced.ensure_traced(place.step.id)
            self._fail_without_title(place, source, front)
        self.loader.findings += front.findings if front else ()
        if finding := _report_linked_title(find_entry_text(node, "title")):
            self._fail(place, finding)
        text = self._apply_title(place, text, node, title)
        document, cache = self._parse_document(text), self.loader.memory.documents
        if place.step.numbering.sections:
            strings = self.site.model.strings
            text, sections = headings.number_headings(text, document, place.number, strings["step"], strings["step-of"])
        else:
            sections = headings.read_sections(text, document)
        description = traced.strip_origins(find_entry_text(node, "description") or "")
        fields = place, title, description, sections
        publisher = self.loader.publisher
        return Page(place.path, source, text, *fields, generated=True, publisher=publisher, document_cache=cache)

    def _apply_title(self, place: PageLocation, text: Traced, node: data.Node | None, title: Traced) -> Traced:
        """Return the page with its displayed title, numbered and overridden by the data.

        The title is set in the front matter, or in the heading that is the title.
        """
        node_title = data.get_node(node, "title")
        shown = self.build_shown_title(place, title)
        if isinstance(node_title, data.Scalar):
            if traced.strip_origins(shown) == node_title.plain:
                return text
            start, end = node_title.span.start, node_title.span.end
            return traced.concatenate([text[:start], format_yaml_scalar(shown), text[end:]])
        document = self._parse_document(text)
        heading = headings.find_title_heading(document)
        if heading is None:
            return text
        typed = traced.ensure_traced(text[heading.content_start : heading.content_end])
        shown = self.build_shown_title(place, place.tutorial.get_title(place.step, place.platform) or typed)
        step_word = self.site.model.strings["step"] if place.step.numbering.sections else None
        is_same = traced.strip_origins(shown) == traced.strip_origins(typed)
        step_of = self.site.model.strings["step-of"]
        return text if is_same else headings.replace_title(text, document, heading, shown, step_word, step_of)

    def _parse_document(self, text: Traced) -> Document:
        cache = self.loader.memory.documents
        return cache.parse(traced.strip_origins(text), Dialect.PYTHON_MARKDOWN, is_rendered=True).lean

    def build_shown_title(self, place: PageLocation, title: Traced) -> Traced:
        if place.number is None or not place.step.numbering.steps:
            return title
        prefix, _, suffix = self.site.model.strings["title"].partition("{title}")
        number = str(place.number)
        affixes = (traced.trace_like(words.replace("{number}", number), title) for words in (prefix, suffix))
        return traced.concatenate([next(affixes), title, next(affixes)])


def _draw_figure(figure: Figure, earlier: Figure | None, artist: FigureRenderer, entry: RenderedPage) -> list[Finding]:
    """Draw a figure of a page, unless an earlier drawing is still right; return what is wrong with it."""
    page, variables = entry.page, entry.context.variables
    if earlier and artist.is_unchanged(figure, earlier, page.text):
        figure.svg, figure.template, figure.answers = earlier.svg, earlier.template, earlier.answers
        return []
    findings = list(artist.draw_figure(figure, variables, page.text))
    if not figure.svg and page.place and page.place.draft:
        artist.draw_frame(figure, variables, page.text)
    return findings


def _report_different_figures(figure: Figure, first: Figure) -> Finding:
    """Report two different figures with one path, at the path if the data sets it without what differs."""
    left, right = figure.place, first.place
    variable = next((f for f in ("platform", "step", "tutorial") if getattr(left, f) is not getattr(right, f)), "")
    span, hint = figure.call, "give one of them another name"
    if variable:
        hint = f"name {{{variable}}} in `images`"
        pattern = traced.ensure_traced(left.tutorial.get_image_pattern(left.platform))
        span = next((run.span for run in pattern.runs[:1] if run.span), span)
    calls = dict.fromkeys(call for call in (first.call, figure.call) if call != span)
    return build_error(
        "page-collision",
        f"two different figures would be at {figure.path}; {hint}",
        span,
        related=tuple(Related(call, "the figure" if span != figure.call else "the other figure") for call in calls),
    )


def _list_pictures(folder: Path, docs: Path) -> dict[str, str]:
    """Return the names of the pictures in a folder below the docs folder, by name without suffix."""
    try:
        names = sorted(entry.name for entry in os.scandir(folder)) if files.contains(docs, folder) else []
    except OSError:
        return {}
    return {Path(name).stem: name for name in names if name.lower().endswith(PICTURES)}


def _get_section_keys(facts: PageFacts) -> list[tuple[str, str, str]]:
    return [(s.id, s.number, traced.strip_origins(s.title)) for s in facts.sections]


def _merge_finding(findings_by_span: dict[tuple[str, Span], Finding], finding: Finding, platform: str) -> None:
    """Merge findings for one span into one, with all platforms on which it occurs."""
    key = finding.rule, finding.span
    merged = findings_by_span.get(key, finding)
    if len(finding.related) > len(merged.related):  # one with a closer name
        merged, finding = replace(finding, platforms=merged.platforms), merged
    spans = {item.span for item in merged.related}
    new_related = tuple(item for item in finding.related if item.message == NEAR_FILE and item.span not in spans)
    merged = replace(merged, related=merged.related + new_related) if new_related else merged
    platforms = merged.platforms if platform in merged.platforms else (*merged.platforms, platform)
    findings_by_span[key] = replace(merged, platforms=platforms)


_LINK = lazy_re.compile(r"\[[^\[\]]+\]\([^()\s]+\)")


def _report_linked_title(title: Traced | None) -> Finding | None:
    """Report a link that a call prints into a front matter title, where it is plain text."""
    match = _LINK.search(traced.strip_origins(title)) if title else None
    run = title.get_runs_between(*match.span())[0] if title and match else None
    if match is None or run is None or run.aligned or run.span is None:
        return None
    message = f"a title is plain text: readers see `{match[0]}`; put the link into the text of the page"
    return build_error("invalid-template", message, run.span)


_LATE_FENCE = lazy_re.compile(r"(?:[ \t]*(?:<!--(?:(?!-->).)*-->[ \t]*)?\n)+---(?=[ \t]*\n[A-Za-z_][\w-]*:)", re.DOTALL)
_UNOPENED = lazy_re.compile(r"title:[ \t]")


def _report_missing_title(source: Source, front: data.Node | None) -> Finding:
    """Report a template without a title; name the key that was intended as one."""
    for key, _ in data.get_entries(front):
        place = key.span if key.span.source.path != source.path else source.span(key.span.start, key.span.end)
        if key.text == "title":
            message = "the title is empty or a list: write it after the colon, in quotes if it starts with a symbol"
            return build_error("invalid-template", message, place)
        if hint := format_suggestion(key.text, ["title"]):
            return build_error("invalid-template", f"the template has no title, but `{key.text}`{hint}", place)
    if late_fence := _LATE_FENCE.match(source.text):
        message = "front matter starts in the first line of a file: remove what is above this `---`"
        return build_error("front-matter", message, source.span(late_fence.end() - 3, late_fence.end()))
    if _UNOPENED.match(source.text):
        message = "front matter is between two lines of `---`: write one above this line"
        return build_error("front-matter", message, source.span(0, 5))
    message = "the template has no title: write `title: …` in its front matter, between two lines of `---` at the top"
    return build_error("invalid-template", message, source.span(0, 0))
