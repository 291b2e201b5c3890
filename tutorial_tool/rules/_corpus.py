"""The English prose of a whole site, read once for the rules that learn from it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache, cached_property
from importlib.resources import files
from typing import NamedTuple
from weakref import WeakKeyDictionary

from tutorial_tool.document import Prose
from tutorial_tool.site import Page, Site
from tutorial_tool.words.speller import tokens

NOT_BEFORE = r"(?<![\w/.@#$%&=\\+~<{'’-])"
"""What does not stand before a word of prose: it would be part of an address, option or name."""
NOT_AFTER = r"(?![\w/@=\\{+~(-]|['’][a-rt-z]|[.:]\w)"
_SENTENCE_START = re.compile(r"(?:^|[.!?:;][\"”')\]]*\s|\n\s*|[•●→>|]\s)[^\w\s]*$")


_LETTERS = re.compile(r"[A-Za-z]+")


class Place(NamedTuple):
    """A match in the prose of a page."""

    page: Page
    prose: Prose
    match: re.Match[str]
    group: int = 0

    @property
    def text(self) -> str:
        return str(self.match[self.group])

    @property
    def at(self) -> tuple[int, int]:
        """Where it stands in the page's text."""
        return self.prose.at(*self.match.span(self.group))

    @property
    def starts_sentence(self) -> bool:
        return starts_sentence(self.prose, self.match.start(self.group))


def starts_sentence(text: str, start: int) -> bool:
    """Whether a capital at `start` says nothing: a sentence or a line begins there."""
    return _SENTENCE_START.search(text, max(0, start - 8), start) is not None or start == 0


@cache
def small_words() -> frozenset[str]:
    """Words that stand beside any other, and prefixes: two of them in a row are no term."""
    text = (files("tutorial_tool.rules") / "words" / "small.txt").read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


class Corpus:
    """The English pages of a site. A text that stands on several pages was written once and counts once."""

    def __init__(self, site: Site) -> None:
        self.pages = [page for page in site.pages if page.lang in ("en", None)]

    @cached_property
    def texts(self) -> dict[str, list[tuple[Page, Prose]]]:
        """Each distinct text with its places."""
        out: dict[str, list[tuple[Page, Prose]]] = {}
        for page in self.pages:
            for prose in page.document.prose():
                out.setdefault(str(prose), []).append((page, prose))
        return out

    @cached_property
    def code(self) -> dict[Page, tuple[str, ...]]:
        """The code on each page: blocks and spans."""
        return {page: tuple(_code(page)) for page in self.pages}

    @cached_property
    def identifiers(self) -> frozenset[str]:
        """The words of letters in code, as typed."""
        texts = dict.fromkeys(text for code in self.code.values() for text in code)
        return frozenset(word for text in texts for word in _LETTERS.findall(text))

    @cached_property
    def words(self) -> dict[str, list[str]]:
        """Each distinct text's words as typed, in their order."""
        return {text: tokens(text) for text in self.texts}

    @cached_property
    def lowered(self) -> dict[str, list[str]]:
        """The same words in lower case."""
        return {text: " ".join(words).lower().split(" ") for text, words in self.words.items()}

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each word was written."""
        counts: Counter[str] = Counter()
        for words in self.words.values():
            counts.update(words)
        return counts

    @cached_property
    def forms(self) -> dict[str, list[str]]:
        """The ways in which each word is cased, by the word in lower case."""
        out: dict[str, list[str]] = {}
        for word in self.counts:
            out.setdefault(word.lower(), []).append(word)
        return out

    def having(self, words: set[str]) -> dict[str, list[str]]:
        """The distinct texts in which each of some words stands."""
        out: dict[str, list[str]] = {word: [] for word in words}
        for text, found in self.words.items():
            for word in words.intersection(found):
                out[word].append(text)
        return out

    def find(self, pattern: re.Pattern[str], texts: list[str], group: int = 0) -> Iterator[Place]:
        """The matches of a pattern in some texts, wherever these stand."""
        for text in texts:
            for match in pattern.finditer(text):
                for page, prose in self.texts[text]:
                    yield Place(page, prose, match, group)


def _code(page: Page) -> Iterator[str]:
    document = page.document
    yield from (block.text for block in document.code_blocks)
    yield from (document.text[start:end] for start, end in document.code_spans)


_READ: WeakKeyDictionary[Site, Corpus] = WeakKeyDictionary()


def corpus(site: Site) -> Corpus:
    """The site's corpus, shared by the rules of one run."""
    if site not in _READ:
        _READ[site] = Corpus(site)
    return _READ[site]
