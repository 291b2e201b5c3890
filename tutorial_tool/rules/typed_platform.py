"""A platform's name typed in a template that other platforms show too."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, Site
from tutorial_tool.traced import plain
from tutorial_tool.words import lists


@rule("project", Severity.HINT)
def check(site: Site) -> Iterator[Finding]:
    names = {plain(platform.name): platform.id for platform in site.model.platforms.values()}
    if len(names) < 2:
        return
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})(?![\w-])")
    for page in site.pages:
        if page.generated:
            yield from _typed(page, pattern, names)


def _typed(page: Page, pattern: re.Pattern[str], names: dict[str, str]) -> Iterator[Finding]:
    for prose in page.document.prose():
        for match in pattern.finditer(prose):
            span, exact = page.source_span(*prose.at(match))
            if _begins(prose, match) and lists.known(match[0].lower()):
                continue  # `Go to **Keys**`, `Swift answers help`
            if exact and span.path.endswith(".md.j2") and names[match[0]] != page.platform:
                message = (
                    f"`{match[0]}` is typed here, and other platforms show it; use `{{{{ platform.name }}}}`, or a part"
                )
                yield page.flag(prose.at(match), message)


def _begins(prose: str, match: re.Match[str]) -> bool:
    """Whether a sentence begins with a word, where any word has a capital."""
    before = prose[: match.start()].rstrip(" \n\"'“‘(")
    return not before or before[-1] in ".!?:"
