"""Words that the project's vocabularies rule out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from tutorial_tool.config.settings import Config
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Related, Severity
from tutorial_tool.markdown.document import Prose
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, PageFix
from tutorial_tool.spelling.patterns import Pattern
from tutorial_tool.spelling.vocabulary import Ruled

_START = lazy_re.compile(r"(?<!\w)(?=\S)")


@rule("text", Severity.WARNING, needs="vocabularies")
def check(page: Page, config: Config) -> Iterator[Finding]:
    ruled = config.vocabulary_of_all.ruled_out
    if not ruled:
        return
    words = {one.text.lower(): one for one in ruled if one.pattern is None}
    expressions = tuple(one for one in ruled if one.pattern)
    for prose in page.document.texts:
        for match in _any_of(tuple(words)).finditer(prose) if words else ():
            one = words[match[0].lower()]
            if one.text in (one.text.lower(), match[0]):  # one with capitals is meant as it is written
                yield _finding(page, prose, match.start(), match.end(), one)
        yield from _fitting(page, prose, expressions) if expressions else ()


@lru_cache(maxsize=8)
def _any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    either = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE)


def _fitting(page: Page, prose: Prose, expressions: tuple[Ruled, ...]) -> Iterator[Finding]:
    """What an expression fits, as a whole word or several; of two that begin together, the first of the list."""
    done = 0
    by_first = _by_first(tuple(one.pattern for one in expressions if one.pattern))
    for match in _START.finditer(prose):
        start = match.start()
        if start < done:
            continue
        for index in _beginning(by_first, prose[start]):
            one = expressions[index]
            end = one.pattern.longest(prose, start) if one.pattern else None
            if end is not None and end > start and not (prose[end - 1].isalnum() and prose[end : end + 1].isalnum()):
                done = end
                yield _finding(page, prose, start, end, one)
                break


_ByFirst = tuple[tuple[Pattern, ...], dict[str, tuple[int, ...]]]


@lru_cache(maxsize=8)
def _by_first(patterns: tuple[Pattern, ...]) -> _ByFirst:
    """Expressions, and which of them may begin with a character: filled in as texts ask."""
    return patterns, {}


def _beginning(known: _ByFirst, character: str) -> tuple[int, ...]:
    patterns, found = known
    if character not in found:
        found[character] = tuple(index for index, one in enumerate(patterns) if one.may_begin(character))
    return found[character]


def _finding(page: Page, prose: Prose, start: int, end: int, one: Ruled) -> Finding:
    place = prose.at(start, end)
    new = one.better[:1].upper() + one.better[1:] if prose[start].isupper() and one.text.islower() else one.better
    edit = prose.edit(start, end, new) if new else None
    fix = PageFix(f"write `{new}`", (edit,), safe=False) if edit else None
    better = f"; write `{new}`" if new else ""
    related = [Related(one.span, "ruled out here")]
    return page.flag(place, f"forbidden word `{prose[start:end]}`{better}", fix=fix, related=related)
