"""Detect the language of a text, by its most common words or its script, and the one that a path names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tutorial_tool.core import lazy_re

UNKNOWN = "und"  # ISO 639's code for an undetermined language: neither English nor any of those below
_SCRIPTS = (
    ("ja", "\u3040-\u30ff"), ("ko", "\uac00-\ud7af"), ("zh", "\u4e00-\u9fff"), ("ru", "\u0400-\u04ff"),
    ("el", "\u0370-\u03ff"), ("ar", "\u0600-\u06ff"), ("he", "\u0590-\u05ff"), ("th", "\u0e00-\u0e7f"),
    ("hi", "\u0900-\u097f"), ("bn", "\u0980-\u09ff"), ("ta", "\u0b80-\u0bff"), ("ka", "\u10a0-\u10ff"),
    ("hy", "\u0530-\u058f"),
)  # fmt: skip
_OTHER_SCRIPT = lazy_re.compile("[{}]".format("".join(letters for _, letters in _SCRIPTS)))
_MAX_LENGTH = 4000  # Maximum characters of a page that are checked
_MIN_WORDS = 25  # Minimum words of a text for a certain result
_MIN_COMMON_WORDS = 3  # Distinct common words of a language, with none of English, that identify it in a short text
_MIN_SHARE = 0.08  # Minimum share of words of the text's language, or with its letters; in English prose, it is a third
_MIN_ENGLISH_SHARE = 0.16  # Minimum share of common English words in a text that is English, whatever its path says
_MIN_FOREIGN = 2  # Minimum words of another language that are not there by chance
CODES = frozenset(
    "ar bg bn ca cs da de el en es fa fi fr he hi hr hu id it ja ko nb nl no pl pt ro ru sk sl sr sv th tr uk ur vi"
    " zh".split()
)
"""Languages most frequent in paths, as ISO 639-1 codes."""
_CODE = "|".join(sorted(CODES))
_PATH = lazy_re.compile(
    rf"(?:^|/)({_CODE})(?:[-_][A-Za-z]{{2}})?(?=/)|[_.]({_CODE})(?:[-_][A-Za-z]{{2}})(?=\.\w+$)|\.({_CODE})(?=\.\w+$)"
)
"""A language in a path, with or without a region: `docs/pt-BR/intro.md`, `intro_nb-no.md`, `intro.pl.md`.

In the middle of a name, or after an underscore at its end, it may be a word: `use_it.md`.
"""

_FOLDER = lazy_re.compile(rf"(?:{_CODE}|cn|cz|gr|jp|kr|ua)(?:[-_](?:[A-Za-z]{{2}}|[A-Za-z]{{4}}))?")
"""A language folder, with or without a region or script, or one of a country whose language has another code."""

_ELIDED = lazy_re.compile(r"(?:[dlnsjcm]|qu)['’][aeiouyhàâéèêëîïôœùû]\w")
"""An elided vowel before another, as in French and related languages: `l’ensemble`, `d'audience`."""

_SHORT = frozenset("to as an or by of".split())  # Common words of English that are less common in some other languages


@cache
def _load_common_words() -> Mapping[str, frozenset[str]]:
    """Return the common words that identify a language, by its code."""
    lines = Path(__file__).with_name("common_words.txt").read_text(encoding="utf-8").splitlines()
    return {code: frozenset(words) for code, *words in map(str.split, lines[1:])}


@cache
def load_codes() -> Mapping[str, tuple[str, ...]]:
    """Return the languages in which a word is common, by word."""
    known = _load_common_words().items()
    return {word: tuple(code for code, common in known if word in common) for _, words in known for word in words}


class DetectedLanguage(NamedTuple):
    """A text's language, if detected, and whether it is so clear that the path need not be checked."""

    code: str | None
    is_clear: bool


def get_path_language(path: str) -> str | None:
    """Return the language that a path names; a clear text has priority, as the name may be coincidence."""
    match = _PATH.search(path)
    return (match[1] or match[2] or match[3]) if match else None


