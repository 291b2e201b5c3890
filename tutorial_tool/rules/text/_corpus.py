"""The English prose of a whole site, read once for the rules that learn from it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import chain
from typing import NamedTuple
from weakref import ref

from tutorial_tool.core import language, lazy_re
from tutorial_tool.markdown.document import LocatedText
from tutorial_tool.site import Page, Site, page_facts
from tutorial_tool.site.having import collect_facts
from tutorial_tool.spelling import word_lists
from tutorial_tool.spelling.usage import PageWords, Passage, Usage, find_identifiers, split_words

NOT_BEFORE = r"(?<![\w/.@#$%&=\\+~<{'’-])"
"""What does not stand before a word of prose: it would be part of an address, option or name."""
NOT_AFTER = r"(?![\w/@=\\{+~(-]|['’][a-rt-z]|[.:]\w|://)"
FACTOR = 3  # How many times more often the usual form, term, or voice stands
SURE = 20  # The same, where the other one is a slip for sure. 38 trees, 2026-11: 58 of 62 acronyms
_SENTENCE_START = lazy_re.compile(r"(?:^|[.!?:;][\"”')\]]*\s|\n\s*|[•●→>|]\s)[^\w\s]*$")


_OF_OTHERS = lazy_re.compile(
    r"(?:^|/)(?:LICEN[CS]ES?|COPYING|NOTICES?|THIRD[-_ ]?PARTY[\w-]*|(?-i:ACKNOWLEDGE?MENTS|ATTRIBUTIONS))"
    r"(?:[-.]\w+)*$",
    re.IGNORECASE,
)
"""Files whose texts others wrote: nobody mends their spelling."""
_HISTORY = lazy_re.compile(
    r"(?:^|/)(?:CHANGE[-_]?(?:LOGS?|S)|HISTORY|NEWS|RELEASES?|REL(?:EASE)?[-_]?(?:NOTES?|HISTORY))(?![a-z])",
    re.IGNORECASE,
)
_COMMENT = lazy_re.compile(r"(?:^|(?<=[ \t]))(?:#|//|--)[ \t]+[^\n]*|/\*.*?\*/", re.MULTILINE | re.DOTALL)
_SHORT_WORD = lazy_re.compile(r"(?<![\w./$%@:=<\"'`-])[a-z]{2,4}(?![\w/()=<\"'`-]|[.:]\w)")
_QUOTED = lazy_re.compile(r"(?:(?<=\")(?=[a-z]+\")|(?<=“)(?=[a-z]+”))([a-z]+)")
_LETTERS = lazy_re.compile(r"[A-Za-z]+")
_BEGIN, _END, _ANY = lazy_re.compile(NOT_BEFORE), lazy_re.compile(NOT_AFTER), lazy_re.compile("(?s:.*)")


class Word(NamedTuple):
    """A word or phrase of prose, in lower case where it stands for any case: a site needs too many to compile them."""

    form: str
    in_any_case: bool = False

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Where it is in a text and no part of a longer word."""
        source, at = text.lower() if self.in_any_case else text, 0
        if len(source) != len(text):  # some letters of other languages are two in lower case
            yield from re.finditer(NOT_BEFORE + self.form + NOT_AFTER, text, re.IGNORECASE)
            return
        while (at := source.find(self.form, at)) >= 0:
            end = at + len(self.form)
            match = _ANY.match(text, at, end) if _BEGIN.match(text, at) and _END.match(text, end) else None
            if match:
                yield match
            at = end if match else at + 1


class Place(NamedTuple):
    """A match in the prose of a page."""

    page: Page
    prose: LocatedText
    match: re.Match[str]
    group: int = 0

    @property
    def text(self) -> str:
        return str(self.match[self.group])

    @property
    def span(self) -> tuple[int, int]:
        """Where it stands in the page's text."""
        return self.prose.locate(*self.match.span(self.group))

    def build_edit(self, better: str) -> tuple[int, int, str] | None:
        """The edit of the page's text that makes it another text, unless markup stands in what changes."""
        return self.prose.build_edit(*self.match.span(self.group), better)

    @property
    def starts_sentence(self) -> bool:
        return starts_sentence(self.prose, self.match.start(self.group))


def is_history(page: Page) -> bool:
    """Whether a page says what was changed, in the words of many people who were in a hurry."""
    return _HISTORY.search(page.path) is not None


def starts_sentence(text: str, start: int) -> bool:
    """Whether a capital at `start` says nothing: a sentence or a line begins there."""
    return _SENTENCE_START.search(text, max(0, start - 8), start) is not None or start == 0


