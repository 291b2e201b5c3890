"""Split a copy into units, the smallest parts that are aligned: paragraphs, lines, tables, and fences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from tutorial_tool import data
from tutorial_tool.core import lazy_re
from tutorial_tool.data import forms

_FENCE = lazy_re.compile(r"[ \t>]*(`{3,}(?=[^`\n]*(?:\n|\Z))|~{3,})[^\n]*")
_DELIMITER = lazy_re.compile(r"[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?")
BLOCK = lazy_re.compile(r"[\w-]+:[ \t]+[>|][-+]?\d?[ \t]*\n")  # The first line of a text in a block of YAML
_MODULE = lazy_re.compile(r"import [^\n]*['\"][^\n]*\n?|export (?:const|default|function|let)\b[^\n]*\n?")
"""A line of code in MDX."""
_IMPORT = lazy_re.compile(r"import (?:[\w$]+, )?\{[^\n}]*")  # The first line of an import of several lines
_HEADING = lazy_re.compile(r"(#{1,6})[ \t]")
ATTRIBUTE = lazy_re.compile(r"[ \t]+([A-Za-z][\w:.-]*)=[\"'{][^\n]*\n?")
"""A line with an attribute of a tag that has several lines."""
_PROSE = lazy_re.compile(r"[ \t]*(?:(?:[-*+]|\d+[.)]) [ \t]*)?[\w`*_\[(\"'“‘{&].*(?<! {2})(?<!\\)\n")
"""A line of prose or of a list item, without a hard line break at its end."""
_SENTENCES = lazy_re.compile(r"(?:[^\n]*\n)*?[^\n]*[.!?:][)\"'”’*_`]*[ \t]*(?:\n|\Z)|[^\n]+\n?(?:[^\n]+\n?)*")
_CONTINUATION = lazy_re.compile(r"(?!(?:    |\t)[ \t]*[^\s\w])[ \t]*(?!(?:\d+[.)]|\*) )[\w`*_\[(\"'“‘{&][^\n]*\n?")
_TAG = lazy_re.compile(
    r"[ \t]*(?:<(/?)([A-Za-z][\w.:-]*)(?:\s[^<>\n]*(?<!/))?>|\{% *(end)?([a-z]\w*)[^%\n]*%\})[ \t]*\n?"
)
"""An element's tag, or a site generator's block tag, alone on its line."""
_IMAGE = lazy_re.compile(r"[ \t]*!\[[^\]]*\]\([^)]*\)[ \t]*")


class CopyUnit(NamedTuple):
    """Whole lines of a text, with line ends. Only units of the same kind correspond."""

    kind: str
    text: str

    @property
    def is_blank(self) -> bool:
        return self.kind == "blank"

    @property
    def is_wrapped(self) -> bool:
        """Whether it is prose of several lines."""
        return self.kind == "text" and "\n" in self.text[:-1]

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines(keepends=True) if self.text.isascii() else _split_lines(self.text)


def _split_lines(text: str) -> list[str]:
    r"""Split a text into lines, with their ends: only `\n` ends a line."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def split(text: str) -> list[CopyUnit]:
    r"""Split a text with `\n` line ends into units; joined, they are the text."""
    front_matter = data.find_front_matter(text) or forms.find_front_matter(text)
    front_lines = _split_lines(text[: front_matter.body]) if front_matter else []
    body_lines = _split_lines(text[front_matter.body :] if front_matter else text)
    return [*_iter_front_units(front_lines), *_iter_body_units(body_lines)]


def _iter_front_units(lines: Sequence[str]) -> Iterator[CopyUnit]:
    """Yield the lines of front matter; a text in a block, such as `description: >-`, belongs to its key."""
    index = 0
    while index < len(lines):
        indented = takewhile(lambda line: line[:1].isspace(), lines[index + 1 :] if BLOCK.match(lines[index]) else ())
        text = "".join((lines[index], *indented))
        yield CopyUnit("front" if text.strip() else "blank", text)
        index += text.count("\n")


