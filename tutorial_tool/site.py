"""A site: loaded from a project folder and rendered, every page of every platform and the pages that people wrote."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from tutorial_tool import data, engines, files, model, sections, traced
from tutorial_tool.context import Address, Facts, Figure, Library, PageContext, Place, fill_path
from tutorial_tool.document import Document
from tutorial_tool.figures import Artist
from tutorial_tool.finding import Error, Finding, Fix, Related, Severity, error
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
    dialect: Dialect = Dialect.PYTHON_MARKDOWN
    usual_lang: str | None = None
    """The language of pages that do not state theirs, if the configuration tells one."""

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
    def document(self) -> Document:
        return Document(traced.plain(self.text), self.dialect)

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
    asked: frozenset[tuple[str, str]] = frozenset()
    """The data that templates asked for: (`labels`, `values`, `can`, `code` or `tables`, and the key)."""

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
        return {
            page.platform
            for page in self.pages
            if page.platform and any(run.span is not None and run.span.overlaps(span) for run in page.text.runs)
        }

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


def load(layout: Layout, overlay: Mapping[str, str] | None = None) -> Site:
    """Load a project and render all its pages. What is wrong stands in the site's findings; nothing is raised.

    `overlay` gives texts that replace those of files, by path relative to the project: what an editor holds, unsaved.
    """
    return _Loader(layout, overlay or {}).load()


def plain(
    paths: Iterable[Path], root: Path, overlay: Mapping[str, str] | None = None, *, dialect: Dialect | None = None
) -> Site:
    """Markdown files as they stand, without a project: each is a page, whose path is relative to `root`.

    `dialect` is theirs; else each file's engine or suffix tells it, or its text. A file that cannot be read becomes a
    finding. `overlay` gives texts that replace those of files, by the path that findings name.
    """
    site = Site(Layout(root, docs="."), Model())
    finder = engines.Finder()
    for path in paths:
        source = _plain_source(path, root, overlay or {})
        if isinstance(source, Finding):
            site.findings.append(source)
            continue
        text = traced.traced(source.whole())
        spoken = dialect or finder.dialect(path) or guess_dialect(source.path, source.text)
        site.pages.append(Page(source.path, source, text, dialect=spoken))
        site.sources[source.path] = source
        front = _front_matter(text)
        site.findings += front.findings if front else ()
    return site


def _plain_source(path: Path, root: Path, overlay: Mapping[str, str]) -> Source | Finding:
    read, name = files.read(path, root=root), files.shown(path, root)
    if name not in overlay:
        return read
    return Source(name, overlay[name]) if isinstance(read, Finding) else read.with_text(overlay[name])


class _Loader:
    def __init__(self, layout: Layout, overlay: Mapping[str, str]) -> None:
        self.layout, self.overlay = layout, overlay
        self.sources: dict[str, Source] = {}
        self.unreadable: dict[str, Finding] = {}
        self.findings: list[Finding] = []

    def load(self) -> Site:
        parsed = list(self._data_files(self.layout.data, {}))
        read = model.build(parsed)
        self.findings += read.findings
        places = _places(read)
        hand_written = self._docs_pages()
        self.findings += _collisions(places.values(), hand_written)
        site = Site(self.layout, read, findings=self.findings, places=places, sources=self.sources)
        site.data_files = tuple(source.path for source, _ in parsed)
        site.template_names = self.template_names
        renderer = _Renderer(self, site, hand_written)
        rendered = [] if site.errors else renderer.render()
        site.literals = renderer.library.environment.literals
        site.asked = frozenset(renderer.library.asked)
        taken = {page.path for page in rendered}
        site.pages = rendered + [page for path, page in hand_written.items() if path not in taken]
        if site.errors:
            self._check_templates()
        site.findings = list(dict.fromkeys(self.findings))
        return site

    # Files

    def read(self, path: str) -> Source | Finding:
        """A file of the project, read once, by its path relative to the root."""
        if path not in self.sources and path not in self.unreadable:
            found = files.read(self.layout.root / path, root=self.layout.root)
            if isinstance(found, Finding):
                self.unreadable[path] = found
            else:
                self.sources[path] = found.with_text(self.overlay[path]) if path in self.overlay else found
        return self.sources.get(path) or self.unreadable[path]

    def _data_files(self, path: str, seen: dict[str, Span]) -> Iterator[tuple[Source, data.Node | None]]:
        """A data file and those that it includes, each once, parsed."""
        source = self.read(path)
        if isinstance(source, Finding):
            self.findings.append(replace(source, span=seen.get(path, source.span)))
            return
        loaded = data.load_yaml(source)
        self.findings += loaded.findings
        yield source, loaded.node
        include = loaded.node.get("include") if isinstance(loaded.node, data.Mapping) else None
        for pattern in include.items if isinstance(include, data.Sequence) else ():
            if isinstance(pattern, data.Scalar) and pattern.text:
                for included in self._included(pattern, posixpath.dirname(path)):
                    if included != self.layout.data and included not in seen:
                        seen[included] = pattern.span
                        yield from self._data_files(included, seen)

    def _included(self, pattern: data.Scalar, folder: str) -> list[str]:
        if reason := files.unsafe(traced.plain(pattern.text)):
            self.findings.append(error("unsafe-path", f"'include' {reason}", pattern.span))
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
            pages[name] = Page(name, source, traced.traced(source.whole()))
            front = _front_matter(pages[name].text)
            self.findings += front.findings if front else ()
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
        return TemplateEnvironment(self.template, lambda: [n for n in self.template_names if n.endswith(".j2")])

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
        docs = site.layout.root / site.layout.docs
        self.library = Library(
            site.model,
            loader.environment(),
            loader.template_names,
            site.places,
            loader.read,
            loader.template,
            lambda path: (docs / path).is_file(),
        )

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
        self.loader.findings += [*self.failures.values(), *self._missing.values()]
        return [pages[address] for address in self.site.places if address in pages]

    def _draw(self, pages: Mapping[Address, Page]) -> None:
        """The figures of all pages. Two that differ cannot stand at one path."""
        artist, drawn = Artist(self.library), dict[str, Figure]()
        for address, page in pages.items():
            for figure in page.figures:
                for finding in artist.draw(figure, self.contexts[address].variables, page.text):
                    known = self.failures if finding.severity is Severity.ERROR else self._missing
                    _fold(known, finding, page.platform or "")
                page.used |= {figure.template} - {""}
                first = drawn.setdefault(figure.path, figure)
                if first.svg != figure.svg:
                    self._fail(figure.place, _figures_differ(figure, first))

    @cached_property
    def _missing(self) -> dict[tuple[str, Span], Finding]:
        return {}

    def _learn(self, pages: Mapping[Address, Page], number: int) -> list[Page]:
        """Note titles and sections; return the pages where they differ from what was known."""
        changed = []
        for address, page in pages.items():
            facts = Facts(traced.as_traced(page.title), page.sections)
            known = self.library.facts.get(address)
            if known is not None and (known.title, _ids(known)) != (facts.title, _ids(facts)):
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
        context = self.contexts[place.address] = PageContext(self.library, place, used={name})
        try:
            text = self.library.environment.trace(name, context.variables)
        except Stopped as stopped:
            self._fail(place, stopped.finding)
            return None, False
        for finding in context.findings:
            _fold(self._missing, finding, place.platform.id)
        source = self.loader.template(name)
        assert source is not None
        page = self._assemble(place, source, text)
        page.figures, page.used = tuple(context.figures), frozenset(context.used)
        page.tables = frozenset(context.tables)
        return page, context.asks_others

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
        _fold(self.failures, finding, place.platform.id)

    def _assemble(self, place: Place, source: Source, text: Traced) -> Page:
        front = _front_matter(text)
        node = front.node if front else None
        title = place.tutorial.title_of(place.step, place.platform) or _entry_node(node, "title")
        title = title or _heading_of(text)
        if title is None:
            self._fail(place, error("invalid-template", "the template's front matter lacks 'title'", source.span(0, 0)))
            title = traced.as_traced(place.step.id)
        self.loader.findings += front.findings if front else ()
        text = self._with_title(place, text, node, title)
        document = Document(traced.plain(text), Dialect.PYTHON_MARKDOWN)
        if place.step.numbering.sections:
            text, found = sections.write(text, document, place.number)
        else:
            found = sections.read(text, document)
        description = traced.plain(_entry_node(node, "description") or "")
        return Page(place.path, source, text, place, title, description, found, generated=True)

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


def _heading_of(text: Traced) -> Traced | None:
    """The words of a text's heading of level 1, which is the title where the front matter tells none."""
    headings = Document(traced.plain(text), Dialect.PYTHON_MARKDOWN).headings
    return next((traced.as_traced(str(heading.text)) for heading in headings if heading.level == 1), None)


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
