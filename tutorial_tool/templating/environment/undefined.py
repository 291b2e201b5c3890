"""Messages for undefined names in templates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from jinja2.environment import TemplateModule
from jinja2.runtime import LoopContext
from jinja2.utils import missing

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import find_nearest, format_suggestion
from tutorial_tool.core.source import Source, Span, find_line_end, find_line_start
from tutorial_tool.templating.environment.values import MissingName, Namespace

_INSTEAD = {
    **dict.fromkeys(("null", "nil", "None"), "; write `none`"),
    "groups": "; test a feature: `platform.can('…')`",
    "page": "; a page is a `step`, as in `step.title`",
    "loop": "; a loop has one, between `{% for … %}` and `{% endfor %}`",
}
"""Hints for names that people expect."""
_NOT_GIVEN = lazy_re.compile(r"parameter '(\w+)' was not provided")
_NOT_EXPORTED = r"the template '([^']+)' \(imported on .*\) does not export the requested name '(\w+)'"
STR_NAMES = frozenset(name for name in dir(str) if not name.startswith("_"))  # Attributes of a text
_LOOP_NAMES = sorted(name for name in dir(LoopContext) if not name.startswith("_"))
_EXPORTS = lazy_re.compile(r"\{%[-+]?\s*(?:macro|set)\s+(\w+)")
_CALLED = lazy_re.compile(r"(?<![\w.])[a-z_][\w.]*(?=(?:\.|\[[\"']?)$)")
_HYPHENED = lazy_re.compile(r"(?P<owner>[a-z_][\w.]*)\.(?P<name>\w+(?:-[^\W\d]\w*)+)")
_TO_BE_SEEN = "; put text with braces between `{% raw %}` and `{% endraw %}`, or in a file of `code()`"


def describe_undefined(
    value: MissingName, span: Span, variables: Mapping[str, Any], on_page: frozenset[str], sources: TemplateSources
) -> str | None:
    """Describe an undefined name at `span`; None if Jinja's message is enough.

    `variables` is everything that the template can access, `on_page` the names of the page.
    """
    name, owner, hint = value._undefined_name, value._undefined_obj, value._undefined_hint or ""
    if isinstance(owner, Namespace):
        return owner.describe_lacking(name, _suggest_brackets(span))
    if isinstance(owner, str):
        looped = "; a loop over text gives its characters: `rows('…')` gives the rows of a table"
        return f"text has no `{name}`{looped if len(owner) == 1 else format_suggestion(name, STR_NAMES)}"
    if isinstance(owner, LoopContext):
        return f"a loop has no `{name}`{format_suggestion(name, _LOOP_NAMES)}"
    if isinstance(owner, TemplateModule):
        return f"the imported template has no `{name}`{format_suggestion(name, vars(owner))}"
    if isinstance(owner, list | tuple) and isinstance(name, str):
        return f"a list has no `{name}`; a loop over pairs has two names: `{{% for id, one in … %}}`"
    if callable(owner) and (called := _CALLED.search(span.source.text[: span.start])):
        return f"`{called[0]}` is a call, and has no `{name}`; write `{called[0]}('{name}')`"
    if lacks := re.match(_NOT_EXPORTED, hint):
        return _describe_lacking_export(lacks[1], lacks[2], sources)
    if value._undefined_hint is None and owner is missing:
        return f"`{name}` is not defined{_suggest_instead(name or '', span, variables, on_page, sources)}"
    return None


def _describe_lacking_export(path: str, name: str, sources: TemplateSources) -> str:
    template = sources.find_source(path)
    names = _EXPORTS.findall(template.text) if template else []
    return f"the template `{path}` has no `{name}`{format_suggestion(name, names)}"


def get_missing_argument(value: MissingName) -> str:
    """Return the missing argument of a macro call, if that is the error."""
    match = _NOT_GIVEN.match(value._undefined_hint or "")
    return match[1] if match else ""


class TemplateSources(Protocol):
    """The templates of a project."""

    def list_names(self) -> Iterable[str]:
        """Return the names of the templates."""

    def find_source(self, name: str) -> Source | None:
        """Return the source of a template, if it exists."""


def _suggest_instead(
    name: str, span: Span, variables: Mapping[str, Any], on_page: frozenset[str], sources: TemplateSources
) -> str:
    imported = "; an imported macro sees what the page sees only if it is imported `with context`"
    hint = imported if name in on_page and name not in variables else format_suggestion(name, variables)
    platform = variables.get("platform")
    near = find_nearest(name, platform.get("values") or ()) if isinstance(platform, Namespace) else None
    hint = _INSTEAD.get(name) or _suggest_platform_value(name, variables) or hint
    hint = hint or _suggest_platform_value(near or "", variables)
    hint = _suggest_brackets(span) or _suggest_by_context(span) or _suggest_import(name, span, sources) or hint
    if _is_shown_as_code(span) and _TO_BE_SEEN not in hint:
        hint += f" P{_TO_BE_SEEN[3:]}" if hint.endswith("?") else _TO_BE_SEEN
    return hint


def _suggest_import(name: str, span: Span, sources: TemplateSources) -> str:
    """Suggest the import of a macro that is called but defined in another template."""
    if span.source.text[span.end : span.end + 1] != "(":
        return ""
    macro = re.compile(rf"\{{%[-+]?\s*macro\s+{re.escape(name)}\s*\(")
    for template in sorted(sources.list_names()):
        source = sources.find_source(template)
        if source is not None and source is not span.source and macro.search(source.text):
            return f"; write `{{% from '{template}' import {name} %}}` above"
    return ""


def _suggest_platform_value(name: str, variables: Mapping[str, Any]) -> str:
    """Suggest the platform value for a name that is below the platform in its data."""
    platform = variables.get("platform")
    if not isinstance(platform, Namespace):
        return ""
    values = platform.get("values")
    if name in platform:
        called = "('…')" if callable(platform[name]) else ""
        return f"; did you mean `platform.{name}{called}`?"
    if isinstance(values, Namespace) and name in values:
        return f"; did you mean `platform.values.{name}`?"
    return ""


def _is_shown_as_code(span: Span) -> bool:
    """Return whether a tag is between backticks on its line."""
    text = span.source.text
    before = text[find_line_start(text, span.start) : span.start]
    after = text[span.end : find_line_end(text, span.end)]
    return before.count("`") % 2 == 1 and "`" in after


def _suggest_brackets(span: Span) -> str:
    """Suggest brackets for a name with hyphens after a dot, which Jinja subtracts; `span` is a part of it."""
    text = span.source.text
    for match in _HYPHENED.finditer(text, find_line_start(text, span.start), find_line_end(text, span.end)):
        if match.start("name") <= span.start < match.end():
            return f"; did you mean `{match['owner']}['{match['name']}']`? Here, `-` is a minus"
    return ""


def _suggest_by_context(span: Span) -> str | None:
    """Suggest what an undefined name means from the text around it, or return None."""
    before, after = span.source.text[: span.start].rstrip(" "), span.source.text[span.start : span.start + 200]
    if before.endswith("${{"):
        return _TO_BE_SEEN
    hyphened = re.match(r"\w+(?:-\w+)+", after)
    return f"; put a name of the data in quotes: `'{hyphened[0]}'`" if hyphened and before.endswith("(") else None
