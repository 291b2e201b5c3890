"""Code that differs by platform, as code files: where `code()` prints the same characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from tutorial_tool import lazy_re
from tutorial_tool.adopt.pieces import Vector
from tutorial_tool.adopt.units import Unit

LONGEST_LINE = 160
"""Characters of a line of code that is a value."""
_ONE_LINE = ("opening", "line", "closing")
_OPENING = lazy_re.compile(r"([ \t]*)```([^\n`]*)\n")


@dataclass(frozen=True)
class CodeFiles:
    """The files of one code block: suffix and text, by group. The file of the default, if any, names no platform."""

    texts: Mapping[frozenset[str], tuple[str, str]]
    default: frozenset[str] | None
    indentation: str


def is_code(column: Mapping[str, Unit]) -> bool:
    return all(unit.kind == "fence" for unit in column.values())


def is_one_value(column: Mapping[str, Unit]) -> bool:
    """Whether fences differ in the only line that each has, a short one: a command, say."""
    lines = [unit.lines for unit in column.values()]
    return (
        is_code(column)
        and all(len(own) == len(_ONE_LINE) for own in lines)
        and len({(own[0], own[-1]) for own in lines}) == 1
        and all(own[1].strip() and len(own[1]) <= LONGEST_LINE for own in lines)
    )


def one_value(column: Mapping[str, Unit]) -> tuple[str, Vector, str]:
    """The line of code that differs in such fences, with what stands before and behind it."""
    opening, line, closing = next(iter(column.values())).lines
    indentation = line[: len(line) - len(line.lstrip())]
    if not all(unit.lines[1].startswith(indentation) for unit in column.values()):
        indentation = ""
    texts = tuple((p, unit.lines[1].removeprefix(indentation).rstrip("\n")) for p, unit in column.items())
    return opening + indentation, texts, "\n" + closing


def files(column: Mapping[str, Unit], groups: Sequence[frozenset[str]]) -> CodeFiles | None:
    """The code files of fences, a group's being those of its platforms, all alike; None where that cannot be."""
    texts: dict[frozenset[str], tuple[str, str]] = {}
    indentations = set()
    for group in groups:
        found = {_file(unit) for platform, unit in column.items() if platform in group}
        one = found.pop() if len(found) == 1 else None
        if one is None:
            return None
        indentation, suffix, text = one
        indentations.add(indentation)
        texts[group] = suffix, text
    if len(indentations) != 1:
        return None
    return CodeFiles(texts, usual(groups), indentations.pop())


def usual(groups: Sequence[frozenset[str]]) -> frozenset[str] | None:
    """The group whose text is everybody's, unless its file says otherwise: that of most platforms, two at least."""
    most = max(groups, key=len)
    return most if len(most) > 1 else None


def _file(unit: Unit) -> tuple[str, str, str] | None:
    """A fence's indentation, and the suffix and text of the file that prints it."""
    opening = _OPENING.match(unit.text)
    if opening is None:
        return None
    indentation = opening[1]
    lines = unit.text[opening.end() :].split("\n")[:-1]
    if (
        not lines
        or lines.pop() != f"{indentation}```"
        or any(line and not line.startswith(indentation) for line in lines)
    ):
        return None
    text = "\n".join(line.removeprefix(indentation) for line in lines)
    suffix = _suffix(opening[2])
    if suffix is None or "```" in text or not text.strip() or text != text.rstrip("\n"):
        return None
    return indentation, suffix, text + "\n"


@cache
def _suffix(language: str) -> str | None:
    """The suffix of files whose code is fenced with this word."""
    from pygments.lexers import find_lexer_class_for_filename, get_all_lexers

    named = [patterns for _, aliases, patterns, _ in get_all_lexers() if aliases and aliases[0] == language]
    for patterns in named:
        for pattern in patterns:
            suffix = pattern.removeprefix("*.")
            if pattern.startswith("*.") and suffix.isalnum():
                lexer = find_lexer_class_for_filename(f"x.{suffix}")
                if lexer is not None and lexer.aliases[0] == language:
                    return str(suffix)
    return None
