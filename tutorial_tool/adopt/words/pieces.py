"""What texts of several platforms share, and what differs: the pieces of a line, names among them, and their cores."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.core.scripts import Expression

Vector = tuple[tuple[str, str], ...]  # What differs: platform and text, in the order of the platforms
LONGEST = 40  # Characters of a name, and of a value that is looked for elsewhere: longer ones are wording
LEAST = 3  # Characters of a text that is recognised in another place
_NAME = lazy_re.compile(r"[^\W_]+")
_MARKUP = lazy_re.compile(r"[\[\]`*|<>\n]")  # Signs of Markdown that no fact has in it
_WORD = lazy_re.compile(r"\w+")
_ARTICLES = frozenset("a an the".split())
_EDGE = lazy_re.compile(r"\b(?=\w)|(?<=\w)\b")


def is_name(texts: Vector) -> bool:
    """Whether all texts are ways to write their platform's name."""
    return len({text for _, text in texts}) > 1 and all(matches_platform(text, platform) for platform, text in texts)


def split_words(text: str) -> list[str]:
    """The words of a text: letters, digits and underscores."""
    matches = _WORD.findall(text)
    return [part for word in matches for part in split_unspaced(word)] if scripts.has_unspaced_script(text) else matches


def compile_whole_words(texts: Iterable[str], before: str = "", *, after: bool = True) -> Expression:
    """Any of these texts where it is no part of a word, nor stands behind one of the signs `before`."""
    escaped = (re.escape(text).replace(r"\\", r"[\\]") for text in sorted(texts, key=len, reverse=True))
    end = r"(?![\w])" if after else ""
    return Expression(rf"(?<![\w{before}])(?:{'|'.join(escaped)}){end}")


def split_unspaced(word: str) -> list[str]:
    """A word, or, where no blanks stand between words, the letters and names that it is made of."""
    parts = scripts.split_words(word) if scripts.has_unspaced_script(word) else []
    return parts if "".join(parts) == word else [word]


def is_article(texts: Vector) -> bool:
    """Whether all texts are an article without a meaning of its own: it goes with the sound of what follows."""
    return all(text.lower() in ("a", "an") for _, text in texts)


def join_pieces(pieces: Sequence[str | Vector]) -> Vector:
    """Pieces as one difference."""
    slot = next(piece for piece in pieces if not isinstance(piece, str))
    return tuple(
        (platform, "".join(piece if isinstance(piece, str) else piece[number][1] for piece in pieces))
        for number, (platform, _) in enumerate(slot)
    )


def is_significant(vector: Vector) -> bool:
    """Whether texts are long enough for it to be no chance where all of them stand in another place, too."""
    return all(len(text) >= LEAST for _, text in vector)


def is_fact(vector: Vector) -> bool:
    """Whether a difference is no chance where it stands in another place, too, and no part of Markdown."""
    return is_significant(vector) and not any(_MARKUP.search(text) for _, text in vector)


def lower_first(vector: Vector) -> Vector:
    """Words that begin a sentence as they stand inside of one; others as they are."""
    begun = tuple((platform, text[:1].lower() + text[1:]) for platform, text in vector)
    fits = all(name.capitalize() == text for (_, name), (_, text) in zip(begun, vector, strict=True))
    return begun if fits and not is_name(vector) else vector


def split_core(vector: Vector, *, inside: bool = False) -> tuple[str, Vector, str]:
    """What differs in whole things, and the parts before and behind it that are the same on all platforms.

    A URL keeps its beginning, unless what is `inside` of it is asked for: what is the same are the last parts of its
    path.
    """
    texts = [text for _, text in vector]
    shortest = min(texts, key=len)
    start = 0
    if not inside and all("://" in text for text in texts):
        ends = [at for at in range(shortest.index("://") + len("://"), len(shortest)) if shortest[at] in "/?#"]
    else:
        starts = [match.start() for match in _EDGE.finditer(shortest)]
        start = max((at for at in starts if all(text.startswith(shortest[:at]) for text in texts)), default=0)
        ends = [at for at in starts if at > start]
    same = (shortest[at:] for at in ends if all(text.endswith(shortest[at:]) for text in texts))
    tail = next(same, "")
    core = tuple((platform, text[start : len(text) - len(tail)]) for platform, text in vector)
    return (shortest[:start], core, tail) if all(text for _, text in core) else ("", vector, "")


def matches_platform(text: str, platform: str) -> bool:
    """Whether a text is a way to write a platform's id: `React Native`, `react_native`, or `JS Web` for `web`."""
    return normalize_name(text) == normalize_name(platform) or (
        text == text.strip() and len(text) <= LONGEST and _is_in(_NAME.findall(platform.lower()), text)
    )


def _is_in(words: list[str], text: str) -> bool:
    matches = _NAME.findall(text.lower())
    fits = set(words) <= set(matches) and len(matches) <= len(words) + 2 and _ARTICLES.isdisjoint(matches)
    return bool(words) and fits and "/" not in text


def normalize_name(text: str) -> str:
    """A name without what people write between its words, in small letters."""
    return "".join(_NAME.findall(text.lower()))
