"""The English prose of a whole site, read once for the rules that learn from it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from itertools import chain
from typing import NamedTuple
from weakref import ref

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import LocatedText
from tutorial_tool.site import Page, Site, page_facts
from tutorial_tool.site.fact_index import collect_facts
from tutorial_tool.spelling import word_lists
from tutorial_tool.spelling.usage import PageWords, Passage, Usage, find_identifiers, split_words

NOT_BEFORE = r"(?<![\w/.@#$%&=\\+~<{'’-])"
"""What cannot precede a word of prose: it would be part of a URL, option or name."""
NOT_AFTER = r"(?![\w/@=\\{+~(-]|['’][a-rt-z]|[.:]\w|://)"
SURE = 20  # The same as `FACTOR`, if the other is certainly a slip
_SENTENCE_START = lazy_re.compile(r"(?:^|[.!?:;][\"”')\]]*\s|\n\s*|[•●→>|]\s)[^\w\s]*$")
_OF_OTHERS = lazy_re.compile(
    r"(?:^|/)(?:LICEN[CS]ES?|COPYING|NOTICES?|THIRD[-_ ]?PARTY[\w-]*|(?-i:ACKNOWLEDGE?MENTS|ATTRIBUTIONS))"
    r"(?:[-.]\w+)*$",
    re.IGNORECASE,
)
"""Third-party texts, whose spelling is not checked."""
_HISTORY = lazy_re.compile(
    r"(?:^|/)(?:CHANGE[-_]?(?:LOGS?|S)|HISTORY|NEWS|RELEASES?|REL(?:EASE)?[-_]?(?:NOTES?|HISTORY))(?![a-z])",
    re.IGNORECASE,
)
_COMMENT = lazy_re.compile(r"(?:^|(?<=[ \t]))(?:#|//|--)[ \t]+[^\n]*|/\*.*?\*/", re.MULTILINE | re.DOTALL)
_SHORT_WORD = lazy_re.compile(r"(?<![\w./$%@:=<\"'`-])[a-z]{2,4}(?![\w/()=<\"'`-]|[.:]\w)")
_QUOTED = lazy_re.compile(r"(?:(?<=\")(?=[a-z]+\")|(?<=“)(?=[a-z]+”))([a-z]+)")
_BEGIN, _END, _ANY = lazy_re.compile(NOT_BEFORE), lazy_re.compile(NOT_AFTER), lazy_re.compile("(?s:.*)")


class Word(NamedTuple):
    """A word or phrase of prose, in lowercase if it matches any case: too many to compile as patterns."""

    form: str
    in_any_case: bool = False

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Yield the matches in a text that are not part of a longer word."""
        source, at = text.lower() if self.in_any_case else text, 0
        if len(source) != len(text):  # some non-English letters become two in lower case
            yield from re.finditer(NOT_BEFORE + self.form + NOT_AFTER, text, re.IGNORECASE)
            return
        while (at := source.find(self.form, at)) >= 0:
            end = at + len(self.form)
            match = _ANY.match(text, at, end) if _BEGIN.match(text, at) and _END.match(text, end) else None
            if match:
                yield match
            at = end if match else at + 1


class Mention(NamedTuple):
    """A word, a phrase, or another match in the prose of a page."""

    page: Page
    prose: LocatedText
    match: re.Match[str]

    @property
    def text(self) -> str:
        return str(self.match[0])

    @property
    def span(self) -> tuple[int, int]:
        """The span in the page's text."""
        return self.prose.locate(*self.match.span())

    def build_edit(self, better: str) -> tuple[int, int, str] | None:
        """Build the edit that replaces the text, unless markup is inside what changes."""
        return self.prose.build_edit(*self.match.span(), better)

    @property
    def starts_sentence(self) -> bool:
        return starts_sentence(self.prose, self.match.start())


def is_history(page: Page) -> bool:
    """Return whether a page is a changelog, written by many people in a hurry."""
    return _HISTORY.search(page.path) is not None


def starts_sentence(text: str, start: int) -> bool:
    """Return whether a capital at `start` is meaningless, since a sentence or a line begins there."""
    return _SENTENCE_START.search(text, max(0, start - 8), start) is not None


