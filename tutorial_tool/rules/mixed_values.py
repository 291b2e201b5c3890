"""A value column with two words for one state: `Check` here, `Enabled` there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from tutorial_tool.document import Table
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._tables import Value, folded, states, values
from tutorial_tool.site import Page, Site


@rule("tables", Severity.WARNING)
def check(site: Site) -> Iterator[Finding]:
    for page in site.pages:
        for table in page.document.tables:
            declared = _declared(site, table)
            for index in range(1, len(table.header)):
                told = values(table, index)
                if index in declared:
                    yield from _undeclared(page, told, declared[index])
                elif finding := _mixed(page, told):
                    yield finding


def odd_values(told: Iterable[Value]) -> tuple[list[Value], list[Value]]:
    """The values that say a state with another kind of word than most do, and those that say it as most do."""
    states: dict[tuple[int, bool], list[Value]] = {}
    for value in told:
        states.setdefault((value.state.group, value.state.on), []).append(value)
    for same in states.values():
        usual = Counter(value.state.kind for value in same).most_common(1)[0][0]
        if odd := [value for value in same if value.state.kind != usual]:
            return odd, [value for value in same if value.state.kind == usual]
    return [], []


def _mixed(page: Page, told: list[Value]) -> Finding | None:
    odd, usual = odd_values(told)
    if not odd:
        return None
    first, other = odd[0], _text(usual[0])
    related = [(page, _place(value), f"`{_text(value)}` too") for value in odd[1:]]
    related.append(
        (page, _place(usual[0]), f"`{other}` here" if len(usual) == 1 else f"`{other}` in {len(usual)} rows")
    )
    message = f"`{_text(first)}` and `{other}` tell the same state in one column"
    return page.flag(_place(first), message, related=related)


def _text(value: Value) -> str:
    return value.cell.text.strip()


def _place(value: Value) -> tuple[int, int]:
    text = value.cell.text
    start = len(text) - len(text.lstrip())
    return text.at(start, len(text.rstrip()))


# Tables that the project declares


def _declared(site: Site, table: Table) -> Mapping[int, tuple[str, ...]]:
    """The columns of a table whose words the project's data declares, by number: found by the titles of its columns."""
    titles = [folded(cell.text) for cell in table.header]
    for declared in site.model.tables.values():
        if declared.values and [folded(title) for title in declared.columns.values()] == titles:
            return {list(declared.columns).index(key): words for key, words in declared.values.items()}
    return {}


def _undeclared(page: Page, told: list[Value], words: tuple[str, ...]) -> Iterator[Finding]:
    """The values of a copy that say a declared state with another word."""
    known = {states()[folded(word)].on: word for word in reversed(words) if folded(word) in states()}
    for value in told:
        if folded(value.cell.text) not in map(folded, words) and value.state.on in known:
            message = f"`{_text(value)}` where the project's data says `{known[value.state.on]}`"
            yield page.flag(_place(value), message, severity=Severity.ERROR)
