"""A platform's name typed in a template that other platforms show too."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutorial_tool.core import scripts
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.scripts import Expression
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.markdown.document import Document, Prose
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, Site
from tutorial_tool.site.fact_index import collect_facts
from tutorial_tool.spelling import lists


@rule("project", Severity.HINT, needs="project")
def check(site: Site) -> Iterator[Finding]:
    names = {strip_origins(platform.name): platform.id for platform in site.model.platforms.values()}
    if len(names) < 2:
        return
    either = "|".join(scripts.build_whole_word(name, re.escape(name)) for name in sorted(names, key=len, reverse=True))
    pattern = Expression(rf"(?<![\w-])(?:{either})(?![\w-])")
    for findings in collect_facts(site, _find_typed_names, pattern, names).values():
        yield from findings


def _find_typed_names(page: Page, pattern: Expression, names: dict[str, str]) -> tuple[Finding, ...]:
    return tuple(_report_typed_names(page, pattern, names)) if page.generated else ()


def _report_typed_names(page: Page, pattern: Expression, names: dict[str, str]) -> Iterator[Finding]:
    platform_name = strip_origins(page.place.platform.name) if page.place else ""
    for prose, match in _find_names(page.document, pattern):
        if re.search(rf"(?<!\w){re.escape(match[0])}(?!\w)", platform_name):
            continue  # the family's name, as `Docker` on pages for `Docker Compose`
        span, exact = page.get_source_span(*prose.locate(match))
        if exact and span.path.endswith(".md.j2") and names[match[0]] != page.platform:
            instead = "write `{{ platform.name }}` or a part"
            message = f"hard-coded platform name `{match[0]}`, which other platforms show; {instead}"
            yield page.flag(prose.locate(match), message)


def _find_names(document: Document, pattern: Expression) -> list[tuple[Prose, re.Match[str]]]:
    """Find where a page names a platform, not as an ordinary word: `Go to **Keys**`, `Swift answers help`."""
    if (_find_names, pattern) not in document.cache:
        matches = [(prose, match) for prose in document.texts for match in pattern.finditer(prose)]
        document.cache[_find_names, pattern] = [
            (prose, match)
            for prose, match in matches
            if not (_begins_sentence(prose, match) and lists.is_known(match[0].lower()))
        ]
    named: list[tuple[Prose, re.Match[str]]] = document.cache[_find_names, pattern]
    return named


def _begins_sentence(prose: str, match: re.Match[str]) -> bool:
    before = prose[: match.start()].rstrip(" \n\"'“‘(")
    return not before or before[-1] in ".!?:"
