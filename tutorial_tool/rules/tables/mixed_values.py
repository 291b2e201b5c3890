"""A value column with two words for one state: `Check` here, `Enabled` there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeVar

from tutorial_tool import variants
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.grouping import group_by
from tutorial_tool.data.model import Model
from tutorial_tool.data.toggle_words import State, load_states, normalize_text
from tutorial_tool.markdown.document import Table
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared import _tables_of_copies
from tutorial_tool.rules._shared._tables import Value, find_values
from tutorial_tool.site import Page, Site, page_facts
from tutorial_tool.site.fact_index import collect_facts
from tutorial_tool.variants import Step, tab_steps

_INSTRUCTIONS = frozenset(
    "allow activate check deactivate deny deselect disable enable select tick uncheck unselect untick".split()
) | {"turn on", "turn off"}
"""State words in the imperative."""


@rule("tables", Severity.WARNING, yields_to=("malformed-table",), needs="tables")
def check(site: Site, config: Config) -> Iterator[Finding]:
    alone: set[tuple[Page, int, int]] = set()
    steps = variants.find_steps(site, config.variants)
    declares_words = site.model.tables or site.model.states is not load_states()
    columns_by_page = (
        collect_facts(site, _find_in_project_page, site.model)
        if declares_words
        else collect_facts(site, _find_in_plain_page)
    )
    for page, columns in columns_by_page.items():
        for column in columns:
            if isinstance(column, Finding):
                yield column
            elif finding := _report_mixed(page, column):
                alone.add((page, column.table, column.number))
                yield finding
    for step in (*steps, *tab_steps.find_tab_steps(site)):
        yield from _compare_copies(step, alone)


def _compare_copies(step: Step, alone: Iterable[tuple[Page, int, int]]) -> Iterator[Finding]:
    from tutorial_tool.rules._shared import _mixed_copies  # comparing copies is slow to load

    if not _tables_of_copies.have_same_values(step):
        step_columns = frozenset(column for column in alone if column[0] in step.pages.values())
        yield from variants.get_cached(step, _mixed_copies.find_mixed_values, step_columns)


class StatedValue(NamedTuple):
    """A state as worded in a cell, and its span."""

    state: State
    text: str
    place: tuple[int, int]


class _Column(NamedTuple):
    """A column that words one state in two ways; `table` is the offset of the table."""

    table: int
    number: int
    cells: tuple[StatedValue, ...]


def _find_in_project_page(page: Page, model: Model) -> tuple[_Column | Finding, ...]:
    """Find a page's mixed columns, and the findings in columns whose words the project declares."""
    return tuple(_find_columns(page, model))


@page_facts.register
def _find_in_plain_page(page: Page) -> tuple[_Column | Finding, ...]:
    return tuple(_find_columns(page, None))


def _find_columns(page: Page, model: Model | None) -> Iterator[_Column | Finding]:
    words = model.states if model else load_states()
    for table in page.document.tables:
        declared = _find_declared_columns(model, table) if model else {}
        for index in range(1, len(table.header)):
            values = find_values(table, index, words)
            if index in declared:
                yield from _report_undeclared(page, values, declared[index], words)
            elif any(split_outliers(values)):
                yield _Column(
                    table.start, index, tuple(StatedValue(value.state, value.text, value.place) for value in values)
                )


_Stated = TypeVar("_Stated", bound=Value | StatedValue)


def split_outliers(values: Iterable[_Stated]) -> tuple[list[_Stated], list[_Stated]]:
    """Return the values that word a state differently from most, and those that word it as most do.

    Both are empty if no value does.
    """
    states = group_by(values, lambda value: (value.state.group, value.state.on))
    for synonyms in states.values():
        majority = Counter(value.state.kind for value in synonyms).most_common(1)[0][0]
        if outliers := [value for value in synonyms if value.state.kind != majority]:
            return outliers, [value for value in synonyms if value.state.kind == majority]
    return _split_instructions(list(chain.from_iterable(states.values())))


def _split_instructions(values: Sequence[_Stated]) -> tuple[list[_Stated], list[_Stated]]:
    """Split off the few values that are instructions, where most are states: `Check` among `Active`."""
    for on in (True, False):
        equal = [value for value in values if value.state.on is on]
        instructions = [value for value in equal if normalize_text(value.text) in _INSTRUCTIONS]
        rest = [value for value in equal if value not in instructions]
        if 0 < len(instructions) < len(rest):
            return instructions, rest
    return [], []


def _report_mixed(page: Page, column: _Column) -> Finding | None:
    outliers, majority = split_outliers(column.cells)
    if not outliers:
        return None
    first, other = outliers[0], majority[0].text
    related = [(page, value.place, f"`{value.text}` too") for value in outliers[1:]]
    count = "here" if len(majority) == 1 else f"in {len(majority)} rows"
    related.append((page, majority[0].place, f"`{other}` {count}"))
    message = f"inconsistent values for one state: `{first.text}` here, `{other}` elsewhere in the column"
    return page.flag(first.place, message, related=related)


# Tables declared by the project


def _find_declared_columns(model: Model, table: Table) -> Mapping[int, tuple[str, ...]]:
    """Return the words that the project's data declares for a table, by column number.

    The titles of all columns have to match.
    """
    titles = [normalize_text(cell.text) for cell in table.header]
    for declared in model.tables.values():
        if declared.values and [normalize_text(title) for title in declared.columns.values()] == titles:
            return {list(declared.columns).index(key): words for key, words in declared.values.items()}
    return {}


def _report_undeclared(
    page: Page, values: list[Value], words: tuple[str, ...], state_of: Mapping[str, State]
) -> Iterator[Finding]:
    """Report values that word a declared state differently. `state_of` maps words to states."""
    states = [(state_of.get(normalize_text(word)), word) for word in reversed(words)]
    words_by_state = {state.on: word for state, word in states if state}
    for value in values:
        if normalize_text(value.cell.text) not in map(normalize_text, words) and value.state.on in words_by_state:
            message = f"`{value.text}` where the project's data says `{words_by_state[value.state.on]}`"
            yield page.flag(value.place, message, severity=Severity.ERROR)
