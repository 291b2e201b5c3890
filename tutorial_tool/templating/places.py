"""What pages are made from, and what is known of them: places, figures, and what all pages of a site share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from tutorial_tool.core.diagnostics import Finding
    from tutorial_tool.core.source import Source, Span
    from tutorial_tool.core.traced import Traced
    from tutorial_tool.data import Node
    from tutorial_tool.data.model import Model
    from tutorial_tool.data.model.parts import Platform, Step, Tutorial
    from tutorial_tool.markdown.headings import Section
    from tutorial_tool.templating.environment import TemplateEnvironment


class PageId(NamedTuple):
    """Which page: a step of a tutorial on a platform, by ids."""

    tutorial: str
    step: str
    platform: str


@dataclass(frozen=True, eq=False)
class PageLocation:
    """Where a page stands: its path in the docs folder, its number on its platform and its neighbours."""

    address: PageId
    tutorial: Tutorial
    step: Step
    platform: Platform
    path: str
    number: int | None
    previous: PageId | None
    following: PageId | None
    draft: bool = False  # Whether the page is not published yet


class PageDependency(NamedTuple):
    """What a page asked the data or the files for, and where its name stands, as far as that is known.

    `kind` is labels, values, can, code, tables, part, figure or link.
    """

    kind: str
    key: str
    span: Span | None


class PrintedTable(NamedTuple):
    """A table as a call printed it: the words that the call gives, and those in braces that readers see."""

    table: str
    arguments: frozenset[str]
    placeholders: tuple[tuple[str, str], ...]  # Each word, and the cell that has it
    call: Span


class PageFacts(NamedTuple):
    """What other pages can learn of a page once it is rendered."""

    title: Traced
    sections: tuple[Section, ...]


@dataclass(eq=False)
class Figure:
    """A picture that a page shows and no author has made: it is drawn, into `svg`, once the page's text is known."""

    path: str
    name: str
    alt: str
    place: PageLocation
    call: Span  # The call in the step's template
    wanted: str
    """Where a picture of the author's own would stand, relative to the docs folder; `{platform}` is any platform."""
    kind: str | None = None
    given: Mapping[str, Any] = field(default_factory=dict)  # What else the call gave, for the figure's template
    template: str = ""  # What drew it, relative to the templates folder; nothing for a built-in template
    svg: str = ""
    answers: Mapping[str, bool] = field(default_factory=dict)
    """What its template asked whether the page's text speaks of, with the answers."""


@dataclass
class Library:
    """What all pages of a site share: data, files, and what the first pass learned."""

    model: Model
    environment: TemplateEnvironment
    names: frozenset[str]  # The files of the templates folder, as paths relative to it
    places: Mapping[PageId, PageLocation]
    read: Callable[[str], Source | Finding]  # A file of the project, by its path relative to the project
    source_of: Callable[[str], Source | None]  # A file of the templates folder
    has_image: Callable[[str], bool]  # Whether a file stands at a path in the docs folder
    docs: str
    templates: str  # Those two folders, relative to the project
    drafts: bool = False  # Whether drafts are shown, as while serving
    facts: dict[PageId, PageFacts] = field(default_factory=dict)
    requested: set[tuple[str, str]] = field(default_factory=set)
    """What templates asked for: (`labels`, `values`, `can`, `code`, `tables`, `part`, `figure` or `link`, the key)."""
    shown_tables: dict[tuple[str, tuple[str, ...], str], Traced] = field(default_factory=dict)
    """Tables as Markdown, by id, columns and platform: most stand on many pages."""

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The ids of platforms and groups."""
        return (*self.model.platforms, *self.model.groups)

    @cached_property
    def published(self) -> Mapping[str, Platform]:
        """The platforms that pages see which are no drafts."""
        return {id_: platform for id_, platform in self.model.platforms.items() if not platform.draft}

    @cached_property
    def known_values(self) -> Mapping[str, Node]:
        """The values of all platforms, by key: what one of them has."""
        return {key: node for platform in self.model.platforms.values() for key, node in platform.values.items()}

    @cached_property
    def optional(self) -> Mapping[str, str]:
        """What to write where a platform lacks a value that another one has."""
        return {key: f"`values: {{{key}: …}}` there, or test `is defined` first" for key in self.known_values}

    def find_label_span(self, role: str) -> Span | None:
        """Where some platform has a label."""
        labels = (platform.labels[role] for platform in self.model.platforms.values() if role in platform.labels)
        return next((label.runs[0].span for label in labels if label.runs), None)

    @cached_property
    def abilities(self) -> frozenset[str]:
        return frozenset(ability for platform in self.model.platforms.values() for ability in platform.can)
