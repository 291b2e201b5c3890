"""Lint the literal text of templates that failed to render: one unknown name hides no other finding."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tutorial_tool.core import lazy_re, traced
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.grouping import group_by
from tutorial_tool.core.source import Source
from tutorial_tool.markdown.document import MASK
from tutorial_tool.rules import Rule
from tutorial_tool.site import Page, Site

RULES = ("grammar", "misspelling", "repeated-word", "wrong-article")  # Rules that are reliable on text with gaps
_TAG = lazy_re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)


def lint(site: Site, rules: Sequence[Rule], run: Callable[[Sequence[Rule], Site], list[Finding]]) -> list[Finding]:
    """Return the text rules' findings on templates that no page shows; `run` lints a site."""
    sources = list(_find_unrendered(site)) if site.is_project and site.errors else []
    if not sources:
        return []
    applicable = group_by((rule for rule in rules if rule.name in RULES), lambda rule: rule.level == "Page")
    pages = [Page(source.path, source, _mask_tags(source)) for source in sources]
    findings = run(applicable.get(True, []), replace(site, pages=pages, cache={}))
    findings += run(applicable.get(False, []), replace(site, pages=[*site.pages, *pages], cache={}))
    return [finding for finding in findings if finding.span.source in sources]


def _find_unrendered(site: Site) -> Iterator[Source]:
    """Yield the templates of steps whose pages all failed to render."""
    rendered = {page.source.path for page in site.pages}
    folder = f"{site.layout.templates}/steps"
    steps = {(place.tutorial.id, place.step.id) for place in site.places.values()}
    paths = {f"{folder}/{name}.md.j2" for tutorial, step in steps for name in (f"{tutorial}/{step}", step)}
    for path in sorted(paths - rendered):
        if source := site.sources.get(path):
            yield source


def _mask_tags(source: Source) -> traced.Traced:
    """Return a template with a placeholder for each tag, so that words around one are not adjacent."""
    parts: list[str] = []
    copied = 0
    for tag in _TAG.finditer(source.text):
        parts.append(traced.trace_span(source.span(copied, tag.start())))
        parts.append(traced.trace_to_span(MASK, source.span(*tag.span())))
        copied = tag.end()
    return traced.concatenate([*parts, traced.trace_span(source.span(copied, len(source.text)))])
