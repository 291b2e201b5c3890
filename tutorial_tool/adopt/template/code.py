"""Write code that differs by platform to code files, if `code()` prints the same characters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from tutorial_tool.adopt.lines.units import CopyUnit
from tutorial_tool.adopt.names import Names
from tutorial_tool.adopt.words.pieces import MAX_VALUE_CHARACTERS, Vector, get_texts
from tutorial_tool.core import lazy_re
from tutorial_tool.core.grouping import group_by
from tutorial_tool.templating.functions.samples import get_language

_ONE_LINE = ("opening", "line", "closing")
_LANGUAGE_ONLY = lazy_re.compile(r"([ \t]*`{3,})[\w+#.-]+\n")
_OPENING = lazy_re.compile(r"([ \t]*)```([^\n`]*)\n")
_TITLE_SUFFIX = lazy_re.compile(r"[\w)\]-]\.([A-Za-z]\w{0,9})[\"']")
"""The suffix of the file in the title of a fence: `title="src/App.vue"`."""
_TEMPLATE_SUFFIXES = ("md", "j2")  # Suffixes of parts and templates


@dataclass(frozen=True)
class CodeFiles:
    """The files of a code block, as (suffix, text) by group. Each group has one: a new platform gets none by default.

    `languages` are the info strings by platform, unless `code()` derives them from the suffixes.
    """

    texts: Mapping[frozenset[str], tuple[str, str]]
    indentation: str
    languages: Vector = ()


def is_code(column: Mapping[str, CopyUnit]) -> bool:
    return all(unit.kind == "fence" for unit in column.values())


def is_one_line(column: Mapping[str, CopyUnit]) -> bool:
    """Return whether fences have a single short line, in which they differ, and possibly in the language."""
    fences = [unit.lines for unit in column.values()]
    markers = {_get_fence_marker(fence_lines[0]) for fence_lines in fences}
    return (
        is_code(column)
        and all(len(fence_lines) == len(_ONE_LINE) for fence_lines in fences)
        and len({fence_lines[-1] for fence_lines in fences}) == 1
        and all(fence_lines[1].strip() and len(fence_lines[1]) <= MAX_VALUE_CHARACTERS for fence_lines in fences)
        and (len({fence_lines[0] for fence_lines in fences}) == 1 or (len(markers) == 1 and None not in markers))
    )


def is_one_value(column: Mapping[str, CopyUnit], names: Names) -> bool:
    """Return whether fences have a single line, which can be printed as a value.

    If they have different languages, the line must recur elsewhere, or be the same in all.
    """
    if not is_one_line(column):
        return False
    one_line = parse_one_line(column)
    return one_line.languages is None or names.is_known(one_line.code) or len(set(get_texts(one_line.code))) == 1


def _get_fence_marker(opening: str) -> str | None:
    """Return the indentation and backticks of a fence; None if anything but a language follows them."""
    match = _LANGUAGE_ONLY.fullmatch(opening)
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
    marker = _get_fence_marker(opening) or ""
    languages = tuple((p, unit.lines[0].rstrip("\n").removeprefix(marker)) for p, unit in column.items())
    return OneLine(marker, languages, indentation, texts, closing)


def build_files(column: Mapping[str, CopyUnit], groups: Sequence[frozenset[str]]) -> CodeFiles | None:
    """Build the code files of fences, one for each distinct text in a group; None if impossible."""
    alike_groups = [group for wider in groups for group in _group_alike(column, wider)]
    parsed = {group: _parse_fence(column[min(group)]) for group in alike_groups}
    files = {group: file for group, file in parsed.items() if file is not None}
    indentations = {file.indentation for file in files.values()}
    if len(files) < len(parsed) or len(indentations) != 1:
        return None
    texts = {group: (file.suffix, file.text) for group, file in files.items()}
    languages = tuple((platform, file.language) for group, file in files.items() for platform in sorted(group))
    are_derivable = all(_find_suffix(file.language) for file in files.values())
    return CodeFiles(texts, indentations.pop(), () if are_derivable else tuple(sorted(languages)))


def _group_alike(column: Mapping[str, CopyUnit], group: frozenset[str]) -> list[frozenset[str]]:
    """Group the platforms with identical text."""
    by_unit = group_by((platform for platform in column if platform in group), column.__getitem__)
    return list(map(frozenset, by_unit.values()))


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

    if (title := _TITLE_SUFFIX.search(language)) and title[1] not in _TEMPLATE_SUFFIXES:
        return title[1]
    word = re.split(r"[^\w+#-]", language.lstrip("{. "))[0].lower()
    lexers = [(names, patterns) for _, names, patterns, _ in get_all_lexers() if word in names]
    main_suffix = next((suffix for names, _ in lexers if (suffix := _find_suffix(names[0]))), None)
    other_suffixes = (suffix for _, patterns in lexers for suffix in _iter_suffixes(patterns))
    return main_suffix or next(other_suffixes, "txt")


@cache
def _find_suffix(language: str) -> str | None:
    """Return the suffix of files whose code is fenced with this language."""
    from pygments.lexers import get_all_lexers

    matching = (patterns for _, aliases, patterns, _ in get_all_lexers() if aliases and aliases[0] == language)
    suffixes = (suffix for patterns in matching for suffix in _iter_suffixes(patterns))
    return next((suffix for suffix in suffixes if get_language(f"x.{suffix}")[1] == language), None)


def _iter_suffixes(patterns: Iterable[str]) -> Iterator[str]:
    """Yield the suffixes in file name patterns."""
    suffixes = (pattern.removeprefix("*.") for pattern in patterns if pattern.startswith("*."))
    yield from (suffix for suffix in suffixes if suffix.isalnum())
