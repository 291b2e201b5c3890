"""The ids that generators give headings which do not just follow GitHub."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping

from tutorial_tool.core import lazy_re

_PUNCTUATION = lazy_re.compile(r"[^\w\- ]")
_SPECIAL = lazy_re.compile(r"[\s~`!@#$%^&*()\-_+=\[\]{}|\\;:\"'“”‘’<>,.?/]+")
_EMOJI = lazy_re.compile(r":[a-z0-9_+-]+:")
_COMBINING = lazy_re.compile(r"[\u0300-\u036f]|[\x00-\x1f]")


def hyphenate_text(text: str, keep: Callable[[str], bool] | None = None) -> str:
    """A text without punctuation and with hyphens for blanks. `keep` tells which other signs stay."""
    return _PUNCTUATION.sub(lambda sign: sign[0] if keep and keep(sign[0]) else "", text).replace(" ", "-")


def normalize_id(id_: str) -> str:
    """An id without the signs that generators do not agree about."""
    return re.sub(r"[\W_]", "", id_.lower())


def build_cased_id(text: str) -> str:
    """As GitHub's slugger has it where it is told to keep capitals."""
    return hyphenate_text(text.strip(), keep=is_mark)


def is_mark(sign: str) -> bool:
    """Whether a sign belongs to the one before it: an accent, the sign of a vowel, what makes an emoji of it."""
    return unicodedata.category(sign).startswith("M")


def strip_marks(text: str) -> str:
    """A text without such signs."""
    return text if text.isascii() else "".join(sign for sign in text if not is_mark(sign))


def build_hugo_id(text: str) -> str:
    """As Hugo has it, and kramdown with GitHub's parser: GitHub's way, after two or three hyphens became a dash."""
    text = re.sub(r"(?<!-)-{2,3}(?!-)", "", text)
    return hyphenate_text(text.strip().lower()) or "heading"


def build_vitepress_id(text: str) -> str:
    """As VitePress' default `slugify` (of `@mdit-vue/shared`) has it: accents go, and all marks become hyphens. Names
    of emoji in colons count for nothing."""
    text = _COMBINING.sub("", unicodedata.normalize("NFKD", _EMOJI.sub("", text)))
    text = _SPECIAL.sub("-", text).strip("-").lower()
    return f"_{text}" if text[:1].isdigit() else text


def build_kramdown_id(text: str) -> str:
    """As kramdown's `auto_ids` has it, where its parser is not GitHub's: from the first letter on."""
    text = re.sub(r"^[^a-zA-Z]+", "", text)
    return re.sub(r"[^a-zA-Z0-9 -]", "", text).replace(" ", "-").lower() or "section"


def build_docutils_id(text: str) -> str:
    """As Docutils' identifiers are normalised: plain letters and digits, with hyphens between them."""
    text = unicodedata.normalize("NFKD", text.lower()).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"^[-0-9]+|-+$", "", re.sub(r"[^a-z0-9]+", "-", text))


def build_collapsed_id(text: str) -> str:
    """As hosts of documentation have it, Mintlify among them: all that is no letter or digit becomes one hyphen."""
    return collapse_punctuation(text.lower())


def collapse_punctuation(text: str) -> str:
    """Return letters and digits, with a hyphen for whatever is between them."""
    return re.sub(r"[\W_]+", "-", text).strip("-")


_NAMED = {"&": "and", "<": "less-than", ">": "greater-than", "|": "or", "%": "percent", "$": "dollar"}
_NAMED_SIGN = lazy_re.compile(r"[&<>|%$]")


def build_gitbook_id(text: str) -> str:
    """As GitBook has it: the same without apostrophes, and with the names of signs."""
    return build_collapsed_id(_NAMED_SIGN.sub(lambda sign: f" {_NAMED[sign[0]]} ", re.sub("['’]", "", text)))


def build_collapsed_ascii_id(text: str) -> str:
    """The same with plain letters only."""
    return build_collapsed_id(unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii"))


BY_STYLE: Mapping[str, tuple[Callable[[str], str], ...]] = {
    "hugo": (build_hugo_id,), "vitepress": (build_vitepress_id,), "vuepress": (build_vitepress_id,),
    "kramdown": (build_kramdown_id, build_hugo_id),
    "docutils": (build_docutils_id,), "collapsed": (build_collapsed_id, build_collapsed_ascii_id),
}  # fmt: skip
"""Such ids are right beside GitHub's: a site can be told to follow that."""
