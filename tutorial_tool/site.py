"""A site: loaded from a project folder and rendered, every page of every platform and the pages that people wrote."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from tutorial_tool import data, engines, files, model, sections, traced, untrusted
from tutorial_tool.context import Address, Ask, Facts, Figure, Library, PageContext, Place, fill_path
from tutorial_tool.document import Document
from tutorial_tool.figures import Artist
from tutorial_tool.figures.svg import FigureEnvironment
from tutorial_tool.finding import Error, Finding, Fix, Related, Severity, did_you_mean, error
from tutorial_tool.kept import Shelf, Sources
from tutorial_tool.model import FileStyle, Model
from tutorial_tool.parser import Dialect, guess_dialect
from tutorial_tool.sections import Section
from tutorial_tool.source import Edit, Source, Span
from tutorial_tool.template import Stopped, TemplateEnvironment
from tutorial_tool.traced import Run, Traced

DATA = "platforms.yaml"
_LOCALE = re.compile(r"(?:^|[/_.])([a-z]{2})[-_][A-Za-z]{2}(?=[/._])")
"""A language and a region in a path: `docs/pt-BR/intro.md`, `intro_nb-no.md`."""
PASSES = 3
"""How often a page is rendered at most, until no title or section that it prints of others changes."""


@dataclass(frozen=True)
class Layout:
    """Where a project keeps its things: folders relative to its root."""

    root: Path
    data: str = DATA
    templates: str = "site_templates"
    docs: str = "docs_src"

    @classmethod
    def find(cls, root: Path, *, docs: str | None = None, templates: str = "site_templates") -> Layout:
        """The layout of a project. Where the docs folder is not named, it is the one that `mkdocs.yml` names."""
        return cls(root, templates=templates, docs=docs or _docs_dir(root))


@dataclass(frozen=True)
class Origin:
    """Where a character of a page came from.

    `exact` when it stands there itself; else `span` is the enclosing tag or value. `via` are the template tags that it
    passed through, innermost first.
    """

    span: Span
    exact: bool
    via: tuple[Span, ...] = ()


@dataclass(frozen=True)
class PageFix:
    """A fix as a rule writes it: (start, end, text) in the page's text. `Page.flag` takes it to the source."""

    title: str
    edits: tuple[tuple[int, int, str], ...]
    safe: bool = True


