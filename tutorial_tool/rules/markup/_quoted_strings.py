"""Strings between single quotes in samples of languages that quote a character so: `SetLang('en')` in Go."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import CodeBlock

_LANGUAGE = lazy_re.compile(r"[{.]*(java|csharp|cs|c#|cpp|c\+\+|kotlin|kt|rust|rs|go)(?![\w-])", re.IGNORECASE)
_NAMES = {
    "java": "Java", "csharp": "C#", "cs": "C#", "c#": "C#", "cpp": "C++", "c++": "C++", "kotlin": "Kotlin",
    "kt": "Kotlin", "rust": "Rust", "rs": "Rust", "go": "Go",
}  # fmt: skip
_TOKEN = lazy_re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"|'((?:[^'\\\n]|\\.)*+)'|//.*|`")
_ESCAPE = lazy_re.compile(r"\\(?:u\w+|x\w+|\d+|.)")
_ARGUMENT = lazy_re.compile(r"[\w>]\s*\((?:[^\n]*,)?\s*$")  # What stands before an argument of a call
_AFTER = lazy_re.compile(r"\s*[,)]")
_ENDS = lazy_re.compile(r"\)\s*[;.]?\s*(?://.*)?$")
_BUILD = lazy_re.compile(
    r"\s*(?:[a-z]\w*Implementation|implementation|compile\w*|api|classpath|id|apply|include|kapt)\b"
)
"""How lines of Gradle begin, whose samples are often said to be in Java."""
_LONGEST = 300  # Characters of a line that somebody typed


def quoted_strings(block: CodeBlock) -> tuple[str, list[tuple[int, int]]]:
    """The name of a block's language, and where in its text arguments are strings between single quotes."""
    language = _LANGUAGE.match(block.info)
    if language is None or "'" not in block.text:
        return "", []
    places, at = [], 0
    for line in block.text.split("\n"):
        if "'" in line and len(line) <= _LONGEST:
            places += [(at + start, at + end) for start, end in _find_strings(line)]
        at += len(line) + 1
    return _NAMES[language[1].lower()], places


def _find_strings(line: str) -> Iterator[tuple[int, int]]:
    if line.lstrip().startswith(("*", "/*", "#", "--")) or _BUILD.match(line) or "=>" in line or not _ENDS.search(line):
        return
    for token in _TOKEN.finditer(line):
        if token[0] == "`":
            return  # of another language
        is_long = token[1] is not None and len(_ESCAPE.sub("x", token[1])) > 1
        if is_long and _ARGUMENT.search(line[: token.start()]) and _AFTER.match(line, token.end()):
            yield token.span()
