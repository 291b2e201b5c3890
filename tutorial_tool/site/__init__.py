"""Load a site: every page of every platform, from a project folder or a plain tree.

The modules that load and render a project are imported with the first one: a plain tree has neither data nor templates.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from tutorial_tool import data, translation
from tutorial_tool.cache import blake2b
from tutorial_tool.cache.results import Results
from tutorial_tool.config import site_generator
from tutorial_tool.core import language, lazy_re, traced
from tutorial_tool.core.diagnostics import Finding, Fix, InvalidInput, Related, Severity
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.core.source import Edit, Source, Span
from tutorial_tool.core.traced import Run, Traced
from tutorial_tool.data import forms
from tutorial_tool.data.model import Model
from tutorial_tool.fs import files
from tutorial_tool.markdown.dialects import Dialect, guess_dialect, is_sure_guess
from tutorial_tool.markdown.document import Document
from tutorial_tool.site import page_facts, plugin_layout
from tutorial_tool.site.front import read_front_matter
from tutorial_tool.site.source_cache import DocumentCache, SourceCache

if TYPE_CHECKING:
    from tutorial_tool.config.settings import Config
    from tutorial_tool.data.model.parts import FileStyle, Platform
    from tutorial_tool.markdown.headings import Section
    from tutorial_tool.site.figures.svg import FigureEnvironment
    from tutorial_tool.site.rendering import RenderedPage
    from tutorial_tool.templating.environment import TemplateEnvironment
    from tutorial_tool.templating.places import Figure, PageDependency, PageFacts, PageId, PageLocation

T = TypeVar("T")
DATA = "platforms.yaml"
TEMPLATES = "site_templates"


@dataclass(frozen=True)
class Layout:
    """The folders of a project, relative to its root."""

    root: Path
    data: str = DATA
    templates: str = TEMPLATES
    docs: str = "docs_src"
    lang: str = ""  # The language of its translated texts; empty: the language of its sources

    @classmethod
    def find(cls, root: Path, *, docs: str | None = None, templates: str = TEMPLATES) -> Layout:
        """Return the layout of a project; folders not given are those that `mkdocs.yml` names."""
        if plugin_config := plugin_layout.find_enclosing(root):
            templates = plugin_config.templates or TEMPLATES if templates == TEMPLATES else templates
            docs = docs or Path(os.path.relpath(plugin_config.docs, root)).as_posix()
        candidates = (name for name in ("docs_src", "docs") if (root / name).is_dir())
        docs = docs or site_generator.find_docs_dir(root) or next(candidates, "docs_src")
        return cls(root, templates=templates, docs=docs)


class Origin(NamedTuple):
    """The source of a character of a page.

    `exact` if the source has the character itself; otherwise, `span` is the enclosing tag or value. `via` are the
    template tags that it passed through, innermost first.
    """

    span: Span
    exact: bool
    via: tuple[Span, ...] = ()


class PageFix(NamedTuple):
    """A fix as a rule writes it: (start, end, text) in the page's text. `Page.flag` maps it to the source."""

    title: str
    edits: tuple[tuple[int, int, str], ...]
    safe: bool = True


