"""Convert text to letters allowed in IDs: other alphabets by sound, words of other scripts in English."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_LETTERS = {
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
    "а": "a", "б": "b", "в": "v", "г": "g", "ґ": "g", "д": "d", "е": "e", "є": "ie", "ж": "zh", "з": "z", "и": "i",
    "і": "i", "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "у": "u",
    "ф": "f", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ы": "y", "ь": "", "э": "e", "ю": "iu",
    "я": "ia", "α": "a", "β": "v", "γ": "g", "δ": "d", "ε": "e", "ζ": "z", "η": "i", "θ": "th", "ι": "i", "κ": "k",
    "λ": "l", "μ": "m", "ν": "n", "ξ": "x", "ο": "o", "π": "p", "ρ": "r", "σ": "s", "ς": "s", "τ": "t", "υ": "y",
    "φ": "f", "χ": "ch", "ψ": "ps", "ω": "o",
}  # fmt: skip
"""Transliteration of letters that Unicode's tables do not map, and of Russian and Greek ones."""
_TABLE = str.maketrans(_LETTERS)
_HAN = "\u3400-\u9fff"


def convert_to_ascii(text: str) -> str:
    """Convert text to lowercase ASCII; unknown characters are dropped, and do not separate words."""
    if text.isascii():
        return text.lower()
    composed = unicodedata.normalize("NFC", text)
    message = _build_pattern().sub(lambda match: f" {_load_english_words()[match[0]]} ", composed)
    bare = unicodedata.normalize("NFKD", message.lower().translate(_TABLE)).translate(_TABLE)
    return bare.encode("ascii", "ignore").decode()


@cache
def _load_english_words() -> Mapping[str, str]:
    lines = (Path(__file__).parent / "english.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split() for line in lines if not line.startswith("#"))


@cache
def _build_pattern() -> re.Pattern[str]:
    """Build a pattern of the words in `english.txt`; one character matches only without Han beside it."""
    longest = sorted(_load_english_words(), key=len, reverse=True)
    return re.compile("|".join(w if len(w) > 1 else f"(?<![{_HAN}]){w}(?![{_HAN}])" for w in longest))