@dataclass(eq=False)
class Page:
    """One page of the site. `path` is relative to the docs folder; `source` is its template or Markdown file."""

    path: str
    source: Source
    text: Traced
    place: Place | None = None
    title: str = ""
    description: str = ""
    sections: tuple[Section, ...] = ()
    generated: bool = False
    figures: tuple[Figure, ...] = ()
    tables: frozenset[tuple[str, tuple[str, ...]]] = frozenset()
    """The tables of the data that it shows, by id and columns."""
    used: frozenset[str] = frozenset()
    asks: frozenset[Ask] = frozenset()
    """What its template asked the data and files for."""
    dialect: Dialect = Dialect.PYTHON_MARKDOWN
    usual_lang: str | None = None
    """The language of pages that do not state theirs, if the configuration tells one."""
    shelf: Shelf = field(default_factory=Shelf)
    """Where its document stands, or will."""

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
    def known(self) -> dict[object, Any]:
        """What was made of the page and those beside it, by who made it: kept as long as the page."""
        return {}

    @cached_property
    def document(self) -> Document:
        return self.shelf.document(traced.plain(self.text), self.dialect)

    @cached_property
    def facts(self) -> Facts:
        """What other pages can learn of it."""
        return Facts(traced.as_traced(self.title), self.sections)

    @property
    def lang(self) -> str | None:
        """The page's language, where it is told or can be seen."""
        if said := self.document.stated_lang or self.usual_lang or self.document.lang:
            return said
        named = _LOCALE.search(self.path)  # a text that is too short to tell
        return named[1] if named else None

    def origin(self, offset: int) -> Origin:
        """Where the character at `offset` of the text came from. Raises IndexError outside the text."""
        run, start = self.text.run_at(offset)
        if run.span is None:
            return Origin(self.source.span(0), False, run.via)
        if run.aligned:
            one = run.span.cut(offset - start, offset - start + 1)
            return Origin(one, True, run.via)
        return Origin(run.span, False, run.via)

    def source_span(self, start: int, end: int) -> tuple[Span, bool]:
        """Where a part of the text came from, and whether it stands there character by character.

        A part that came from several places is told by the first of them.
        """
        if start >= len(self.text):
            place = self.origin(len(self.text) - 1).span if self.text else self.source.span(0)
            return Span(place.source, place.end, place.end), False
        runs = self.text.runs_between(start, max(end, start + 1))
        spans = [run.span for run in runs if run.aligned and run.span is not None]
        first = spans[0] if spans and runs[0].aligned else self.origin(start).span
        joined = all(a.source is b.source and a.end == b.start for a, b in pairwise(spans))
        if len(spans) < len(runs) or not joined:
            return first, False
        return Span(first.source, first.start, first.start if end <= start else spans[-1].end), True

    def flag(
        self,
        place: tuple[int, int],
        message: str,
        *,
        replace: str | None = None,
        fix: PageFix | None = None,
        related: Iterable[tuple[Page, tuple[int, int], str] | Related] = (),
        severity: Severity | None = None,
    ) -> Finding:
        """A finding at a (start, end) of the text, told at its source; the runner adds the rule's name and severity.

        `replace` is short for one safe edit of the place. A fix is withheld where its place is not verbatim source.
        """
        span, exact = self.source_span(*place)
        if replace is not None:
            fix = PageFix(f"replace by `{replace}`", ((*place, replace),))
        told = tuple(
            item if isinstance(item, Related) else Related(item[0].source_span(*item[1])[0], item[2])
            for item in related
        )
        platforms = (self.platform,) if self.platform else ()
        made = self._source_fix(fix) if fix else None
        return Finding("", severity or Severity.OFF, message, span, platforms, told, made, exact)

    @cached_property
    def bare(self) -> Page | None:
        """Its text as if it stood in a file of its own, and nothing else: what the rules of pages look at.

        None where no file could hold it: reading would change a carriage return, or a byte order mark.
        """
        source = Source("", self.document.text)
        if source.text != source.raw:
            return None
        page = Page("", source, traced.traced(source.whole()), dialect=self.dialect)
        page.__dict__["document"] = self.document
        return page

    def retold(self, finding: Finding) -> Finding:
        """A finding of the bare page, told at the sources of this one."""
        related = tuple(
            (self, item.span[1:], item.message) if item.span.source is finding.span.source else item
            for item in finding.related
        )
        edits = tuple((edit.span.start, edit.span.end, edit.text) for edit in finding.fix.edits) if finding.fix else ()
        fix = PageFix(finding.fix.title, edits, finding.fix.safe) if finding.fix else None
        return self.flag(finding.span[1:], finding.message, fix=fix, related=related, severity=finding.severity)

    def _source_fix(self, fix: PageFix) -> Fix | None:
        edits = []
        for start, end, text in fix.edits:
            span, exact = self.source_span(start, end)
            if not exact or span.text != str.__getitem__(self.text, slice(start, end)):
                return None
            edits.append(Edit(span, text))
        return Fix(fix.title, tuple(edits), fix.safe)

    @property
    def style(self) -> FileStyle:
        """How the page's file is written."""
        if self.place is None:
            return FileStyle(self.source.newline, self.source.bom)
        return self.place.step.files.get(self.place.platform.id, FileStyle())

    def encoded(self) -> bytes:
        """The page as a file: a copy or hand-written page as it is on disk, a rendered one in its style."""
        if not self.generated:
            return self.source.raw.encode()
        return self.style.encoded(traced.plain(self.text))


@dataclass(frozen=True, eq=False)
class Project:
    """The templates and data of a project, unrendered: what the rules of that level read."""

    site: Site

    def flag(self, span: Span, message: str, *, fix: Fix | None = None, related: tuple[Related, ...] = ()) -> Finding:
        """A finding at a place of a source; the runner adds the rule's name and severity."""
        return Finding("", Severity.OFF, message, span, (), related, fix)

    @property
    def model(self) -> Model:
        return self.site.model

    @property
    def data_files(self) -> tuple[str, ...]:
        """The data files that were read, relative to the project."""
        return self.site.data_files

    @property
    def templates(self) -> dict[str, Source]:
        """The templates and parts that were read, by their path relative to the project."""
        folder = self.site.layout.templates + "/"
        return {path: source for path, source in self.site.sources.items() if path.startswith(folder)}


