"""Rows of a table that stand in another order than on the other copies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tutorial_tool.align.tables import Copy, groups
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._copies import intended, named
from tutorial_tool.variants import Step


@rule("tables", Severity.HINT)
def check(step: Step) -> Iterator[Finding]:
    for copies in groups(step):
        shared = [key for key in next(iter(copies.values())).keys if all(key in copy.keys for copy in copies.values())]
        orders = {name: tuple(sorted(shared, key=copy.keys.__getitem__)) for name, copy in copies.items()}
        counts = Counter(orders.values())
        if len(shared) < 3 or len(counts) < 2:
            continue
        usual, _ = counts.most_common(1)[0]
        for name, order in orders.items():
            if order != usual and (finding := _finding(step, copies, orders, name, usual)):
                yield finding


def _finding(
    step: Step, copies: Mapping[str, Copy], orders: Mapping[str, Sequence[str]], name: str, usual: tuple[str, ...]
) -> Finding | None:
    copy = copies[name]
    key = _displaced(orders[name], usual)
    if intended(step, copy.page, copy.row_place(key)) or copy.page.generated:
        return None
    others = [other for other, order in orders.items() if tuple(order) == usual]
    cell = copy.table.rows[copy.keys[key]][0]
    after = usual[usual.index(key) - 1] if usual.index(key) else None
    there = copies[others[0]]
    where = f"after `{there.shown(after)}`" if after else "first"
    message = f"the row `{copy.shown(key)}` stands {where} on {named(step, others)}"
    related = [(there.page, there.row_place(key), f"its place on {there.variant.name}")]
    return copy.page.flag((cell.start, cell.end), message, related=related)


def _displaced(order: Sequence[str], usual: Sequence[str]) -> str:
    """The row whose removal, if any does, makes the orders equal; else the first that differs."""
    for key in order:
        if [k for k in order if k != key] == [k for k in usual if k != key]:
            return key
    return next(key for key, other in zip(order, usual, strict=True) if key != other)
