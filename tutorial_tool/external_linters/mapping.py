"""Remarks of another tool as findings: at the source of what they were made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.external_linters.tool import Remark, Tool
from tutorial_tool.site import Page


def findings(tool: Tool, page: Page, remarks: Iterable[Remark]) -> Iterator[Finding]:
    """The findings of a page. Several remarks of one rule on one place are one finding.

    What stands in text that nobody typed (the pipes of a table, the fence around a code file) is told at the tag that
    made it: there, an author can change what is around it, or ignore the rule.
    """
    said: dict[tuple[str, int, int], list[Remark]] = {}
    for remark in remarks:
        said.setdefault((remark.code, remark.start, remark.end), []).append(remark)
    for (code, _, _), group in said.items():
        first = group[0]
        message = "; ".join(dict.fromkeys(" ".join(remark.message.split()) for remark in group))
        found = page.flag(_place(page, first), message, severity=first.severity)
        yield replace(found, rule=f"{tool.name}/{code}")


def _place(page: Page, remark: Remark) -> tuple[int, int]:
    """The part of the page to tell: of a line, what its author typed into the page's own file, else what began it."""
    if not remark.of_line or remark.start >= remark.end:
        return remark.start, remark.end
    at = remark.start
    for run in page.text.runs_between(remark.start, remark.end):
        if run.aligned and not run.via and run.span is not None and run.span.source is page.source:
            return at, at + run.length
        at += run.length
    return remark.start, remark.start + 1
