"""Make text from untrusted files safe for a terminal, and measure it."""

from __future__ import annotations

import sys
import unicodedata

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import TAB

MIN_WIDTH = 40  # Columns of the narrowest supported terminal
_JOINERS = "\u200c\u200d"  # Shape emoji and several scripts; zero width, and harmless

INVISIBLE = lazy_re.compile("[\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
"""Characters that JSON and XML allow, but that control a terminal or hide text."""


def make_visible(text: str) -> str:
    """Return the text with invisible characters spelled out, so that none controls a terminal.

    C0 controls and DEL become their Unicode pictures; C1 controls, directions, zero-width spaces, line separators and
    lone surrogates become `<U+202E>`.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape_character(character) for character in text)


def _escape_character(character: str) -> str:
    if character == "\t":
        return " " * TAB
    if character < " ":
        return chr(0x2400 + ord(character))
    if character == "\x7f":
        return "␡"
    if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") and character not in _JOINERS:
        return f"<U+{ord(character):04X}>"
    return character


def measure_width(text: str) -> int:
    """Return the width of a visible text in terminal columns.

    Unicode Standard Annex 11: wide and full-width characters take two columns. Marks and joiners take none, nor do the
    vowels and finals that join a Hangul syllable.
    """
    return len(text) if text.isascii() else sum(map(_measure_character, text))


def wrap_beside(head: str, text: str) -> str:
    """Return a line of a list; where a terminal is too narrow for it, the text is wrapped, beside its head or below."""
    import shutil
    import textwrap

    import click

    width, columns = measure_width(click.unstyle(head)), shutil.get_terminal_size().columns
    if not sys.stdout.isatty() or width + measure_width(text) <= columns:
        return head + text
    indent = " " * (width if 2 * width <= columns else TAB)
    start = head if len(indent) == width else f"{head.rstrip()}\n{indent}"
    return start + f"\n{indent}".join(textwrap.wrap(text, max(columns, MIN_WIDTH) - len(indent)))


def _measure_character(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me") or character in _JOINERS or "\u1160" <= character <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
