"""Define the kinds of names in a project, and their places."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import NamedTuple

from tutorial_tool.core.source import Span
from tutorial_tool.data import Scalar


class SymbolKind(enum.StrEnum):
    """The kinds of names. The comment shows the format of the id."""

    PLATFORM = "platform"  # ios
    GROUP = "group"  # mobile
    TUTORIAL = "tutorial"  # quickstart
    STEP = "step"  # quickstart/create-input
    SECTION = "section"  # quickstart/create-input#keys
    FIELD = "field"  # name, id: fields of every platform
    LABEL = "label"  # input
    VALUE = "value"  # sdk; addresses.docs
    FEATURE = "feature"  # key-secret
    CODE = "code"  # init in the data; create-input/sdk in a step's files
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

    kind: SymbolKind
    id: str

    @property
    def word(self) -> str:
        """The part of the id that is written where the name is used, which a rename changes."""
        if self.kind is SymbolKind.TEMPLATE:
            return self.id
        if self.kind is SymbolKind.WORD:
            return self.id.split(".", 2)[2]
        cut = dict.fromkeys((SymbolKind.STEP, SymbolKind.PART, SymbolKind.CODE), "/")
        cut |= {SymbolKind.MACRO: ":", SymbolKind.SECTION: "#"}
        return self.id.rpartition(cut.get(self.kind, "."))[2]

    @property
    def table(self) -> str:
        """The id of the table that shows a row or a column by default; "" for other names."""
        return self.id.partition(".")[0] if self.kind in (SymbolKind.ROW, SymbolKind.COLUMN) else ""

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


@dataclass(frozen=True)
class Occurrence:
    """A place where a name is defined or used.

    `exact`: `span` covers the characters of `name.word` and nothing else; otherwise, it is their container or a whole
    file (an empty span at its start). `context` describes the context in a few words. A definition has `value`, its
    content, and, if it applies to one platform or group only, that one's id as `level`. `is_indirect`: the place has
    another word instead of the name, as a call sets it.
    """

    name: Name
    span: Span
    context: str = ""
    value: Span | None = None
    level: str | None = None
    exact: bool = True
    is_indirect: bool = False


def get_inner_span(scalar: Scalar, start: int = 0, end: int | None = None) -> tuple[Span, bool]:
    """Return the span of a YAML text, or a part of it, without quotes, and whether it is verbatim."""
    stop = len(scalar.text) if end is None else end
    runs = scalar.text.get_runs_between(start, stop) if stop > start else ()
    if len(runs) == 1 and runs[0].aligned and runs[0].span is not None:
        return runs[0].span, True
    return scalar.span, False
