"""Suggest names for differences as an author would: from their form, common words, and context."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tutorial_tool.adopt.names.spelling import convert_to_ascii
from tutorial_tool.adopt.names.topics import FUNCTION_WORDS, STOP_WORDS
from tutorial_tool.adopt.words.pieces import Vector, get_majority, get_texts, is_article, is_mostly_one, is_name
from tutorial_tool.core import lazy_re
from tutorial_tool.core.scripts import MAX_TERM_WORDS
from tutorial_tool.data.toggle_words import get_state
from tutorial_tool.variation.number_words import NUMBERS

MAX_WORDS = 4  # Maximum words of a name
MAX_LABEL_WORDS = 6  # Maximum words of a UI label; more are a sentence
SLOT_PLACEHOLDER = "\ufffc"  # Stands for the other slots of a line in the context of a slot
_IN_IMAGE = lazy_re.compile(r"(?:!\[[^\]]*\]\(|src=[\"'])[^)\"'\s]*$")
_IN_LINK = lazy_re.compile(r"(?:\]\(|href=[\"'])[^)\"'\s]*$|^\s*\[[^\]]+\]:\s*\S*$")
_FOLDER = lazy_re.compile(r"(?:^|/)([A-Za-z][\w-]*)/$")  # The folder before a part of a path
_QUERY_KEY = lazy_re.compile(r"[?&]([A-Za-z][\w-]*)=$")
_LINK_TEXT = lazy_re.compile(r"\[([^\[\]]*)\]\($|<a\s[^>]*href=[\"']$")
_WORDS = lazy_re.compile(r"[^\W\d_]{3,}|[\u3041-\u9fff\uac00-\ud7a3]+")
_CAMEL_CASE = lazy_re.compile(r"\b[a-z]{2,}(?:[A-Z][a-z]+)+\b|\b(?:[A-Z][a-z]+){3,}\b")
"""Identifiers of several words, such as `startLamp`, but not `GitHub`."""
_IDENTIFIER = lazy_re.compile(r"[a-z]+(?:[-_][a-z]+)+|[A-Za-z]?[a-z]+(?:[A-Z][a-z]+)+")
"""An identifier in any language's style: `lamp-button`, `LampButton`."""
_MEMBER = lazy_re.compile(r"[A-Za-z_]\w*|[A-Za-z_][\w.]*\([^()]*\)")  # A name in code, or a call
_PART_OF_IDENTIFIER = lazy_re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_DECIMAL = lazy_re.compile(r"\d+\.\d+")
_WITH_VERSION = lazy_re.compile(r"(?:^|[ \t])v?\d|\d\.\d")  # A name followed by a version: `Java 17`
_OR_LATER = lazy_re.compile(r"\s*(?:or|and) (?:later|newer|higher|above|up)\b")
_BEFORE_VERSION = lazy_re.compile(r"(?i:version|release)|\b[A-Z][\w.]* v?$")
_NAME = lazy_re.compile(r"[\w.+#-]+(?: [\w.+#()-]+)*")  # A name without other text around it
_CLAUSE_END = lazy_re.compile(
    r"[.!?:;,*|。、！？，：；]|\b(?:and|but|or|so|then|to|until|when|while|und|oder|aber|dann|et|ou|puis|pour|y|para|ed|en|och|og)\b"
)
"""The end of the part of a sentence that describes a value or label."""
_NOUN_BEFORE = lazy_re.compile(
    r"(?:\b(?i:the|an?|your|its|this|in|on|at|of|from|with|for|by) ([^\W\d_]{3,})(?: is| are)?"
    r"|([\u3041-\u9fff\uac00-\ud7a3]+)) `?$"
)
"""A noun before code or a number: `the region`, `on port`."""
_UNIT_AFTER = lazy_re.compile(r"\A ([^\W\d_]{2,})")
_NOUN_AROUND = lazy_re.compile(r"\b(?i:the|an?|your|this|each|its) `\0` ([^\W\d_]{2,}[^\W\d_s])(?<!ed)\b")
_CONTINUES = lazy_re.compile(r"[ \t]+[^\W\d_]")  # A value that is only the start of a field
_PRODUCT = lazy_re.compile(r"[A-Z][\w.+#-]*(?: [\w.+#-]+){0,2}")
_KEY = lazy_re.compile(r"([^\W\d_][\w.-]*(?: [\w-]+){0,2})[*_`\"']*[ \t]*[:=][ \t]*(?:[>|]-?[ \t]+)?[*_`\"'\[]*$")
"""A key before a value, which describes it."""
_ATTRIBUTE = lazy_re.compile(r"<[A-Za-z][^<>]*\s([A-Za-z][\w-]*)=[\"'{`]*$")
_PROSE = lazy_re.compile(r"\b(?:alt|title)=\"[^\"]*$")
_LINE_PREFIX = lazy_re.compile(r"[\s>|]*(?:[-*+]|\d+[.)])?\s*[*_`\"']*")
"""Text before a key at the start of its line, item, or cell."""
_SHAPES = (
    ("version", lazy_re.compile(r"v?\d+(?:\.\w+)+")),
    ("method", lazy_re.compile(r"[\w.]+\(.*\)")),
    ("url", lazy_re.compile(r"(?:https?|ftp)://\S+")),
    ("file", lazy_re.compile(r"[\w./-]*[\w-]\.[A-Za-z]\w{0,9}(?::\d+)?")),
    ("package", lazy_re.compile(r"(?!\w+://|\.)(?=[^a-z]*[a-z])[\w.-]+[:/][\w.:/+-]+|@[\w-]+/[\w-]+")),
)
"""Kinds of values, by the shape of their texts."""


