"""The kinds of names that a project gives, and the places where they stand."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import NamedTuple

from tutorial_tool.core.source import Span
from tutorial_tool.data import Scalar


class Kind(enum.StrEnum):
    """What a name names. The comment shows the shape of its id."""

    PLATFORM = "platform"  # ios
    GROUP = "group"  # mobile
    TUTORIAL = "tutorial"  # quickstart
    STEP = "step"  # quickstart/create-input
    SECTION = "section"  # quickstart/create-input#keys
    FIELD = "field"  # name, id: what every platform has
    LABEL = "label"  # input
    VALUE = "value"  # sdk; addresses.docs
    FEATURE = "feature"  # key-secret
    CODE = "code"  # init of the data; create-input/sdk of a step's files
    TABLE = "table"  # settings
    COLUMN = "column"  # settings.description
    ROW = "row"  # settings.send-as-batch
    WORD = "word"  # settings.recommended.Enabled
    PART = "part"  # create-input/install
    FIGURE = "figure"  # issue-keys
    TEMPLATE = "template"  # macros/dashboard.md.j2
    MACRO = "macro"  # macros/dashboard.md.j2:go_to


class Name(NamedTuple):
    """A name of the project, by its kind and its full id."""

    kind: Kind
    id: str

    @property
    def word(self) -> str:
        """The part of the id that stands where the name is used: what a rename changes."""
        if self.kind is Kind.TEMPLATE:
            return self.id
        if self.kind is Kind.WORD:
            return self.id.split(".", 2)[2]
        cut = {Kind.MACRO: ":", Kind.SECTION: "#", Kind.STEP: "/", Kind.PART: "/", Kind.CODE: "/"}
        return self.id.rpartition(cut.get(self.kind, "."))[2]

    @property
    def table(self) -> str:
        """The id of the table that shows a row or a column without being told to; "" for other names."""
        return self.id.partition(".")[0] if self.kind in (Kind.ROW, Kind.COLUMN) else ""

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


@dataclass(frozen=True)
class Place:
    """A place where a name is defined or used.

    `exact` says that `span` covers the characters of `name.word` and nothing else; else it is what holds them, or a
    whole file (an empty span at its start). `how` tells what stands around it, in a few words. A definition has
    `value`, what is said there, and, where it speaks for one platform or group only, that one's id as `of`.
    `is_indirect`: another word stands there for the name, as a call gives it.
    """

    name: Name
    span: Span
    context: str = ""
    value: Span | None = None
    level: str | None = None
    exact: bool = True
    is_indirect: bool = False


def get_inner_span(scalar: Scalar, start: int = 0, end: int | None = None) -> tuple[Span, bool]:
    """The characters of a YAML text without its quotes, or a part of them, and whether they stand there as they are."""
    stop = len(scalar.text) if end is None else end
    runs = scalar.text.get_runs_between(start, stop) if stop > start else ()
    if len(runs) == 1 and runs[0].aligned and runs[0].span is not None:
        return runs[0].span, True
    return scalar.span, False
