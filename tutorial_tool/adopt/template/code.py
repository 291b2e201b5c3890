"""Write code that differs by platform to code files, if `code()` prints the same characters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from tutorial_tool.adopt.lines.units import CopyUnit
from tutorial_tool.adopt.names import Names
from tutorial_tool.adopt.words.pieces import Vector
from tutorial_tool.core import lazy_re
from tutorial_tool.templating.functions.samples import get_language

LONGEST_LINE = 160  # Maximum characters of a line of code that is a value
_ONE_LINE = ("opening", "line", "closing")
_NAMED = lazy_re.compile(r"([ \t]*`{3,})[\w+#.-]+\n")
_OPENING = lazy_re.compile(r"([ \t]*)```([^\n`]*)\n")
_TITLED = lazy_re.compile(r"[\w)\]-]\.([A-Za-z]\w{0,9})[\"']")
"""The suffix of the file that a fence names: `title="src/App.vue"`."""
_NO_CODE = ("md", "j2")  # Suffixes of parts and templates


@dataclass(frozen=True)
class CodeFiles:
    """The files of a code block: suffix and text by group. None is shared: a new platform needs its own.

    `languages` are the info strings by platform, if they do not follow from the suffixes.
    """

    texts: Mapping[frozenset[str], tuple[str, str]]
    indentation: str
    languages: Vector = ()


def is_code(column: Mapping[str, CopyUnit]) -> bool:
    return all(unit.kind == "fence" for unit in column.values())


def is_one_line(column: Mapping[str, CopyUnit]) -> bool:
    """Return whether fences have a single short line, in which they differ, and possibly in the language."""
    lines = [unit.lines for unit in column.values()]
    marks = {_get_opening_marks(own[0]) for own in lines}
    return (
        is_code(column)
        and all(len(own) == len(_ONE_LINE) for own in lines)
        and len({own[-1] for own in lines}) == 1
        and all(own[1].strip() and len(own[1]) <= LONGEST_LINE for own in lines)
        and (len({own[0] for own in lines}) == 1 or (len(marks) == 1 and None not in marks))
    )


def is_one_value(column: Mapping[str, CopyUnit], names: Names) -> bool:
    """Return whether fences are of one line, and that is a value.

    If they have different languages, the line must recur elsewhere, or be the same in all.
    """
    if not is_one_line(column):
        return False
    one_line = parse_one_line(column)
    return one_line.languages is None or names.is_known(one_line.code) or len({text for _, text in one_line.code}) == 1


def _get_opening_marks(opening: str) -> str | None:
    """Return what precedes the language of a fence; None if anything else follows the language."""
    match = _NAMED.fullmatch(opening)
    return match[1] if match else None


@dataclass(frozen=True)
class OneLine:
    """Fences of one line: the common opening, the languages if they differ, and the lines of code."""

    opening: str
    languages: Vector | None
    indentation: str
    code: Vector
    closing: str


def parse_one_line(column: Mapping[str, CopyUnit]) -> OneLine:
    """Split fences of one line into their parts."""
    opening, line, closing = next(iter(column.values())).lines
    indentation = line[: len(line) - len(line.lstrip())]
    if not all(unit.lines[1].startswith(indentation) for unit in column.values()):
        indentation = ""
    texts = tuple((p, unit.lines[1].removeprefix(indentation).rstrip("\n")) for p, unit in column.items())
    if len({unit.lines[0] for unit in column.values()}) == 1:
        return OneLine(opening, None, indentation, texts, closing)
    marks = _get_opening_marks(opening) or ""
    languages = tuple((p, unit.lines[0].rstrip("\n").removeprefix(marks)) for p, unit in column.items())
    return OneLine(marks, languages, indentation, texts, closing)


def build_files(column: Mapping[str, CopyUnit], groups: Sequence[frozenset[str]]) -> CodeFiles | None:
    """Build the code files of fences, one for each distinct text in a group; None if impossible."""
    alike = [group for wider in groups for group in _group_alike(column, wider)]
    matches = {group: _parse_fence(column[min(group)]) for group in alike}
    files_ = {group: file for group, file in matches.items() if file is not None}
    indentations = {file.indentation for file in files_.values()}
    if len(files_) < len(matches) or len(indentations) != 1:
        return None
    texts = {group: (file.suffix, file.text) for group, file in files_.items()}
    languages = tuple((platform, file.language) for group, file in files_.items() for platform in sorted(group))
    usual = all(_find_suffix(file.language) for file in files_.values())
    return CodeFiles(texts, indentations.pop(), () if usual else tuple(sorted(languages)))


def _group_alike(column: Mapping[str, CopyUnit], group: frozenset[str]) -> list[frozenset[str]]:
    """Group the platforms with identical text."""
    out: dict[CopyUnit, list[str]] = {}
    for platform, unit in column.items():
        if platform in group:
            out.setdefault(unit, []).append(platform)
    return [frozenset(platforms) for platforms in out.values()]


@dataclass(frozen=True)
class _FencedFile:
    """The file of a fence, its indentation, and its info string."""

    indentation: str
    language: str
    suffix: str
    text: str


def _parse_fence(unit: CopyUnit) -> _FencedFile | None:
    opening = _OPENING.match(unit.text)
    if opening is None:
        return None
    indentation, language = opening[1], opening[2]
    lines = unit.text[opening.end() :].split("\n")[:-1]
    if (
        not lines
        or lines.pop() != f"{indentation}```"
        or any(line and (not line.startswith(indentation) or line == indentation) for line in lines)
    ):
        return None
    text = "\n".join(line.removeprefix(indentation) for line in lines)
    if "```" in text or not text.strip() or text != text.rstrip("\n") or language != language.strip():
        return None
    return _FencedFile(indentation, language, _find_suffix(language) or _guess_suffix(language), text + "\n")


@cache
def _guess_suffix(language: str) -> str:
    """Guess a suffix for an info string that is not a language's main name, such as `sh` or a file name."""
    from pygments.lexers import get_all_lexers

    if (titled := _TITLED.search(language)) and titled[1] not in _NO_CODE:
        return titled[1]
    word = re.split(r"[^\w+#-]", language.lstrip("{. "))[0].lower()
    lexers = [(names, patterns) for _, names, patterns, _ in get_all_lexers() if word in names]
    own = next((suffix for names, _ in lexers if (suffix := _find_suffix(names[0]))), None)
    shared = (suffix for _, patterns in lexers for suffix in _iter_suffixes(patterns))
    return own or next(shared, "txt")


@cache
def _find_suffix(language: str) -> str | None:
    """Return the suffix of files whose code is fenced with this language."""
    from pygments.lexers import get_all_lexers

    named = (patterns for _, aliases, patterns, _ in get_all_lexers() if aliases and aliases[0] == language)
    suffixes = (suffix for patterns in named for suffix in _iter_suffixes(patterns))
    return next((suffix for suffix in suffixes if get_language(f"x.{suffix}")[1] == language), None)


def _iter_suffixes(patterns: Iterable[str]) -> Iterator[str]:
    """Yield the suffixes in file name patterns."""
    bare = (pattern.removeprefix("*.") for pattern in patterns if pattern.startswith("*."))
    yield from (suffix for suffix in bare if suffix.isalnum())