@dataclass(frozen=True)
class SlotContext:
    """The context of a slot: the text before and after it on its line, and the topic of the section.

    Other slots of the line do not count as text.
    """

    before: str = ""
    after: str = ""
    topic: str = ""
    in_code: bool = False

    @property
    def is_bold(self) -> bool:
        return self.before.count("**") % 2 == 1 and "**" in self.after

    @property
    def is_attribute(self) -> bool:
        """Whether the slot begins the value of an attribute, or a link's target."""
        return self.before[-2:] in ('="', "='", "={", "](")

    @property
    def is_alt_or_title(self) -> bool:
        """Whether the slot is in the text of an image, or in a title."""
        return _PROSE.search(self.before) is not None

    @property
    def is_code(self) -> bool:
        return self.in_code or (self.before.count("`") % 2 == 1 and "`" in self.after)

    @property
    def is_whole_code(self) -> bool:
        """Whether the slot is a line of code, or all that is between backticks."""
        around = self.before[-1:] + self.after[:1]
        return around == "``" or (self.in_code and not around.strip())

    @property
    def link_text(self) -> str | None:
        """The text of a link whose complete URL is the slot; None otherwise."""
        match = _LINK_TEXT.search(self.before)
        return (match[1] or "") if match else None


def build_slug(text: str, separator: str = "-") -> str:
    """Build a name of ASCII letters and digits: at most `MAX_WORDS` words, beginning with a letter, or "".

    From a longer text, stop words are dropped first; the last word is never a function word.
    """
    spaced = _CAMEL_CASE.sub(lambda match: re.sub(r"(?<=[a-z])(?=[A-Z])", " ", match[0]), text)
    words = re.findall(r"[a-z0-9]+", convert_to_ascii(re.sub(r"(?<=\w)['’](?=\w)", "", spaced)))
    while words and words[0][0].isdigit():
        words.pop(0)
    if len(words) > MAX_WORDS and len(significant := [word for word in words if word not in STOP_WORDS]) > 1:
        words = significant
    words = words[:MAX_WORDS]
    while len(words) > 1 and words[-1] in FUNCTION_WORDS:
        words.pop()
    return separator.join(words)


