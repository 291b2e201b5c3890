"""Plan the files that adopting writes, and check them against existing ones."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tutorial_tool.adopt import Adoption, existing_site
from tutorial_tool.adopt.base import BaseProject
from tutorial_tool.adopt.copies import Copy, CopySet
from tutorial_tool.adopt.plan import companion_files, new_site, notes
from tutorial_tool.core.errors import FilesExist
from tutorial_tool.fs import files
from tutorial_tool.site import Layout


@dataclass(frozen=True)
class AdoptionPlan:
    """Files to write and to delete, by path in the project's folder, with notes and tasks for the user.

    `copied` are files that the copies use, taken from their folders; `extended` existing files that get additions;
    `shadowing` adopted copies that stay in place of their generated pages.
    """

    folder: Path
    files: Mapping[str, bytes]
    delete: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    copied: frozenset[str] = frozenset()
    extended: frozenset[str] = frozenset()
    shadowing: tuple[str, ...] = ()
    to_do: tuple[str, ...] = ()
    build: str = ""  # The command that fails if there are linter findings

    def is_affected(self, path: str) -> bool:
        """Return whether a file is written, or shadows one; others existed before."""
        return path in self.files or path in self.shadowing

    def write(self) -> None:
        """Write everything or nothing. Raises InvalidInput for a path outside of the folder, and OSError."""
        self.folder.mkdir(parents=True, exist_ok=True)
        # a killed run may have left some next to files that exist by now
        files.remove_temporary_files(files.iter_folders(self.folder))
        targets = {self.folder / path: content for path, content in self.files.items()}
        files.write_all(targets, [self.folder / path for path in self.delete], root=self.folder)


def plan(
    base: BaseProject, adoption: Adoption, root: Path, *, force: bool = False, remove: bool = False
) -> AdoptionPlan:
    """Return what to write into a project's folder. `root` is the copies' docs folder.

    Raises `FilesExist` where a file would be overwritten, unless `force`.
    """
    assert adoption.project is not None
    folder, layout = base.layout.root, base.layout
    site = existing_site.find_configuration(folder)
    hiding = _find_shadowing_copies(base, root, adoption.adopted)
    configuration = _build_configuration(adoption, base, root, site, hiding if remove else {})
    expected = {**adoption.project.files, **configuration}
    grown = adoption.project.merged | (configuration.keys() if site else frozenset())
    taken = [path for path, text in expected.items() if path not in grown and _has_other_content(folder / path, text)]
    if taken and not force:
        raise FilesExist(taken)
    paths = [path.removeprefix(f"{layout.docs}/") for path in expected]
    beside = companion_files.find_files(adoption.adopted, root, base, paths)
    gone, stay = (tuple(hiding), ()) if remove else ((), tuple(hiding))
    about = (
        *notes.describe_rows(adoption.project, layout),
        *notes.describe_left_behind(beside, layout),
        *notes.describe_files_above(beside, root, layout),
        *notes.describe_formats(adoption.adopted, is_mkdocs=site is None or site.has_plugins),
        *notes.describe_names(adoption.project),
        *notes.describe_navigation(site, folder, adoption.adopted),
        *notes.describe_shadowing(stay),
    )
    contents = {path: text.encode() for path, text in expected.items()}
    copied = {f"{layout.docs}/{path}": content for path, content in beside.copied.items()}
    to_do, build = (site.to_do, site.build) if site else (_describe_new_site(layout, hiding), existing_site.BUILD)
    extended = frozenset(path for path in grown if (folder / path).exists())
    return AdoptionPlan(folder, {**copied, **contents}, gone, about, frozenset(copied), extended, stay, to_do, build)


def _describe_new_site(layout: Layout, copies: Collection[str]) -> tuple[str, ...]:
    """Return a note if the new site also publishes pages that are not among the adopted copies."""
    pages = (layout.root / layout.docs).rglob("*.md*") if copies else ()
    return (notes.NEW_SITE,) if any(files.format_path(path, layout.root) not in copies for path in pages) else ()


def _build_configuration(
    adoption: Adoption,
    base: BaseProject,
    root: Path,
    site: existing_site.SiteConfiguration | None,
    gone: Mapping[str, Copy],
) -> Mapping[str, str]:
    """Build the configuration of a site, new or extended; the existing one leaves out copies `gone`."""
    assert adoption.project is not None
    folder, docs = base.layout.root, base.layout.docs
    if not site:
        return new_site.build_files(base.layout, adoption.adopted, root, adoption.project.names.display)
    grown = site.build_extended(folder, {copy.source.path: copy.path for copy in gone.values()})
    stays = any(path.is_file() and files.format_path(path, folder) not in gone for path in (folder / docs).rglob("*"))
    return grown if stays or not gone else {**grown, f"{docs}/.gitkeep": ""}  # builds need it; git skips empty folders


def _has_other_content(path: Path, text: str) -> bool:
    """Return whether a path exists with content other than a text."""
    return path.exists() and not (path.is_file() and path.read_bytes() == text.encode())


def _find_shadowing_copies(base: BaseProject, root: Path, adopted: Sequence[CopySet]) -> dict[str, Copy]:
    """Return the adopted copies in the docs folder, by path: pages there take precedence over templates."""
    docs = (base.layout.root / base.layout.docs).absolute()
    copies = {root / copy.source.path: copy for copy_set in adopted for copy in copy_set.copies.values()}
    own = {path: copy for path, copy in copies.items() if path.is_relative_to(docs) and path.is_file()}
    return {files.format_path(path, base.layout.root): copy for path, copy in own.items()}