@dataclass(eq=False)
class Site:
    """Everything that was loaded and rendered. `findings` are the engine's own: data, templates, what is missing."""

    layout: Layout
    model: Model
    pages: list[Page] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    places: Mapping[Address, Place] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)
    """All files that were read, by their path relative to the project."""
    data_files: tuple[str, ...] = ()
    template_names: frozenset[str] = frozenset()
    """The files of the templates folder, relative to it."""
    literals: tuple[Span, ...] = ()
    """The texts of the templates that were compiled, between their tags."""
    redirects: tuple[tuple[str, str], ...] = ()
    """Old addresses and where they lead, as the configuration lists them."""
    overdue: Finding | None = None
    """Where the time for rendering was over, if it was limited and did not do."""
    asked: frozenset[tuple[str, str]] = frozenset()
    """What templates asked for: (`labels`, `values`, `can`, `code`, `tables`, `part`, `figure` or `link`, the key)."""

    @cached_property
    def by_address(self) -> dict[Address, Page]:
        return {page.place.address: page for page in self.pages if page.place}

    @cached_property
    def steps(self) -> dict[tuple[str, str], dict[str, Page]]:
        """The pages that are variants of one step: by (tutorial, step), then by platform."""
        out: dict[tuple[str, str], dict[str, Page]] = {}
        for address, page in self.by_address.items():
            out.setdefault((address.tutorial, address.step), {})[address.platform] = page
        return out

    @property
    def errors(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.severity is Severity.ERROR]

    @property
    def is_project(self) -> bool:
        """Whether this is a project with data and templates, and not a plain tree of files."""
        return bool(self.model.platforms or self.model.tutorials) or self.layout.data in self.sources

    @cached_property
    def project(self) -> Project:
        return Project(self)

    def platforms_showing(self, span: Span) -> set[str]:
        """The platforms on whose pages a part of a source stands."""
        shown = self._shown.get(span.source, ())
        return {platform for platform, part in shown if part.overlaps(span)}

    @cached_property
    def _shown(self) -> dict[Source, set[tuple[str, Span]]]:
        """The parts of each source that stand on pages, with the platform."""
        out: dict[Source, set[tuple[str, Span]]] = {}
        for page in self.pages:
            for run in page.text.runs if page.platform else ():
                if run.span is not None:
                    out.setdefault(run.span.source, set()).add((page.platform or "", run.span))
        return out

    def require(self) -> Site:
        """This site, if it could be loaded and rendered whole. Raises `Error`."""
        if self.errors:
            raise Error(self.errors)
        return self

    def page_order(self, tutorial: str, platform: str) -> list[Page]:
        """The pages of a tutorial on a platform, in their order."""
        steps = [address for address in self.places if (address.tutorial, address.platform) == (tutorial, platform)]
        return [self.by_address[address] for address in steps if address in self.by_address]

    @cached_property
    def figures(self) -> dict[str, Figure]:
        """The pictures to be generated, by path."""
        return {figure.path: figure for page in self.pages for figure in page.figures}


@dataclass
class _Rendered:
    """A page as it was rendered once, and everything that it depends on besides the data and the list of templates."""

    page: Page
    context: PageContext
    asked: set[tuple[str, str]]
    findings: list[Finding]
    names: set[str]
    """The templates and parts that were loaded, by name."""
    pictures: dict[str, bool]
    """Which pictures were looked for, and whether they were there."""
    failed: bool
    sources: dict[str, Source] = field(default_factory=dict)
    """What was read, by path relative to the project."""
    drawn: list[Finding] | None = None
    """What drawing the figures found; None before that."""
    asked_drawing: set[tuple[str, str]] = field(default_factory=set)
    """What drawing the figures asked the data for."""


Heard = dict[tuple[object, ...], tuple[Finding, ...]]


@dataclass
class Memory:
    """What one load of a project leaves for the next one, which then renders only what changed.

    The same object is handed to each `load` of one project. The site is the same as without it.
    """

    files: Sources = field(default_factory=Sources)
    documents: Shelf = field(default_factory=Shelf)
    said: WeakKeyDictionary[Document, Heard] = field(default_factory=WeakKeyDictionary)
    """What the rules of pages said of each document, by rule and configuration, at offsets of its text."""
    shown: list[Page] = field(default_factory=list)
    """The pages of the last load: their documents are wanted again."""
    parsed: dict[Source, data.Loaded] = field(default_factory=dict)
    written: dict[Source, Page] = field(default_factory=dict)
    """The hand-written pages."""
    key: tuple[object, ...] = ()
    """The layout, the data files and the names of the templates."""
    model: Model | None = None
    places: dict[Address, Place] = field(default_factory=dict)
    environment: TemplateEnvironment | None = None
    figures: FigureEnvironment | None = None
    pages: dict[Address, list[_Rendered]] = field(default_factory=dict)


def load(layout: Layout, overlay: Mapping[str, str] | None = None, *, memory: Memory | None = None) -> Site:
    """Load a project and render all its pages. What is wrong stands in the site's findings; nothing is raised.

    `overlay` gives texts that replace those of files, by path relative to the project: what an editor holds, unsaved.
    """
    with untrusted.rendering():
        return _Loader(layout, overlay or {}, memory or Memory()).load()


def plain(
    paths: Iterable[Path],
    root: Path,
    overlay: Mapping[str, str] | None = None,
    *,
    dialect: Dialect | None = None,
    memory: Memory | None = None,
) -> Site:
    """Markdown files as they stand, without a project: each is a page, whose path is relative to `root`.

    `dialect` is theirs; else each file's engine or suffix tells it, or its text. A file that cannot be read becomes a
    finding. `overlay` gives texts that replace those of files, by the path that findings name.
    """
    site = Site(Layout(root, docs="."), Model())
    finder, memory = engines.Finder(), memory or Memory()
    memory.documents.begin()
    for path in paths:
        source = _plain_source(path, root, overlay or {}, memory.files)
        if isinstance(source, Finding):
            site.findings.append(source)
            continue
        spoken = dialect or finder.dialect(path) or guess_dialect(source.path, source.text)
        page = memory.written.get(source)
        if page is None or page.dialect is not spoken:
            text = traced.traced(source.whole())
            page = Page(source.path, source, text, dialect=spoken, shelf=memory.documents)
        site.pages.append(page)
        site.sources[source.path] = source
        front = _front_matter(page.text)
        site.findings += front.findings if front else ()
    memory.written, memory.shown = {page.source: page for page in site.pages}, site.pages
    return site


