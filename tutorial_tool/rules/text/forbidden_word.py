"""Words that the project's vocabularies rule out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from tutorial_tool.config.settings import Config
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Related, Severity
from tutorial_tool.markdown.document import Prose
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, PageFix
from tutorial_tool.spelling.patterns import MAX_LENGTH, Pattern
from tutorial_tool.spelling.vocabulary import RejectedWord

_START = lazy_re.compile(r"(?<!\w)(?=\S)")


@rule("text", Severity.WARNING, needs="vocabularies")
def check(page: Page, config: Config) -> Iterator[Finding]:
    ruled = config.full_vocabulary.rejected
    if not ruled:
        return
    words = {rejected.text.lower(): rejected for rejected in ruled if rejected.pattern is None}
    expressions = tuple(rejected for rejected in ruled if rejected.pattern)
    for prose in page.document.texts:
        yield from _report_words(page, prose, words) if words else ()
        yield from _report_expressions(page, prose, expressions) if expressions else ()


def _report_words(page: Page, prose: Prose, words: Mapping[str, RejectedWord]) -> Iterator[Finding]:
    for match in _compile_words(tuple(words)).finditer(prose):
        entry = words[match[0].lower()]
        if entry.text in (entry.text.lower(), match[0]):  # an entry with capitals is case-sensitive
            yield _build_finding(page, prose, match.start(), match.end(), entry)


@lru_cache(maxsize=8)
def _compile_words(words: tuple[str, ...]) -> re.Pattern[str]:
    either = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE)


def _report_expressions(page: Page, prose: Prose, expressions: tuple[RejectedWord, ...]) -> Iterator[Finding]:
    """Report the matches of expressions on whole words; of two that start together, the first in the list."""
    pattern, done = _compile_expressions(tuple(rejected.pattern for rejected in expressions if rejected.pattern)), 0
    for start in (match.start() for match in _START.finditer(prose)):
        match = pattern.match(prose, start, start + MAX_LENGTH) if start >= done else None
        if match and match.lastgroup and match[0]:
            done = match.end()
            yield _build_finding(page, prose, start, done, expressions[int(match.lastgroup[1:])])


@lru_cache(maxsize=8)
def _compile_expressions(patterns: tuple[Pattern, ...]) -> re.Pattern[str]:
    either = "|".join(rf"(?P<n{number}>{pattern.text})" for number, pattern in enumerate(patterns))
    return re.compile(rf"(?:{either})(?!(?<=\w)\w)")


def _build_finding(page: Page, prose: Prose, start: int, end: int, rejected: RejectedWord) -> Finding:
    span = prose.locate(start, end)
    new = rejected.replacement
    if prose[start].isupper() and rejected.text.islower():
        new = new[:1].upper() + new[1:]
    edit = prose.build_edit(start, end, new) if new else None
    fix = PageFix(f"write `{new}`", (edit,), safe=False) if edit else None
    better = f"; write `{new}`" if new else ""
    related = [Related(rejected.span, "ruled out here")]
    return page.flag(span, f"forbidden word `{prose[start:end]}`{better}", fix=fix, related=related)
