"""Checks whether an apparent misspelling may be intended: a name, a word of the code or another language."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property

from tutorial_tool.core import language, lazy_re
from tutorial_tool.core.source import find_line_end, find_line_start
from tutorial_tool.markdown.document import CONTEXT, LocatedText
from tutorial_tool.rules.text._corpus import Corpus
from tutorial_tool.site import Page, page_facts
from tutorial_tool.spelling import lists, near_words, proper_names
from tutorial_tool.spelling.speller import MAX_QUOTED_WORDS, Misspelling
from tutorial_tool.spelling.usage import split_words

_WORDS_AROUND = 2  # Adjacent words checked for a phrase in another language
_OTHERS = proper_names.AUTONYMS.difference("Afrikaans English Esperanto Filipino Indonesia Tagalog".split())
"""Autonyms of languages whose English name differs."""
_MARK = lazy_re.compile(r"[^\w\s'’-]")
_ABLE = lazy_re.compile(
    r"(?<![a-z])((?:re|un|im|non)?[^aeiou\W]*[aeiou]+[^aeiouy\W]*)eable$|(?<=(.))\2able$", re.IGNORECASE
)
"""`writeable` and `unlikeable`, not `desireable`; `controllable`."""
_ADJECTIVES = lazy_re.compile(r"(?:[ai]ble|al|ic|ive|ary|ant|ent)s$")
"""Endings of adjectives used as nouns: `enumerables`, `criticals`."""
_LIBRARY = lazy_re.compile(r"(?:js|py|db|ctl|[a-z]q)$")  # Endings of program names
_ABOUT_SPELLING = lazy_re.compile(r"\b(?:spelling|spelt|typos?\b|misspel|mistyp)", re.IGNORECASE)


class Suspect:
    """A misspelling with its context."""

    def __init__(self, misspelling: Misspelling, corpus: Corpus) -> None:
        assert isinstance(misspelling.text, LocatedText)
        self.corpus, self.page = corpus, corpus.pages[misspelling.page]
        self.word, self.best = misspelling.suggestion.word, misspelling.suggestion.candidates[0]
        self.others, self.tier = misspelling.suggestion.candidates, misspelling.tier
        self.prose, start, end = misspelling.text, misspelling.start, misspelling.end
        self.span = self.prose.locate(start, end)
        low = max(start - CONTEXT, 0)  # otherwise, a long text would be scanned for each of its words
        self.text = str(self.prose[low : end + CONTEXT])
        self.start, self.end = start - low, end - low

    @property
    def is_listed(self) -> bool:
        """Whether a list of misspellings has the word."""
        return self.tier.startswith("1")

    @cached_property
    def source(self) -> str:
        return self.page.plain

    @property
    def adjacent_characters(self) -> str:
        """The characters before and after the word."""
        return self.text[max(self.start - 1, 0) : self.start] + self.text[self.end : self.end + 1]


def is_intended(misspelling: Misspelling, corpus: Corpus) -> bool:
    """Return whether a word should not be reported."""
    suspect = Suspect(misspelling, corpus)
    return any(signal(suspect) for signal in (SIGNALS if suspect.is_listed else (*SIGNALS, *OF_UNLISTED)))


def _is_glued(suspect: Suspect) -> bool:
    """Return whether markup splits the word, which a fix would delete: `supporting<b>a variety</b>`."""
    start, end = suspect.span
    return end - start != suspect.end - suspect.start


def _is_in_foreign_row(suspect: Suspect) -> bool:
    """Return whether a table row is in another language: `| Parametre | Açıklama |`."""
    if suspect.prose.kind != "cell":
        return False
    text, at = suspect.source, suspect.prose.start
    row = split_words(text[find_line_start(text, at) : find_line_end(text, at)])
    is_outlier = any(not (word.isascii() or lists.is_known(word)) for word in row)
    return is_outlier and not language.is_english(row)


def _is_cased_otherwise(suspect: Suspect) -> bool:
    """Return whether the word has inner capitals, `mParticle`, or is used with them, `CommonJS`."""
    forms = suspect.corpus.usage.forms_by_lowercase.get(suspect.word.lower(), ())
    return not (suspect.word.islower() or suspect.word.istitle()) or any(
        not form[1:].islower() and not form.isupper() for form in forms
    )


def _is_adjective_as_noun(suspect: Suspect) -> bool:
    return suspect.best.lower() == suspect.word[:-1].lower() and _ADJECTIVES.search(suspect.word) is not None


def _is_in_named_language(suspect: Suspect) -> bool:
    """Return whether a language is named: `Versione in italiano`."""
    before, after = _MARK.split(suspect.text[: suspect.start])[-1], _MARK.split(suspect.text[suspect.end :])[0]
    around = (*split_words(before)[-_WORDS_AROUND:], suspect.word, *split_words(after)[:_WORDS_AROUND])
    return any(word.capitalize() in _OTHERS for word in around)


def _is_program_name(suspect: Suspect) -> bool:
    """Return whether the word is a service: `systemd`."""
    stem = suspect.word[:-1].lower()
    is_near = suspect.best.lower() in (stem, f"{stem}s")
    return is_near and suspect.word.endswith("d") and not stem.endswith(("e", "ed"))


def _is_in_url(suspect: Suspect) -> bool:
    """Return whether an external URL on the page contains the word: a name of that site or its content."""
    urls = [url for url in suspect.page.get_cached(_get_external_urls) if suspect.word.lower() in url]
    return any(re.match(rf"https?://(?:.*[^a-z])?{suspect.word.lower()}(?![a-z])", url) for url in urls)


@page_facts.register_english
def _get_external_urls(page: Page) -> tuple[str, ...]:
    return tuple(url for link in page.document.links if (url := link.href.lower()).startswith("http"))


def _is_mentioned(suspect: Suspect) -> bool:
    """Return whether the text mentions the misspelling with its correction, or the word as such.

    `the "flate" format` mentions the word.
    """
    word, best, text = suspect.word, suspect.best, suspect.text
    if _ABOUT_SPELLING.search(text) and re.search(rf"\b{best}\b", text, re.IGNORECASE):
        return True
    return word.islower() and word in suspect.corpus.quoted_words


def _is_in_capitals(suspect: Suspect) -> bool:
    """Return whether an uppercase text has other unknown words, may mean another word, or name a person."""
    if "T" not in suspect.tier:
        return False
    words = [word for word in split_words(suspect.prose) if word != suspect.word]
    if len(words) < MAX_QUOTED_WORDS and any(_is_strange(word, suspect.corpus) for word in words):
        return True
    best = suspect.best.lower()
    is_used = best in suspect.corpus.usage.forms_by_lowercase
    if not (suspect.is_listed or (is_used and near_words.is_slip(suspect.word.lower(), best))):
        return True
    is_title = is_used and suspect.prose.kind in ("heading", "alt")
    return not (is_title or all(suspect.corpus.usage.counts[word.lower()] for word in words))  # `Nirmal Patel`


def _is_strange(word: str, corpus: Corpus) -> bool:
    return word.istitle() and not lists.is_known(word.lower()) and corpus.usage.counts[word] <= 2


def _is_accepted(suspect: Suspect) -> bool:
    """Return whether only the ending is a variant: `writeable`, or `extendible`, which a list has."""
    is_listed = lists.is_listed(suspect.word) and suspect.word.replace("ible", "able") == suspect.best
    return is_listed or _ABLE.sub(r"\1able", suspect.word) == _ABLE.sub(r"\1able", suspect.best)


def _is_listed_name(suspect: Suspect) -> bool:
    """Return whether a known misspelling is in code, too, or capitalized with an unused correction."""
    if not suspect.is_listed:
        return False
    is_capital = "C" in suspect.tier
    if "K" in suspect.tier and (is_capital or suspect.word.istitle() or len(suspect.word) < near_words.MIN_SLIP):
        return True
    return is_capital and suspect.best.lower() not in suspect.corpus.usage.forms_by_lowercase


def _is_name(suspect: Suspect) -> bool:
    """Return whether the word is of code (`:smiley:`), capitalized in mid-sentence, a program, or alone in a list."""
    if (
        ("C" in suspect.tier and not _is_slip_for_name(suspect))
        or "K" in suspect.tier
        or suspect.adjacent_characters in ("()", "::", "][")
        or _LIBRARY.search(suspect.word)
    ):
        return True
    if suspect.prose.kind == "heading" and not suspect.tier.startswith(("2c", "2d", "2e")):
        return False
    is_alone = suspect.prose.strip(" :.") == suspect.word
    return is_alone or (suspect.prose.kind == "cell" and suspect.prose.istitle())


def _is_slip_for_name(suspect: Suspect) -> bool:
    """Return whether the word is a name of the corpus with letters swapped, missing or surplus: `Koltin`, `Gthub`."""
    word, best = suspect.word.lower(), suspect.best.lower()
    is_anagram = sorted(word) == sorted(best)
    is_longer_or_shorter = len(word) != len(best) and suspect.tier.startswith("2a")
    if not (is_longer_or_shorter or (is_anagram and suspect.tier.startswith(("2a", "2c")))):
        return False  # `Consensys` beside `Consensus`
    return near_words.is_slip(word, best) and best.capitalize() in suspect.corpus.usage.counts


SIGNALS: tuple[Callable[[Suspect], bool], ...] = (
    _is_glued,
    _is_in_foreign_row,
    _is_cased_otherwise,
    _is_adjective_as_noun,
    _is_in_named_language,
    _is_program_name,
    _is_in_url,
    _is_mentioned,
    _is_in_capitals,
    _is_accepted,
    _is_listed_name,
)
"""Checks that accept any word."""
OF_UNLISTED = (_is_name,)  # Checks that accept a word that is no known misspelling