def _plain_source(path: Path, root: Path, overlay: Mapping[str, str], known: Sources) -> Source | Finding:
    read, name = known.read(path, root), files.shown(path, root)
    if name not in overlay:
        return read
    return known.edited(Source(name, "") if isinstance(read, Finding) else read, overlay[name])


class _Loader:
    def __init__(self, layout: Layout, overlay: Mapping[str, str], memory: Memory) -> None:
        self.layout, self.overlay, self.memory = layout, overlay, memory
        self.sources: dict[str, Source] = {}
        self.unreadable: dict[str, Finding] = {}
        self.findings: list[Finding] = []

    def load(self) -> Site:
        self.memory.documents.begin()
        parsed = list(self._data_files(self.layout.data, {}))
        read, places = self._model(parsed)
        self.findings += read.findings
        hand_written = self._docs_pages()
        self.findings += _collisions(places.values(), hand_written)
        site = Site(self.layout, read, findings=self.findings, places=places, sources=self.sources)
        site.data_files = tuple(source.path for source, _ in parsed)
        site.template_names = self.template_names
        renderer = _Renderer(self, site, hand_written)
        rendered = [] if site.errors else renderer.render()
        site.literals = renderer.library.environment.literals(renderer.loaded)
        site.asked = frozenset(renderer.library.asked)
        site.overdue = renderer.library.environment.overdue
        taken = {page.path for page in rendered}
        site.pages = rendered + [page for path, page in hand_written.items() if path not in taken]
        self.memory.shown = site.pages
        if site.errors:
            self._check_templates()
        site.findings = list(dict.fromkeys(self.findings))
        return site

    # Files

    def read(self, path: str) -> Source | Finding:
        """A file of the project, read once, by its path relative to the root."""
        if path not in self.sources and path not in self.unreadable:
            found = self.memory.files.read(self.layout.root / path, self.layout.root)
            if isinstance(found, Finding):
                self.unreadable[path] = found
            else:
                text = self.overlay.get(path)
                self.sources[path] = found if text is None else self.memory.files.edited(found, text)
        return self.sources.get(path) or self.unreadable[path]

    def _data_files(self, path: str, seen: dict[str, Span]) -> Iterator[tuple[Source, data.Node | None]]:
        """A data file and those that it includes, each once, parsed."""
        source = self.read(path)
        if isinstance(source, Finding):
            told = replace(source, message=self._unread(path, source))
            if path in seen:
                here = seen[path]
                is_link = source.rule == "unsafe-path"  # what asks for it is wrong, and not the file
                told = replace(told, span=here) if is_link else replace(told, related=(Related(here, "included here"),))
            self.findings.append(told)
            return
        loaded = self.memory.parsed.get(source) or data.load_yaml(source)
        self.memory.parsed[source] = loaded
        self.findings += loaded.findings
        if loaded.node is None and path == self.layout.data and not loaded.findings:
            empty = "the file is empty: it names 'platforms' and 'tutorials' (`tutorial-tool init DIR` writes one)"
            self.findings.append(error("invalid-data", empty, source.span(0)))
        yield source, loaded.node
        include = loaded.node.get("include") if isinstance(loaded.node, data.Mapping) else None
        for pattern in include.items if isinstance(include, data.Sequence) else ():
            if isinstance(pattern, data.Scalar) and pattern.text:
                for included in self._included(pattern, posixpath.dirname(path)):
                    if included != self.layout.data and included not in seen:
                        seen[included] = pattern.span
                        yield from self._data_files(included, seen)

    def _model(self, parsed: list[tuple[Source, data.Node | None]]) -> tuple[Model, dict[Address, Place]]:
        """What the data means, and where each page stands; both anew where anything changed that all pages see."""
        memory = self.memory
        key = (self.layout, tuple(source for source, _ in parsed), self.template_names)
        if memory.model is None or memory.key != key:
            memory.key, memory.model = key, model.build(parsed)
            memory.places, memory.pages = _places(memory.model), {}
            memory.parsed = {source: loaded for source, loaded in memory.parsed.items() if source in key[1]}
        return memory.model, memory.places

    def _unread(self, path: str, why: Finding) -> str:
        """Why a data file was not read, and for a project that is none, what to do."""
        if path != self.layout.data or (self.layout.root / path).exists():
            return why.message
        told = "name the project's folder (--project, or `project` below the plugin in mkdocs.yml)"
        return f"there is no such file here; {told}, or write one with `tutorial-tool init DIR`"

    def _included(self, pattern: data.Scalar, folder: str) -> list[str]:
        if reason := files.unsafe(traced.plain(pattern.text)):
            self.findings.append(error("unsafe-path", f"'include' {reason}", pattern.span))
            return []
        if reason := _no_pattern(traced.plain(pattern.text)):
            self.findings.append(error("invalid-data", f"'include': {reason}", pattern.span))
            return []
        root = self.layout.root
        found = sorted(
            p.relative_to(root).as_posix() for p in (root / folder).glob(traced.plain(pattern.text)) if p.is_file()
        )
        if not found:
            self.findings.append(error("invalid-data", f"'include': no file matches '{pattern.text}'", pattern.span))
        return found

    def _docs_pages(self) -> dict[str, Page]:
        """The pages that stand in the docs folder, by path relative to it."""
        folder = self.layout.root / self.layout.docs
        pages = {}
        for path in sorted(p for p in _walk(folder) if p.suffix.lower() in (".md", ".markdown")):
            name = path.relative_to(folder).as_posix()
            source = self.read(f"{self.layout.docs}/{name}")
            if isinstance(source, Finding):
                self.findings.append(source)
                continue
            known = self.memory.written.get(source)
            if known is None or known.place is not None:
                known = Page(name, source, traced.traced(source.whole()), shelf=self.memory.documents)
            pages[name] = known
            front = _front_matter(pages[name].text)
            self.findings += front.findings if front else ()
        self.memory.written = {page.source: page for page in pages.values()}
        return pages

    @cached_property
    def template_names(self) -> frozenset[str]:
        folder = self.layout.root / self.layout.templates
        return frozenset(path.relative_to(folder).as_posix() for path in _walk(folder))

    def template(self, name: str) -> Source | None:
        if name not in self.template_names:
            return None
        source = self.read(f"{self.layout.templates}/{name}")
        if isinstance(source, Finding):
            raise Stopped(source)
        return source

    def environment(self) -> TemplateEnvironment:
        def names() -> list[str]:
            return [name for name in self.template_names if name.endswith(".j2")]

        known = self.memory.environment
        if known is None:
            known = self.memory.environment = TemplateEnvironment(self.template, names)
        else:
            held = {name: parsed.source for name, parsed in known.parsed.items()}
            changed = {name for name, source in held.items() if self._current(name) is not source}
            known.renew(changed, self.template, names)
        return known

    def _current(self, name: str) -> Source | None:
        """A template, if there still is one of that name that can be read."""
        found = self.read(f"{self.layout.templates}/{name}") if name in self.template_names else None
        return found if isinstance(found, Source) else None

    def _check_templates(self) -> None:
        """Syntax errors of all templates, so that one run reports them beside the data's."""
        environment = self.environment()
        known = {(finding.rule, finding.span) for finding in self.findings}
        for name in sorted(self.template_names):
            found = environment.check(name) if name.endswith(".md.j2") else None
            if found is not None and (found.rule, found.span) not in known:
                self.findings.append(found)


