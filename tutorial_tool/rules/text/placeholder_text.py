"""Text that was to be replaced: `TODO`, `lorem ipsum`, `[insert name]`."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.document import Prose, Range
from tutorial_tool.rules import rule
from tutorial_tool.site import Page

_PLACEHOLDER = lazy_re.compile(
    r"(?<![\w-])(?:TODO|FIXME|TBD|TBA|XXX)(?![\w-])"
    r"|\blorem ipsum\b"
    r"|[\[<(](?:insert|add|your|enter) [^\]>)\n]{1,40} here[\]>)]"
    r"|\b(?:text|content|description|screenshot|image) (?:goes|to come) here\b",
    re.IGNORECASE,
)
_SIGNS = ("todo", "fixme", "tbd", "tba", "xxx", "lorem", "here]", "here)", "here>", "goes here", "come here")
"""Each placeholder contains one of these: a fast check of the whole page, and of each text."""
_STAND_IN = "lorem ipsum"  # Filler text, repeated as often as needed: reported once per page
_UPPER = frozenset(("todo", "fixme", "tbd", "tba", "xxx"))


@rule("text", Severity.HINT)
def check(page: Page) -> Iterator[Finding]:
    if not _may_have_placeholder(page.plain):
        return
    ranges: list[Range] = []
    for prose in filter(_may_have_placeholder, page.document.texts):  # `football` contains `tba`
        for match in _PLACEHOLDER.finditer(prose):
            if match[0].lower() == _STAND_IN:
                ranges.append(prose.locate(match))
                continue
            if _is_subject(page, prose, match[0]):
                continue
            if match[0].lower() not in _UPPER or (match[0].isupper() and _is_label(prose, match)):
                yield page.flag(prose.locate(match), f"placeholder `{match[0]}`")
    if ranges:
        times = f" ({len(ranges)} times on this page)" if ranges[1:] else ""
        yield page.flag(ranges[0], f"placeholder `{page.plain[slice(*ranges[0])]}`{times}")


def _is_subject(page: Page, prose: Prose, word: str) -> bool:
    """Return whether a heading names the subject of the page: `TODO.md`."""
    stem = posixpath.basename(page.path).partition(".")[0].lower()
    return prose.kind == "heading" and word.lower() in re.split(r"[-_ ]", stem)


def _may_have_placeholder(text: str) -> bool:
    lowered = text.lower()
    return any(sign in lowered for sign in _SIGNS)


def _is_label(prose: str, match: re.Match[str]) -> bool:
    """Return whether `TODO` marks a gap, and is not part of a sentence: `resolve a TODO in it`."""
    before, after = prose[: match.start()].rstrip(), prose[match.end() :].lstrip()
    return not before or before[-1] in "[(<|:" or not after or after[0] in ":([])>|"
