"""Find where each name of a project is defined and used, and on which pages it appears.

`build_index(site)` reads the data, the syntax trees of the templates, and what pages requested while they were
rendered: the only source for a name passed to a macro or written in the data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Source, Span
from tutorial_tool.fs import files
from tutorial_tool.site import Page, Site
from tutorial_tool.site.symbols import in_data, in_pages, in_templates
from tutorial_tool.site.symbols.names import Kind, Name, Place
from tutorial_tool.templating.environment import TemplateEnvironment
from tutorial_tool.templating.places import PageDependency


# Names that files define by their own names: templates, parts, code, figures, and copies that override them.
class FileNameReader:
    """The reader of the names of the templates folder's files, and of pages in the docs folder."""

    def __init__(
        self, site: Site, steps_of: Callable[[str], list[tuple[str, str]]], source: Callable[[str], Source | None]
    ) -> None:
        self.site, self.source = site, source
        self.defined: list[Place] = []
        self.used: list[Place] = []
        for name in sorted(site.template_names):
            if name.endswith(".j2"):
                self._add_file(Name(Kind.TEMPLATE, name), name, "the file")
            if name.startswith("figures/") and name.endswith(".svg.j2"):
                self._add_file(
                    Name(Kind.FIGURE, name.removeprefix("figures/").removesuffix(".svg.j2")), name, "drawn by"
                )
            if name.startswith("steps/"):
                self._add_step_file(name, steps_of)
        for (tutorial, step), pages in site.steps.items():
            for platform, page in pages.items():
                if not page.generated:
                    self._add_copy(Name(Kind.STEP, f"{tutorial}/{step}"), platform, page)

    def _add_step_file(self, name: str, steps_of: Callable[[str], list[tuple[str, str]]]) -> None:
        if name.endswith(".md.j2"):
            for tutorial, step in steps_of(name):
                self._add_file(Name(Kind.STEP, f"{tutorial}/{step}"), name, "its template")
            return
        folder, _, file = name.rpartition("/")
        word, _, rest = file.partition(".")
        level = rest.partition(".")[0]
        levels = {*self.site.model.platforms, *self.site.model.groups}
        of = level if level in levels else None
        kind = Kind.PART if name.endswith(".md") else Kind.CODE
        id_ = Name(kind, f"{folder.removeprefix('steps/')}/{word}")
        self._add_file(id_, name, "its text" + (f" for '{of}'" if of else ""), of)
        if of:
            where = Kind.PLATFORM if of in self.site.model.platforms else Kind.GROUP
            self._add_file(Name(where, of), name, "named by the file", used=True)

    def _add_file(self, name: Name, path: str, how: str, of: str | None = None, *, used: bool = False) -> None:
        source = self.source(path) or Source(f"{self.site.layout.templates}/{path}", "")
        value = None if used else source.get_full_span()
        place = Place(name, source.span(0), how, value=value, level=of, exact=False)
        (self.used if used else self.defined).append(place)

    def _add_copy(self, name: Name, platform: str, page: Page) -> None:
        how = f"kept manually for '{platform}', and wins over the template"
        self.defined.append(
            Place(name, page.source.span(0), how, value=page.source.get_full_span(), level=platform, exact=False)
        )


_ASKED = {"labels": Kind.LABEL, "values": Kind.VALUE, "can": Kind.FEATURE, "tables": Kind.TABLE, "figure": Kind.FIGURE}