def find_language_folder(path: str) -> str:
    """Return the folder of a path that is named after a language or region, verbatim: `pt-br`; else ""."""
    return next((part for part in path.split("/") if _FOLDER.fullmatch(part)), "")


def detect_language(texts: Iterable[str], words_of: Callable[[str], Sequence[str]]) -> DetectedLanguage:
    """Detect the language of a page's texts. `words_of` returns the words of a text."""
    sample = ""
    for text in texts:
        sample += text + "\n"
        if len(sample) > _MAX_LENGTH:
            break
    if not sample.isascii() and _OTHER_SCRIPT.search(sample) and (code := _detect_script_language(sample)):
        return DetectedLanguage(code, True)
    words = words_of(sample.lower())
    if len(words) >= _MIN_WORDS:
        return _detect_common_words(words)
    return DetectedLanguage(_detect_short_text(words), False)


def _detect_script_language(sample: str) -> str | None:
    letters = sum(map(str.isalpha, sample))
    for code, pattern in _SCRIPTS:
        if len(re.findall(f"[{pattern}]", sample)) > max(letters * 0.15, 2):
            return code
    return None


def is_foreign(words: Sequence[str]) -> bool:
    """Return whether words, in lower case, are in a language other than English: a quoted sentence."""
    return _detect_common_words(words)[0] not in ("en", None)


def is_english(words: Iterable[str]) -> bool:
    """Return whether a common English word is among these words."""
    return not _load_common_words()["en"].isdisjoint(map(str.lower, words))


def is_only_english(word: str) -> bool:
    """Return whether a word, in lower case, is common in English only: `the`, `your`."""
    return load_codes().get(word) == ("en",) and word not in _SHORT


def is_common_elsewhere(word: str) -> bool:
    """Return whether a word, in lower case, is common in other languages, not in English: `die`, `se`."""
    return "en" not in load_codes().get(word, ("en",))


def _detect_short_text(words: Sequence[str]) -> str | None:
    """Detect the language of a short text: never English, and None for many texts."""
    if any(map(is_only_english, words)):
        return None
    elided = [word for word in words if _ELIDED.match(word)]
    shares = _count_foreign(Counter(words))
    shares["fr"] += [len(elided)] if elided else []
    best = max(shares, key=lambda code: sum(shares[code]))
    if len(set(elided)) >= _MIN_FOREIGN:
        return best if sum(shares[best]) > len(elided) else "fr"
    is_reported = len(shares[best]) >= _MIN_COMMON_WORDS and sum(shares[best]) >= _MIN_SHARE * len(words)
    return best if is_reported else None


def _count_foreign(counts: Mapping[str, int]) -> dict[str, list[int]]:
    """Return how often each word occurs that is common in a language, and not in English, by language."""
    known = {code: counts.keys() & common for code, common in _load_common_words().items() if code != "en"}
    return {code: [counts[word] for word in words if is_common_elsewhere(word)] for code, words in known.items()}


def _detect_common_words(words: Sequence[str]) -> DetectedLanguage:
    counts = Counter(words)
    shares = dict.fromkeys(_load_common_words(), 0)
    for word in counts.keys() & load_codes().keys():
        for code in load_codes()[word]:
            shares[code] += counts[word]
    best = max(shares, key=lambda code: (shares[code], code == "en"))
    minimum = _MIN_SHARE * len(words)
    if best != "en" and shares[best] >= max(minimum, 1.5 * shares["en"], _MIN_FOREIGN):
        return DetectedLanguage(best, True)
    if shares["en"] >= minimum:
        return DetectedLanguage("en", shares["en"] >= _MIN_ENGLISH_SHARE * len(words))
    accented = sum(count for word, count in counts.items() if not word.replace("’", "'").isascii())
    return DetectedLanguage(UNKNOWN if accented >= max(minimum, _MIN_FOREIGN) else None, False)
