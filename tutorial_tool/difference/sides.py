"""The two sides of a difference: each loaded and rendered as far as it can be, in the place where it stands."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from tutorial_tool import addresses, files, revisions, targets, variants
from tutorial_tool.site import Layout, Page, Site
from tutorial_tool.targets import Settings, Target
from tutorial_tool.variants import Variant

_UNREADABLE = ("unreadable-file", "unsafe-path")
"""What keeps a page of a tree from being compared; other mistakes are the linter's to tell."""
_MOST_PROBLEMS = 10
Key = tuple[str, ...]
"""What makes a page of one side that of the other: tutorial, step and platform, else its path."""


class Shown(NamedTuple):
    """A page as one side has it."""

    page: Page
    site: Site
    target: Target
    path: str
    """Its path below the docs folder of a project, else below the folder that is compared."""
    group: str
    """The step, or the pattern of paths, that it shares with its variants; empty where it has none."""
    variant: Variant | None

    @property
    def key(self) -> Key:
        place = self.page.place
        return tuple(place.address) if place else (self.path,)

    @property
    def id(self) -> str:
        """The platform or variant; empty for a page that stands alone."""
        return self.page.platform or (self.variant.id if self.variant else "")

    @property
    def address(self) -> str:
        return addresses.of(self.site).url(self.page)


@dataclass
class Side:
    """All pages of one side. `unknown` are the keys of those that could not be rendered, `problems` say why."""

    label: str
    folder: Path
    sites: list[tuple[Target, Site]] = field(default_factory=list)
    pages: dict[Key, Shown] = field(default_factory=dict)
    unknown: set[Key] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)
    broken: bool = False
    """Whether the data could not be read, and so nobody knows which pages there are."""


@contextlib.contextmanager
def folder_of(start: Path, rev: str | None) -> Iterator[Path | None]:
    """The folder as it stands now, or at a revision; None where the revision did not have it. Raises Unknown."""
    if rev is None:
        yield start
        return
    with contextlib.ExitStack() as stack:
        try:
            path: Path | None = stack.enter_context(revisions.export(start, rev))
        except revisions.NoFolder:
            path = None
        yield path


def load(label: str, folder: Path | None) -> Side:
    """One side, with whatever of it can be rendered. Raises config.ConfigError."""
    side = Side(label, folder or Path())
    if folder is None:
        return side
    try:
        found = targets.find([], Settings(folder))
    except targets.NothingToLint:
        return side
    for target in found:
        read = target.load()
        side.sites.append((target, read))
        _take(side, target, read)
    return side


def _take(side: Side, target: Target, site: Site) -> None:
    of = {
        page: (step.pattern, step.variants[id_])
        for step in variants.of(site, target.config.variants)
        for id_, page in step.pages.items()
    }
    for page in site.pages:
        group, variant = of.get(page, ("", None))
        if page.place is not None and not group:  # a step that one platform has
            group = f"{page.tutorial}/{page.step}"
        shown = Shown(page, site, target, _path(side, target, page), group, variant)
        side.pages[shown.key] = shown
    side.unknown |= {tuple(address) for address in site.places if address not in site.by_address}
    errors = site.errors
    side.unknown |= {(_docs_path(side, target, e.span.path),) for e in errors if e.rule in _UNREADABLE}
    is_project = target.layout is not None
    side.broken |= is_project and bool(errors) and not any(page.generated for page in site.pages)
    told = [error for error in errors if is_project or error.rule in _UNREADABLE]
    side.problems += [f"{side.label}: {error}" for error in told[:_MOST_PROBLEMS]]
    if len(told) > _MOST_PROBLEMS:
        side.problems.append(f"{side.label}: and {len(told) - _MOST_PROBLEMS} more errors")


def _path(side: Side, target: Target, page: Page) -> str:
    """A page's path, so that one that was a copy and one that a template makes are the same."""
    return page.path if target.layout is not None else _docs_path(side, target, page.path)


def _docs_path(side: Side, target: Target, path: str) -> str:
    """A path below the root of a target, as it is below the docs folder if it stands there."""
    if target.layout is not None:
        return path.removeprefix(f"{target.layout.docs}/")
    return files.shown(target.root / path, side.folder).removeprefix(f"{Layout.find(side.folder).docs}/")


def redirected(side: Side, address: str) -> bool:
    """Whether an address that was published leads to a page on this side."""
    return any(addresses.of(site).visit(address).kind != "missing" for _, site in side.sites)