@dataclass(eq=False)
class SymbolIndex:
    """The names of a site, with places in the order of files and lines."""

    site: Site
    definitions: Mapping[Name, tuple[Place, ...]]
    uses: Mapping[Name, tuple[Place, ...]]

    @property
    def names(self) -> tuple[Name, ...]:
        """All names that are defined or used, by kind and id."""
        return tuple(sorted({*self.definitions, *self.uses}))

    def find_places_at(self, path: str, offset: int) -> tuple[Place, ...]:
        """Return the exact places that cover a character of a file, or end right before it, shortest first.

        There are several if one text names several things: a step that two tutorials share.
        """
        places = [place for place in self._by_path.get(path, ()) if place.span.start <= offset <= place.span.end]
        named = [place for place in places if place.exact]
        return tuple(sorted(named, key=lambda place: place.span.end - place.span.start))

    def list_places(self, name: Name) -> tuple[Place, ...]:
        """Return all places of a name; a rename changes them if all are exact."""
        return (*self.definitions.get(name, ()), *self.uses.get(name, ()))

    def find_pages(self, name: Name) -> list[Page]:
        """Return the pages on which a name appears, or whose template requested it, in the site's order."""
        return in_pages.find_by_name(self, name)

    def find_place_pages(self, place: Place) -> list[Page]:
        """Return the pages on which this place appears, or that requested its name there."""
        return in_pages.find_by_place(self, place)

    @cached_property
    def page_index(self) -> in_pages.PageIndex:
        """The sources and requests of the site's pages."""
        return in_pages.PageIndex(self.site.pages)

    @cached_property
    def _by_path(self) -> dict[str, list[Place]]:
        out: dict[str, list[Place]] = {}
        for places in (*self.definitions.values(), *self.uses.values()):
            for place in places:
                out.setdefault(place.span.path, []).append(place)
        return out


def build_index(site: Site, read: Callable[[str], Source | Finding] | None = None) -> SymbolIndex:
    """Build the index of a site's names.

    `read` returns a file of the project that no page needed, by its path relative to the root.
    """
    data = in_data.Reader(site)
    templates = in_templates.Reader(site.model, site.template_names, data.cells)
    sources = _TemplateSources(site, read or (lambda path: files.read(site.layout.root / path, root=site.layout.root)))
    environment = TemplateEnvironment(sources.load_template)
    for name in sorted(site.template_names):
        source = sources.load_template(name) if name.endswith((".j2", ".md")) else None
        if source is not None:
            templates.read(name, source, environment)
    stored = FileNameReader(site, templates.find_steps, sources.load_template)
    defined = [*data.defined, *templates.defined, *stored.defined]
    used = [*data.used, *templates.used, *stored.used]
    known = _group_by_name([*used, *defined])
    used += [
        place
        for place in _iter_requested(site)
        if not any(place.span.overlaps(p.span) for p in known.get(place.name, ()))
    ]
    return SymbolIndex(site, _group_by_name(defined), _group_by_name(used))


class _TemplateSources:
    """The files of the templates folder; those already read come first, including an editor's texts."""

    def __init__(self, site: Site, read: Callable[[str], Source | Finding]) -> None:
        self.site, self.read = site, read
        self.kept: dict[str, Source | None] = {}

    def load_template(self, name: str) -> Source | None:
        if name not in self.kept:
            path = f"{self.site.layout.templates}/{name}"
            source = self.site.sources.get(path) or self.read(path)
            self.kept[name] = source if isinstance(source, Source) else None
        return self.kept[name]


def _iter_requested(site: Site) -> Iterable[Place]:
    """Yield the uses that are known only from rendering."""
    asks: set[PageDependency] = set()
    for page in site.pages:
        asks |= {ask for ask in page.dependencies if ask.kind in _ASKED and ask.span is not None}
    for kind, key, span in asks:
        if span is not None:
            name = Name(_ASKED[kind], key)
            yield Place(name, span, "" if span.text == key else "computed", exact=span.text == name.word)


def _group_by_name(places: Iterable[Place]) -> dict[Name, tuple[Place, ...]]:
    out: dict[Name, dict[Span, Place]] = {}
    for place in sorted(places, key=lambda place: (place.span.path, place.span.start, place.span.end)):
        same = out.setdefault(place.name, {})
        first = same.setdefault(place.span, place)
        if place.context and not first.context:
            same[place.span] = replace(first, context=place.context)
    return {name: tuple(matches.values()) for name, matches in out.items()}


__all__ = ["Kind", "Name", "Place", "SymbolIndex", "build_index"]
