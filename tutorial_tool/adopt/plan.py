"""What adopting would write: the files of the project, checked against what stands there already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from tutorial_tool import data, files
from tutorial_tool.adopt import Adoption, along, notes
from tutorial_tool.adopt.base import Base
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.notes import CONFIGS
from tutorial_tool.site import Layout
from tutorial_tool.source import Source

CONFIG = "mkdocs.yml"


class Exists(Exception):
    """Files stand where adopting would write others."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = tuple(paths)
        super().__init__("\n".join(self.paths))


@dataclass(frozen=True)
class Plan:
    """Files to write and to delete, by their path in the project's folder, and notes for people.

    `copied` are those files that the copies show, and that stand beside them; `hiding` adopted copies that stay where
    their pages would stand.
    """

    folder: Path
    files: Mapping[str, bytes]
    delete: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    copied: frozenset[str] = frozenset()
    hiding: tuple[str, ...] = ()

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
    site_name = _site_name(root) or _in_words(adoption.adopted[0].tutorial)
    wanted = {**adoption.project.files, **_configuration(folder, layout, site_name)}
    taken = [path for path in wanted if path not in adoption.project.merged and (folder / path).exists()]
    if taken and not force:
        raise Exists(taken)
    standing = tuple(files.shown(path, folder) for path in _hiding(folder / layout.docs, root, adoption.adopted))
    gone, hiding = (standing, ()) if remove else ((), standing)
    beside = along.of(adoption.adopted, root, base)
    told = (*notes.rows(adoption.project, layout), *notes.spaces(adoption.project), *notes.left_behind(beside, layout))
    told = (*told, *notes.formats(folder, adoption.adopted), *notes.hidden(hiding))
    contents = {path: text.encode() for path, text in wanted.items()}
    copied = {f"{layout.docs}/{path}": content for path, content in beside.copied.items()}
    return Plan(folder, {**copied, **contents}, gone, told, frozenset(copied), hiding)


def _site_name(docs: Path) -> str | None:
    """What the site is called that the copies are a part of, where MkDocs builds it."""
    for name in CONFIGS[:3]:
        source = files.read(docs.parent / name, root=docs.parent) if (docs.parent / name).is_file() else None
        read = data.to_plain(data.load_yaml(source).node) if isinstance(source, Source) else None
        if isinstance(read, dict) and read.get("site_name"):
            return str(read["site_name"])
    return None


def _in_words(id_: str) -> str:
    name = id_.replace("-", " ")
    return name[:1].upper() + name[1:]


def _configuration(folder: Path, layout: Layout, site_name: str) -> dict[str, str]:
    """The configuration and home page of a folder that has none."""
    if any((folder / name).is_file() for name in CONFIGS):
        return {}
    settings = {
        "site_name": site_name,
        "docs_dir": layout.docs,
        "theme": {"name": "material", "font": False},
        "plugins": ["search", "tutorial"],
        "markdown_extensions": ["admonition", "attr_list", "md_in_html", "tables", "pymdownx.superfences"],
    }
    has_home = any((folder / layout.docs / page).is_file() for page in ("index.md", "README.md"))
    home = {} if has_home else {f"{layout.docs}/index.md": f"# {site_name}\n"}
    # The configuration last: where a run was killed before it, the next one writes both.
    return {**home, CONFIG: yaml.safe_dump(settings, sort_keys=False, allow_unicode=True)}


def _hiding(docs: Path, root: Path, adopted: Sequence[CopySet]) -> list[Path]:
    """The adopted copies that stand where their pages would: a page in the docs folder wins over a template."""
    paths = [root / copy.path for one in adopted for copy in one.copies.values()]
    return [path for path in paths if path.is_relative_to(docs.absolute()) and path.is_file()]
