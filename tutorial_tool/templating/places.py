"""Page locations, figures, and data that all pages of a site share."""

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
    """A page's identity: a step of a tutorial on a platform, by ids."""

    tutorial: str
    step: str
    platform: str


@dataclass(frozen=True, eq=False)
class PageLocation:
    """A page's path in the docs folder, its number on its platform, and its previous and next page."""

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
    """A page's dependency on data or files, and the span of its name where known.

    `kind` is labels, values, can, code, tables, part, figure or link.
    """

    kind: str
    key: str
    span: Span | None


class PrintedTable(NamedTuple):
    """A printed table: the words that its call passes, and those in braces that readers see."""

    table: str
    arguments: frozenset[str]
    placeholders: tuple[tuple[str, str], ...]  # Each word, and the cell with it
    call: Span


class PageFacts(NamedTuple):
    """Facts about a rendered page for other pages."""

    title: Traced
    sections: tuple[Section, ...]


@dataclass(eq=False)
class Figure:
    """An image that a page shows but no author provides: it is drawn into `svg` once the text is known."""

    path: str
    name: str
    alt: str
    place: PageLocation
    call: Span  # The call in the step's template
    wanted: str  # The path of the author's own image, relative to the docs folder; `{platform}` is any platform
    kind: str | None = None
    given: Mapping[str, Any] = field(default_factory=dict)  # The call's other arguments, for the figure's template
    template: str = ""  # The template that drew it, relative to the templates folder; "" for a built-in one
    svg: str = ""
    answers: Mapping[str, bool] = field(default_factory=dict)
    """The words that its template looked for in the page's text, and whether they are in it."""


@dataclass
class Library:
    """Data shared by all pages of a site: data, files, and the results of the first pass."""

    model: Model
    environment: TemplateEnvironment
    names: frozenset[str]  # The files of the templates folder, as paths relative to it
    places: Mapping[PageId, PageLocation]
    read: Callable[[str], Source | Finding]  # Returns a file of the project, by its relative path
    source_of: Callable[[str], Source | None]  # Returns a file of the templates folder
    has_image: Callable[[str], bool]  # Returns whether a file exists in the docs folder
    docs: str
    templates: str  # Those two folders, relative to the project
    drafts: bool = False  # Whether drafts are shown, as while serving
    facts: dict[PageId, PageFacts] = field(default_factory=dict)
    requested: set[tuple[str, str]] = field(default_factory=set)
    """What templates requested: (`labels`, `values`, `can`, `code`, `tables`, `part`, `figure` or `link`, the key)."""
    shown_tables: dict[tuple[str, tuple[str, ...], str], Traced] = field(default_factory=dict)
    """Tables as Markdown, by id, columns, and platform: most are on many pages."""

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The ids of platforms and groups."""
        return (*self.model.platforms, *self.model.groups)

    @cached_property
    def published(self) -> Mapping[str, Platform]:
        """The platforms visible to pages that are not drafts."""
        return {id_: platform for id_, platform in self.model.platforms.items() if not platform.draft}

    @cached_property
    def known_values(self) -> Mapping[str, Node]:
        """The values of all platforms, by key: one platform's value for each key."""
        return {key: node for platform in self.model.platforms.values() for key, node in platform.values.items()}

    @cached_property
    def optional(self) -> Mapping[str, str]:
        """For each value, what to write on a platform that lacks it."""
        return {key: f"`values: {{{key}: …}}` there, or test `is defined` first" for key in self.known_values}

    def find_label_span(self, role: str) -> Span | None:
        """Return the span of a label on any platform that has it."""
        labels = (platform.labels[role] for platform in self.model.platforms.values() if role in platform.labels)
        return next((label.runs[0].span for label in labels if label.runs), None)

    @cached_property
    def abilities(self) -> frozenset[str]:
        return frozenset(ability for platform in self.model.platforms.values() for ability in platform.can)