class _Renderer:
    """Renders all pages, in passes: the first learns titles and sections, those after it print what others asked."""

    def __init__(self, loader: _Loader, site: Site, hand_written: Mapping[str, Page]) -> None:
        self.loader, self.site, self.hand_written = loader, site, hand_written
        self.failures: dict[tuple[str, Span], Finding] = {}
        self.contexts: dict[Address, PageContext] = {}
        self.memory = loader.memory.pages
        self.rendered: dict[Address, list[_Rendered]] = {}
        self.loaded: set[str] = set()
        """All templates and parts that pages loaded, by name."""
        self.looked: dict[str, bool] = {}
        """Which pictures a page looks for while it is rendered, and whether they are there."""
        self.failed = False
        """Whether the page that is rendered has an error."""
        self.docs = site.layout.root / site.layout.docs
        self.library = Library(
            site.model,
            loader.environment(),
            loader.template_names,
            site.places,
            loader.read,
            loader.template,
            self._picture,
            site.layout.docs,
            site.layout.templates,
        )

    def _picture(self, path: str) -> bool:
        self.looked[path] = (self.docs / path).is_file()
        return self.looked[path]

    def render(self) -> list[Page]:
        pages: dict[Address, Page] = {}
        todo = list(self.site.places.values())
        for number in range(PASSES):
            again = []
            for place in todo:
                page, asks = self._page(place)
                if page is None:
                    pages.pop(place.address, None)
                    continue
                pages[place.address] = page
                if asks:
                    again.append(place)
            changed = self._learn(pages, number)
            if not again or not (changed or number == 0):
                break
            todo = again
        else:
            self._unstable(changed)
        self._draw(pages)
        self._remember()
        self.loader.findings += [*self.failures.values(), *self._missing.values()]
        return [pages[address] for address in self.site.places if address in pages]

    def _draw(self, pages: Mapping[Address, Page]) -> None:
        """The figures of all pages. Two that differ cannot stand at one path."""
        memory, drawn = self.loader.memory, dict[str, Figure]()
        artist = Artist(self.library, memory.figures)
        memory.figures = artist.environment
        for address, page in pages.items():
            entry = self.rendered[address][-1] if page.figures else None
            for finding in self._drawn(artist, entry) if entry else ():
                known = self.failures if finding.severity is Severity.ERROR else self._missing
                _fold(known, finding, page.platform or "")
            for figure in page.figures:
                first = drawn.setdefault(figure.path, figure)
                if first.svg != figure.svg:
                    self._fail(figure.place, _figures_differ(figure, first))
            if address in self.contexts:
                page.asks = frozenset(self.contexts[address].asks)

    def _drawn(self, artist: Artist, entry: _Rendered) -> list[Finding]:
        """What drawing the figures of a page finds."""
        if entry.drawn is None:
            entry.drawn, page, self.looked = [], entry.page, entry.pictures
            before = self._drawn_before(entry, artist)
            same = dict(zip(page.figures, before.page.figures, strict=False)) if before else {}
            asked, self.library.asked = self.library.asked, set(before.asked_drawing if before else ())
            for figure in page.figures:
                if figure in same and artist.is_same(figure, same[figure], page.text):
                    known = same[figure]
                    figure.svg, figure.template, figure.heard = known.svg, known.template, known.heard
                else:
                    entry.drawn += artist.draw(figure, entry.context.variables, page.text)
                page.used |= {figure.template} - {""}
            entry.names |= artist.names | set(artist.environment.parsed)
            entry.asked_drawing, self.library.asked = self.library.asked, asked | self.library.asked
        return entry.drawn

    def _drawn_before(self, entry: _Rendered, artist: Artist) -> _Rendered | None:
        """The page as an earlier load drew its figures, from templates that have not changed since."""
        address = entry.page.place.address if entry.page.place else None
        drawing = {f"{self.site.layout.templates}/{name}" for name in artist.environment.parsed}
        for before in self.memory.get(address, ()) if address else ():
            read = ((path, source) for path, source in before.sources.items() if path in drawing)
            titled = traced.plain(before.page.title) == traced.plain(entry.page.title)
            if before.drawn == [] and titled and all(self.loader.read(path) is source for path, source in read):
                entry.pictures |= before.pictures
                return before
        return None

    def _remember(self) -> None:
        """Keep what was rendered for the next load, with all that it was made of."""
        folder = self.site.layout.templates
        for entries in self.rendered.values():
            for entry in entries:
                if not entry.sources:
                    names = self.library.environment.with_parts(entry.names)
                    paths = {f"{folder}/{name}" for name in names} | entry.page.used | set(entry.context.used)
                    entry.sources = {path: self.loader.sources[path] for path in paths if path in self.loader.sources}
        for address, entries in self.rendered.items():
            self.memory[address] = [entry for entry in entries if not entry.failed]

    def _known(self, place: Place) -> _Rendered | None:
        """The page as an earlier load rendered it, if it would come out the same."""
        facts, read = self.library.facts, self.loader.read
        for entry in self.memory.get(place.address, ()):
            if (
                all(facts.get(address) is told for address, told in entry.context.others.items())
                and all(read(path) is source for path, source in entry.sources.items())
                and all((self.docs / path).is_file() is there for path, there in entry.pictures.items())
            ):
                entry.context.library = self.library
                return entry
        return None

    @cached_property
    def _missing(self) -> dict[tuple[str, Span], Finding]:
        return {}

    def _learn(self, pages: Mapping[Address, Page], number: int) -> list[Page]:
        """Note titles and sections; return the pages where they differ from what was known."""
        changed = []
        for address, page in pages.items():
            facts = page.facts
            known = self.library.facts.get(address)
            if known is not None and known is not facts and (known.title, _ids(known)) != (facts.title, _ids(facts)):
                changed.append(page)
            self.library.facts[address] = facts
        return changed

    def _unstable(self, changed: Iterable[Page]) -> None:
        for page in changed:
            self.loader.findings.append(
                error(
                    "invalid-template",
                    f"a heading of '{page.step}' depends on a link that depends on it; give its sections ids",
                    page.origin(0).span,
                )
            )

    def _page(self, place: Place) -> tuple[Page | None, bool]:
        """A page, and whether it printed something of other pages."""
        if copy := self._copy(place):
            return copy, False
        name = self._template(place)
        if name is None:
            self._fail(place, error("invalid-data", self._lacks(place), place.step.key))
            return None, False
        entry = self._known(place) or self._made(place, name)
        if entry is None:
            return None, False
        self.contexts[place.address] = entry.context
        self.rendered.setdefault(place.address, []).append(entry)
        self.loaded |= entry.names
        self.library.asked |= entry.asked | entry.asked_drawing
        self.loader.findings += entry.findings
        for finding in entry.context.findings:
            _fold(self._missing, finding, place.platform.id)
        return entry.page, entry.context.asks_others

    def _made(self, place: Place, name: str) -> _Rendered | None:
        """The page as it is rendered now; None where it fails."""
        library, environment = self.library, self.library.environment
        context = self.contexts[place.address] = PageContext(library, place, used={name})
        asked, library.asked, environment.loaded = library.asked, set(), set()
        findings, self.loader.findings = self.loader.findings, []
        self.looked, self.failed = {}, False
        try:
            page = self._filled(place, name, context)
            names = environment.loaded | context.used
            return _Rendered(page, context, library.asked, self.loader.findings, names, self.looked, self.failed)
        except Stopped as stopped:
            self._fail(place, stopped.finding)
            return None
        finally:
            self.loaded |= environment.loaded
            library.asked, self.loader.findings = asked | library.asked, findings

    def _filled(self, place: Place, name: str, context: PageContext) -> Page:
        """The page as a template renders it. Raises `Stopped`."""
        text = self.library.environment.trace(name, context.variables)
        source = self.loader.template(name)
        assert source is not None
        page = self._assemble(place, source, text)
        page.figures, page.used = tuple(context.figures), frozenset(context.used)
        page.tables = frozenset(context.tables)
        return page

    def _copy(self, place: Place) -> Page | None:
        page = self.hand_written.get(place.path) or self.hand_written.get(place.path.removesuffix(".md") + "/index.md")
        if page is None:
            return None
        page.place = replace(place, path=page.path)
        front = _front_matter(page.text)
        page.title = _entry(front, "title") or _first_heading(page) or place.step.id
        page.description = _entry(front, "description")
        page.sections = sections.read(page.text, page.document)
        return page

    def _template(self, place: Place) -> str | None:
        names = (f"steps/{place.tutorial.id}/{place.step.id}.md.j2", f"steps/{place.step.id}.md.j2")
        return next((name for name in names if name in self.loader.template_names), None)

    def _lacks(self, place: Place) -> str:
        layout = self.site.layout
        return (
            f"step '{place.step.id}' has neither a template ({layout.templates}/steps/{place.step.id}.md.j2) "
            f"nor a page ({layout.docs}/{place.path})"
        )

    def _fail(self, place: Place, finding: Finding) -> None:
        self.failed = True
        _fold(self.failures, finding, place.platform.id)

    def _assemble(self, place: Place, source: Source, text: Traced) -> Page:
        front = _front_matter(text)
        node = front.node if front else None
        title = place.tutorial.title_of(place.step, place.platform) or _entry_node(node, "title")
        title = title or _heading_of(text, self.loader.memory.documents)
        if title is None:
            if front and front.findings:
                self.failed = True  # a title may stand in what cannot be read, and that is told
            else:
                self._fail(place, _lacks_title(source, node))
            title = traced.as_traced(place.step.id)
        self.loader.findings += front.findings if front else ()
        text = self._with_title(place, text, node, title)
        shelf = self.loader.memory.documents
        document = shelf.document(traced.plain(text), Dialect.PYTHON_MARKDOWN)
        if place.step.numbering.sections:
            text, found = sections.write(text, document, place.number)
        else:
            found = sections.read(text, document)
        description = traced.plain(_entry_node(node, "description") or "")
        return Page(place.path, source, text, place, title, description, found, generated=True, shelf=shelf)

    def _with_title(self, place: Place, text: Traced, node: data.Node | None, title: Traced) -> Traced:
        """The page with the title that readers see in its front matter: numbered, and as the data overrides it."""
        said = node.get("title") if isinstance(node, data.Mapping) else None
        shown = self.shown_title(place, title)
        if not isinstance(said, data.Scalar) or traced.plain(shown) == traced.plain(said.text):
            return text
        return traced.concat([text[: said.span.start], _yaml_scalar(shown), text[said.span.end :]])

    def shown_title(self, place: Place, title: Traced) -> Traced:
        if place.number is None or not place.step.numbering.steps:
            return title
        before, _, after = self.site.model.strings["title"].partition("{title}")
        number = str(place.number)
        return traced.concat([before.replace("{number}", number), title, after.replace("{number}", number)])