@cache
def get_small_words() -> frozenset[str]:
    """Return function words and prefixes: two of them in a row are not a term."""
    return frozenset(word_lists.read_words("small"))


class Corpus:
    """The English pages of a site, and how words are used on them."""

    def __init__(self, site: Site, usage: Usage) -> None:
        self.site, self.usage = ref(site), usage
        read = collect_facts(site, _get_page_words, english=True)
        untold = collect_facts(site, _has_no_language, site.usual_lang)
        around = _LanguageCounts(site.pages) if untold else None
        self.pages = {
            words: page
            for page, words in read.items()
            if words is not None and not (around and page in untold and around.is_foreign(page))
        }
        usage.update_pages(self.pages)

    @cached_property
    def identifiers(self) -> frozenset[str]:
        """The words of letters in code, as typed."""
        return frozenset(part for word in self.usage.identifiers for part in word.split("'"))

    @cached_property
    def quoted_words(self) -> frozenset[str]:
        """The lowercase words that are alone in quotation marks."""
        return frozenset(chain.from_iterable(self.usage.collect_facts(_find_quoted_words).values()))

    def find_mentions(self, pattern: re.Pattern[str] | Word, passages: Iterable[Passage]) -> Iterator[Mention]:
        """Yield the matches of a pattern or word in some passages, wherever these occur."""
        for passage in passages:
            for match in passage.find_matches(pattern):
                for page, number in self.usage.iter_places(passage):
                    prose = page.get_text(number)
                    assert isinstance(prose, LocatedText)
                    yield Mention(self.pages[page], prose, match)


def _find_quoted_words(passage: Passage) -> list[str]:
    return _QUOTED.findall(passage.text) if '"' in passage.text or "“" in passage.text else []


class _LanguageCounts:
    """The number of pages in English and in other languages, where known, per folder and in total."""

    def __init__(self, pages: Iterable[Page]) -> None:
        reported = [(page.path, page.lang == "en") for page in pages if page.lang is not None]
        self._of_all = Counter(is_english for _, is_english in reported)
        self._of_folder = Counter((path.rpartition("/")[0], is_english) for path, is_english in reported)

    def is_foreign(self, page: Page) -> bool:
        """Return whether a page of unknown language is probably not English.

        Most pages of its folder decide; of the whole site if the folder has none of known language.
        """
        folder = page.path.rpartition("/")[0]
        english, others = self._of_folder[folder, True], self._of_folder[folder, False]
        return others > english if others + english else self._of_all[False] > self._of_all[True]


def _get_page_words(page: Page) -> PageWords | None:
    return None if _OF_OTHERS.search(page.path) else page.get_cached(_build_page_words)


def iter_words(page: Page) -> Iterator[str]:
    """Yield the words of a page's prose, in lowercase."""
    words = _get_page_words(page)
    return (word.lower() for text in words.prose for word in split_words(text)) if words else iter(())


def _has_no_language(page: Page, usual_lang: str | None) -> bool:
    """Return whether a page's language is unknown, where the language of the other pages is `usual_lang`."""
    assert page.usual_lang == usual_lang
    return page.lang is None


@page_facts.register_english
def _build_page_words(page: Page) -> PageWords:
    texts, identifiers = page.document.texts, find_identifiers(_iter_code(page))
    return PageWords(tuple(map(str, texts)), identifiers, tuple(text.location for text in texts))


def _iter_code(page: Page) -> Iterator[str]:
    document = page.document
    yield from (_COMMENT.sub(_strip_short_words, block.text) for block in document.code_blocks)
    yield from (document.text[start:end] for start, end in document.code_spans)


def _strip_short_words(comment: re.Match[str]) -> str:
    """Remove the short words from a code comment: these are prose, while longer ones may be identifiers."""
    return _SHORT_WORD.sub("", comment[0])


def get_corpus(site: Site) -> Corpus:
    """Return the site's corpus, shared by the rules of one run; the next run's corpus reuses it."""
    last: Corpus | None = site.cache.get(get_corpus)
    if last is None or last.site() is not site:
        last = site.cache[get_corpus] = Corpus(site, last.usage if last else Usage())
        last.usage.results = site.results
    return last
