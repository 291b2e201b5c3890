"""Words that no dictionary and no code of these documents has."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules.text._corpus import Mention, Word, get_corpus
from tutorial_tool.site import Site
from tutorial_tool.spelling import lists


@rule("text", Severity.OFF, yields_to=("misspelling", "inconsistent-spelling"))
def check(site: Site, config: Config) -> Iterator[Finding]:
    corpus, vocabulary = get_corpus(site), config.full_vocabulary
    unknown = {
        word
        for word in corpus.usage.counts
        if len(word) > 2 and word.isascii() and word.isalpha() and word.islower() and not lists.is_known(word)
        and word not in vocabulary
    }  # fmt: skip
    unknown -= corpus.identifiers
    for word, passages in sorted(corpus.usage.find_passages(unknown).items()):
        mentions = [mention for mention in corpus.find_mentions(Word(word), passages) if not _is_emoji(mention)]
        if mentions:
            first, *others = mentions
            again = [(mention.page, mention.span, "also here") for mention in others]
            yield first.page.flag(first.span, f"unknown word `{word}`", again=again)


def _is_emoji(mention: Mention) -> bool:
    start, end = mention.match.span()
    return mention.prose[start - 1 : start] == ":" == mention.prose[end : end + 1]
