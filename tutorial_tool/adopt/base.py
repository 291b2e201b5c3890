"""The project that adopting extends: none yet, a folder of pages, or one with data and templates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tutorial_tool import data
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.names import Names
from tutorial_tool.adopt.template.tables import DataRow, DataTable
from tutorial_tool.core.source import Source
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data.model import Model, parts
from tutorial_tool.site import DATA, Layout, Site, loading
from tutorial_tool.templating.functions import build_page_path

PAGES = (".md", ".markdown")  # Suffixes of pages in a project's docs folder
COPIES = (*PAGES, ".mdx")  # Suffixes of copies; their generated pages end in `.md`


def _add_names(names: Names, platform: parts.Platform) -> None:
    """Add the labels, values, and features of a platform to the names."""
    for role, label in platform.labels.items():
        names.labels.setdefault(role, {})[platform.id] = strip_origins(label)
    for key, node in platform.values.items():
        if isinstance(node, data.Scalar) and key.isidentifier():
            names.values.setdefault(key, {})[platform.id] = node.plain
        else:
            names.taken.add(key)
    for ability in platform.can:
        names.features[ability] = names.features.get(ability, frozenset()) | {platform.id}


@dataclass(frozen=True)
class BaseProject:
    """The contents of the folder: the pages of its docs folder, and the relative paths of its other files."""

    layout: Layout
    site: Site | None = None
    pages: Mapping[str, bytes] = field(default_factory=dict)
    assets: tuple[str, ...] = ()

    @property
    def sources(self) -> list[Source]:
        """The data files, `platforms.yaml` first."""
        return [self.site.sources[path] for path in self.site.data_files] if self.site else []

    @property
    def file_contents(self) -> dict[str, bytes]:
        """All files of the project that rendering reads; images and other assets are empty."""
        docs = {f"{self.layout.docs}/{path}": content for path, content in self.pages.items()}
        docs |= {f"{self.layout.docs}/{path}": b"" for path in self.assets}
        read = {path: source.raw.encode() for path, source in self.site.sources.items()} if self.site else {}
        folder = self.layout.root / self.layout.templates
        names = self.site.template_names if self.site else ()
        templates = {f"{self.layout.templates}/{name}": (folder / name).read_bytes() for name in names}
        return {**docs, **templates, **read}

    @property
    def model(self) -> Model:
        return self.site.model if self.site else Model()

    def find_tutorial(self, copy_set: CopySet) -> str | None:
        """Return the tutorial whose pages for this step would have the paths of the copies."""
        platforms = self.model.platforms
        for id_, tutorial in self.model.tutorials.items():
            known = [copy for copy in copy_set.copies.values() if copy.platform in platforms]
            made = [build_page_path(tutorial, copy_set.step, platforms[copy.platform]) + ".md" for copy in known]
            if known and made == [copy.path for copy in known]:
                return id_
        return None

    def get_platforms(self, tutorial: str) -> frozenset[str]:
        """Return the platforms on which a tutorial has pages."""
        known = self.model.tutorials[tutorial]
        return frozenset(platform.id for platform in self.model.platforms.values() if known.get_steps(platform))

    @property
    def patterns(self) -> list[tuple[str, str]]:
        """The path patterns of tutorial pages: pattern and platform."""
        return [
            (tutorial.get_path_pattern(platform).replace("{tutorial}", tutorial.id), platform.id)
            for tutorial in self.model.tutorials.values()
            for platform in self.model.platforms.values()
        ]

    @property
    def tables(self) -> dict[str, DataTable]:
        """The project's tables, in the form in which adopting writes them."""
        return {id_: _build_table(table, self.model) for id_, table in self.model.tables.items()}

    def build_names(self) -> Names:
        """Build the names that are already used in the project."""
        platforms = self.model.platforms.values()
        out = Names(tuple(self.model.platforms))
        out.display = {platform.id: strip_origins(platform.name) for platform in platforms}
        out.parents = {platform.id: platform.lineage[1:] for platform in platforms}
        for platform in platforms:
            _add_names(out, platform)
        out.existing_keys = frozenset((*out.labels, *out.values))
        everybody = frozenset(self.model.platforms)
        out.uses = {ability: [(everybody, have)] for ability, have in out.features.items()}
        out.groups = {
            id_: frozenset(platform.id for platform in platforms if id_ in platform.groups) for id_ in self.model.groups
        }
        return out


def _build_table(table: parts.Table, model: Model) -> DataTable:
    rows = {}
    for id_, row in table.rows.items():
        on = {name: _get_cell_texts(override.cells) for name, override in row.on.items() if override.cells}
        lacking = frozenset(name for name, override in row.on.items() if override.omit is not None)
        lacking |= {platform.id for platform in model.platforms.values() if not row.may_be_on(platform)}
        rows[id_] = DataRow(_get_cell_texts(row.cells), on, lacking)
    return DataTable({column: strip_origins(title) for column, title in table.columns.items()}, rows)


def _get_cell_texts(cells: Mapping[str, data.Scalar]) -> dict[str, str]:
    return {column: cell.plain for column, cell in cells.items()}


def load(folder: Path) -> BaseProject:
    """Load the project in a folder. Raises InvalidInput if it cannot be rendered."""
    layout = Layout.find(folder)
    read = loading.load(layout).require_valid() if (folder / DATA).is_file() else None
    docs = folder / layout.docs
    files = {path.relative_to(docs).as_posix(): path for path in sorted(docs.rglob("*")) if path.is_file()}
    pages = {name: path.read_bytes() for name, path in files.items() if path.suffix.lower() in COPIES}
    return BaseProject(layout, read, pages, tuple(name for name in files if name not in pages))


def build_empty() -> BaseProject:
    """Build an empty project, to preview the result of adopting."""
    return BaseProject(Layout(Path("no-project")))


def exclude_copies(base: BaseProject, sets: Iterable[CopySet]) -> dict[str, bytes]:
    """Return the files of the project, except for copies that become templates."""
    stems = (copy.path.removesuffix(PAGES[0]) for copy_set in sets for copy in copy_set.copies.values())
    gone = {f"{base.layout.docs}/{stem}{suffix}" for stem in stems for suffix in COPIES}
    return {path: content for path, content in base.file_contents.items() if path not in gone}
