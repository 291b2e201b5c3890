"""What adopting would write: the files of the project, checked against what stands there already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from tutorial_tool import data, files
from tutorial_tool.adopt import Adoption
from tutorial_tool.adopt.base import Base
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.site import Layout
from tutorial_tool.source import Source

CONFIG = "mkdocs.yml"
CONFIGS = (CONFIG, "mkdocs.yaml", "properdocs.yml", "zensical.toml")


class Exists(Exception):
    """Files stand where adopting would write others."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = tuple(paths)
        super().__init__("\n".join(self.paths))


@dataclass(frozen=True)
class Plan:
    """Files to write and to delete, by their path in the project's folder, and notes for people."""

    folder: Path
    files: Mapping[str, bytes]
    delete: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def write(self) -> None:
        """Write all or nothing. Raises `finding.Error` for a path that leads elsewhere, and OSError."""
        self.folder.mkdir(parents=True, exist_ok=True)
        files.sweep(files.below(self.folder))  # a run that was killed may have begun with files that stand by now
        targets = {self.folder / path: content for path, content in self.files.items()}
        files.write_all(targets, [self.folder / path for path in self.delete], root=self.folder)


def plan(base: Base, adoption: Adoption, root: Path, *, force: bool = False, remove: bool = False) -> Plan:
    """What to write into a project's folder. `root` is the copies' docs folder.

    Raises `Exists` where a file would be overwritten, unless `force`.
    """
    assert adoption.project is not None
    folder, layout = base.layout.root, base.layout
    wanted = {**adoption.project.files, **_configuration(folder, layout, adoption.adopted)}
    taken = [path for path in wanted if path not in adoption.project.merged and (folder / path).exists()]
    if taken and not force:
        raise Exists(taken)
    hiding = [files.shown(path, folder) for path in _hiding(folder / layout.docs, root, adoption.adopted)]
    notes = tuple(_notes(folder, adoption.adopted, [] if remove else hiding))
    contents = {path: text.encode() for path, text in wanted.items()}
    return Plan(folder, contents, tuple(hiding) if remove else (), notes)


def _configuration(folder: Path, layout: Layout, adopted: Sequence[CopySet]) -> dict[str, str]:
    """The configuration and home page of a folder that has none."""
    if any((folder / name).is_file() for name in CONFIGS):
        return {}
    name = adopted[0].tutorial.replace("-", " ")
    settings = {
        "site_name": name[:1].upper() + name[1:],
        "docs_dir": layout.docs,
        "theme": {"name": "material", "font": False},
        "plugins": ["search", "tutorial"],
        "markdown_extensions": ["admonition", "attr_list", "md_in_html", "tables", "pymdownx.superfences"],
    }
    has_home = any((folder / layout.docs / page).is_file() for page in ("index.md", "README.md"))
    home = {} if has_home else {f"{layout.docs}/index.md": f"# {settings['site_name']}\n"}
    # The configuration last: where a run was killed before it, the next one writes both.
    return {**home, CONFIG: yaml.safe_dump(settings, sort_keys=False, allow_unicode=True)}


def _hiding(docs: Path, root: Path, adopted: Sequence[CopySet]) -> list[Path]:
    """The adopted copies that stand where their pages would: a page in the docs folder wins over a template."""
    paths = [root / copy.path for one in adopted for copy in one.copies.values()]
    return [path for path in paths if path.is_relative_to(docs.absolute()) and path.is_file()]


def _notes(folder: Path, adopted: Sequence[CopySet], hiding: Sequence[str]) -> Iterable[str]:
    config = next((folder / name for name in CONFIGS if (folder / name).is_file()), None)
    if config and config.suffix == ".toml":
        yield f"{config.name} takes no plugins: write the pages for it with `tutorial-tool render`."
    elif config and not _has_plugin(config):
        yield f"Add `tutorial` to the plugins of {config.name}."
    others = [path for one in adopted for copy in one.copies.values() if not (path := copy.source.path).endswith(".md")]
    if others:
        yield f"{len(others)} copies do not end in .md, and their pages do. The first: {others[0]}"
    if hiding:
        yield (
            f"{len(hiding)} copies still stand in the docs folder and win over the templates: delete them, or run this "
            f"with --remove-copies. The first: {hiding[0]}"
        )


def _has_plugin(config: Path) -> bool:
    """Whether a configuration of MkDocs names the plugin."""
    source = files.read(config, root=config.parent)
    read = data.to_plain(data.load_yaml(source).node) if isinstance(source, Source) else {}
    plugins = read.get("plugins", []) if isinstance(read, dict) else []
    return any(name == "tutorial" for plugin in plugins for name in ([plugin] if isinstance(plugin, str) else plugin))
