"""A template that compares platform ids."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.site import Project

_TAG = re.compile(r"\{[{%](?:[^%}]|%(?!\})|\}(?!\}))*[%}]\}")
_TEST = re.compile(
    r"platform\.(?:id|name)\s*(?:==|!=|\bnot\s+in\b|\bin\b)|(?:==|!=)\s*platform\.(?:id|name)\b|\bplatform\.(?:id|name)\s+is\b"
)


@rule("project", Severity.HINT)
def check(project: Project) -> Iterator[Finding]:
    for path, source in project.templates.items():
        if not path.endswith((".j2", ".md")):
            continue
        for tag in _TAG.finditer(source.text):
            if test := _TEST.search(tag[0]):
                place = source.span(tag.start() + test.start(), tag.start() + test.end())
                yield project.flag(
                    place,
                    "this compares platforms; test an ability (`platform.can('…')`), or use a label, value or part",
                )
