"""Rows of a table in another order than on the copies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._copies import format_variant_names
from tutorial_tool.variants import Step
from tutorial_tool.variation.model.intentions import is_intended
from tutorial_tool.variation.tables import TableCopy, find_copy_groups


@rule("tables", Severity.HINT)
def check(step: Step) -> Iterator[Finding]:
    for copies in find_copy_groups(step):
        unlike = {name: [other for other in copies if _differ_in_order(copies[name], copies[other])] for name in copies}
        usual = min(copies, key=lambda name: len(unlike[name]))
        for name in unlike[usual]:
            if finding := _build_finding(
                step, copies, name, [other for other in unlike[name] if other not in unlike[usual]]
            ):
                yield finding


def _get_shared_rows(item: TableCopy, other: TableCopy) -> tuple[list[str], list[str]]:
    both = item.keys.keys() & other.keys.keys()
    left, right = (sorted(both, key=copy.keys.__getitem__) for copy in (item, other))
    return left, right


def _differ_in_order(copy: TableCopy, other: TableCopy) -> bool:
    left, right = _get_shared_rows(copy, other)
    return left != right


def _build_finding(step: Step, copies: Mapping[str, TableCopy], name: str, others: Sequence[str]) -> Finding | None:
    copy, there = copies[name], copies[others[0]]
    left, usual = _get_shared_rows(copy, there)
    key = _find_displaced_row(left, usual)
    if is_intended(step, copy.page, copy.get_row_span(key)) or copy.page.generated:
        return None
    cell = copy.get_key_cell(key)
    after = usual[usual.index(key) - 1] if usual.index(key) else None
    where = f"after `{there.format_key(after)}`" if after else "first"
    message = f"row `{copy.format_key(key)}` is out of order: it is {where} on {format_variant_names(step, others)}"
    related = [(there.page, there.get_row_span(key), f"its place on {there.variant.name}")]
    return copy.page.flag((cell.start, cell.end), message, related=related)


def _find_displaced_row(order: Sequence[str], usual: Sequence[str]) -> str:
    """Return the row whose removal makes the orders equal; if there is none, the first that differs."""
    for key in order:
        if [k for k in order if k != key] == [k for k in usual if k != key]:
            return key
    return next(key for key, other in zip(order, usual, strict=True) if key != other)