def find_label_roles(vector: Vector, context: SlotContext) -> Iterator[str]:
    """Yield names for a bold label by what it denotes: `**JS Web** from the list of inputs` denotes an input."""
    inside = find_significant_words(context.before.rpartition("**")[2])
    words_after = find_significant_words(_CLAUSE_END.split(context.after.partition("**")[2])[0])
    yield from (*inside[-1:], *filter(None, [_find_common_words(vector)]))
    if 0 < len(words_after) < MAX_TERM_WORDS:
        yield words_after[-1]
    yield f"{context.topic} label"


def find_role_keys(vector: Vector, context: SlotContext) -> Iterator[str]:
    """Yield names for a value by its role, best first: from its key, link, or the form of its texts."""
    if is_article(vector):
        yield "article"
    if query := _QUERY_KEY.search(context.before):
        yield query[1]
    if is_name(vector):
        yield from _find_name_keys(vector, context)
    yield from _find_identifier_words(vector) if context.is_code else ()
    if parts := list(find_value_parts(vector, context)):
        yield from parts
        qualifiers = (*reversed(find_significant_words(context.link_text or "")), context.topic)
        yield from (f"{word} {parts[-1]}" for word in qualifiers if word != parts[-1])
        return
    if _OR_LATER.match(context.after) and all(any(map(str.isdigit, text)) for _, text in vector):
        yield "required version"
    nouns = list(_find_adjacent_nouns(vector, context))
    yield from nouns or (_find_code_keys(vector, context) if context.is_code else ())


def _find_adjacent_nouns(vector: Vector, context: SlotContext) -> Iterator[str]:
    """Yield the noun after or before code or a number, and the unit after a number."""
    is_number = _is_number(vector)
    if noun := _NOUN_AROUND.search(f"{context.before}\0{context.after}"):
        yield from {noun[1]} - STOP_WORDS
    if (noun := _NOUN_BEFORE.search(context.before)) and (is_number or context.is_code):
        yield from {noun[1] or noun[2]} - STOP_WORDS
    if is_number and context.before[-2:-1].isalnum():
        yield from {unit[1] for unit in _UNIT_AFTER.finditer(context.after)} - STOP_WORDS


def _is_number(vector: Vector) -> bool:
    return all(NUMBERS.get(text.lower(), text)[:1].isdigit() for _, text in vector)


def _find_code_keys(vector: Vector, context: SlotContext) -> Iterator[str]:
    """Yield names for a command, and for code in a sentence."""
    is_command = context.is_whole_code and all(" " in text for _, text in vector)
    if is_command or not context.in_code:
        yield " ".join([*find_significant_words(context.topic)[-1:], "command" if is_command else "code"])


def find_recurring_keys(vector: Vector) -> Iterator[str]:
    """Yield names for a recurring value without a role: the term of most platforms, or what capitalized ones are."""
    term, texts = get_majority(vector), get_texts(vector)
    if is_mostly_one(vector) and _WORDS.fullmatch(term):
        yield from {term} - STOP_WORDS
    if len(set(texts)) == len(texts) and all(map(_PRODUCT.fullmatch, texts)):
        yield "product"


def find_value_parts(vector: Vector, context: SlotContext) -> Iterator[str]:
    """Yield what a value is by its context or its form: a URL, the value of a key, a version."""
    yield from _find_link_keys(vector, context)
    if _is_number(vector) or not _CONTINUES.match(context.after):
        yield from _find_preceding_key(context)
    yield from _find_shape_keys(vector, context)


def is_spelling_variant(vector: Vector, context: SlotContext) -> bool:
    """Return whether texts are one text or number in other spellings, or have only stop words."""
    texts = [NUMBERS.get(text, text) for text in (" ".join(text.lower().split()) for _, text in vector)]
    is_same = len(set(texts)) == 1 or all(STOP_WORDS.issuperset(text.split()) for text in texts)
    return is_same and not context.is_code and not is_article(vector) and not any(map(get_state, texts))