def _no_pattern(text: str) -> str | None:
    """Why a text is no pattern of files; None where it is."""
    parts = text.split("/")
    if any("**" in part and part != "**" for part in parts):
        return "`**` stands for folders, and alone between two `/`"
    if parts.count("**") > 2:
        return "a pattern has `**` twice at most"
    return "a pattern names files, not a folder" if parts[-1] in ("", ".") else None


def _figures_differ(figure: Figure, first: Figure) -> Finding:
    here, there = figure.place, first.place
    lacks = next((f for f in ("platform", "step", "tutorial") if getattr(here, f) is not getattr(there, f)), "")
    hint = f"name {{{lacks}}} in 'images'" if lacks else "give one of them another name"
    return error(
        "page-collision",
        f"two figures that differ would stand at {figure.path}; {hint}",
        figure.call,
        related=(Related(first.call, "the other figure"),) if first.call != figure.call else (),
    )


def _ids(facts: Facts) -> list[tuple[str, str, str]]:
    return [(s.id, s.number, traced.plain(s.title)) for s in facts.sections]


def _fold(found: dict[tuple[str, Span], Finding], finding: Finding, platform: str) -> None:
    """One finding for one place, with all platforms on which it was met."""
    key = finding.rule, finding.span
    known = found.get(key, finding)
    platforms = known.platforms if platform in known.platforms else (*known.platforms, platform)
    found[key] = replace(known, platforms=platforms)


