"""Changes visible to readers between two revisions: by step, with changes shared by platforms grouped."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from tutorial_tool.core.source import Span
from tutorial_tool.site import Page

Cell = tuple[str, str, str]  # A table cell: its column's title, its old text, its new text


@dataclass(frozen=True)
class PageChange:
    """A change on one page that readers see.

    `kind` is page, address, number, title, description, meta, anchor, section, heading, sentence, alt, image, picture,
    figure, code, table, columns, row, markup, references, name, reason or order; `how` is added, removed,
    changed or moved. A change of kind `references` covers all links of a page whose text follows a new number: `about`
    is how many.

    `old` and `new` are Markdown from the pages. `section` is the heading above, `about` the subject where the texts do
    not identify it: the key of a row, the path of an image. `source` is the span that causes the change, `before` the
    span of removed text at the old revision. `tag` is the template tag that prints text from elsewhere.
    """

    kind: str
    how: str
    old: str = ""
    new: str = ""
    section: str = ""
    about: str = ""
    cells: tuple[Cell, ...] = ()
    source: Span | None = field(default=None, compare=False)
    before: Span | None = field(default=None, compare=False)
    tag: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, eq=False)
class PagePair:
    """The old and the new version of a page; None if it was added or removed.

    `old_address` and `new_address` are the paths of their URLs, empty if there is none.
    """

    old: Page | None
    new: Page | None
    old_address: str = ""
    new_address: str = ""
    is_redirected: bool = False  # Whether the old URL still points to a page

    @property
    def path(self) -> str:
        page = self.new or self.old
        assert page is not None
        return page.path


@dataclass(frozen=True)
class GroupedChange:
    """A change shared by several platforms; `change` is that of the first one.

    `names_differ` says that the texts of the others differ from it only in the platform's name. `instead` describes by
    ID, in a few words, what the other platforms of the step have.
    """

    change: PageChange
    platforms: tuple[str, ...]
    sources: Mapping[str, Span | None]
    names_differ: bool = False
    instead: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class StepDifference:
    """The changes on the pages of a step, or on a standalone page.

    `names` are those of its platforms, by ID.
    """

    name: str
    pairs: Mapping[str, PagePair]
    names: Mapping[str, str]
    changes: tuple[GroupedChange, ...]

    @property
    def is_standalone(self) -> bool:
        """Whether the page is not a variant of others."""
        return "" in self.pairs


@dataclass(frozen=True, eq=False)
class Difference:
    """All changes.

    `problems` say what could not be rendered on which side, `notes` what else is different.
    """

    old: str
    new: str
    steps: Sequence[StepDifference]
    pages: int  # Number of compared pages
    problems: Sequence[str] = ()
    notes: Sequence[str] = ()
    known: Mapping[str, Collection[str]] = field(default_factory=dict)
    """The IDs of all steps and platforms on either side, by `step` and `platform`."""
    is_whole: bool = True  # Whether all pages of the new side could be rendered; failures of the old side do not count

    @property
    def changed_steps(self) -> list[StepDifference]:
        return [step for step in self.steps if step.changes]

    def count_changed_pages(self) -> int:
        """Return how many pages were changed, added, or removed."""
        return sum(
            pair.old is not None or pair.new is not None
            for step in self.changed_steps
            for id_, pair in step.pairs.items()
            if any(id_ in folded.platforms for folded in step.changes)
        )
