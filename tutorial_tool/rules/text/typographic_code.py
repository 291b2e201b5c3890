"""Typographic quotation marks, dashes, and spaces in code: `echo “on”` for `echo "on"`."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.source import find_line_end, find_line_start
from tutorial_tool.markdown import samples
from tutorial_tool.markdown.document import CodeBlock
from tutorial_tool.markdown.sample_brackets import iter_tokens
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, PageFix

_PLAIN = {
    "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "\u00a0": " ", "\u200b": "", "\u2060": "",
    "\ufeff": "",
}  # fmt: skip
"""What word processors and websites put into code, by what code needs."""
_TYPED = lazy_re.compile("(?<![^\\W\\d_])[‘’]|[‘’](?![^\\W\\d_])|[“”„\u00a0\u200b\u2060\ufeff]|(?<!\\S)[–—](?=\\w)")
"""Not an apostrophe within a word, which belongs to a text."""
_ARGUMENT = lazy_re.compile(r"(?:=|[ \t]--?\w[\w-]*)[ \t]*[“”‘’„]")  # A quoted argument of a command
_SHELL = frozenset(("bash", "console", "sh", "shell", "shell-session", "zsh"))
_WITH_TAGS = ("javascript", "tsx", "typescript")  # Grammars of languages whose samples may have text between tags
_BETWEEN_TAGS = lazy_re.compile(r"(?<!=)>[^<>{}=;]*\Z")


@rule("text", Severity.WARNING, needs="more-than-ascii")
def check(page: Page) -> Iterator[Finding]:
    for block in page.document.code_blocks:
        if not block.text.isascii() and (places := list(_find_typographic(block))):
            edits = tuple((*span, _get_plain(page.plain, span[0])) for span in places)
            first, *others = edits
            char = page.plain[first[0]]
            good = f"; code has `{first[2]}`" if first[2].strip() else ""
            message = f"unexpected {unicodedata.name(char).lower()} (U+{ord(char):04X}){good}"
            fix = PageFix("replace typographic characters", edits, safe=False)
            yield page.flag(first[:2], message, again=[(page, edit[:2], "also here") for edit in others], fix=fix)


def _find_typographic(block: CodeBlock) -> Iterator[tuple[int, int]]:
    """Yield the spans of characters that the language of a sample can't have outside of strings and comments."""
    from pygments.token import Error, Text

    code, label = f"{block.text}\n", samples.get_language_name(block.info).lower()
    typed = [match.start() for match in _TYPED.finditer(code)]
    if (language := samples.get_language(block.info)) and language.grammar in _WITH_TAGS:
        typed = [at for at in typed if not _BETWEEN_TAGS.search(code, 0, at)]
    for start, kind, text in iter_tokens(code, label) if typed else ():
        if kind is Error or (label in _SHELL and kind in Text):
            within = (at for at in typed if start <= at < start + len(text))
            places = [at for at in within if kind is Error or _is_misread(code, at)]
            yield from ((block.content_start + at, block.content_start + at + 1) for at in places)


def _get_plain(text: str, at: int) -> str:
    """Return what code has instead of a character: two hyphens in front of an option with a long name."""
    plain = _PLAIN[text[at]]
    return "--" if plain == "-" and text[at + 1 : at + 3].isalpha() else plain


def _is_misread(code: str, at: int) -> bool:
    """Return whether a shell takes a character for a part of a word, where an author meant otherwise."""
    line = code[find_line_start(code, at) : find_line_end(code, at)]
    if code[at] == "\u00a0":  # not between columns, or in a drawn tree of folders
        return code[at - 1].isalnum() and not code[at + 1].isspace()
    return _PLAIN[code[at]] not in ("'", '"') or _ARGUMENT.search(line) is not None