def _places(read: Model) -> dict[Address, Place]:
    """Where every page stands, in the order of tutorials, platforms and steps."""
    out: dict[Address, Place] = {}
    for tutorial in read.tutorials.values():
        for platform in read.platforms.values():
            steps = tutorial.steps_on(platform)
            addresses = [Address(tutorial.id, step.id, platform.id) for step in steps]
            number = 0
            for index, (step, address) in enumerate(zip(steps, addresses, strict=True)):
                number += step.numbered
                out[address] = Place(
                    address,
                    tutorial,
                    step,
                    platform,
                    fill_path(tutorial, step.id, platform) + ".md",
                    number if step.numbered else None,
                    addresses[index - 1] if index else None,
                    addresses[index + 1] if index + 1 < len(addresses) else None,
                )
    return out


def _collisions(places: Iterable[Place], hand_written: Mapping[str, Page]) -> Iterator[Finding]:
    """Pages that would stand at one address."""
    taken: dict[str, Place] = {}
    for place in places:
        if "{" in place.path:
            continue  # the data names something unknown there, which has been told
        first = taken.setdefault(place.path.lower(), place)
        if first is not place:
            yield error(
                "page-collision",
                f"'{place.step.id}' on '{place.platform.id}' and '{first.step.id}' on '{first.platform.id}' "
                f"both stand at {place.path}",
                place.tutorial.path.runs[0].span or place.tutorial.key if place.tutorial.path else place.tutorial.key,
                related=(Related(first.tutorial.key, "the other tutorial"),)
                if first.tutorial is not place.tutorial
                else (),
            )
    for path, page in hand_written.items():
        folder = path.removesuffix(".md") + "/index.md"
        if path.endswith(".md") and folder in hand_written and posixpath.basename(path) != "index.md":
            other = hand_written[folder]
            yield error(
                "page-collision",
                f"this page and {other.source.path} have one address",
                page.source.span(0, 0),
                related=(Related(other.source.span(0, 0), "the other page"),),
            )


