"""Common and differing parts of several platforms' texts: names among them, and their cores."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.core.scripts import Expression

Vector = tuple[tuple[str, str], ...]  # A difference: platforms and texts, in the order of the platforms
MAX_VALUE_CHARACTERS = 160  # Maximum characters of a difference within a line, and so in YAML
MAX_NAME_CHARACTERS = 40  # Maximum characters of a name, or of a value to find elsewhere; longer ones are wording
MIN_FACT_CHARACTERS = 3  # Minimum characters of a text to recognize elsewhere
_NAME = lazy_re.compile(r"[^\W_]+")
_MARKUP = lazy_re.compile(r"[\[\]`*|<>\n]")  # Markdown markers that facts do not contain
_WORD = lazy_re.compile(r"\w+")
_NOT_IN_NAMES = frozenset("a an the your our this and or with".split())
_EDGE = lazy_re.compile(r"\b(?=\w)|(?<=\w)\b")
_TAIL = lazy_re.compile(r"(?:\b(?=\w)|(?<=\w)\b)(?!\.)")  # Where a common end may begin: not before a suffix
_SENTENCE = lazy_re.compile(r"[,;:!?]|\.$")  # Punctuation of the sentence that a name is in


def get_texts(vector: Vector) -> list[str]:
    return [text for _, text in vector]


def is_name(texts: Vector) -> bool:
    """Return whether all texts are spellings of their platform's name."""
    return len(set(get_texts(texts))) > 1 and all(matches_platform(text, platform) for platform, text in texts)


def split_words(text: str) -> list[str]:
    """Return the words of a text: letters, digits, and underscores."""
    matches = _WORD.findall(text)
    return [part for word in matches for part in split_unspaced(word)] if scripts.has_unspaced_script(text) else matches


def compile_whole_words(texts: Iterable[str], before: str = "", *, after: bool = True) -> Expression:
    """Compile a pattern for these texts as whole words, not preceded by one of the characters `before`.

    Unless `after` is set, a match may continue with a word character.
    """
    escaped = (re.escape(text).replace(r"\\", r"[\\]") for text in sorted(texts, key=len, reverse=True))
    end = r"(?![\w])" if after else ""
    return Expression(rf"(?<![\w{before}])(?:{'|'.join(escaped)}){end}")


def split_unspaced(word: str) -> list[str]:
    """Return a word or, in scripts without spaces, the letters and names in it."""
    parts = scripts.split_words(word) if scripts.has_unspaced_script(word) else []
    return parts if "".join(parts) == word else [word]


def is_article(texts: Vector) -> bool:
    """Return whether all texts are an indefinite article, which depends on the sound of the next word."""
    return all(text.lower() in ("a", "an") for _, text in texts)


def join_pieces(pieces: Sequence[str | Vector]) -> Vector:
    """Join pieces into one difference."""
    slot = next(piece for piece in pieces if not isinstance(piece, str))
    return tuple(
        (platform, "".join(piece if isinstance(piece, str) else piece[number][1] for piece in pieces))
        for number, (platform, _) in enumerate(slot)
    )


def get_majority(vector: Vector) -> str:
    """Return the most frequent text, the first of several."""
    counts = Counter(get_texts(vector))
    return max(counts, key=lambda text: counts[text])


def is_mostly_one(vector: Vector) -> bool:
    """Return whether most platforms have the same text."""
    return 2 * get_texts(vector).count(get_majority(vector)) > len(vector)


def is_significant(vector: Vector) -> bool:
    """Return whether texts are long enough that recurring elsewhere is not chance."""
    return all(len(text) >= MIN_FACT_CHARACTERS for _, text in vector)


def is_fact(vector: Vector) -> bool:
    """Return whether a recurring difference is not chance, and not part of Markdown syntax."""
    return is_significant(vector) and not any(_MARKUP.search(text) for _, text in vector)


def split_core(vector: Vector, *, inside: bool = False) -> tuple[str, Vector, str]:
    """Split a difference into its core, as whole units, and the common parts before and after it.

    A URL keeps its beginning, so that only the last parts of its path are common, unless `inside` is set.
    """
    texts = get_texts(vector)
    shortest = min(texts, key=len)
    start = 0
    if not inside and all("://" in text for text in texts):
        ends = [index for index in range(shortest.index("://") + len("://"), len(shortest)) if shortest[index] in "/?#"]
    else:
        starts = [match.start() for match in _EDGE.finditer(shortest)]
        start = max((index for index in starts if all(text.startswith(shortest[:index]) for text in texts)), default=0)
        ends = [match.start() for match in _TAIL.finditer(shortest) if match.start() > start]
    common_tails = (shortest[index:] for index in ends if all(text.endswith(shortest[index:]) for text in texts))
    tail = next(common_tails, "")
    core = tuple((platform, text[start : len(text) - len(tail)]) for platform, text in vector)
    return (shortest[:start], core, tail) if all(get_texts(core)) else ("", vector, "")


def matches_platform(text: str, platform: str) -> bool:
    """Return whether a text spells a platform's ID: `React Native`, `react_native`, `JS Web` for `web`.

    `iOS:` and `Flutter, including` do not: what all copies have behind the name is not part of the text.
    """
    if _SENTENCE.search(text):
        return False
    return normalize_name(text) == normalize_name(platform) or (
        text == text.strip() and len(text) <= MAX_NAME_CHARACTERS and _is_in(_NAME.findall(platform.lower()), text)
    )


def _is_in(words: list[str], text: str) -> bool:
    spelled = _NAME.findall(text.lower())
    is_close = set(words) <= set(spelled) and len(spelled) <= len(words) + 2 and _NOT_IN_NAMES.isdisjoint(spelled)
    return bool(words) and is_close and "/" not in text


def normalize_name(text: str) -> str:
    """Return a name in lowercase, without separators."""
    return "".join(_NAME.findall(text.lower()))
