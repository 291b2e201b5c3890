"""A value column with two words for one state: `Check` here, `Enabled` there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from tutorial_tool.document import Table
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._tables import State, Value, folded, states, value_columns, values
from tutorial_tool.site import Page, Site

_SELECTABLE = frozenset(("active", "inactive", "on", "off"))
"""What a menu may offer beside check boxes, so that one of it is no second word."""


@rule("tables", Severity.WARNING)
def check(site: Site) -> Iterator[Finding]:
    for page in site.pages:
        for table in page.document.tables:
            declared = _declared(site, table)
            for told in value_columns(table):
                if finding := _mixed(page, table, told):
                    yield finding
            for index, words in declared.items():
                yield from _undeclared(page, values(table, index), words)


def odd_values(told: list[Value]) -> tuple[list[Value], Value | None]:
    """The values that say a state with another word than most do, and one of those that most use for it.

    The words of one kind (`Check`, `Checked`) may stand together, and so may two kinds for different states.
    """
    kinds: dict[bool, Counter[int]] = {}
    for value in told:
        kinds.setdefault(value.state.on, Counter())[value.state.kind] += 1
    for on, counts in kinds.items():
        if len(counts) < 2:
            continue
        usual = counts.most_common(1)[0][0]
        odd = [v for v in told if v.state.on is on and v.state.kind != usual and not _is_selection(v, counts[usual])]
        if odd:
            return odd, next(v for v in told if v.state == State(usual, on))
    return [], None


def _is_selection(value: Value, usual: int) -> bool:
    return folded(value.cell.text) in _SELECTABLE and usual > 1


def _mixed(page: Page, table: Table, told: list[Value]) -> Finding | None:
    odd, usual = odd_values(told)
    if not odd or usual is None:
        return None
    first, *others = odd
    word = folded(usual.cell.text)
    count = sum(value.state == usual.state for value in told)
    related = [(page, _place(value), f"`{_text(value)}` too") for value in others]
    related.append((page, _place(usual), f"`{_text(usual)}` here" + (f", and in {count - 1} more rows" if count > 1 else "")))
    del word
    return page.flag(
        _place(first),
        f"`{_text(first)}` and `{_text(usual)}` tell the same state in one column",
        related=related,
    )


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
