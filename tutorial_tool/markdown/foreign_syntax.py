"""Finds what another language than a sample's has: `new Lamp()` in Kotlin, `[lamp switchOn]` in Swift."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.samples import OTHER_NAMES

_MODIFIERS = "(?:(?:public|private|protected|internal|open|static|final|class|override|suspend) )*"
_CALL_OF_NEW = r"(?<![\w.-])new [A-Z][\w.]*(?:<[^>\n]*>)?[(\[]"
_JAVA_VARIABLE = r"^[ \t]*(?:final )?[A-Z]\w*(?:<[\w<>, ?]*>)?(?:\[\])? [a-z]\w* =(?= ?\S)"
_JAVA = rf"{_CALL_OF_NEW}|^[ \t]*{_MODIFIERS}void \w+\(|^[ \t]*@Override\b|{_JAVA_VARIABLE}"
_KOTLIN = rf"^[ \t]*{_MODIFIERS}(?:fun (?:<\w+> )?[\w.]+\(|val \w+(?:: ?[\w<>?., ]+)? ?=)"
_SWIFT_FUNCTION = rf"^[ \t]*(?:@\w+ )?{_MODIFIERS}func \w+[(<]"
_SWIFT = rf"{_SWIFT_FUNCTION}|^[ \t]*(?:if |guard )?let \w+(?:: ?[\w\[\]:?. ]+)? ?="
_GO = r"^[ \t]*(?:\w+, )*\w+ :=|^func \w+\(\) \{"
_OBJECTIVE_C = r"^[ \t]*\[+[A-Z]\w* \w+|^[ \t]*[A-Z]\w+ ?\*+ ?\w+ ?=|(?<![\w\\])@\""
_IN_SCRIPT = {"Kotlin": _KOTLIN, "Swift": _SWIFT_FUNCTION, "Java": _JAVA_VARIABLE}
_IN_OBJECTIVE_C = {"Swift": rf"{_SWIFT}|\b\w+\(\w+: "}  # `lamp.rename(to: "hall")`
_FOREIGN: Mapping[str, Mapping[str, str]] = {
    "java": {"Kotlin": _KOTLIN, "Go": _GO, "Swift": _SWIFT_FUNCTION},
    "javascript": _IN_SCRIPT,
    "kotlin": {"Java": _JAVA, "Swift": _SWIFT},
    "objc": _IN_OBJECTIVE_C,
    "objective-c": _IN_OBJECTIVE_C,
    "objectivec": _IN_OBJECTIVE_C,
    "swift": {"Objective-C": _OBJECTIVE_C, "Kotlin": _KOTLIN, "Java": _CALL_OF_NEW},
    "typescript": _IN_SCRIPT,
}
"""What a language can't have, by the language that has it.

On 280 trees, 553 samples that do not parse have such a construct; all of 140 that were read are in another language, at
least in part (December 2026).
"""
_TEXT = lazy_re.compile(r"(?<=\")(?:[^\"\\\n]|\\.)++|(?<=')(?:[^'\\\n]|\\.)++(?=')|//.*|/\*(?s:.*?)\*/")
"""The text of a string, or a comment."""


class ForeignSyntax(NamedTuple):
    """A construct that a sample's language does not have: its language, and its span in the sample."""

    language: str
    start: int
    end: int


def find_foreign_syntax(code: str, label: str) -> ForeignSyntax | None:
    """Return the first construct of a sample that its language, as its fence names it, does not have."""
    others = _FOREIGN.get(OTHER_NAMES.get(label, label), {})
    text = _TEXT.sub(lambda match: " " * len(match[0]), code) if others else ""
    for language, pattern in others.items():
        if match := re.search(pattern, text, re.MULTILINE):
            start, end = match.span()
            return ForeignSyntax(language, start + len(match[0]) - len(match[0].lstrip()), end)
    return None
