"""Two terms for one thing: `click` and `click on`, `email` and `e-mail`, or a name that the glossary rules out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from tutorial_tool.config.settings import Config
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.document import Prose
from tutorial_tool.rules import rule
from tutorial_tool.rules.base import FACTOR
from tutorial_tool.rules.text._corpus import NOT_AFTER, NOT_BEFORE, is_history, starts_sentence
from tutorial_tool.site import Page, PageFix
from tutorial_tool.spelling import word_lists

_VERBS = frozenset(("click", "tap"))
_COUNTED = lazy_re.compile(
    r"\b(?:an?|the|this|that|each|every|per|of|few|several|many|more|one|two|three|your|single|double|left|right|\d+)"
    r"[\s-]+$",
    re.IGNORECASE,
)
"""Precedes a verb used as a noun."""
_QUOTED = lazy_re.compile(r"\"[^\"\n]*\"|“[^“”\n]*”|«[^«»\n]*»")
"""Quotations: text of a user interface, or in another language."""
_Found = tuple[Prose, re.Match[str]]


@rule("text", Severity.HINT, english=True)
def check(page: Page, config: Config) -> Iterator[Finding]:
    for term, others in config.glossary:
        for other in others:
            yield from _report_ruled_out(page, term, other)
    reported = {name.lower() for term, others in config.glossary for name in (term, *others)}
    for pair in () if is_history(page) else _get_pairs():
        words = page.document.words
        if not reported.intersection(pair) and all(words.issuperset(re.findall("[a-z]+", term)) for term in pair):
            yield from _report_mixed(page, pair)


def _report_ruled_out(page: Page, term: str, other: str) -> Iterator[Finding]:
    """Report a term that the glossary forbids; case matters only if it is the only difference."""
    flags = 0 if other.lower() == term.lower() or other != other.lower() else re.IGNORECASE
    pattern = re.compile(rf"{NOT_BEFORE}{re.escape(other)}(?P<plural>s?)(?!\w){NOT_AFTER}", flags)
    texts = [text for text in page.document.texts if other.lower() in text.lower()]
    for prose, match in ((text, match) for text in texts for match in pattern.finditer(text)):
        better = term + match["plural"]
        if match[0][:1].isupper() and not other[:1].isupper():
            better = better[:1].upper() + better[1:]
        edit = prose.build_edit(*match.span(), better)
        fix = PageFix(f"write `{better}`", (edit,), safe=False) if edit else None
        yield page.flag(
            prose.locate(match), f"term `{match[0]}` is ruled out; write `{term}`", fix=fix, severity=Severity.WARNING
        )


def _report_mixed(page: Page, pair: tuple[str, str]) -> Iterator[Finding]:
    uses = list(_find_uses(page, pair))
    matches = {term: [use for use in uses if use[1][0].lower() in (term, f"{term}s")] for term in pair}
    (_, few), (many, others) = sorted(matches.items(), key=lambda item: len(item[1]))
    if few and len(others) >= FACTOR * len(few):
        (prose, match), *rest = few
        message = f"inconsistent term: `{match[0]}` here, `{many}` in {len(others)} other places on this page"
        again = [(page, prose.locate(match), f"also `{match[0]}`") for prose, match in rest]
        example = (page, others[0][0].locate(others[0][1]), f"`{others[0][1][0]}`")
        yield page.flag(prose.locate(match), message, related=[example], again=again)


def _find_uses(page: Page, pair: tuple[str, str]) -> Iterator[_Found]:
    """Yield the uses of two terms in a page's text, without its headings."""
    for prose in page.document.get_prose():
        lowered = prose.lower()
        if prose.kind != "heading" and any(term in lowered for term in pair):
            matches = _compile_pattern(pair).finditer(prose)
            yield from ((prose, match) for match in matches if not _is_other_use(prose, match))


def _is_other_use(prose: Prose, match: re.Match[str]) -> bool:
    """Return whether a match is part of a name (`Application ID`), or a noun (`a few clicks`)."""
    if match[0][0].isupper() and not starts_sentence(prose, match.start()):
        return True
    if any(start < match.start() < end for start, end in (quoted.span() for quoted in _QUOTED.finditer(prose))):
        return True
    return (
        match[0].lower().removesuffix("s") in _VERBS
        and _COUNTED.search(prose, max(0, match.start() - 300), match.start()) is not None
    )


@cache
def _compile_pattern(pair: tuple[str, str]) -> re.Pattern[str]:
    """Compile a pattern for both terms, the longer one first if it begins with the other."""
    terms = "|".join(sorted(pair, key=len, reverse=True))
    return re.compile(rf"{NOT_BEFORE}(?:{terms})s?(?!\w){NOT_AFTER}", re.IGNORECASE)


@cache
def _get_pairs() -> tuple[tuple[str, str], ...]:
    lines = (line.split(" | ") for line in word_lists.read_lines("terms"))
    return tuple((first, second) for first, second in lines)