@cache
def get_small_words() -> frozenset[str]:
    """Words that stand beside any other, and prefixes: two of them in a row are no term."""
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
        """The words in small letters that stand alone in quotation marks."""
        return frozenset(chain.from_iterable(self.usage.collect_facts(_find_quoted_words).values()))

    @cached_property
    def regional_pages(self) -> frozenset[Page]:
        """The pages in the English of a country, where others are in that of another or of none."""
        reported = {page: language.get_path_country(page.path) for page in self.pages.values()}
        differ = len({*reported.values()}) > 1
        return frozenset(page for page, country in reported.items() if country and differ)

    @cached_property
    def name_prefixes(self) -> frozenset[str]:
        """What names of the texts begin with, in lower case, and the words of the name of the site's folder:
        `lamp` of `lamp_on` and `lamp_off`."""
        names = {word.lower() for word in self.usage.counts if "_" in word.strip("_")}
        heads = Counter(name.partition("_")[0] for name in names)
        site = self.site()
        folder = _LETTERS.findall(site.layout.root.resolve().name.lower()) if site else []
        return frozenset([*folder, *(head for head, times in heads.items() if times > 1)])

    def find_places(
        self, pattern: re.Pattern[str] | Word, passages: Iterable[Passage], group: int = 0
    ) -> Iterator[Place]:
        """The matches of a pattern, or of a word, in some passages, wherever these stand."""
        for passage in passages:
            for match in passage.find_matches(pattern):
                yield from self.iter_places(passage, match, group)

    def get_matching_places(
        self, word: Word, passage: Passage, is_so: Callable[..., object], **options: bool
    ) -> Sequence[Place]:
        """The places of a word in a passage of which something is true that the pages tell: looked at once."""
        key = word, is_so, *options.values()
        if key not in passage.places:
            passage.places[key] = tuple(place for place in self.find_places(word, [passage]) if is_so(place, **options))
        places: tuple[Place, ...] = passage.places[key]
        return places

    def is_repeated(self, name: str) -> bool:
        """Whether several passages have a name of two words."""
        passages = self.usage.find_passages([name.rpartition(" ")[2]])
        return sum(name in passage.text for holding in passages.values() for passage in holding) > 1

    def iter_places(self, passage: Passage, match: re.Match[str], group: int = 0) -> Iterator[Place]:
        """A match in a passage, wherever this stands."""
        for page, number in self.usage.iter_places(passage):
            prose = page.prose[number]
            assert isinstance(prose, LocatedText)
            yield Place(self.pages[page], prose, match, group)


def _find_quoted_words(passage: Passage) -> list[str]:
    return _QUOTED.findall(passage.text) if '"' in passage.text or "“" in passage.text else []


class _LanguageCounts:
    """How many pages of each folder, and of all, are in English and in another language, as far as they tell it."""

    def __init__(self, pages: Iterable[Page]) -> None:
        reported = [(page.path, page.lang == "en") for page in pages if page.lang is not None]
        self._of_all = Counter(is_english for _, is_english in reported)
        self._of_folder = Counter((path.rpartition("/")[0], is_english) for path, is_english in reported)

    def is_foreign(self, page: Page) -> bool:
        """Whether of a page whose language nothing tells most of its folder are not in English: of the site, where none
        there tells it."""
        folder = page.path.rpartition("/")[0]
        english, others = self._of_folder[folder, True], self._of_folder[folder, False]
        return others > english if others + english else self._of_all[False] > self._of_all[True]


def _get_page_words(page: Page) -> PageWords | None:
    return None if _OF_OTHERS.search(page.path) else page.get_cached(_build_page_words)


def iter_words(page: Page) -> Iterator[str]:
    """The words of the prose of a page, in lower case."""
    words = _get_page_words(page)
    return (word.lower() for text in words.prose for word in split_words(text)) if words else iter(())


def _has_no_language(page: Page, usual_lang: str | None) -> bool:
    """Whether nothing tells a page's language, where that of other pages is `usual_lang`."""
    assert page.usual_lang == usual_lang
    return page.lang is None


@page_facts.register_english
def _build_page_words(page: Page) -> PageWords:
    return PageWords(tuple(map(LocatedText.from_prose, page.document.texts)), find_identifiers(_iter_code(page)))


def _iter_code(page: Page) -> Iterator[str]:
    document = page.document
    yield from (_COMMENT.sub(_strip_short_words, block.text) for block in document.code_blocks)
    yield from (document.text[start:end] for start, end in document.code_spans)


def _strip_short_words(comment: re.Match[str]) -> str:
    """A comment of code without its short words: these are prose, where longer ones may be names of the code."""
    return _SHORT_WORD.sub("", comment[0])


def get_corpus(site: Site) -> Corpus:
    """The site's corpus, shared by the rules of one run; that of the next run is made of it."""
    last: Corpus | None = site.cache.get(get_corpus)
    if last is None or last.site() is not site:
        last = site.cache[get_corpus] = Corpus(site, last.usage if last else Usage())
        last.usage.results = site.results
    return last
