"""A template tag in a page that is not a template, so that readers see the tag."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutorial_tool import links
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.source import is_within
from tutorial_tool.links.generators.mkdocs import READ_TAGS
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, Site

_TAG = lazy_re.compile(
    r"\{\{[-+]?\s*(?:(?:platform|step|tutorial)\.\w|(?:table|part|code|figure|link)\().*?\}\}"
    r"|\{%[-+]?\s*(?:if|elif|for)\b[^%]*?\b(?:platform|step|tutorial)\.\w.*?%\}"
)
"""Tags that call this tool's functions; those of other tools have names of their own."""
_ASKED = lazy_re.compile(r"\{\{[-+]?\s*(?P<value>(?P<name>platform|step|tutorial)\.[\w.]+)\s*[-+]?\}\}")
_COMMENT = lazy_re.compile(r"<!--.*?-->", re.DOTALL)


@rule("project", Severity.WARNING, needs="project")
def check(site: Site) -> Iterator[Finding]:
    addresses = links.get_addresses(site)
    for page in site.pages if site.is_project else ():
        findings = page.get_cached(_find_visible_tags)
        if findings and not addresses.get_plugins(page) & READ_TAGS:
            yield from findings


def _find_visible_tags(page: Page) -> tuple[Finding, ...]:
    if "{" not in page.document.text:
        return ()
    return tuple(_report_data_tags(page) if page.generated else _report_tags(page))


def _report_tags(page: Page) -> Iterator[Finding]:
    what = "a page at the path of a step is not a template" if page.place else "only templates have tags"
    for match in _find_in_prose(page, _TAG):
        yield page.flag(match.span(), f"readers see `{match[0]}`: {what}; move the text into a template")


def _report_data_tags(page: Page) -> Iterator[Finding]:
    """Report tags in values of the data, which is not a template."""
    for match in _find_in_prose(page, _TAG):
        span, is_exact = page.get_source_span(*match.span())
        if is_exact and span.source.path.endswith((".yaml", ".yml")):
            message = f"readers see `{match[0]}`: the data is not a template; write the tag in one"
            if asked := _ASKED.fullmatch(match[0]):
                message += (
                    f"; a cell takes `{{{asked['name']}}}`, and its table's call `{asked['name']}={asked['value']}`"
                )
            yield page.flag(match.span(), message)


def _find_in_prose(page: Page, tag: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Find the matches of a tag outside code and comments."""
    document = page.document
    if not tag.search(document.text):
        return
    aside = [(block.start, block.end) for block in document.code_blocks]
    aside += [*document.code_spans, *(comment.span() for comment in _COMMENT.finditer(document.text))]
    for match in tag.finditer(document.text):
        if not is_within(match.start(), aside):
            yield match
