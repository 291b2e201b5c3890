"""What readers see change between two revisions: per step, with changes that platforms share told once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from tutorial_tool.core.source import Span
from tutorial_tool.site import Page

Cell = tuple[str, str, str]  # A cell of a table's row: the title of its column, what it said, what it says


@dataclass(frozen=True)
class PageChange:
    """One thing that readers see change on one page.

    `kind` is page, address, number, title, description, meta, anchor, section, heading, sentence, alt, image, picture,
    figure, code, table, columns, row, badge, markup, references, name, reason or order; `how` is added, removed,
    changed or moved. `references` are all of a page that follow the new numbers of what they lead to: `about` of them.
    `old` and `new` are Markdown as it stands in the pages. `section` is the heading above, `about` what is meant where
    the texts do not tell: the key of a row, the path of a picture. `source` is the place that causes it, `before` the
    place at the old revision of what is gone. `tag` is what the template says there to print what stands elsewhere.
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
    """A page as it was and as it is; None where it was not, or is no more. Addresses are the paths of URLs."""

    old: Page | None
    new: Page | None
    old_address: str = ""
    new_address: str = ""
    is_redirected: bool = False  # Whether the old address leads to a page still

    @property
    def path(self) -> str:
        page = self.new or self.old
        assert page is not None
        return page.path


@dataclass(frozen=True)
class GroupedChange:
    """A change with the platforms that have it alike; `change` is that of the first one.

    `named` says that the texts of the others differ from it in the names of their platforms. `instead` tells of the
    platforms of the step that do not have it, why: by id, in a few words.
    """

    change: PageChange
    platforms: tuple[str, ...]
    sources: Mapping[str, Span | None]
    names_differ: bool = False
    instead: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class StepDifference:
    """A step, or a page that stands alone, and what changed on its pages. `names` are those of its platforms, by id."""

    name: str
    pairs: Mapping[str, PagePair]
    names: Mapping[str, str]
    changes: tuple[GroupedChange, ...]

    @property
    def is_standalone(self) -> bool:
        """Whether the page is no variant of others."""
        return "" in self.pairs


@dataclass(frozen=True, eq=False)
class Difference:
    """All that changed. `problems` say what could not be rendered on which side, `notes` what else is different."""

    old: str
    new: str
    steps: Sequence[StepDifference]
    pages: int  # How many pages were compared
    problems: Sequence[str] = ()
    notes: Sequence[str] = ()
    known: Mapping[str, Collection[str]] = field(default_factory=dict)
    """The ids of all steps and platforms on either side, by `step` and `platform`."""
    is_whole: bool = True  # Whether all pages of the new side could be rendered: what an old one lacked is past

    @property
    def changed_steps(self) -> list[StepDifference]:
        return [step for step in self.steps if step.changes]

    def count_changed_pages(self) -> int:
        """How many pages changed, were added or removed."""
        return sum(
            pair.old is not None or pair.new is not None
            for step in self.changed_steps
            for id_, pair in step.pairs.items()
            if any(id_ in folded.platforms for folded in step.changes)
        )
