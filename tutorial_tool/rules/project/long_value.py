"""Prose in the data that wants a part file."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool import data
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.source import READABLE
from tutorial_tool.rules import rule
from tutorial_tool.site import Project


@rule("project", Severity.WARNING)
def check(project: Project) -> Iterator[Finding]:
    for path in project.data_files:
        for scalar in data.iter_scalars(data.load_yaml(project.site.sources[path]).node):
            text = scalar.text.strip()
            if len(text) > READABLE or "\n\n" in text:
                what = f"is {len(text)} characters long" if len(text) > READABLE else "has several paragraphs"
                place = scalar.span.cut(0, min(len(scalar.span.text.split("\n")[0]), 40))
                yield project.flag(place, f"this value {what}; move it to a file for `part()`")