def _find_name_keys(vector: Vector, context: SlotContext) -> Iterator[str]:
    """Yield names for a spelling of the platform's name that is neither its ID nor its display name."""
    texts = get_texts(vector)
    if not all(map(_NAME.fullmatch, texts)):
        return
    if all(map(_WITH_VERSION.search, texts)) and not _IN_LINK.search(context.before):
        yield "version"
    if context.is_code or context.before[-1:] in ("/", "=", "-"):
        yield "name in code"
    if " " in "".join(texts):
        yield "full name"
    yield "name in text"


def find_significant_words(text: str) -> list[str]:
    """Return the significant words of a text."""
    return [word for word in _WORDS.findall(text) if word.lower() not in STOP_WORDS]


def _find_common_words(vector: Vector) -> str:
    """Return the significant words that all texts have, as the first one spells them."""
    first, *others = [find_significant_words(text) for _, text in vector]
    other_words = [{word.lower() for word in words} for words in others]
    return " ".join(word for word in first if all(word.lower() in words for words in other_words))


def _find_identifier_words(vector: Vector) -> Iterator[str]:
    """Yield the words that make up most of each identifier, or end it: `getState` and `GetState` are a `get state`.

    The platform's own name does not count: `LogoIOS` and `LogoAndroid` are a `logo`.
    """
    bare = (re.sub(re.escape(p.replace("-", "")), "", text, flags=re.IGNORECASE) for p, text in vector)
    words = [*map(_split_identifier, bare)]
    shared = [word for word in words[0] if all(word in others for others in words)]
    is_end = len({tuple(own[-1:]) for own in words}) == 1
    if shared and (is_end or 2 * len(shared) >= max(map(len, words))):
        yield " ".join(shared)


def _split_identifier(text: str) -> list[str]:
    """Return the words of an identifier or call, in lowercase; none for other text."""
    name = text.partition("(")[0] if _MEMBER.fullmatch(text) else ""
    return [word.lower() for word in _PART_OF_IDENTIFIER.findall(name)]


def _find_link_keys(vector: Vector, context: SlotContext) -> Iterator[str]:
    """Yield names for URLs and paths: from the link's text, or by what the path points to."""
    texts = get_texts(vector)
    are_files = all("." in text for text in texts)
    if all("://" in text for text in texts):
        yield from (f"{word} url" for word in find_significant_words(context.link_text or "")[-1:])
        yield "url"
    elif _IN_IMAGE.search(context.before):
        yield "image" if are_files else "image folder"
    elif _IN_LINK.search(context.before):
        is_anchor = context.before.endswith("#") or any(text.startswith("#") for text in texts)
        folder = " ".join([*(_FOLDER.findall(context.before) or ["link"]), "folder"])
        yield "anchor" if is_anchor else "page" if are_files or context.link_text is not None else folder


def _find_shape_keys(vector: Vector, context: SlotContext) -> Iterator[str]:
    """Yield names from the form of all texts or, in code, of most."""
    texts = get_texts(vector)
    for shape, pattern in _SHAPES:
        if shape == "version" and all(map(_DECIMAL.fullmatch, texts)) and not _BEFORE_VERSION.search(context.before):
            continue  # a price, for example
        fitting = len(list(filter(pattern.fullmatch, texts)))
        if fitting == len(texts) or (context.is_code and 2 * fitting >= len(texts)):
            yield shape


def _find_preceding_key(context: SlotContext) -> Iterator[str]:
    """Yield the key before a value: `Color: …`, `color = …`, or the first cell of its row."""
    key = _KEY.search(context.before)
    if key and not context.in_code and not _LINE_PREFIX.fullmatch(context.before, 0, key.start()):
        key = None  # a sentence that ends in a colon is not a key
    first_cell = context.before.lstrip(" |").partition("|")[0] if context.before.lstrip().startswith("|") else ""
    attribute = _ATTRIBUTE.search(context.before)
    keys = (key[1] if key else "", first_cell, attribute[1] if attribute else "")
    yield from (words for words in keys if find_significant_words(words))
