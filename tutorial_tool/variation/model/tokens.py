"""The words of a value as the values of a slot are compared: without markup and case, own names masked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.scripts import squeeze_word
from tutorial_tool.site import Page
from tutorial_tool.variants import Variant
from tutorial_tool.variation.units import OWN, PARTICLE

_TAG = r"</?[A-Za-z][\w.:-]*(?:\s[^<>]*)?/?>"
_TARGET = r"(?<=\])\((?:[^()\s]|\([^()]*\))*(?:\s+[\"'][^)]*)?\)|(?<=\])\[[^\[\]]*\]|\{:?\s*[#.][^{}]*\}"
_CODE = r"(?P<ticks>`+)(?!`)(?P<code>(?:(?!(?P=ticks)).)+?)(?P=ticks)(?!`)"
_PATH = r"https?://[^\s)>\"'`]+|[\w$@{}.-]+(?:/[\w$@{}.-]+){2,}"
_UNSPACED = r"\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
"""Letters of scripts without spaces between words, or with endings attached to them: each is a token."""
_LETTER = rf"[^\W\d_{_UNSPACED}]"
_WORD = rf"{_LETTER}+(?:['’](?:[a-z]{{1,2}})(?!{_LETTER}))?"
_NUMBER = rf"\d+(?:[.,:]\d+)*(?!{_LETTER})"
_MIXED = rf"(?:{_LETTER}+\d|\d+{_LETTER})(?:{_LETTER}|\d)*"  # Letters and digits in one token, as in a name: `BC7`
_PROSE = lazy_re.compile(
    rf"(?P<skip>{_TAG}|{_TARGET})|{_CODE}|(?P<path>{_PATH})|(?P<word>{_NUMBER}|{_MIXED}|{_WORD}|[{_UNSPACED}]|\d+|[^\w\s]|_)"
)
_PLAIN = lazy_re.compile(r"(?P<word>[^\W\d_]+|\d+(?:\.\d+)*|[^\w\s]|_)")
_BELONGING = lazy_re.compile(rf"(?:\.[A-Za-z]\w*|[+#]+(?!\w)|{PARTICLE})?")
"""Characters right after a name that belong to it: `Node.js`, `C++`, a Korean particle."""
_MARKUP = frozenset('*_~\\[]"“”‘’|`')
_COUNTS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_SAME = {"an": "a", "&": "and", **{word: str(count) for count, word in enumerate(_COUNTS) if count > 1}}


class Token(NamedTuple):
    """A word, number, character, code span or path of a value.

    `start` and `end` are offsets in the page, `text` is what is typed, `key` what is compared: lower case, `OWN` for a
    name of the variant, and a backtick before what is typed as code.
    """

    start: int
    end: int
    text: str
    key: str

    @property
    def is_code(self) -> bool:
        """Whether this is a code span or a path."""
        return self.key[0] == "`"

    @property
    def is_word(self) -> bool:
        """Whether this is a word of a language, or a name that is one."""
        return self.key[0].isalpha()


class Text:
    """The text of one variant in a slot: the page, the offsets, and the tokens between these."""

    def __init__(
        self,
        page: Page,
        variant: Variant,
        start: int,
        end: int,
        *,
        is_prose: bool,
        names: re.Pattern[str] | None = None,
    ) -> None:
        """Read a text. `names` is the pattern of the variant's own names in a URL, if the text is one."""
        self.page, self.variant, self.start, self.end, self.is_prose = page, variant, start, end, is_prose
        self.names = names

    @property
    def typed(self) -> str:
        """The text as typed."""
        return self.page.plain[self.start : self.end]

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens in the order of the page."""
        return tuple(_read_tokens(self))

    @cached_property
    def key(self) -> tuple[str, ...]:
        """The keys of the tokens: equal if two variants have the same text."""
        typed = self.typed
        is_plain = self.names is None and not (self.is_prose and ("`" in typed or "/" in typed))
        if not is_plain or typed[:1] in ("(", "[") or self.variant.may_occur_in(typed):
            return tuple(token.key for token in self.tokens)
        return _get_keys(typed, self.is_prose)  # cached: most variants have the same text

    def get_typed(self, first: int = 0, last: int | None = None) -> str:
        """Return the tokens `first` to `last` (exclusive) as typed; "" for none."""
        last = len(self.tokens) if last is None else last
        return self.page.plain[slice(*self.get_span(first, last))] if first < last else ""

    def get_span(self, first: int, last: int) -> tuple[int, int]:
        """Return the offsets of the tokens `first` to `last` (exclusive); if empty, of the tokens around."""
        tokens = self.tokens
        if not tokens:
            return self.start, self.end
        if first < last:
            return tokens[first].start, tokens[last - 1].end
        return tokens[max(first - 1, 0)].start, tokens[min(first, len(tokens) - 1)].end


def _read_tokens(text: Text) -> Iterator[Token]:
    plain = text.page.plain
    names = _find_names(plain, text.start, text.end, text.variant, text.names)
    at = 0
    expression = _PROSE if text.is_prose else _PLAIN
    for match in expression.finditer(plain, text.start, text.end):
        start, end = match.span()
        while at < len(names) and names[at][1] <= start:
            at += 1
        if match.lastgroup == "word" and at < len(names) and names[at][0] < end:
            if start <= names[at][0]:  # else an earlier token contains the name
                yield Token(*names[at], plain[slice(*names[at])], OWN)
        elif match.lastgroup == "word":
            for first, last, key in _split_word(match[0]) if text.is_prose else ((0, end - start, match[0]),):
                yield Token(start + first, start + last, match[0][first:last], key)
        elif match.lastgroup != "skip":
            typed = match[0] if match["code"] is None else match["code"]
            code = match[0].rstrip(".,;:") if match["code"] is None else typed.strip()
            yield Token(start, end, typed, "`" + mask_names(code, text.variant))


@lru_cache(10_000)
def _get_keys(typed: str, is_prose: bool) -> tuple[str, ...]:
    """Return the keys of a text without names and code."""
    words = (match[0] for match in (_PROSE if is_prose else _PLAIN).finditer(typed) if match.lastgroup == "word")
    return tuple(key for word in words for *_, key in _split_word(word)) if is_prose else tuple(words)


@lru_cache(10_000)
def _split_word(word: str) -> tuple[tuple[int, int, str], ...]:
    """Split a word into tokens, as start, end and key.

    Two for a verb with a negation, `isn't` or `cannot`; none for markup.
    """
    if word in _MARKUP:
        return ()
    low = word.lower().replace("’", "'")
    length = len(word) - 3
    if low.endswith(("n't", "cannot")) and length > 0:
        length += low == "can't"
        return (0, length, low[:length]), (length, len(word), "not")
    return ((0, len(word), normalize_word(word)),)


def _find_names(
    plain: str, start: int, end: int, variant: Variant, names: re.Pattern[str] | None
) -> Sequence[tuple[int, int]]:
    value = plain[start:end]
    if names is not None:
        return [(start + match.start(), start + match.end()) for match in names.finditer(value)]
    if not variant.may_occur_in(value):
        return ()
    matches = (match.span() for match in variant.pattern.finditer(value) if match[0])
    return [(start + first, start + _find_name_end(value, last)) for first, last in matches]


def _find_name_end(value: str, end: int) -> int:
    belonging = _BELONGING.match(value, end)
    return belonging.end() if belonging else end


def normalize_word(word: str) -> str:
    """Return a word as compared: in lower case, `a` for `an`, `2` for `two`, `do not` for `don't`."""
    low = word.lower().replace("’", "'")
    return _SAME.get(low, low)


def mask_names(code: str, variant: Variant) -> str:
    """Return code or a path with the names of its variant masked, also within words; then in lower case."""
    low = code.lower()
    masked = low
    for name in _get_squeezed_names(variant):
        if name in masked:
            masked = masked.replace(name, OWN)
    return code if masked == low else masked


def _get_squeezed_names(variant: Variant) -> tuple[str, ...]:
    words = {form for word in (variant.id, variant.name, *variant.words) for form in (word.lower(), squeeze_word(word))}
    return tuple(sorted((word for word in words if len(word) > 2), key=lambda word: (-len(word), word)))
