"""Describe the topic of a text in a few words, to name files, tables, and features."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.language import load_codes

_TAB_LABEL = lazy_re.compile(r"<[\w.]*Tab[\w.]*\s[^<>]*?(?:label|title|value)=[\"']([^\"'<>]+)[\"'][^<>]*>\s*\Z")
_TAG = lazy_re.compile(
    r"</?[A-Za-z][^>]*>|<[A-Za-z][\w-]*\s[^<>]*\Z|<!--.*?-->|\]\([^)]*\)|(?:https?|ftp)://\S+|\{:[^{}\n]*\}|\{#[\w-]+\}"
)
"""Tags, URLs, and attributes: not words of a text."""
_MARKED_PHRASES = (
    lazy_re.compile(r"^#{1,6}[ \t]+(?:[\d.]+[ \t]+)?(.+)$", re.MULTILINE),
    lazy_re.compile(r"^[ \t]*(?::{3,}|!{3}|\?{3}\+?)[ \t]*\w+[ \t]+[\"\[]?([^\"\[\]{}\n]+)", re.MULTILINE),
    lazy_re.compile(r"\*\*(.+?)\*\*"),
    lazy_re.compile(r"`([^`\n]+)`"),
    lazy_re.compile(r"(?<!\w)[_*]([^_*\n]+)[_*](?!\w)"),
    lazy_re.compile(r"\[([^\[\]\n]+)"),
)
"""Headings, titles of admonitions, bold text, code, emphasized text, and links."""
FUNCTION_WORDS = frozenset(
    "the and but for nor yet with from into onto over that this these those than then when where which while who whose"
    " you your our its his her their they them are was were has have had can will may not all any each a an or of in on"
    " at to by as is be if via per within without during".split()
)
"""English function words."""
STOP_WORDS = (
    FUNCTION_WORDS
    | load_codes().keys()
    | frozenset(
        "it we i do does did so no out up down off about under after before until since also again only just here there"
        " later earlier next last first once twice now soon few several many some more most much such same other"
        " another both every would could should must been being how what why".split()
    )
)
"""Words that say nothing about the topic of a text."""
SPACES = "stray white space"  # The topic of white space
_HEADING = lazy_re.compile(
    r"#{1,6}[ \t]+(?:(?:[^\W\d_]+ )?\d[\d.]*[.:)]?[ \t]+)?(.*)|[ \t]*(?:\*\*|__)([^*_:\n]+?)(?:\*\*|__)[ \t]*\n?\Z"
)
"""A heading, or a paragraph that is only a bold title."""


_KIND = lazy_re.compile(r"\s*(?:(?P<code>`{3}|~{3})|(?P<image>!\[)|(?P<table>\|)|(?P<list>(?:[-*+]|\d+[.)])[ \t]))")
_CODE_NAMES = (
    lazy_re.compile(r"\A[^\n]*\btitle=[\"'](?:[^\"'\n]*/)?([\w.-]+)"),
    lazy_re.compile(r"\A[ \t]*(?:`{3,}|~{3,})([\w+#-]+)"),
    lazy_re.compile(
        r"\b(?:class|interface|struct|enum|func|fun|fn|def|function|const|val|let|var)[ \t]+([A-Za-z]\w{2,})"
    ),
)
"""The file in the title of a fence, its language, and the first name that code declares."""
_FIELD = lazy_re.compile(r"([a-z][\w-]*):(?:[ \t]|\n)")
_LETTERS = lazy_re.compile(r"[^\W\d_]{3,}")


def find_phrases(text: str) -> Iterator[str]:
    """Yield phrases that describe a text, the most significant first."""
    bare = _TAG.sub(" ", text)
    if not bare.strip():
        yield SPACES if text.isspace() else text
    if field := parse_field(text):
        yield field
    yield from find_marked_phrases(text)


def parse_field(text: str) -> str | None:
    """Return the key that a text begins with, as in front matter; None for other text."""
    match = _FIELD.match(text)
    return match[1] if match else None


def find_lead_phrases(text: str) -> Iterator[str]:
    """Yield the topic of a lead-in sentence: `Install the kit with npm:` is about installing the kit."""
    bare = _TAG.sub(" ", text).strip()
    if bare.endswith(":"):
        last = re.split(r"(?<=[.!?])\s", bare)[-1]
        words = [word for word in re.findall(r"[^\W\d_]+", last) if word.lower() not in STOP_WORDS]
        yield from (" ".join(words[:count]) for count in (2, 3) if len(words) >= count)
        yield from words if len(words) == 1 else ()


def get_first_words(text: str) -> str:
    """Return the first significant words of a text."""
    words = [word for word in _LETTERS.findall(_TAG.sub(" ", text)) if word.lower() not in STOP_WORDS]
    return " ".join(words[:2])


def has_significant_word(text: str) -> bool:
    """Return whether a text has a significant word, or is white space."""
    return text.isspace() or any(word.lower() not in STOP_WORDS for word in re.findall(r"[^\W\d_]{2,}", text))


def find_marked_phrases(text: str) -> Iterator[str]:
    """Yield the marked phrases of a text: headings, bold, code, emphasis, and links."""
    bare = _TAG.sub(" ", text)
    for pattern in _MARKED_PHRASES:
        for match in pattern.finditer(bare):
            yield match[1]


def find_tab_labels(text: str) -> list[str]:
    """Return the label of a tab that a text opens."""
    return _TAB_LABEL.findall(text)[-1:]


def describe_kind(texts: Iterable[str]) -> str:
    """Return the kind of most texts: code, an image, a table, a list, or else notes."""
    kinds = Counter(match.lastgroup if (match := _KIND.match(text)) else None for text in texts)
    return kinds.most_common(1)[0][0] or "notes"


def find_code_names(texts: Iterable[str]) -> Iterator[str]:
    """Yield what sets the code of all platforms apart from that above it: its file, language, or what it declares."""
    for pattern in _CODE_NAMES:
        names = {match[1] if match else "" for match in map(pattern.search, texts)}
        yield from filter(None, names if len(names) == 1 else ())


def strip_markup(text: str) -> str:
    """Return a text without tags and URLs; unchanged if nothing else remains."""
    bare = _TAG.sub(" ", text).strip()
    return bare if re.search(r"\w", bare) else text


def parse_heading(line: str) -> str | None:
    """Return the words of a heading without its number; None for other lines."""
    match = _HEADING.match(line)
    return _TAG.sub(" ", match[1] or match[2]).strip() if match else None


def make_plural(word: str) -> str:
    """Return the plural of a phrase: a table with the heading `Connection Setting` lists connection settings."""
    if not re.search(r"[a-z]$", word) or word.endswith("s"):
        return word
    return f"{word[:-1]}ies" if re.search(r"[^aeiou]y$", word) else f"{word}s"
