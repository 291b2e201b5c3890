"""An existing site configuration, and the necessary additions, inserted so that all comments are kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from tutorial_tool import data
from tutorial_tool.adopt import merge
from tutorial_tool.adopt.data import format_flow
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import MAX_DEPTH
from tutorial_tool.core.source import Edit, Source, Span
from tutorial_tool.fs import files

PLUGIN = "tutorial"
DOCS = ("docs", "docs_src", "doc", "content")  # Possible names of a site's docs folder
_MKDOCS = ("mkdocs.yml", "mkdocs.yaml", "properdocs.yml")
_OTHERS = lazy_re.compile(
    r"zensical\.toml|hugo\.(?:toml|ya?ml|json)|(?:astro|docusaurus)\.config\.\w+|\.vitepress|\.vuepress|book\.toml"
    r"|\.?eleventy\.(?:config\.)?[cm]?[jt]s"
)
"""Configuration files of generators that do not support MkDocs plugins."""
_IN_DOCS = (".vitepress", ".vuepress")  # Configurations that may be in the docs folder or around it
_LANGUAGES = "i18n"  # The plugin that ours is incompatible with
BUILD = "mkdocs build --strict"
_BY_HAND = "plugins:\n  - search\n  - tutorial"


@dataclass(frozen=True)
class SiteConfiguration:
    """The configuration in a folder: its name, its new text if it must change, and tasks for the user.

    `problem` says why a site with it cannot include our pages: nothing may be written there.
    """

    name: str
    edited: str | None = None
    to_do: tuple[str, ...] = ()
    problem: str = ""

    @property
    def has_plugins(self) -> bool:
        """Whether the plugin can render the tutorial in a build of this site."""
        return self.name in _MKDOCS

    @property
    def build(self) -> str:
        """The build command that fails on lint findings."""
        if not self.has_plugins:
            return "tutorial-tool lint"
        return BUILD.replace("mkdocs", self.name.partition(".")[0])

    def list_files(self, folder: Path) -> list[str]:
        """Return its files, relative to the folder: some generators have a folder of them."""
        at = folder / self.name
        files_ = at.glob("config.*") if at.is_dir() else (at,)
        return [path.relative_to(folder).as_posix() for path in sorted(files_) if path.is_file()]

    def load_settings(self, folder: Path) -> data.Mapping | None:
        """Load the settings of an MkDocs configuration in a folder."""
        source = self._read(folder)
        root = data.load_yaml(source).node if source else None
        return root if isinstance(root, data.Mapping) else None

    def list_nav_pages(self, folder: Path) -> list[str]:
        """Return the pages in its `nav`, in order."""
        root = self.load_settings(folder)
        return [entry.plain for entry in data.iter_scalars(root.get("nav"))] if root else []

    def build_extended(self, folder: Path, paths: Mapping[str, str]) -> dict[str, str]:
        """Build its new text, by its name: with the plugin, and new paths in its `nav`; empty if nothing changes."""
        source = self._read(folder)
        if source is None:
            return {}
        text = _rename_pages(self.edited or source.raw, paths)
        return {} if text == source.raw else {self.name: text}

    def _read(self, folder: Path) -> Source | None:
        read = files.read(folder / self.name, root=folder) if self.has_plugins else None
        return read if isinstance(read, Source) else None


def find_configuration(folder: Path) -> SiteConfiguration | None:
    """Find the configuration of the site in a folder; None if there is none."""
    for name in _MKDOCS:
        if (folder / name).is_file():
            return _add_plugin(folder, name)
    for name in sorted(path.name for path in folder.glob("*")):
        if _OTHERS.fullmatch(name):
            return _build_other(name)
    beside = map("/".join, product(DOCS, _IN_DOCS))
    return next((_build_other(name) for name in beside if (folder / name).is_dir()), None)


def _build_other(name: str) -> SiteConfiguration:
    render = "run `tutorial-tool render DIR`, and publish the pages in DIR/docs"
    return SiteConfiguration(name, to_do=(f"{name} cannot use the MkDocs plugin: {render}.",))


def find_name(docs: Path, project: Path) -> str:
    """Return a site's name, from a configuration beside the docs or in the project, else from its folder."""
    for folder in (docs.parent, project):
        site = find_configuration(folder)
        if name := read_name(site.load_settings(folder) if site else None):
            return name
    return format_title((docs.parent if docs.name in DOCS else docs).name)


