"""A section that the other copies have, and this one lacks."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._missing import report_missing
from tutorial_tool.variants import Step


@rule("drift", Severity.HINT)
def check(step: Step) -> Iterator[Finding]:
    yield from report_missing(step, "section")
