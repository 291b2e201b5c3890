"""How alike pages are: the share of their sentences, lines and cells that they have in common."""

from __future__ import annotations

import re
from collections.abc import Iterable
from zlib import adler32, crc32

from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.spelling import lists
from tutorial_tool.variants import known_names, names, paths, reference

_FRONT_MATTER = lazy_re.compile(r"\A(---|\+\+\+)[ \t]*\n.*?\n\1[ \t]*\n", re.DOTALL)
_GAP = (
    r"\s(?:"  # the first character of a match, as in all of these: far from all places are looked at
    r"(?<=\n)(?:"
    r"[ \t>]*\n"  # a blank line
    r"|(?=[ \t>]*(?:[-*+]|\d+[.)])[ \t])"  # a list item begins
    r"|(?=[ \t]*[#|<`~!:]))"  # a line of its own: heading, table row, tag, fence, picture
    r"|(?<=[.!?:;]\s)\s*(?=[A-Z*`\[_\"(<])"  # a sentence ends
    r"|(?<=[>`|]\n))"
)
_UNIT = lazy_re.compile(_GAP)
_WIDE = "。！？"  # What ends sentences that no blank follows
_WIDE_UNIT = lazy_re.compile(rf"{_GAP}|(?<=[{_WIDE}])(?![」』）】”’)\]{_WIDE}\s])")
_NAME_WORDS = 3  # Words of a name that has a known one in it
_EDGE = " \t\n>|#*-+_.:0123456789)("
MASKED = "\ufffc"  # Stands for a page's own name
_LENGTH = 12  # Characters of a text that tells something: shorter ones stand anywhere
KNOWN, PARTLY_KNOWN, NAME, NO_NAME, WORD, ENTRY = 2.0, 1.0, 0.5, -1.0, -3.0, -4.0
"""Evidence in bits that what a path calls a page is a variant: a known name; one with a word more; a word that the text
writes as a name; one that it never does; an ordinary word; an identifier that the page documents (see `linkage`)."""


def lowered(text: str) -> str:
    """The body of a page as lines, one for each sentence, heading and row, in lower case."""
    body = _FRONT_MATTER.sub("", text)
    pattern = _WIDE_UNIT if any(sign in body for sign in _WIDE) else _UNIT
    units = (" ".join(unit.split()).strip(_EDGE) for unit in pattern.split(body))
    return "\n".join(unit.lower() for unit in units if unit)


def units_of(lower: str) -> frozenset[int]:
    """The hashes of lines that tell something, the same in each run: where two lines share one, they are compared."""
    lines = (line.encode("utf-8", "surrogatepass") for line in lower.split("\n") if _tells(line))
    return frozenset(crc32(line) << 32 | adler32(line) for line in lines)


def _tells(line: str) -> bool:
    """Whether a line is long enough; of scripts without blanks, a letter says as much as two."""
    return len(line) >= _LENGTH or (2 * len(line) >= _LENGTH and len(line) + scripts.letters(line) >= _LENGTH)


class Look:
    """A page as discovery sees it: cheaply, without a parser. What is asked of it is kept as long as it is."""

    def __init__(
        self, path: str, text: str, units: frozenset[int] | None = None, language: str = "", digest: str = ""
    ) -> None:
        self.path, self.text, self.digest = path, text, digest or text
        self.units = units_of(lowered(text)) if units is None else units
        self.language = language
        self._masked: dict[str, frozenset[int]] = {}

    def masked(self, slug: str) -> frozenset[int]:
        """Its units with a name masked."""
        key = slug.lower()
        if key not in self._masked:
            words = paths.tokens(key)
            name = known_names.name_of(key).lower()
            text = self.text.lower()
            is_met = bool(words) and (words[0] in text or (name and name in text))
            self._masked[key] = units_of(_mask(lowered(self.text), key)) if is_met else self.units
        return self._masked[key]

    def title(self, slug: str) -> str:
        """The words of its title with its name masked; "" where that is not in it, or all of it."""
        title = masked(names.title_of(self.text), (slug, known_names.name_of(slug)))
        return title if MASKED in title and " " in title else ""

    def evidence_of_name(self, slug: str) -> float:
        """How much tells that a slug is the name of a variant, in bits."""
        if known_names.is_known(slug):
            return KNOWN
        words = [word for word in paths.tokens(slug) if not word.isdigit()]
        if len(words) <= _NAME_WORDS and any(map(known_names.is_known, words)) and not all(map(lists.known, words)):
            return PARTLY_KNOWN
        if reference.is_about_identifier(self.path, self.text, slug):
            return ENTRY
        lower, capital = names.in_sentences(slug, names.prose_of(self.text))
        if capital > lower:
            return NAME
        return WORD if lower or 2 * sum(map(lists.known, words)) >= len(words) else NO_NAME


def masked(text: str, slugs: Iterable[str]) -> str:
    """The words of a text in lower case, without marks, some names masked."""
    lower = text.lower()
    for slug in sorted(slugs, key=len, reverse=True):
        lower = _mask(lower, slug.lower())
    return " ".join(re.findall(rf"[\w{MASKED}]+", lower))


def _mask(text: str, slug: str) -> str:
    words = paths.tokens(slug)
    if (name := known_names.name_of(slug)) and name.lower() != slug:
        text = re.sub(rf"(?<![a-z0-9]){re.escape(name.lower())}(?![a-z])", MASKED, text)
    spaced = r"[-_ .]?".join(map(re.escape, words))
    if not words or words[0] not in text:
        return text
    return re.sub(rf"(?<![a-z0-9]){spaced}(?![a-z])", MASKED, text)
