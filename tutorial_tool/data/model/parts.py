"""The parts of the data: platforms, tutorials with their steps, tables, and overrides for platforms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from tutorial_tool.core.source import BOM, Span
from tutorial_tool.core.traced import Traced, strip_origins
from tutorial_tool.data import Node, Scalar
from tutorial_tool.data.model import DEFAULT_IMAGES, DEFAULT_PATH

T = TypeVar("T")
ALL_PLATFORMS = "*"  # The id of pages for all platforms; no platform can have it


@dataclass(frozen=True, eq=False)
class Platform:
    """A variant of the tutorials. `lineage` is its own id and those that it extends, nearest first.

    A `draft` is not published; platforms that extend it are not drafts because of that.
    """

    id: str
    key: Span
    name: Traced
    lineage: tuple[str, ...]
    groups: tuple[str, ...]
    labels: Mapping[str, Traced]
    values: Mapping[str, Node]
    can: frozenset[str]
    code: Mapping[str, tuple[Traced, ...]]
    code_of: Mapping[str, str]  # The platform in the lineage that defines each code sample
    draft: bool = False
    section: Traced | None = None  # The heading of the menu section that lists the platform
    owners: tuple[str, ...] = ()  # Who looks after it
    review_after: Scalar | None = None  # The day from which on a review is due, such as `2027-03-01`
    icon: Scalar | None = None  # The path of an image in the docs folder, shown before its name

    def can_all(self, capabilities: Iterable[str]) -> bool:
        """Return whether the platform has all of these capabilities."""
        return self.can.issuperset(capabilities)

    @property
    def levels(self) -> tuple[tuple[str, ...], ...]:
        """The ids whose overrides apply to it, by precedence; ids of one level must agree."""
        return (*((id_,) for id_ in self.lineage), self.groups)


@dataclass(frozen=True)
class Draft:
    """Where a step or row is not ready to be published: `everywhere`, or on some platforms and groups."""

    everywhere: bool = False
    targets: tuple[str, ...] = ()

    def includes(self, platform: Platform) -> bool:
        return self.everywhere or not {platform.id, *platform.groups}.isdisjoint(self.targets)


@dataclass(frozen=True)
class FileStyle:
    """The file format of a rendered page."""

    newline: str = "\n"
    bom: bool = False
    final_newline: bool = True  # False: the page is written without its final line end

    def encode_text(self, text: str) -> bytes:
        """Encode a page's text, whose line ends are newlines, as a file."""
        text = text if self.final_newline else text.removesuffix("\n")
        return ((BOM if self.bom else "") + text.replace("\n", self.newline)).encode()


class StatedStyle(NamedTuple):
    """A file style set in the data, and its span."""

    style: FileStyle
    span: Span


class Order(NamedTuple):
    """Ids of steps in the order of a platform or group, and the span of that setting."""

    ids: tuple[str, ...]
    span: Span


@dataclass(frozen=True)
class Numbering:
    steps: bool = True
    sections: bool = True


@dataclass(frozen=True, eq=False)
class Step:
    """One page of a tutorial, on every platform that has it."""

    id: str
    key: Span
    numbered: bool
    only: tuple[str, ...] | None
    not_on: Mapping[str, Traced]
    numbering: Numbering
    files: Mapping[str, StatedStyle]
    draft: Draft = Draft()
    needs: tuple[str, ...] = ()  # The capabilities that a platform needs for the step
    owners: tuple[str, ...] = ()  # Who looks after it
    review_after: Scalar | None = None  # The day from which on a review is due, such as `2027-03-01`

    def is_draft(self, platform: Platform) -> bool:
        """Return whether the page on a platform is a draft."""
        return platform.draft or self.draft.includes(platform)

    def get_style(self, platform: Platform) -> FileStyle:
        """Return the style of the page's file on a platform: its own setting, or that of its groups."""
        style_said = next((self.files[id_] for id_ in (platform.id, *platform.groups) if id_ in self.files), None)
        return style_said.style if style_said else FileStyle()


@dataclass(frozen=True, eq=False)
class TutorialOverride:
    """Overrides of a tutorial on one platform or group."""

    steps: Order | None
    titles: Mapping[str, Scalar]
    path: Scalar | None
    images: Scalar | None


