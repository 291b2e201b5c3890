"""English besides ordinary text: whether the sentence around a match is English; comments in samples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from tutorial_tool.core import language, lazy_re
from tutorial_tool.markdown.document import CONTEXT, LocatedText, Prose
from tutorial_tool.markdown.document.texts import Part, build_located_text
from tutorial_tool.markdown.parser import Block
from tutorial_tool.site import Page
from tutorial_tool.spelling import lists

English = Literal["surely", "likely", "no"]

_END = lazy_re.compile(r"[.!?:;…](?=[\"”’)\]]*(?:\s|$))|[\"“”„«»()|]")  # The end of a sentence or of a quotation
_WORD = lazy_re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def classify_english(page: Page, prose: LocatedText, match: re.Match[str], word: str) -> English:
    """Classify whether the text around a match is English, where `word` is what the match is about.

    Words that only English uses are evidence for it, and words that no English dictionary has against it.
    """
    if not _may_be_english(word):
        return "no"
    around = _get_surrounding_words(prose, match)
    is_page_english = page.document.detected_language.code == "en"
    has_english = any(language.is_only_english(other.lower()) for other in (word, *around))
    if not (has_english or is_page_english or lists.is_known(word)):
        return "no"
    lower = [*around[:1], *(other for other in around[1:] if other[0].islower())]
    foreign = sum(map(_is_foreign, lower))
    is_mostly_foreign = 2 * foreign >= max(len(lower) + has_english, 1)
    if is_mostly_foreign or ((foreign or not has_english) and _is_word_elsewhere(word)):
        return "no"
    is_sure = has_english or (is_page_english and bool(lower))
    return "surely" if is_sure and not foreign else "likely"


def _may_be_english(word: str) -> bool:
    return word.isascii() or lists.is_known(word)


def _is_word_elsewhere(word: str) -> bool:
    return not word.isupper() and language.is_common_elsewhere(word.lower())


@lru_cache(10_000)
def _is_foreign(word: str) -> bool:
    """Return whether a word is not English; cached, since the words of a sentence are checked repeatedly."""
    return not lists.is_known(word) or language.is_common_elsewhere(word.lower())


def _get_surrounding_words(prose: LocatedText, match: re.Match[str]) -> list[str]:
    """Return the other words of the sentence or quotation that contains a match."""
    before, after = prose[max(0, match.start() - CONTEXT) : match.start()], prose[match.end() : match.end() + CONTEXT]
    ends = [end.end() for end in _END.finditer(before)]
    first = _END.search(after)
    return _WORD.findall(before[ends[-1] if ends else 0 :]) + _WORD.findall(after[: first.start() if first else None])


_COMMENT = lazy_re.compile(
    r"^(?P<before>(?:[^\n]*?[ \t])??)(?P<marker>//+|#+|--)[ \t]+(?P<text>\S[^\n]*)", re.MULTILINE
)
_THREE_WORDS = lazy_re.compile(r"(?:(?<!\S)[A-Za-z]{2,}(?![\w(=]).*?){3}", re.DOTALL)
_CODE = lazy_re.compile(r"[;{}]$|\\n|^@\w")  # Commented-out code, and generated text
_NO_COMMENTS = ("md", "markdown", "mdx", "diff", "text", "txt", "css", "scss", "http", "csv")


def get_comments(page: Page) -> tuple[LocatedText, ...]:
    """Return the comments of each sample; consecutive lines are one text."""
    return page.get_cached(_find_comments) if any(marker in page.plain for marker in ("// ", "# ", "-- ")) else ()


def _find_comments(page: Page) -> tuple[LocatedText, ...]:
    blocks = [block for block, _ in page.document.walk() if block.kind == "code"]
    return tuple(
        build_located_text(str(comment), comment.location)
        for block in blocks
        if block.info.partition(" ")[0].lower() not in _NO_COMMENTS
        for comment in _join_lines(block, page.document.text)
        if _THREE_WORDS.search(comment)
    )


def _join_lines(block: Block, text: str) -> Iterator[Prose]:
    parts: list[Part] = []
    last: tuple[int, int, str] | None = None  # Line, column and marker of the previous comment
    first, end = block.content or (block.start, block.end)
    for match in _COMMENT.finditer(text, first, end):
        if _CODE.search(match["text"]):
            continue
        is_alone = not match["before"].strip(" \t>")
        line = text.count("\n", first, match.start())
        if parts and not (is_alone and last == (line - 1, len(match["before"]), match["marker"])):
            yield Prose.from_parts(parts, "comment", block)
            parts = []
        if parts:
            parts.append(("\n", parts[-1][2], match.start("text")))
        parts.append((match["text"], *match.span("text")))
        last = (line, len(match["before"]), match["marker"]) if is_alone else None
    if parts:
        yield Prose.from_parts(parts, "comment", block)
