"""Explain why an edit is specific to its variant: names, code, versions, and URLs not in a sibling."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tutorial_tool import data
from tutorial_tool.core import lazy_re
from tutorial_tool.sync import blocks
from tutorial_tool.variants import Variant

if TYPE_CHECKING:
    from tutorial_tool.variation.model.exchange import Exchange

_TEXTS = r"`[^`\n]+`|%s\b[A-Z][\w.+-]*\w|\b\w+(?:[._/][\w-]+)+|\b\w*\d\w*\b"
_OWN = lazy_re.compile(_TEXTS % "")
"""What may be platform-specific: code, names, paths, identifiers, and numbers."""
_OWN_INSIDE = lazy_re.compile(_TEXTS % r"(?<![.!?:|>#*+-]\s)(?<!\s\s)(?<!^)", re.MULTILINE)
"""The same, without capitalized words that start a sentence: these are names only if they are also elsewhere."""
_VERSION = lazy_re.compile(
    r"\bv?\d+(?:\.\d+){2,}\b|\b\d+(?:\.\d+)*(?:\+| (?:or|and) (?:above|higher|later|newer|up)\b)"
)
_URL = lazy_re.compile(r"https?://[^\s)>\"'`]+")
_IDENTIFIER = lazy_re.compile(r"\w+(?:[._/-]+\w+)+")
_SENTENCE = lazy_re.compile(r"[\w.-]+:(?:[ \t]+\S+){5,}[ \t]*")
_DATE = lazy_re.compile(
    r"[\w.-]+:[ \t]*[\"']?(?:\d{4}-\d{2}-\d{2}(?:[T ][\d:.Z+-]+)?|\d{1,2}/\d{1,2}/\d{4})[\"']?[ \t]*"
)


def is_own_date(line: str) -> bool:
    """Return whether a line is a front matter field with a date, which is specific to each page."""
    return _DATE.fullmatch(line) is not None


@dataclass(frozen=True, eq=False)
class EditExplainer:
    """The texts of a page before and after an edit, and the sibling's text `other`.

    `other_variants` are the other variants of the step: a text that names one of them is about a difference.
    """

    old: str
    new: str
    other: str
    exchange: Exchange
    other_variants: Sequence[Variant] = ()

    def explain(self, before: str, after: str) -> str:
        """Return why the change from one text to another is specific to the variant; empty if it is not."""
        return next(self._find_reasons(before, after), "")

    def _find_reasons(self, before: str, after: str) -> Iterator[str]:
        for variant in self.other_variants:
            if _count_names(variant, after) > _count_names(variant, before):
                yield f"the text names {variant.name}"
        if len(_VERSION.findall(after)) > len(_VERSION.findall(before)):
            yield "the text states a version"
        if self._is_name_removed(before, after):
            yield f"the text no longer names {self.exchange.source.name}"
        if self._has_new_sentence(before, after):
            yield "the description is the page's own"
        if languages := blocks.find_languages(after) - blocks.find_languages(self.other):
            yield f"the other copy has no code in `{min(languages)}`"
        yield from (f"no page links to `{url}`" for url in self._find_invented_urls(before, after))
        added = set(_OWN.findall(self.exchange.translate(after))) - set(_OWN.findall(self.exchange.translate(before)))
        for text in sorted(added & self._own_texts):
            if text.lower() not in self._ordinary_words and text != self.exchange.target.name:
                yield f"the other copy has no `{text.strip('`')}`"

    def _has_new_sentence(self, before: str, after: str) -> bool:
        """Return whether a change adds a field of front matter that is a sentence, such as a description."""
        fields = {line.partition(":")[0] for line in before.split("\n")}
        added = (line for line in after.split("\n") if line.partition(":")[0] not in fields)
        return any(_SENTENCE.fullmatch(line) is not None and line in self._front_lines for line in added)

    @cached_property
    def _front_lines(self) -> Sequence[str]:
        """The lines of the front matter after the edit."""
        front = data.find_front_matter(self.new)
        return self.new[: front.body].split("\n") if front else ()

    def _is_name_removed(self, before: str, after: str) -> bool:
        """Return whether a path or identifier with the variant's name is replaced by one without it."""
        words, edited = _IDENTIFIER.findall(before), _IDENTIFIER.findall(after)
        if len(words) != len(edited):
            return False
        pairs = [(word, now) for word, now in zip(words, edited, strict=True) if word != now]
        translate = self.exchange.translate
        return any(translate(word) != word and translate(now) == now for word, now in pairs)

    def _find_invented_urls(self, before: str, after: str) -> Iterator[str]:
        """Yield the translations of new URLs that the sibling lacks, compared up to the part that was translated."""
        for url in sorted(set(_URL.findall(after)) - set(_URL.findall(before))):
            translated = self.exchange.translate(url)
            differs = next((at for at, pair in enumerate(zip(url, translated, strict=False)) if len(set(pair)) > 1), 0)
            end = translated.find("/", differs)  # paths below it may be new on both
            if translated != url and translated[: end if end > 0 else None] not in self.other:
                yield translated

    @cached_property
    def _own_texts(self) -> frozenset[str]:
        """The texts that the edited page had before, and the sibling lacks."""
        translated = self.exchange.translate(self.old)
        return frozenset(_OWN_INSIDE.findall(translated)) - set(_OWN.findall(self.other))

    @cached_property
    def _ordinary_words(self) -> frozenset[str]:
        """The words of both pages that occur in lowercase."""
        words = re.findall(r"\w+", f"{self.old}\n{self.new}\n{self.other}")
        return frozenset(word for word in words if word.islower())


def _count_names(variant: Variant, text: str) -> int:
    return sum(1 for _ in variant.pattern.finditer(text)) if variant.may_occur_in(text) else 0