def read_name(settings: data.Mapping | None) -> str:
    """Return the site's name from its settings; "" if they have none."""
    name = settings.get("site_name") if settings else None
    return name.plain if isinstance(name, data.Scalar) else ""


def format_title(id_: str) -> str:
    """Format a folder's name or an ID as a title."""
    name = id_.replace("-", " ").replace("_", " ").strip() or "Docs"
    return name[:1].upper() + name[1:]


def _add_plugin(folder: Path, name: str) -> SiteConfiguration:
    source = files.read(folder / name, root=folder)
    by_hand = f"Add the plugin to {name}, beside those that are there:\n\n{_BY_HAND}\n"
    if not isinstance(source, Source):
        return SiteConfiguration(name, to_do=(f"{source}", by_hand))
    if place := next(filter(None, map(_find_language_plugin, _iter_with_parents(folder, source))), None):
        lost = f"the plugin `{_LANGUAGES}` publishes files of the docs folder only, and loses pages that templates make"
        instead = f"give each language a project, with a {name} of its own"
        return SiteConfiguration(name, to_do=(by_hand,), problem=f"{place}: {lost}: {instead}")
    before = _read_plugins(source)
    if before is None:
        if _read_parent(source) is not None:
            return SiteConfiguration(name, to_do=(f"{name} inherits its plugins. {by_hand}",))
    elif PLUGIN in before:
        return SiteConfiguration(name)
    with suppress(merge.MergeConflict):
        edited = merge.add_entry(source, "plugins", PLUGIN, ["search", PLUGIN])
        if _read_plugins(Source(name, edited)) == [*(before or ["search"]), PLUGIN]:  # otherwise, do not guess
            return SiteConfiguration(name, edited)
    return SiteConfiguration(name, to_do=(by_hand,))


def _read_plugins(source: Source) -> list[str] | None:
    """Return the plugins in a configuration; None if it lists none, and MkDocs uses its defaults."""
    read = data.convert_to_plain(data.load_yaml(source).node)
    value = read.get("plugins") if isinstance(read, dict) else None
    if not value:
        return None
    entries = [name for entry in value for name in (entry if isinstance(entry, dict) else [entry])]
    return list(map(str, entries))


def _find_language_plugin(source: Source) -> Span | None:
    """Return the location of the plugin for languages in a configuration."""
    plugins = data.get_node(data.load_yaml(source).node, "plugins")
    keys = (key for node in (plugins, *data.get_items(plugins)) for key, _ in data.get_entries(node))
    names = (*data.get_scalars(plugins), *keys)
    return next((name.span for name in names if name.plain == _LANGUAGES), None)


def _rename_pages(text: str, paths: Mapping[str, str]) -> str:
    """Update the paths of pages in the `nav` of a configuration."""
    source = Source("", text)
    root = data.load_yaml(source).node
    named = [(entry.span, entry.plain) for entry in data.iter_scalars(data.get_node(root, "nav"))]
    edits = [Edit(span, format_flow(paths[path])) for span, path in named if paths.get(path, path) != path]
    return source.apply(edits) if edits else text


def _read_parent(source: Source) -> str | None:
    """Return the file that a configuration inherits from, if any."""
    read = data.convert_to_plain(data.load_yaml(source).node)
    return str(read["INHERIT"]) if isinstance(read, dict) and "INHERIT" in read else None


def _iter_with_parents(folder: Path, source: Source) -> Iterator[Source]:
    """Yield a configuration, and those that it inherits from, as far as they are readable."""
    yield source
    file = folder / source.path
    for _ in range(MAX_DEPTH):
        parent = _read_parent(source)
        file = file.parent / parent if parent else file
        if not parent or not file.is_file():
            return
        read = files.read(file, root=file.parent)
        if not isinstance(read, Source):
            return
        yield (source := Source(parent, read.raw))
