"""A data file as it was meant, where its indentation is wrong: what is found in it stands in the file as it is."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tutorial_tool import data
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Source, Span
from tutorial_tool.data import Node
from tutorial_tool.data.model.shapes import ROOT
from tutorial_tool.data.schema_types import validate


@dataclass(frozen=True, eq=False)
class Reindented(Source):
    """A data file as it would be with other indentation. `shifts` are characters that lines begin later, by number."""

    original: Source = field(default_factory=lambda: Source("", ""), repr=False)
    shifts: dict[int, int] = field(default_factory=dict, repr=False)

    def place(self, span: Span) -> Span:
        """The place in the file as it is."""
        start, end = (self._offset(offset) for offset in (span.start, span.end))
        return Span(self.original, start, max(start, end))

    def _offset(self, offset: int) -> int:
        line, column = self.position(offset)
        return self.original.offset(line, max(column - self.shifts.get(line, 0), 1))


def restored(finding: Finding) -> Finding:
    """A finding at its place in the file as it is."""
    related = tuple(item._replace(span=_restored(item.span)) for item in finding.related)
    return replace(finding, span=_restored(finding.span), related=related)


def _restored(span: Span) -> Span:
    return span.source.place(span) if isinstance(span.source, Reindented) else span


def misshapen(node: Node) -> tuple[Finding, ...]:
    """What is wrong with the shape of a data file."""
    if isinstance(node, data.Scalar) and not node.text:
        return ()
    known: dict[object, tuple[Finding, ...]] = node.span.source.known
    if misshapen not in known:
        known[misshapen] = tuple(validate(node, ROOT, "the file"))
    return known[misshapen]


def is_of_indentation(finding: Finding) -> bool:
    """Whether a finding tells of indentation: what follows from that was not read so."""
    return finding.cause is not None and finding.cause.kind == "indented"