@dataclass(eq=False)
class Page:
    """One page of the site. `path` is relative to the docs folder; `source` is its template or Markdown file."""

    path: str
    source: Source
    text: Traced
    place: PageLocation | None = None
    title: str = ""
    description: str = ""
    sections: tuple[Section, ...] = ()
    generated: bool = False
    figures: tuple[Figure, ...] = ()
    tables: frozenset[tuple[str, tuple[str, ...]]] = frozenset()
    """Tables of the data that the page shows, by ID and columns."""
    used_files: frozenset[str] = frozenset()
    dependencies: frozenset[PageDependency] = frozenset()  # Data and files that its template requested
    dialect: Dialect = Dialect.PYTHON_MARKDOWN
    publisher: Dialect | None = None
    """The publisher's dialect, if it differs: pages of a project are parsed as Python-Markdown."""
    usual_lang: str | None = None  # The configured language of pages that do not set theirs, if any
    document_cache: DocumentCache = field(default_factory=DocumentCache)  # The cache that holds its document
    precomputed_conditional_items: frozenset[int] | None = None  # The conditional items, if known
    is_link_only: bool = False  # Whether it is read only as a link target, and neither linted nor compared

    @property
    def publishing_dialect(self) -> Dialect:
        """The Markdown dialect of the generator that publishes the page."""
        return self.publisher or self.dialect

    @property
    def is_in_publisher_dialect(self) -> bool:
        """Whether the page is handwritten in the dialect of its publisher, not in that of templates."""
        return not self.generated and self.dialect is not Dialect.PYTHON_MARKDOWN

    @property
    def platform(self) -> str | None:
        return self.place.platform.id if self.place else None

    @property
    def step(self) -> str | None:
        return self.place.step.id if self.place else None

    @property
    def tutorial(self) -> str | None:
        return self.place.tutorial.id if self.place else None

    @property
    def number(self) -> int | None:
        """The step's number on this platform."""
        return self.place.number if self.place else None

    @cached_property
    def cache(self) -> dict[object, Any]:
        """Results computed from the page and its neighbors, by function; kept as long as the page."""
        return {}

    def get_cached(self, make: Callable[..., T], *args: object) -> T:
        """Return `make(page, *args)`, cached until one of `args` changes."""
        cached = self.cache.get(make)
        if cached is None or cached[0] != args:
            cached = self.cache[make] = args, make(self, *args)
        result: T = cached[1]
        return result

    @cached_property
    def provenance(self) -> Mapping[Source, frozenset[Span]]:
        """The spans of each source that appear on the page."""
        out: dict[Source, set[Span]] = {}
        for run in self.text.runs:
            if run.span is not None:
                out.setdefault(run.span.source, set()).add(run.span)
        return {source: frozenset(spans) for source, spans in out.items()}

    @cached_property
    def plain(self) -> str:
        """The text as an ordinary `str`: the text of the file if the page is all of one file."""
        if self.text.runs == (Run(len(self.text), self.source.get_full_span(), True),):
            return self.source.text
        return traced.strip_origins(self.text)

    @cached_property
    def digest(self) -> str:
        """A digest that identifies the text, also across programs."""
        return blake2b(self.plain.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    @cached_property
    def document(self) -> Document:
        return self.document_cache.parse(self.plain, self.dialect, is_rendered=self.generated)

    @cached_property
    def facts(self) -> PageFacts:
        """What other pages can use of this page: its title and sections."""
        from tutorial_tool.templating.places import PageFacts

        return PageFacts(traced.ensure_traced(self.title), self.sections)

    @property
    def stated_title(self) -> str:
        """The title from the front matter, or the first level-1 heading; "" if there is neither."""
        from tutorial_tool.markdown.headings import get_title

        return str(data.parse_metadata(self.plain).get("title", "") or get_title(self.document))

    @property
    def detected_language(self) -> language.DetectedLanguage:
        """The language detected from the page's text."""
        return self.get_cached(_detect_language)

    @property
    def lang(self) -> str | None:
        """The page's language, if it is stated or can be detected."""
        return self.get_cached(_find_language, self.usual_lang)

    @property
    def may_be_english(self) -> bool:
        """Whether the page is in English or in an unknown language."""
        return self.lang in ("en", None)

    def find_origin(self, offset: int) -> Origin:
        """Return the origin of the character at `offset` of the text.

        Raises: IndexError: outside the text.
        """
        run, start = self.text.find_run(offset)
        if run.span is None:
            return Origin(self.source.span(0), False, run.via)
        if run.aligned:
            span = run.span.cut(offset - start, offset - start + 1)
            return Origin(span, True, run.via)
        return Origin(run.span, False, run.via)

    def get_source_span(self, start: int, end: int) -> tuple[Span, bool]:
        """Return the source span of a part of the text, and whether the two are identical by character.

        A part from several sources maps to the template span from the first to the last of them; if that is a single
        tag, or if there is no template, to the first.
        """
        if start >= len(self.text):
            origin_span = self.find_origin(len(self.text) - 1).span if self.text else self.source.span(0)
            return Span(origin_span.source, origin_span.end, origin_span.end), False
        runs = self.text.get_runs_between(start, max(end, start + 1))
        spans = [run.span for run in runs if run.aligned and run.span is not None]
        start_span = spans[0] if spans and runs[0].aligned else self.find_origin(start).span
        joined = all(a.source is b.source and a.end == b.start for a, b in pairwise(spans))
        if len(spans) < len(runs) or not joined:
            return _find_written_span(runs) or start_span, False
        return Span(start_span.source, start_span.start, start_span.start if end <= start else spans[-1].end), True

    def flag(
        self,
        place: tuple[int, int],
        message: str,
        *,
        replace: str | None = None,
        fix: PageFix | None = None,
        related: Iterable[tuple[Page, tuple[int, int], str] | Related] = (),
        again: Iterable[tuple[Page, tuple[int, int], str]] = (),
        severity: Severity | None = None,
        why: tuple[str, ...] = (),
    ) -> Finding:
        """Return a finding at a (start, end) of the text, mapped to its source.

        The runner adds the rule's name and severity. `replace` is short for one safe edit of the span. A fix is
        withheld if its span is not verbatim source. `again` are all other places of the mistake, and `related` explain
        it.
        """
        span, exact = self.get_source_span(*place)
        if replace is not None:
            title = f"replace with `{replace}`" if replace else "delete it"
            fix = PageFix(title, ((*place, replace),))
        relateds = tuple(map(_build_related, related))
        relateds += tuple(Related(page.get_source_span(*at)[0], text, again=True) for page, at, text in again)
        platforms = (self.platform,) if self.platform else ()
        source_fix = self._build_source_fix(fix) if fix else None
        shown = message.replace("\ufffc", "…")  # code in the quoted text
        return Finding("", severity or Severity.OFF, shown, span, platforms, relateds, source_fix, exact, why=why)

    @cached_property
    def detached_page(self) -> Page | None:
        """The page's text as a standalone file, which is the input of page rules.

        None if no file could hold it: reading would change a carriage return or a byte order mark.
        """
        source = Source("", self.document.text)
        if source.text != source.raw:
            return None
        text = traced.trace_span(source.get_full_span())
        items = self.conditional_items
        page = Page(
            "", source, text, dialect=self.dialect, publisher=self.publisher, precomputed_conditional_items=items
        )
        page.__dict__["document"] = self.document
        return page

    @cached_property
    def conditional_items(self) -> frozenset[int]:
        """The start offsets of items whose numbers are right if all branches of the template are shown."""
        from tutorial_tool.site import branches

        if self.precomputed_conditional_items is not None:
            return self.precomputed_conditional_items
        return branches.find_conditional_items(self) if self.generated else frozenset()

    def remap_finding(self, finding: Finding) -> Finding:
        """Remap a finding of the detached page to the sources of this page."""
        related = tuple(
            item._replace(span=self.get_source_span(*item.span[1:])[0])
            if item.span.source is finding.span.source
            else item
            for item in finding.related
        )
        edits = tuple((edit.span.start, edit.span.end, edit.text) for edit in finding.fix.edits) if finding.fix else ()
        fix = PageFix(finding.fix.title, edits, finding.fix.safe) if finding.fix else None
        severity, why = finding.severity, finding.why
        return self.flag(finding.span[1:], finding.message, fix=fix, related=related, severity=severity, why=why)

    def _build_source_fix(self, fix: PageFix) -> Fix | None:
        edits = []
        for start, end, text in fix.edits:
            span, exact = self.get_source_span(start, end)
            if not exact or span.text != str.__getitem__(self.text, slice(start, end)):
                return None
            edits.append(Edit(span, text))
        return Fix(fix.title, tuple(edits), fix.safe)

    @property
    def style(self) -> FileStyle:
        """The newline and byte order mark of the page's file."""
        from tutorial_tool.data.model.parts import FileStyle

        if self.place is None:
            return FileStyle(self.source.newline, self.source.bom)
        return self.place.step.get_style(self.place.platform)

    def encode_file(self) -> bytes:
        """Return the page as bytes: a copy or handwritten page as on disk, a rendered one in its style."""
        if not self.generated:
            return self.source.raw.encode()
        return self.style.encode_text(traced.strip_origins(self.text))


@page_facts.register
def _detect_language(page: Page) -> language.DetectedLanguage:
    return page.document.detected_language


def _find_language(page: Page, usual_lang: str | None) -> str | None:
    if lang := page.document.stated_lang or usual_lang:
        return lang
    detected = page.detected_language
    return detected.code if detected.is_clear else language.get_path_language(page.path) or detected.code


class Addressing(NamedTuple):
    """The settings of a configuration about URLs that the files do not show."""

    generated: tuple[str, ...] = ()  # Globs of URLs that other programs generate: these are never missing
    fallback: str = ""  # The language whose pages are shown if another has none
    keeps_case: bool = False  # Whether anchors keep the case of their headings


NO_ADDRESSING = Addressing()


@dataclass(frozen=True, eq=False)
class Project:
    """The unrendered templates and data of a project, the input of project rules."""

    site: Site

    def flag(self, span: Span, message: str, *, fix: Fix | None = None, related: tuple[Related, ...] = ()) -> Finding:
        """Return a finding at a span of a source; the runner adds the rule's name and severity."""
        return Finding("", Severity.OFF, message, span, (), related, fix)

    @property
    def model(self) -> Model:
        return self.site.model

    @property
    def data_files(self) -> tuple[str, ...]:
        """The data files that were read, by path relative to the project."""
        return self.site.data_files

    @property
    def templates(self) -> dict[str, Source]:
        """The templates and parts that were read, by path relative to the project."""
        folder = self.site.layout.templates + "/"
        return {path: source for path, source in self.site.sources.items() if path.startswith(folder)}


@dataclass(eq=False)
class Site:
    """A loaded and rendered site.

    `findings` are the engine's own: data, templates, missing files.
    """

    layout: Layout
    model: Model
    pages: list[Page] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    unfinished: list[Finding] = field(default_factory=list)  # What drafts lack; does not prevent publishing
    unfinished_by_address: dict[PageId, dict[Finding, None]] = field(default_factory=dict)
    """The same, by page, where it concerns a single page."""
    drafts: Mapping[PageId, PageLocation] = field(default_factory=dict)
    """Locations of unpublished pages, whether or not they are in `pages`."""
    hidden: list[Page] = field(default_factory=list)  # Unpublished pages that are not in `pages`
    withheld: frozenset[str] = frozenset()  # Handwritten pages of drafts, by path: they are not published
    announces_drafts: bool = False  # Whether pages tell readers which platforms are drafts
    places: Mapping[PageId, PageLocation] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)
    """All files that were read, by path relative to the project."""
    data_files: tuple[str, ...] = ()
    template_names: frozenset[str] = frozenset()  # Files in the templates folder, by path relative to it
    literals: tuple[Span, ...] = ()  # Texts between the tags of the compiled templates
    invalid_sections: frozenset[str] = frozenset()
    """Invalid sections of the data: if there are any, no page of a tutorial is rendered."""
    failed: dict[PageId, dict[Finding, None]] = field(default_factory=dict)
    """Findings about pages that could not be rendered correctly."""
    redirects: tuple[tuple[str, str], ...] = ()  # Old URLs and their targets, as configured
    addressing: Addressing = NO_ADDRESSING  # The configuration of the remaining URLs
    overdue: Finding | None = None  # Where the time limit for rendering ran out, if it did
    cache: dict[object, Any] = field(default_factory=dict)
    """Results about the whole site from this run or an earlier one, by owner, which can detect changes."""
    variants: Site | None = None
    """The site without its pages for all platforms, which is the one to lint; None if it has none."""
    relocate_finding: Callable[[Finding], Finding] = lambda finding: finding
    """Moves a finding in a text that a translation replaces to that translation."""
    requested_names: frozenset[tuple[str, str]] = frozenset()
    """What templates requested: (`labels`, `values`, `can`, `code`, `tables`, `part`, `figure` or `link`, key)."""
    computed: dict[object, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def get_cached(self, make: Callable[..., T], *args: object) -> T:
        """Return `make(site, *args)`, computed once. Not in a weak dictionary: results may refer to their site."""
        if (make, args) not in self.computed:
            self.computed[make, args] = make(self, *args)
        result: T = self.computed[make, args]
        return result

    @property
    def results(self) -> Results:
        """Results valid for any site whose pages have the same texts, for later runs and other programs."""
        results: Results = self.cache.setdefault(Results, Results())
        return results

    @cached_property
    def published_site(self) -> Site:
        """The site without its drafts."""
        if self.drafts.keys().isdisjoint(self.places):
            return self
        drafts = [page for page in self.pages if page.place and page.place.draft]
        pages = [page for page in self.pages if page not in drafts]
        places = {address: place for address, place in self.places.items() if not place.draft}
        return replace(self, pages=pages, hidden=drafts, places=places, cache={})

    def configure(self, config: Config) -> None:
        """Apply the configuration's settings about URLs."""
        self.redirects, self.announces_drafts = config.redirects, config.announce_drafts
        combined = (tutorial for tutorial in self.model.tutorials.values() if tutorial.combined)
        paths = (tutorial.build_combined_path(step) for tutorial in combined for step in tutorial.steps)
        generated = (*config.generated_urls, *(f"/{path}{end}" for path in paths for end in ("", ".md")))
        self.addressing = Addressing(generated, config.fallback_language or "", config.keep_anchor_case)

    @cached_property
    def by_address(self) -> dict[PageId, Page]:
        return {page.place.address: page for page in self.pages if page.place}

    @cached_property
    def steps(self) -> dict[tuple[str, str], dict[str, Page]]:
        """The pages that are variants of one step: by (tutorial, step), then by platform."""
        out: dict[tuple[str, str], dict[str, Page]] = {}
        for address, page in self.by_address.items():
            out.setdefault((address.tutorial, address.step), {})[address.platform] = page
        return out

    @cached_property
    def publisher_files(self) -> frozenset[str]:
        """The paths of pages of a project that are checked like those of a site without a project."""
        return frozenset(page.source.path for page in self.pages if page.is_in_publisher_dialect)

    @property
    def usual_lang(self) -> str | None:
        """The language of pages that do not state one, if the configuration sets it."""
        return self.pages[0].usual_lang if self.pages else None

    @property
    def own_findings(self) -> list[Finding]:
        """The site's own findings; those of the files of a plain tree are computed on demand."""
        pages = () if self.is_project else self.pages
        return [*self.findings, *(finding for page in pages for finding in page.get_cached(_find_file_findings))]

    @property
    def errors(self) -> list[Finding]:
        return [finding for finding in self.own_findings if finding.severity is Severity.ERROR]

    @property
    def is_project(self) -> bool:
        """Whether this is a project with data and templates, rather than a plain tree of files."""
        if self.model.platforms or self.model.tutorials or self.layout.data in self.sources:
            return True
        is_unread = any(finding.span.path == self.layout.data for finding in self.findings)
        return is_unread and (self.layout.root / self.layout.data).exists()

    @property
    def catalogs(self) -> dict[str, str]:
        """The paths of the translation catalogs, by language."""
        paths = (path for path in self.sources if path.startswith(f"{translation.FOLDER}/"))
        return {Path(path).stem: path for path in paths if path.endswith(translation.SUFFIX)}

    @cached_property
    def project(self) -> Project:
        return Project(self)

    def find_showing_platforms(self, span: Span) -> set[str]:
        """Return the platforms whose pages contain a span of a source."""
        pages = self.pages_by_source.get(span.source, ())
        having = (page for page in pages if any(map(span.overlaps, page.provenance[span.source])))
        return {page.platform for page in having if page.platform}

    @cached_property
    def pages_by_source(self) -> Mapping[Source, list[Page]]:
        """The pages that contain a span of each source."""
        return group_pairs((source, page) for page in self.pages for source in page.provenance)

    def require_valid(self) -> Site:
        """Return this site if it was loaded and rendered completely.

        Raises: InvalidInput: it has errors.
        """
        if self.errors:
            raise InvalidInput(self.errors)
        return self

    def get_page(self, path: str) -> Page | None:
        """Return the page at a path, or None."""
        return next((page for page in self.pages if page.path == path), None)

    def get_ordered_pages(self, tutorial: str, platform: str) -> list[Page]:
        """Return the pages of a tutorial on a platform, in order."""
        return [page for page in self.ordered_pages.get((tutorial, platform), {}).values() if page]

    def group_paths(self, tutorial: str) -> dict[Platform, list[str]]:
        """Return the ordered paths of a tutorial's pages by platform, without platforms that have none."""
        shown = {platform: self.get_ordered_pages(tutorial, platform.id) for platform in self.model.platforms.values()}
        return {platform: [page.path for page in pages] for platform, pages in shown.items() if pages}

    @cached_property
    def ordered_pages(self) -> dict[tuple[str, str], dict[str, Page | None]]:
        """The pages of each tutorial and platform by step, in order; None for a page not rendered."""
        out: dict[tuple[str, str], dict[str, Page | None]] = {}
        for address in self.places:
            out.setdefault((address.tutorial, address.platform), {})[address.step] = self.by_address.get(address)
        return out

    @cached_property
    def figures(self) -> dict[str, Figure]:
        """The figures to generate, by path."""
        return {figure.path: figure for page in self.pages for figure in page.figures}


RuleResults = dict[tuple[object, ...], tuple[Finding, ...]]


@dataclass
class Memory:
    """The cache that one load of a project leaves for the next, which then renders only what changed.

    Pass the same object to each `load` of one project. The resulting site is the same as without it.
    """

    files: SourceCache = field(default_factory=SourceCache)
    documents: DocumentCache = field(default_factory=DocumentCache)
    by_document: WeakKeyDictionary[Document, RuleResults] = field(default_factory=WeakKeyDictionary)
    """Results of page rules for each document, by rule and configuration, at offsets in its text."""
    last_pages: list[Page] = field(default_factory=list)  # The pages of the last load, kept to reuse their documents
    cache: dict[object, Any] = field(default_factory=dict)  # Results about the whole site
    is_stored: bool = False  # Whether the first run loads results stored by an earlier process and stores its own
    _lock: Lock = field(default_factory=Lock)
    parsed: dict[Source, data.LoadedYaml] = field(default_factory=dict)
    written_pages: dict[Source, Page] = field(default_factory=dict)  # Handwritten pages
    copies: dict[PageId, tuple[PageLocation, Page]] = field(default_factory=dict)
    """Handwritten pages that are a step's page on a platform."""
    key: tuple[object, ...] = ()  # The layout, data files and template names
    model: Model | None = None
    places: dict[PageId, PageLocation] = field(default_factory=dict)
    drafts: dict[PageId, PageLocation] = field(default_factory=dict)
    environment: TemplateEnvironment | None = None
    figures: FigureEnvironment | None = None
    pages: dict[PageId, list[RenderedPage]] = field(default_factory=dict)

    @contextmanager
    def share_cache(self, site: Site) -> Iterator[None]:
        """Lend the site-wide cache to one run of the linter; a concurrent run starts with an empty cache."""
        is_free = self._lock.acquire(blocking=False)
        site.cache = self.cache if is_free else {}
        try:
            yield
        finally:
            if is_free:
                self._lock.release()


def load_plain(
    paths: Iterable[Path],
    root: Path,
    overlay: Mapping[str, str] | None = None,
    *,
    dialect: Dialect | None = None,
    memory: Memory | None = None,
) -> Site:
    """Load Markdown files without a project; each is a page whose path is relative to `root`.

    Without `dialect`, each file's engine, suffix, or text determines it. A file that cannot be read becomes a finding.
    `overlay` maps the paths that findings name to texts that replace those of files.
    """
    memory = memory or Memory()
    site = Site(Layout(root, docs="."), _NO_MODEL)
    finder = site_generator.Finder()
    memory.documents.begin_load()
    for path in paths:
        source = _read_plain_source(path, root, overlay or {}, memory.files)
        if isinstance(source, Finding):
            site.findings.append(source)
            continue
        expected, page = dialect or finder.find_dialect(path), memory.written_pages.get(source)
        if page is None or page.cache.get(guess_dialect, page) is not expected:
            parsed_as = expected or guess_dialect(source.path, source.text)
            publisher = None if expected or is_sure_guess(parsed_as, source.text) else Dialect.GFM
            text = traced.trace_span(source.get_full_span())
            cache = memory.documents
            page = Page(source.path, source, text, dialect=parsed_as, publisher=publisher, document_cache=cache)
            page.cache[guess_dialect] = expected
        site.pages.append(page)
        site.sources[source.path] = source
    memory.written_pages, memory.last_pages = {page.source: page for page in site.pages}, site.pages
    return site


def find_path_findings(page: Page) -> tuple[Finding, ...]:
    """Return findings about the name of a page's file, from which site generators build titles."""
    match = _MARKUP.search(page.path)
    if match is None:
        return ()
    message = f"the path contains `{match[0]}`, which a site may publish as markup; rename the file or folder"
    return (Finding("unsafe-path", Severity.WARNING, message, page.source.span(0)),)


_MARKUP = lazy_re.compile('[<>"]')  # 40 public trees, 2026-11: no page has one in its path


@page_facts.register
def _find_file_findings(page: Page) -> tuple[Finding, ...]:
    """Find problems in the name and front matter of a page that is a file."""
    return (*find_path_findings(page), *_find_front_findings(page))


def _build_related(entry: tuple[Page, tuple[int, int], str] | Related) -> Related:
    if isinstance(entry, Related):
        return entry
    page, place, text = entry
    return Related(page.get_source_span(*place)[0], text)


def _find_front_findings(page: Page) -> tuple[Finding, ...]:
    """Find problems in a page's front matter.

    That of Hugo's archetypes is a template, and not data yet.
    """
    text = page.source.text
    if front := read_front_matter(page.text):
        is_template = "archetypes" in page.path.split("/") and "{{" in text
        return () if is_template else front.findings
    other = page.document.front_matter if forms.is_toml_or_json(text) else None
    finding = forms.find_problem(page.source, other) if other and "{{" not in text[: other.end] else None
    return (finding,) if finding else ()


_NO_MODEL = Model()  # The model of a tree without a project; shared by all runs, so that cached steps stay valid


def _find_written_span(runs: Iterable[Run]) -> Span | None:
    """Return the span that one file contributes to parts of a page, if it is more than one tag or value."""
    for spans in zip(*((*reversed(run.via), run.span) for run in runs), strict=False):
        present = [span for span in spans if span is not None]
        if any(span != present[0] for span in present):
            first = present[0]
            if len(present) < len(spans) or any(span.source is not first.source for span in present):
                return None
            return Span(first.source, min(span.start for span in present), max(span.end for span in present))
    return None


def _read_plain_source(path: Path, root: Path, overlay: Mapping[str, str], cache: SourceCache) -> Source | Finding:
    read, name = cache.read(path, root), files.format_path(path, root)
    if name not in overlay:
        return read
    return cache.get_edited(Source(name, "") if isinstance(read, Finding) else read, overlay[name])
