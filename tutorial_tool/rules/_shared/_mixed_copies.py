"""Tables of several copies, and the values that they use for one state: for the rule `mixed-values`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.data.toggle_words import State, get_state
from tutorial_tool.rules._shared._copies import format_variant_names
from tutorial_tool.rules._shared._tables import Value
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variants.persistence import register_persistent
from tutorial_tool.variation.model.intentions import is_intended
from tutorial_tool.variation.tables import TableCopy, find_copy_groups, get_all_keys, get_shared_columns

MixedColumns = frozenset[tuple[Page, int, int]]
"""Columns that mix words on their own page: the page, the offset of the table, the column's index."""


@register_persistent
def find_mixed_values(step: Step, mixed: MixedColumns) -> tuple[Finding, ...]:
    return tuple(_iter_mixed_values(step, mixed))


def _iter_mixed_values(step: Step, mixed: MixedColumns) -> Iterator[Finding]:
    """Find the tables in which one copy words the state of a setting differently from the others."""
    for copies in find_copy_groups(step):
        titles = [title for title in get_shared_columns(copies)[1:] if not _is_mixed_alone(copies, title, mixed)]
        rows = [_get_states(copies, key, title, step.model.states) for title in titles for key in get_all_keys(copies)]
        if differing := [row for row in rows if _is_mixed(row.values()) and not _is_intended(step, row)]:
            yield _report_mixed_values(step, differing)


def _is_intended(step: Step, row: Mapping[str, Value]) -> bool:
    """Return whether a platform's template has another word, or the data does, with a reason."""
    return any(is_intended(step, step.pages[name], value.place) for name, value in row.items())


def _is_mixed_alone(copies: Mapping[str, TableCopy], title: str, mixed: MixedColumns) -> bool:
    return any((copy.page, copy.table.start, copy.columns.index(title)) in mixed for copy in copies.values())


def _is_mixed(values: Iterable[Value]) -> bool:
    """Return whether values express the same state with different kinds of words."""
    states = [value.state for value in values]
    return len({state.kind for state in states}) > 1 and len({state.on for state in states}) == 1


def _get_states(copies: Mapping[str, TableCopy], key: str, title: str, words: Mapping[str, State]) -> dict[str, Value]:
    out = {}
    for name, copy in copies.items():
        cell = copy.get_cell(key, title) if key in copy.keys and key not in copy.renamed else None
        if cell is not None and (state := get_state(cell.text, words)) is not None:
            out[name] = Value(copy.keys[key], cell, state)
    texts = [value.state.on for value in out.values()]
    majority = max(texts, key=texts.count, default=None)  # a different state is a conflict, not a second word
    return {name: value for name, value in out.items() if value.state.on is majority}


def _report_mixed_values(step: Step, rows: list[dict[str, Value]]) -> Finding:
    first = rows[0]
    kinds = Counter(value.state.kind for value in first.values())
    majority = kinds.most_common(1)[0][0]
    outliers = [name for name, value in first.items() if value.state.kind != majority]
    names = [name for name, value in first.items() if value.state.kind == majority]
    name, other = outliers[0], names[0]
    text, usual_text = first[name].text, first[other].text
    where = format_variant_names(step, names)
    message = f"inconsistent values for one state: `{text}` here, `{usual_text}` on {where}"
    related = [(step.pages[other], first[other].place, f"`{usual_text}` on {step.variants[other].name}")]
    related += [
        (step.pages[id_], row[id_].place, f"`{row[id_].text}` too")
        for row in rows
        for id_ in row
        if row[id_].state.kind != majority and row[id_] is not first[name]
    ]
    return step.pages[name].flag(first[name].place, message, related=related)