@dataclass(frozen=True, eq=False)
class Tutorial:
    """An ordered list of steps, for several platforms."""

    id: str
    key: Span
    title: Traced
    path: Traced | None
    images: Traced | None
    steps: Mapping[str, Step]
    platforms: tuple[str, ...] | None
    on: Mapping[str, TutorialOverride]
    combined: bool = False  # Whether each step also has one page for all platforms

    def build_combined_path(self, step: str) -> str:
        """Return the path of a step's page for all platforms, without a suffix and without the platform."""
        pattern = re.sub(r"[-_.]?\{platform\}", "", strip_origins(self.path or DEFAULT_PATH))
        path = pattern.replace("{tutorial}", self.id).replace("{step}", step)
        return "/".join(filter(None, (part.lstrip("-_.") for part in path.split("/"))))

    def get_steps(self, platform: Platform) -> list[Step]:
        """Return the steps that a platform has, in its order."""
        order = self.get_order(platform)
        steps = self.steps.values() if order is None else [self.steps[id_] for id_ in order.ids if id_ in self.steps]
        return [step for step in steps if self.get_absence_reason(step, platform) is None]

    def get_order(self, platform: Platform) -> Order | None:
        """Return the order set for a platform; None if it uses that of the tutorial."""
        return pick_value(platform, {id_: override.steps for id_, override in self.on.items()})

    def get_absence_reason(self, step: Step, platform: Platform) -> str | None:
        """Return why a platform lacks a step ("" if no reason is given); None if it has it."""
        names = (platform.id, *platform.groups)
        if self.platforms is not None and not set(names) & set(self.platforms):
            return ""
        if step.only is not None and not set(names) & set(step.only):
            return ""
        if not platform.can_all(step.needs):
            return ""
        for name in names:
            if name in step.not_on:
                return step.not_on[name]
        return None

    def get_title(self, step: Step, platform: Platform) -> Traced | None:
        """Return the title that the data sets for a step on a platform, if any."""
        scalar = pick_value(platform, {id_: o.titles.get(step.id) for id_, o in self.on.items()})
        return scalar.text if scalar else None

    def get_path_pattern(self, platform: Platform) -> str:
        scalar = pick_value(platform, {id_: o.path for id_, o in self.on.items()})
        return scalar.text if scalar else self.path or DEFAULT_PATH

    def get_image_pattern(self, platform: Platform) -> str:
        scalar = pick_value(platform, {id_: o.images for id_, o in self.on.items()})
        return scalar.text if scalar else self.images or DEFAULT_IMAGES


@dataclass(frozen=True, eq=False)
class Override:
    """Overrides of a row on one platform or group."""

    key: Span
    cells: Mapping[str, Scalar]
    omit: Traced | None
    because: Traced | None


RESERVED = ("on", "only", "omit", "because", "draft", "needs")
"""Keys of a row that are not cells: no column can have these names."""


@dataclass(frozen=True, eq=False)
class Row:
    id: str
    key: Span
    only: tuple[str, ...] | None
    cells: Mapping[str, Scalar]
    on: Mapping[str, Override]
    draft: Draft = Draft()
    needs: tuple[str, ...] = ()  # The capabilities that a platform needs for the row

    def is_draft(self, platform: Platform) -> bool:
        """Return whether the row on a platform may be unfinished."""
        return platform.draft or self.draft.includes(platform)

    def get_cell(self, column: str, platform: Platform) -> Scalar | None:
        return pick_value(platform, {id_: o.cells.get(column) for id_, o in self.on.items()}) or self.cells.get(column)

    def is_omitted(self, platform: Platform) -> bool:
        """Return whether a platform lacks the row: `only` and `needs` decide, then the nearest override."""
        if not self.may_be_on(platform):
            return True
        for level in platform.levels:
            overrides = [self.on[id_] for id_ in level if id_ in self.on]
            if overrides:
                return any(override.omit is not None for override in overrides)
        return False

    def may_be_on(self, platform: Platform) -> bool:
        """Return whether `only` names the platform or a group of it, and it has what the row `needs`."""
        is_named = self.only is None or not {platform.id, *platform.groups}.isdisjoint(self.only)
        return is_named and platform.can_all(self.needs)


@dataclass(frozen=True, eq=False)
class Table:
    id: str
    key: Span
    columns: Mapping[str, Traced]
    values: Mapping[str, tuple[str, ...]]
    rows: Mapping[str, Row]
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The capabilities that a platform needs for a column, by column."""

    def get_columns(self, platform: Platform) -> list[str]:
        """Return the columns that a platform has."""
        return [column for column in self.columns if platform.can_all(self.needs.get(column, ()))]

    def get_rows(self, platform: Platform, *, drafts: bool = False) -> list[Row]:
        """Return the rows that a platform has, including drafts only with `drafts`."""
        rows = [row for row in self.rows.values() if not row.is_omitted(platform)]
        return [row for row in rows if drafts or not row.draft.includes(platform)]


def pick_value(platform: Platform, values: Mapping[str, T | None]) -> T | None:
    """Return the value for a platform by precedence: its own, those of what it extends, its groups."""
    for level in platform.levels:
        for id_ in level:
            if (value := values.get(id_)) is not None:
                return value
    return None
