"""The names that files give by their own names: templates, parts, code, figures, and copies that win over them."""

from __future__ import annotations

from collections.abc import Callable

from tutorial_tool.core.source import Source
from tutorial_tool.site import Page, Site
from tutorial_tool.site.symbols.names import Kind, Name, Place


class Reader:
    """Reads the names of the template folder's files, and of pages in the docs folder."""

    def __init__(
        self, site: Site, steps_of: Callable[[str], list[tuple[str, str]]], source: Callable[[str], Source | None]
    ) -> None:
        self.site, self.source = site, source
        self.defined: list[Place] = []
        self.used: list[Place] = []
        for name in sorted(site.template_names):
            if name.endswith(".j2"):
                self._file(Name(Kind.TEMPLATE, name), name, "the file")
            if name.startswith("figures/") and name.endswith(".svg.j2"):
                self._file(Name(Kind.FIGURE, name.removeprefix("figures/").removesuffix(".svg.j2")), name, "drawn by")
            if name.startswith("steps/"):
                self._of_step(name, steps_of)
        for (tutorial, step), pages in site.steps.items():
            for platform, page in pages.items():
                if not page.generated:
                    self._copy(Name(Kind.STEP, f"{tutorial}/{step}"), platform, page)

    def _of_step(self, name: str, steps_of: Callable[[str], list[tuple[str, str]]]) -> None:
        if name.endswith(".md.j2"):
            for tutorial, step in steps_of(name):
                self._file(Name(Kind.STEP, f"{tutorial}/{step}"), name, "its template")
            return
        folder, _, file = name.rpartition("/")
        word, _, rest = file.partition(".")
        level = rest.partition(".")[0]
        levels = {*self.site.model.platforms, *self.site.model.groups}
        of = level if level in levels else None
        kind = Kind.PART if name.endswith(".md") else Kind.CODE
        id_ = Name(kind, f"{folder.removeprefix('steps/')}/{word}")
        self._file(id_, name, "its text" + (f" for '{of}'" if of else ""), of)
        if of:
            where = Kind.PLATFORM if of in self.site.model.platforms else Kind.GROUP
            self._file(Name(where, of), name, "named by the file", used=True)

    def _file(self, name: Name, path: str, how: str, of: str | None = None, *, used: bool = False) -> None:
        source = self.source(path) or Source(f"{self.site.layout.templates}/{path}", "")
        value = None if used else source.whole()
        place = Place(name, source.span(0), how, value=value, of=of, exact=False)
        (self.used if used else self.defined).append(place)

    def _copy(self, name: Name, platform: str, page: Page) -> None:
        how = f"kept manually for '{platform}', and wins over the template"
        self.defined.append(Place(name, page.source.span(0), how, value=page.source.whole(), of=platform, exact=False))
