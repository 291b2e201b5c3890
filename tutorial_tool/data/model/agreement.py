"""Conflicting groups: different values for a platform in both, where nothing more specific decides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from tutorial_tool.core.diagnostics import Finding, Related, build_error
from tutorial_tool.core.source import Span
from tutorial_tool.data import Scalar
from tutorial_tool.data.model.parts import Platform, Row, Table, Tutorial


class OverrideValue(NamedTuple):
    """A value set for a platform or group, and its span."""

    value: object
    span: Span


def find_tutorial_disagreements(tutorial: Tutorial, platforms: Iterable[Platform]) -> Iterator[Finding]:
    """Yield conflicts between groups about the order, paths, titles and files of steps."""
    on = tutorial.on.items()
    orders = {id_: OverrideValue(o.steps.ids, o.steps.span) for id_, o in on if o.steps is not None}
    yield from _find_disagreements(platforms, orders, "`steps`")
    yield from _find_disagreements(platforms, {id_: _build_value(o.path) for id_, o in on if o.path}, "`path`")
    yield from _find_disagreements(platforms, {id_: _build_value(o.images) for id_, o in on if o.images}, "`images`")
    for step in tutorial.steps.values():
        titles = {id_: _build_value(o.titles[step.id]) for id_, o in on if step.id in o.titles}
        yield from _find_disagreements(platforms, titles, f"the title of `{step.id}`")
        styles = {id_: OverrideValue(*file) for id_, file in step.files.items()}
        yield from _find_disagreements(platforms, styles, f"`files` of `{step.id}`")


def find_table_disagreements(table: Table, platforms: Iterable[Platform]) -> Iterator[Finding]:
    """Yield conflicts between groups about the cells of rows, and about whether a row exists."""
    for row in table.rows.values():
        have = [platform for platform in platforms if row.may_be_on(platform)]
        for column in table.columns:
            cells = {id_: _build_value(o.cells[column]) for id_, o in row.on.items() if column in o.cells}
            yield from _find_disagreements(have, cells, f"`{column}`")
        yield from _find_disagreements(have, _get_row_presence(row), f"whether there is a row `{row.id}`")


def _build_value(scalar: Scalar) -> OverrideValue:
    return OverrideValue(scalar.text, scalar.span)


def _get_row_presence(row: Row) -> dict[str, OverrideValue]:
    """Return whether the row exists, for each override that omits it or has cells for it."""
    reported = ((id_, o) for id_, o in row.on.items() if o.omit is not None or o.cells)
    return {id_: OverrideValue(o.omit is None, o.key) for id_, o in reported}


def _find_disagreements(
    platforms: Iterable[Platform], values: Mapping[str, OverrideValue], what: str
) -> Iterator[Finding]:
    reported = set()
    for platform in platforms:
        if not values.keys().isdisjoint(platform.lineage):
            continue
        first, *others = [id_ for id_ in platform.groups if id_ in values] or [""]
        for other in others:
            if values[other].value != values[first].value and (first, other) not in reported:
                reported.add((first, other))
                id_ = platform.id
                message = f"groups `{first}` and `{other}` disagree about {what} on `{id_}`; state it for `{id_}`"
                related = Related(values[first].span, f"what `{first}` says")
                yield build_error("invalid-data", message, values[other].span, related=(related,))