def _iter_body_units(lines: Sequence[str]) -> Iterator[CopyUnit]:
    index, elements = 0, _find_elements(lines)
    while index < len(lines):
        if index in elements:
            end = elements[index]
            yield CopyUnit("fence", "".join(lines[index:end]))
        elif fence := _FENCE.match(lines[index]):
            end = _find_fence_end(lines, index, fence[1])
            yield CopyUnit("fence", "".join(lines[index:end]))
        elif "|" in lines[index] and index + 1 < len(lines) and _is_delimiter(lines[index + 1]):
            end = next((at for at in range(index + 2, len(lines)) if "|" not in lines[at]), len(lines))
            yield CopyUnit("table", "".join(lines[index:end]))
        elif _IMPORT.fullmatch(lines[index].rstrip("\n")):
            end = next((at + 1 for at in range(index, len(lines)) if "}" in lines[at]), index + 1)
            yield from (CopyUnit("module", line) for line in lines[index:end])
        else:
            kind = _get_kind(lines[index])
            end = _find_paragraph_end(lines, index) if kind == "text" else index + 1
            yield CopyUnit(kind, "".join(lines[index:end]))
        index = end


def _get_kind(line: str) -> str:
    if not line.strip():
        return "blank"
    if _MODULE.fullmatch(line):
        return "module"
    if ATTRIBUTE.fullmatch(line):
        return "attribute"
    if heading := _HEADING.match(line):
        return f"heading {len(heading[1])}"
    return "image" if _IMAGE.fullmatch(line.rstrip("\n")) else "text"


def _find_paragraph_end(lines: Sequence[str], start: int) -> int:
    """Return the end of wrapped prose; all its lines begin with a letter or similar. A fence or a table ends it."""
    index = start + 1
    while index < len(lines) and _PROSE.match(lines[index - 1]) and _CONTINUATION.match(lines[index]):
        is_table = index + 1 < len(lines) and _is_delimiter(lines[index + 1])
        if is_table or any(pattern.match(lines[index]) for pattern in (_FENCE, _MODULE, ATTRIBUTE)):
            break
        index += 1
    return index


def _find_fence_end(lines: Sequence[str], start: int, marker: str) -> int:
    """Return the line after the end of a fence; an unclosed fence is treated as a single line."""
    closing = re.compile(rf"[ \t>]*{re.escape(marker[0])}{{{len(marker)},}}[ \t]*\n?")
    return next((index + 1 for index in range(start + 1, len(lines)) if closing.fullmatch(lines[index])), start + 1)


def _find_elements(lines: Sequence[str]) -> dict[int, int]:
    """Return the start and end of elements with mostly code, such as tabs: they correspond to code."""
    out: dict[int, int] = {}
    opened_: list[tuple[str, int, int]] = []  # Name, line, and surplus of code over prose before it
    at = balance = 0
    while at < len(lines):
        end = _find_fence_end(lines, at, fence[1]) if (fence := _FENCE.match(lines[at])) else at + 1
        tag = _parse_tag(lines[at])
        if tag is None:
            size = sum(map(len, lines[at:end]))
            balance += size if fence else -size
            opened_ = [] if _HEADING.match(lines[at]) else opened_  # an element that contains a heading is a section
        elif tag[1]:
            opened_.append((tag[0], at, balance))
        elif tag[0] in (name for name, *_ in opened_):
            name = ""
            while name != tag[0]:
                name, start, before = opened_.pop()
            if balance > before:
                out = {begin: stop for begin, stop in out.items() if begin < start} | {start: end}
        at = end
    return out


@lru_cache(maxsize=20_000)
def _parse_tag(line: str) -> tuple[str, bool] | None:
    """Return the name of a tag, and whether it is an opening one; None for other lines."""
    match = _TAG.fullmatch(line)
    return ((match[2] or match[4]), not (match[1] or match[3])) if match else None


def open_element(unit: CopyUnit) -> list[CopyUnit]:
    """Split an element into its tags and its content; return code unchanged."""
    first, *rest = unit.lines
    if unit.kind != "fence" or not _parse_tag(first):
        return [unit]
    return [CopyUnit("text", first), *_iter_body_units(rest[:-1]), CopyUnit("text", rest[-1])]


def get_tags(unit: CopyUnit) -> tuple[tuple[str, bool], ...]:
    """Return the tags of an element in order."""
    return tuple(filter(None, map(_parse_tag, unit.lines)))


def _is_delimiter(line: str) -> bool:
    return "-" in line and "|" in line and _DELIMITER.fullmatch(line.rstrip("\n")) is not None


def expand_unit(unit: CopyUnit) -> list[CopyUnit]:
    """Split a table or fence into units of one line, and a paragraph where a line ends with a sentence."""
    kind = {"table": "row", "fence": "code"}.get(unit.kind, unit.kind)
    if kind == "text":
        return [CopyUnit(kind, text) for text in _SENTENCES.findall(unit.text)]
    return [CopyUnit("blank" if kind == "code" and not line.strip() else kind, line) for line in unit.lines]
