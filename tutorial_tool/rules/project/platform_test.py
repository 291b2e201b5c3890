"""A template that compares platform ids."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity, format_suggestion
from tutorial_tool.core.source import Source
from tutorial_tool.rules import rule
from tutorial_tool.site import Project

_TAG = lazy_re.compile(r"\{[{%](?:[^%}]|%(?!\})|\}(?!\}))*[%}]\}")
_TEST = lazy_re.compile(
    r"\bplatform(?:\.id|\.name)?\s*(?:==|!=)|(?:==|!=)\s*platform(?:\.id|\.name)?\b(?![.\[])"
    r"|\bplatform\.(?:id|name)\s+(?:not\s+in|in|is)\b"
    r"|\bin\s+platform\.(?:id|name)\b|\bplatform\.(?:id|name)\.(?:startswith|endswith|find|count)\("
    r"|\}\s*\[\s*platform\.(?:id|name)\s*\]"
)
_ID = lazy_re.compile(
    r"\bplatform\.id\s*[!=]=\s*(['\"])(?P<after>.*?)\1|(['\"])(?P<before>[^'\"]*)\3\s*[!=]=\s*platform\.id\b"
)
_LOOP = lazy_re.compile(r"\bfor\s+(\w+)(?:\s*,\s*(\w+))?\s+in\s+platforms\b")
_AFTER = lazy_re.compile(r"\s*([A-Za-z_]\w*)\b(?!\s*\()")
_BEFORE = lazy_re.compile(r"\b([A-Za-z_]\w*)(?:\.\w+)?\s*$")
_INSTEAD = "test a feature (`platform.can('…')`), or use a label, value or part"


@rule("project", Severity.HINT)
def check(project: Project) -> Iterator[Finding]:
    for path, source in project.templates.items():
        if not path.endswith((".j2", ".md")):
            continue
        for tag in source.get_cached(_find_comparing_tags):
            if unknown := _find_unknown_id(project, tag[0]):
                place = source.span(tag.start() + unknown[0], tag.start() + unknown[1])
                message = f"unknown platform `{place.text}`{format_suggestion(place.text, project.model.platforms)}"
                yield replace(project.flag(place, message), severity=Severity.WARNING)
            elif test := _find_test(source, tag[0]):
                place = source.span(tag.start() + test.start(), tag.start() + test.end())
                is_text = "." in test[0]
                what = "this compares platforms" if is_text else "`platform` is not text, so it never equals any"
                finding = project.flag(place, f"{what}; {_INSTEAD}")
                yield finding if is_text else replace(finding, severity=Severity.WARNING)


def _find_test(source: Source, tag: str) -> re.Match[str] | None:
    """Find the first test in a tag that is not a comparison with each platform of a loop.

    `if id != platform.id` says "all others".
    """
    looped = {name for loop in _LOOP.finditer(source.text) for name in loop.groups() if name}
    for test in _TEST.finditer(tag):
        beside = _AFTER.match(tag, test.end()) or _BEFORE.search(tag[: test.start()])
        if beside is None or beside[1] not in looped:
            return test
    return None


def find_never_true(project: Project, source: Source) -> set[int]:
    """Return the ends of tags that compare the platform with an unknown one.

    That finding explains why nothing shows the text that follows.
    """
    tags = source.get_cached(_find_comparing_tags)
    return {tag.end() for tag in tags if _find_unknown_id(project, tag[0]) or _has_object_comparison(tag[0])}


def _has_object_comparison(tag: str) -> bool:
    test = _TEST.search(tag)
    return test is not None and "." not in test[0]


def _find_comparing_tags(source: Source) -> tuple[re.Match[str], ...]:
    """Find the tags of a template that compare its platform with something."""
    return tuple(tag for tag in _TAG.finditer(source.text) if _TEST.search(tag[0]) or _ID.search(tag[0]))


def _find_unknown_id(project: Project, tag: str) -> tuple[int, int] | None:
    """Return the span of an id in a tag that no platform has, if all platforms are known."""
    if "platforms" in project.site.invalid_sections:
        return None
    ids = (test.span("after") if test["after"] is not None else test.span("before") for test in _ID.finditer(tag))
    return next((place for place in ids if tag[slice(*place)] not in project.model.platforms), None)
