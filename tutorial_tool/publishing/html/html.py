"""Parsing and writing HTML tags without touching the rest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape, unescape

from tutorial_tool.core import lazy_re

ATTRIBUTES = r"""(?:[^<>"']|"[^"]*+"|'[^']*+')*+"""
RAW = r"<!--.*?(?:-->|\Z)|<(?P<raw>script|style|textarea|template|svg)\b.*?(?:</(?P=raw)\s*>|\Z)"
"""Comments, and elements whose content is another language."""

_ATTRIBUTE = lazy_re.compile(r"""([^\s"'<>/=]++)(?:\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"'>]++))?+""")
_TAG = lazy_re.compile(rf"<!--.*?-->|<{ATTRIBUTES}>", re.DOTALL)
_PERMALINK = lazy_re.compile(r"<a\b[^>]*\bheaderlink\b[^>]*>.*?</a>", re.DOTALL)


def parse_attributes(tag: str) -> dict[str, str]:
    """Return a tag's attributes by lowercase name; the first of a name counts, as in browsers."""
    inside = re.sub(r"^<[^\s/>]+|/?>$", "", tag)
    matches: dict[str, str] = {}
    for name, value in _ATTRIBUTE.findall(inside):
        matches.setdefault(name.lower(), unescape(value[1:-1] if value[:1] in "\"'" else value) if value else "")
    return matches


def render_start_tag(name: str, values: Mapping[str, str]) -> str:
    """Return a start tag with attributes, in order."""
    return f"<{name}" + "".join(f' {key}="{escape(value)}"' for key, value in values.items()) + ">"


def extract_text(html: str) -> str:
    """Return the text of a piece of HTML on one line, without permalinks of headings."""
    return " ".join(unescape(_TAG.sub("", _PERMALINK.sub("", html))).split())
