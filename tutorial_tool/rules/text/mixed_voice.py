"""Documents that speak as `we` here and there, and to `you` nearly everywhere, or the other way round."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules.text._corpus import FACTOR, Place, get_corpus
from tutorial_tool.site import Site

_WE = lazy_re.compile(r"(?<![\w.-])(?:[Ww]e|[Oo]ur|[Ll]et['’]s)(?![\w-])")
_YOU = lazy_re.compile(r"(?<![\w.-])(?:[Yy]ou|[Yy]our)(?![\w-])")


@rule("text", Severity.OFF)
def check(site: Site) -> Iterator[Finding]:
    corpus = get_corpus(site)
    passages = corpus.usage.passages
    voices = {"we": list(corpus.find_places(_WE, passages)), "you": list(corpus.find_places(_YOU, passages))}
    (few, places), (many, others) = sorted(voices.items(), key=lambda voice: len(voice[1]))
    if places and len(others) >= FACTOR * len(places):
        yield _build_finding(few, places, many, len(others))


def _build_finding(few: str, places: list[Place], many: str, count: int) -> Finding:
    first, *rest = places
    message = f"inconsistent voice: `{few}` ({len(places)}), `{many}` ({count})"
    related = [(place.page, place.span, f"also `{place.text}`") for place in rest]
    return first.page.flag(first.span, message, related=related)
