"""Text from files that nobody vouches for, made safe and even for a terminal."""

from __future__ import annotations

import unicodedata

TAB = 4


def visible(text: str) -> str:
    """The text with its control characters shown as pictures, so that none of them acts on a terminal."""
    return "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    if character == "\t":
        return " " * TAB
    if character < " ":
        return chr(0x2400 + ord(character))
    if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return "\u200d" if character == "\u200d" else "�"
    return character


def width(text: str) -> int:
    """Columns that a text takes on a terminal (Unicode Standard Annex 11: wide and full-width characters take two)."""
    return sum(_width(character) for character in text)


def _width(character: str) -> int:
    if unicodedata.combining(character) or character in "\u200d\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
