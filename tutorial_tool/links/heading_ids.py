"""Heading ids of generators that do not simply follow GitHub."""

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
    """Strip punctuation and replace spaces by hyphens. `keep` returns which other characters stay."""
    return _PUNCTUATION.sub(lambda sign: sign[0] if keep and keep(sign[0]) else "", text).replace(" ", "-")


def normalize_id(id_: str) -> str:
    """Return an id in lower case, without the characters on which generators differ."""
    return re.sub(r"[\W_]", "", id_.lower())


def build_cased_id(text: str) -> str:
    """Build an id as GitHub's slugger does with capitals preserved."""
    return hyphenate_text(text.strip(), keep=is_mark)


def is_mark(sign: str) -> bool:
    """Return whether a character modifies the one before it: an accent, a vowel mark, an emoji selector."""
    return unicodedata.category(sign).startswith("M")


def strip_marks(text: str) -> str:
    """Return a text without combining marks."""
    return text if text.isascii() else "".join(sign for sign in text if not is_mark(sign))


def build_hugo_id(text: str) -> str:
    """Build an id as Hugo does, and kramdown with GitHub's parser.

    It is GitHub's, after two or three hyphens became a dash, which is dropped.
    """
    text = re.sub(r"(?<!-)-{2,3}(?!-)", "", text)
    return hyphenate_text(text.strip().lower()) or "heading"


def build_vitepress_id(text: str) -> str:
    """Build an id as VitePress' default `slugify` does (of `@mdit-vue/shared`).

    It drops accents and emoji names in colons, and turns punctuation into hyphens.
    """
    text = _COMBINING.sub("", unicodedata.normalize("NFKD", _EMOJI.sub("", text)))
    text = _SPECIAL.sub("-", text).strip("-").lower()
    return f"_{text}" if text[:1].isdigit() else text


def build_kramdown_id(text: str) -> str:
    """Build an id as kramdown's `auto_ids` does without GitHub's parser: from the first letter on."""
    text = re.sub(r"^[^a-zA-Z]+", "", text)
    return re.sub(r"[^a-zA-Z0-9 -]", "", text).replace(" ", "-").lower() or "section"


def build_docutils_id(text: str) -> str:
    """Build an id as Docutils does: ASCII letters and digits, separated by hyphens."""
    text = unicodedata.normalize("NFKD", text.lower()).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"^[-0-9]+|-+$", "", re.sub(r"[^a-z0-9]+", "-", text))


def build_collapsed_id(text: str) -> str:
    """Build an id as Mintlify and other hosts do: each run of other characters becomes one hyphen."""
    return collapse_punctuation(text.lower())


def collapse_punctuation(text: str) -> str:
    """Return letters and digits, with one hyphen for each run of other characters between them."""
    return re.sub(r"[\W_]+", "-", text).strip("-")


_NAMED = {"&": "and", "<": "less-than", ">": "greater-than", "|": "or", "%": "percent", "$": "dollar"}
_NAMED_SIGN = lazy_re.compile(r"[&<>|%$]")


def build_gitbook_id(text: str) -> str:
    """Build a collapsed id as GitBook does: without apostrophes and `:emoji:`, and with symbols spelled out."""
    return build_collapsed_id(_NAMED_SIGN.sub(lambda sign: f" {_NAMED[sign[0]]} ", re.sub(r"['’]|:\w+:", "", text)))


def build_collapsed_ascii_id(text: str) -> str:
    """Build a collapsed id from ASCII characters only."""
    return build_collapsed_id(unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii"))


BY_STYLE: Mapping[str, tuple[Callable[[str], str], ...]] = {
    "hugo": (build_hugo_id,), "vitepress": (build_vitepress_id,), "vuepress": (build_vitepress_id,),
    "kramdown": (build_kramdown_id, build_hugo_id),
    "docutils": (build_docutils_id,), "collapsed": (build_collapsed_id, build_collapsed_ascii_id),
}  # fmt: skip
"""IDs that are valid in addition to GitHub's: a site can be configured to use them."""
