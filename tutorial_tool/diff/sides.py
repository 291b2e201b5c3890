"""Load and render the two sides of a difference as far as possible."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from tutorial_tool import links, variants
from tutorial_tool.core.diagnostics import MAX_LISTED
from tutorial_tool.fs import files, worktrees
from tutorial_tool.linter import targets
from tutorial_tool.linter.config_lookup import LookupOptions
from tutorial_tool.linter.targets import Target
from tutorial_tool.site import Layout, Page, Site
from tutorial_tool.variants import Variant

_UNREADABLE = ("unreadable-file", "unsafe-path")
"""Errors that prevent a page from being compared; the linter reports the others."""
Key = tuple[str, ...]  # Identifies a page on both sides: by project, tutorial, step, and platform, or else by path


class SidePage(NamedTuple):
    """A page on one side."""

    page: Page
    site: Site
    target: Target
    project: str  # Folder of its project, if there are several, which may use the same IDs
    path: str  # Path relative to the docs folder of the compared project, or else to the folder
    group: str  # The step, or the path pattern, that it shares with its variants; empty if there is none
    variant: Variant | None

    @property
    def key(self) -> Key:
        place = self.page.place
        return (self.project, *place.address) if place else (self.path,)

    @property
    def id(self) -> str:
        """The platform or variant; empty for a standalone page."""
        return self.page.platform or (self.variant.id if self.variant else "")

    @property
    def address(self) -> str:
        return links.get_addresses(self.site).get_url(self.page)


@dataclass
class Side:
    """All pages of one side. `unknown` are the keys of those that failed to render, `problems` say why."""

    label: str
    folder: Path
    has_several_projects: bool = False
    """Whether a side has several projects, so that IDs and paths are unique only within each."""
    sites: list[tuple[Target, Site]] = field(default_factory=list)
    pages: dict[Key, SidePage] = field(default_factory=dict)
    unknown: set[Key] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)
    is_broken: bool = False  # Whether the data could not be read, so that the pages are unknown


@contextlib.contextmanager
def open_folder(start: Path, rev: str | None) -> Iterator[Path | None]:
    """Yield the folder itself, or at a revision; None if it did not exist then. Raises UnknownRevision."""
    if rev is None:
        yield start
        return
    with contextlib.ExitStack() as stack:
        try:
            path: Path | None = stack.enter_context(worktrees.export(start, rev))
        except worktrees.NoFolder:
            path = None
        yield path


def load(old: tuple[str, Path | None], new: tuple[str, Path | None]) -> tuple[Side, Side]:
    """Load both sides, each given by label and folder, as far as they render. Raises settings.ConfigError."""
    old_side, new_side = _load_side(*old), _load_side(*new)
    has_several = max(sum(target.layout is not None for target, _ in side.sites) for side in (old_side, new_side)) > 1
    for side in (old_side, new_side):
        side.has_several_projects = has_several
        for target, site in side.sites:
            _add_pages(side, target, site)
    return old_side, new_side


def _load_side(label: str, folder: Path | None) -> Side:
    side = Side(label, folder or Path())
    if folder is not None:
        with contextlib.suppress(targets.NothingToLint):
            side.sites += [(target, target.load()) for target in targets.find([], LookupOptions(folder))]
    return side


def get_project_folder(side: Side, target: Target) -> str:
    """Return the folder of a project if there are several, else an empty string."""
    return get_target_folder(side, target) if side.has_several_projects and target.layout is not None else ""


def get_target_folder(side: Side, target: Target) -> str:
    """Return the folder of a target relative to the compared one; empty if they are the same."""
    name = files.format_path(target.root, side.folder)
    return "" if name == "." else name


def _add_pages(side: Side, target: Target, site: Site) -> None:
    project = get_project_folder(side, target)
    variants_by_page = {
        page: (step.pattern, step.variants[id_])
        for step in variants.find_steps(site, target.config.variants)
        for id_, page in step.pages.items()
    }
    for page in site.pages:
        group, variant = variants_by_page.get(page, ("", None))
        if page.place is not None and not group:  # a step on one platform only
            group = f"{page.tutorial}/{page.step}"
        group = join_folder(project, group) if group else ""
        path = f"{target.layout.docs}/{page.path}" if target.layout is not None else page.path  # as that of a copy
        side_page = SidePage(page, site, target, project, _get_docs_path(side, target, path), group, variant)
        side.pages[side_page.key] = side_page
    _add_errors(side, target, site)


def _add_errors(side: Side, target: Target, site: Site) -> None:
    project = get_project_folder(side, target)
    side.unknown |= {(project, *address) for address in site.places if address not in site.by_address}
    map_span = targets.build_span_mapper(target.root, side.folder)
    errors = [replace(error, span=map_span(error.span)) for error in site.errors]
    unreadable = (error.span.path for error in site.errors if error.rule in _UNREADABLE)
    side.unknown |= {(_get_docs_path(side, target, path),) for path in unreadable}
    is_project = target.layout is not None
    side.is_broken |= is_project and bool(errors) and not any(page.generated for page in site.pages)
    findings = [error for error in errors if is_project or error.rule in _UNREADABLE]
    side.problems += [f"{side.label}: {error}" for error in findings[:MAX_LISTED]]
    if len(findings) > MAX_LISTED:
        side.problems.append(f"{side.label}: and {len(findings) - MAX_LISTED} more errors")


def join_folder(folder: str, path: str) -> str:
    """Join a project's folder, if any, with a path or name."""
    return f"{folder}/{path}" if folder else path


def _get_docs_path(side: Side, target: Target, path: str) -> str:
    """Return a path below a target's root relative to the docs folder, if it is inside of it."""
    if target.layout is not None and side.folder.is_relative_to(target.root):
        return path.removeprefix(f"{target.layout.docs}/")
    return files.format_path(target.root / path, side.folder).removeprefix(f"{Layout.find(side.folder).docs}/")


def is_redirected(side: Side, address: str) -> bool:
    """Return whether a published URL resolves to a page on this side."""
    return {links.get_addresses(site).resolve_url(address).kind for _, site in side.sites} - {"unknown"} != {"missing"}
