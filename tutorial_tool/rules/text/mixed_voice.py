"""Documents that speak as `we` here and there, and to `you` nearly everywhere, or the other way round."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules.base import FACTOR
from tutorial_tool.rules.text._corpus import Mention, get_corpus
from tutorial_tool.site import Site

_WE = lazy_re.compile(r"(?<![\w.-])(?:[Ww]e|[Oo]ur|[Ll]et['’]s)(?![\w-])")
_YOU = lazy_re.compile(r"(?<![\w.-])(?:[Yy]ou|[Yy]our)(?![\w-])")


@rule("text", Severity.OFF)
def check(site: Site) -> Iterator[Finding]:
    corpus = get_corpus(site)
    passages = corpus.usage.passages
    voices = {"we": list(corpus.find_mentions(_WE, passages)), "you": list(corpus.find_mentions(_YOU, passages))}
    (few, mentions), (many, others) = sorted(voices.items(), key=lambda voice: len(voice[1]))
    if mentions and len(others) >= FACTOR * len(mentions):
        yield _build_finding(few, mentions, many, len(others))


def _build_finding(few: str, mentions: list[Mention], many: str, count: int) -> Finding:
    first, *rest = mentions
    message = f"inconsistent voice: `{few}` ({len(mentions)}), `{many}` ({count})"
    related = [(mention.page, mention.span, f"also `{mention.text}`") for mention in rest]
    return first.page.flag(first.span, message, related=related)
