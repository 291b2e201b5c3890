"""Similarity of pages: the share of sentences, lines and cells that they have in common."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from functools import cached_property
from operator import itemgetter
from zlib import adler32, crc32

from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.core.caching import cache_method
from tutorial_tool.core.scripts import MAX_TERM_WORDS
from tutorial_tool.spelling import lists
from tutorial_tool.variants import known_names, names, paths, reference_pages

_FRONT_MATTER = lazy_re.compile(r"\A(---|\+\+\+)[ \t]*\n.*?\n\1[ \t]*\n", re.DOTALL)
_GAP = (
    r"\s(?:"  # the first character of a match, as in all of these: limits how many positions are tried
    r"(?<=\n)(?:"
    r"[ \t>]*\n"  # a blank line
    r"|(?=[ \t>]*(?:[-*+]|\d+[.)])[ \t])"  # start of a list item
    r"|(?=[ \t]*[#|<`~!:]))"  # a line of its own: heading, table row, tag, fence, image
    r"|(?<=[.!?:;]\s)\s*(?=[A-Z*`\[_\"(<])"  # end of a sentence
    r"|(?<=[>`|]\n))"
)
_UNIT = lazy_re.compile(_GAP)
_WIDE = "。！？"  # Marks that end sentences without a space
_WIDE_UNIT = lazy_re.compile(rf"{_GAP}|(?<=[{_WIDE}])(?![」』）】”’)\]{_WIDE}\s])")
_EDGE = " \t\n>|#*-+_.:0123456789)("
MASKED = "\ufffc"  # Replaces a page's own name
_LOWERCASE = frozenset(string.ascii_lowercase)
_LETTERS = _LOWERCASE | frozenset(string.digits)
_MIN_LENGTH, _PIECE_WORDS = 12, 6
"""Minimum characters of a significant text; words that are compared as one piece, so that one word changes no more."""
KNOWN, PARTLY_KNOWN, NAME, WORD, ENTRY = 2.0, 1.0, 1.5, -3.0, -4.0
"""Evidence in bits that a name in a path is a variant: a known name; one with another word; a word that the text
always writes as a name; one that it never does; an identifier that the page documents (see `linkage`)."""
_PRIOR = 0.5  # Prior count of a word, both as name and as word; one more for a dictionary word


def normalize_text(text: str) -> str:
    """Return the body of a page in lower case, one line for each sentence, heading and row."""
    body = _FRONT_MATTER.sub("", text)
    pattern = _WIDE_UNIT if any(mark in body for mark in _WIDE) else _UNIT
    units = (" ".join(unit.split()).strip(_EDGE) for unit in pattern.split(body))
    return "\n".join(unit.lower() for unit in units if unit)


def hash_units(text: str) -> frozenset[int]:
    """Return hashes of the significant lines, the same in each run: pages that share one are compared."""
    lines = (line.split(" ") for line in text.split("\n"))
    pieces = (" ".join(words[i : i + _PIECE_WORDS]) for words in lines for i in range(0, len(words), _PIECE_WORDS))
    encoded = (piece.encode("utf-8", "surrogatepass") for piece in pieces if _is_long_enough(piece))
    return frozenset(crc32(piece) << 32 | adler32(piece) for piece in encoded)


def _is_long_enough(line: str) -> bool:
    """Return whether a line is long enough; in scripts without spaces, a letter counts as two."""
    length = len(line)
    return length >= _MIN_LENGTH or (2 * length >= _MIN_LENGTH and length + scripts.count_letters(line) >= _MIN_LENGTH)


class PageSummary:
    """A page as discovery sees it: cheap, without parsing. Query results are cached as long as it exists."""

    def __init__(
        self, path: str, text: str, units: frozenset[int] | None = None, language: str = "", digest: str = ""
    ) -> None:
        self.path, self.text, self.digest = path, text, digest or text
        self.units = hash_units(normalize_text(text)) if units is None else units
        self.language = language

    @cache_method
    def get_masked_units(self, slug: str) -> frozenset[int]:
        """Return its units with a name masked."""
        text = self.text.lower()
        forms = [form for form in self._get_forms(slug) if form and form.split()[0] in text]
        return hash_units(_mask_forms(self._lowered, forms)) if forms else self.units

    def get_masked_title(self, slug: str) -> tuple[str, ...]:
        """Return the words of its title with a name masked; none if that is not in it, or all of it."""
        words = tuple(re.findall(rf"[\w{MASKED}]+", _mask_forms(self._title.lower(), self._get_forms(slug))))
        return words if MASKED in words and len(words) > 1 else ()

    @cached_property
    def _title(self) -> str:
        return names.find_title(self.text)

    @cached_property
    def _lowered(self) -> str:
        return normalize_text(self.text)

    @cached_property
    def _prose(self) -> str:
        return names.extract_prose(self.text)

    def _get_forms(self, slug: str) -> tuple[str, ...]:
        """Return the forms in which the page may write a name, in lower case."""
        key = slug.lower()
        forms = (known_names.get_name(key), names.find_form(self._title, slug), " ".join(paths.get_tokens(key)))
        return tuple(dict.fromkeys(form.lower() for form in forms if form))

    def measure_name_evidence(self, slug: str) -> float:
        """Return the evidence that a slug is the name of a variant, in bits."""
        if known_names.is_known_name(slug):
            return KNOWN
        words = [word for word in paths.get_tokens(slug) if not word.isdigit()]
        has_name = any(map(known_names.is_known_name, words)) and not all(map(lists.is_known, words))
        if has_name and len(words) <= MAX_TERM_WORDS:
            return PARTLY_KNOWN
        if reference_pages.is_about_identifier(self.path, self.text, slug):
            return ENTRY
        uses = [names.count_in_sentences(form.replace(" ", "-"), self._prose) for form in self._get_forms(slug)]
        as_word = _PRIOR + max(map(itemgetter(0), uses), default=0)
        as_name = _PRIOR + max(map(itemgetter(1), uses), default=0)
        as_word += _PRIOR * (2 * sum(map(lists.is_known, words)) >= len(words))
        return WORD + (NAME - WORD) * as_name / (as_name + as_word)


def _mask_forms(text: str, forms: Iterable[str]) -> str:
    """Return a text in lower case with these forms masked, except within longer words."""
    for form in forms:
        copied = 0
        pieces: list[str] = []
        for start, end in names.find_occurrences(paths.get_tokens(form) or [form], text):
            if start >= copied and text[start - 1 : start] not in _LETTERS and text[end : end + 1] not in _LOWERCASE:
                pieces += (text[copied:start], MASKED)
                copied = end
        text = "".join((*pieces, text[copied:]))
    return text