@dataclass(frozen=True)
class _FrontMatter:
    node: data.Node | None
    findings: tuple[Finding, ...]


def _front_matter(text: Traced) -> _FrontMatter | None:
    found = data.split(text)
    if found is None:
        return None
    loaded = data.load_traced(text, found.start, found.end)
    return _FrontMatter(loaded.node, loaded.findings)


def _entry_node(node: data.Node | None, key: str) -> Traced | None:
    value = node.get(key) if isinstance(node, data.Mapping) else None
    return value.text if isinstance(value, data.Scalar) and value.text else None


def _entry(front: _FrontMatter | None, key: str) -> str:
    return (_entry_node(front.node, key) if front else None) or ""


def _heading_of(text: Traced, shelf: Shelf) -> Traced | None:
    """The words of a text's heading of level 1, which is the title where the front matter tells none."""
    headings = shelf.document(traced.plain(text), Dialect.PYTHON_MARKDOWN).headings
    return next((traced.as_traced(str(heading.text)) for heading in headings if heading.level == 1), None)


def _lacks_title(source: Source, front: data.Node | None) -> Finding:
    """A template without a title; the key that was meant to be one is named."""
    for key, _ in front.items if isinstance(front, data.Mapping) else ():
        if hint := did_you_mean(key.text, ["title"]):
            place = key.span if key.span.source.path != source.path else source.span(key.span.start, key.span.end)
            return error("invalid-template", f"the template has no title, but '{key.text}'{hint}", place)
    told = "the template has no title: write `title: …` in its front matter, between two lines of `---` at the top"
    return error("invalid-template", told, source.span(0, 0))


def _first_heading(page: Page) -> str:
    return next((traced.plain(str(heading.text)) for heading in page.document.headings if heading.level == 1), "")


def _yaml_scalar(text: Traced) -> Traced:
    """A text as a YAML value on one line: as it is where that reads back the same, else in double quotes."""
    loaded = data.load_yaml(Source("", f"k: {traced.plain(text)}\n"))
    value = loaded.node.get("k") if isinstance(loaded.node, data.Mapping) else None
    if (
        isinstance(value, data.Scalar)
        and traced.plain(value.text) == traced.plain(text)
        and not loaded.findings
        and text[:1] not in "\"'"
    ):
        return text
    escaped = traced.as_traced(text.replace("\\", "\\\\")).replace('"', '\\"').replace("\n", "\\n")
    return traced.concat(['"', escaped, '"'])


def _walk(folder: Path) -> Iterator[Path]:
    """The files below a folder, hidden ones and links out of it aside."""
    root = folder.resolve()
    for path in folder.rglob("*"):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if not hidden and path.is_file() and path.resolve().is_relative_to(root):
            yield path


def _docs_dir(root: Path) -> str:
    """The docs folder that the site's configuration names, else the one that stands there."""
    said = engines.docs_dir(root)
    return said or next((name for name in ("docs_src", "docs") if (root / name).is_dir()), "docs_src")


__all__ = ["Address", "Layout", "Origin", "Page", "Run", "Site", "load", "plain"]
