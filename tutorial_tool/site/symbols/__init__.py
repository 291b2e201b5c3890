"""Find where each name of a project is defined and used, and on which pages it appears.

`build_index(site)` reads the data, the syntax trees of the templates, and what pages requested while they were
rendered: the only source for a name passed to a macro or written in the data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.grouping import group_by
from tutorial_tool.core.source import Source, Span
from tutorial_tool.fs import files
from tutorial_tool.site import Page, Site
from tutorial_tool.site.symbols import in_data, in_pages, in_templates
from tutorial_tool.site.symbols.names import Name, Occurrence, SymbolKind
from tutorial_tool.templating.environment import TemplateEnvironment


# Names that files define by their own names: templates, parts, code, figures, and copies that override them.
class FileNameReader:
    """The reader of the names of the templates folder's files, and of pages in the docs folder."""

    def __init__(
        self, site: Site, steps_of: Callable[[str], list[tuple[str, str]]], source: Callable[[str], Source | None]
    ) -> None:
        self.site, self.source = site, source
        self.defined: list[Occurrence] = []
        self.used: list[Occurrence] = []
        for name in sorted(site.template_names):
            if name.endswith(".j2"):
                self._add_file(Name(SymbolKind.TEMPLATE, name), name, "the file")
            if figure := re.fullmatch(r"figures/(.*)\.svg\.j2", name):
                self._add_file(Name(SymbolKind.FIGURE, figure[1]), name, "drawn by")
            if name.startswith("steps/"):
                self._add_step_file(name, steps_of)
        for (tutorial, step), pages in site.steps.items():
            for platform, page in pages.items():
                if not page.generated:
                    self._add_copy(Name(SymbolKind.STEP, f"{tutorial}/{step}"), platform, page)

    def _add_step_file(self, name: str, steps_of: Callable[[str], list[tuple[str, str]]]) -> None:
        if name.endswith(".md.j2"):
            for tutorial, step in steps_of(name):
                self._add_file(Name(SymbolKind.STEP, f"{tutorial}/{step}"), name, "its template")
            return
        folder, _, file = name.rpartition("/")
        word, _, rest = file.partition(".")
        level = rest.partition(".")[0]
        levels = {*self.site.model.platforms, *self.site.model.groups}
        owner = level if level in levels else None
        kind = SymbolKind.PART if name.endswith(".md") else SymbolKind.CODE
        id_ = Name(kind, f"{folder.removeprefix('steps/')}/{word}")
        self._add_file(id_, name, "its text" + (f" for `{owner}`" if owner else ""), owner)
        if owner:
            owner_kind = SymbolKind.PLATFORM if owner in self.site.model.platforms else SymbolKind.GROUP
            self._add_file(Name(owner_kind, owner), name, "named by the file", used=True)

    def _add_file(self, name: Name, path: str, how: str, level: str | None = None, *, used: bool = False) -> None:
        source = self.source(path) or Source(f"{self.site.layout.templates}/{path}", "")
        value = None if used else source.get_full_span()
        place = Occurrence(name, source.span(0), how, value=value, level=level, exact=False)
        (self.used if used else self.defined).append(place)

    def _add_copy(self, name: Name, platform: str, page: Page) -> None:
        how = f"kept manually for `{platform}`, and wins over the template"
        start, value = page.source.span(0), page.source.get_full_span()
        self.defined.append(Occurrence(name, start, how, value=value, level=platform, exact=False))


_KINDS_BY_REQUEST = {
    "labels": SymbolKind.LABEL,
    "values": SymbolKind.VALUE,
    "can": SymbolKind.FEATURE,
    "tables": SymbolKind.TABLE,
    "figure": SymbolKind.FIGURE,
}


@dataclass(eq=False)
class SymbolIndex:
    """The names of a site, with places in the order of files and lines."""

    site: Site
    definitions: Mapping[Name, tuple[Occurrence, ...]]
    uses: Mapping[Name, tuple[Occurrence, ...]]

    @property
    def names(self) -> tuple[Name, ...]:
        """All names that are defined or used, by kind and id."""
        return tuple(sorted({*self.definitions, *self.uses}))

    def find_places_at(self, path: str, offset: int) -> tuple[Occurrence, ...]:
        """Return the exact places that cover a character of a file, or end right before it, shortest first.

        There are several if one text names several things: a step that two tutorials share.
        """
        places = [place for place in self._by_path.get(path, ()) if place.span.start <= offset <= place.span.end]
        named = [place for place in places if place.exact]
        return tuple(sorted(named, key=lambda place: place.span.end - place.span.start))

    def list_places(self, name: Name) -> tuple[Occurrence, ...]:
        """Return all places of a name; a rename changes them if all are exact."""
        return (*self.definitions.get(name, ()), *self.uses.get(name, ()))

    def find_pages(self, name: Name) -> list[Page]:
        """Return the pages on which a name appears, or whose template requested it, in the site's order."""
        return in_pages.find_by_name(self, name)

    def find_place_pages(self, place: Occurrence) -> list[Page]:
        """Return the pages on which this place appears, or that requested its name there."""
        return in_pages.find_by_place(self, place)

    @cached_property
    def page_index(self) -> in_pages.PageIndex:
        """The sources and requests of the site's pages."""
        return in_pages.PageIndex(self.site.pages)

    @cached_property
    def _by_path(self) -> dict[str, list[Occurrence]]:
        places = chain.from_iterable((*self.definitions.values(), *self.uses.values()))
        return group_by(places, lambda place: place.span.path)


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
    file_names = FileNameReader(site, templates.find_steps, sources.load_template)
    defined = [*data.defined, *templates.defined, *file_names.defined]
    used = [*data.used, *templates.used, *file_names.used]
    by_name = _group_by_name([*used, *defined])
    used += [
        place
        for place in _iter_requested(site)
        if not any(place.span.overlaps(p.span) for p in by_name.get(place.name, ()))
    ]
    return SymbolIndex(site, _group_by_name(defined), _group_by_name(used))


class _TemplateSources:
    """The files of the templates folder; those already read come first, including an editor's texts."""

    def __init__(self, site: Site, read: Callable[[str], Source | Finding]) -> None:
        self.site, self.read = site, read
        self.loaded: dict[str, Source | None] = {}

    def load_template(self, name: str) -> Source | None:
        if name not in self.loaded:
            path = f"{self.site.layout.templates}/{name}"
            source = self.site.sources.get(path) or self.read(path)
            self.loaded[name] = source if isinstance(source, Source) else None
        return self.loaded[name]


def _iter_requested(site: Site) -> Iterable[Occurrence]:
    """Yield the uses that are known only from rendering."""
    for kind, key, span in {request for page in site.pages for request in page.dependencies}:
        if kind in _KINDS_BY_REQUEST and span is not None:
            name = Name(_KINDS_BY_REQUEST[kind], key)
            yield Occurrence(name, span, "" if span.text == key else "computed", exact=span.text == name.word)


def _group_by_name(places: Iterable[Occurrence]) -> dict[Name, tuple[Occurrence, ...]]:
    out: dict[Name, dict[Span, Occurrence]] = {}
    for place in sorted(places, key=lambda place: (place.span.path, place.span.start, place.span.end)):
        by_span = out.setdefault(place.name, {})
        first = by_span.setdefault(place.span, place)
        if place.context and not first.context:
            by_span[place.span] = replace(first, context=place.context)
    return {name: tuple(matches.values()) for name, matches in out.items()}


__all__ = ["Name", "Occurrence", "SymbolIndex", "SymbolKind", "build_index"]
