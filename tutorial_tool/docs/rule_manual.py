"""Parses rule documentation and test case files; `tests/rules/README.md` describes the format."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from tutorial_tool.core import lazy_re

DEFAULT_PATHS = {"md": "page.md", "mdx": "page.mdx", "text": "page.txt", "txt": "page.txt", "yaml": "platforms.yaml"}
OPEN, CLOSE = "⟦", "⟧"


@dataclass(frozen=True)
class Mark:
    """An expected finding: 0-based characters of a file's text. `platforms` is None if not stated."""

    path: str
    start: int
    end: int
    message: str
    platforms: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Example:
    """One example: its files without marks, and the marks in text order. `line` is its fence's, 1-based."""

    kind: str
    line: int
    files: dict[str, str]
    marks: tuple[Mark, ...] = ()
    unsafe: bool = False
    also: frozenset[str] = frozenset()
    config: tuple[tuple[str, str], ...] = ()

    @property
    def is_project(self) -> bool:
        return "platforms.yaml" in self.files


class ExampleFile(NamedTuple):
    """An example file for readers: its lines without marks, and the 1-based numbers of marked lines.

    `path` is empty if the example is of one page, whatever its name. `fence` is long enough to enclose the content.
    """

    label: str
    language: str
    path: str
    fence: str
    lines: tuple[str, ...]
    marked_lines: tuple[int, ...]


class MalformedManual(ValueError):
    """The documentation can't be parsed; the message names the line."""


_FENCE = lazy_re.compile(r'(?P<fence>`{3,}|~{3,})(?P<language>\w*) title="(?P<title>(?:bad|fixed|good)\b[^"]*)"\s*')
_LANGUAGES = {"md": "md", "mdx": "mdx", "yaml": "yaml", "yml": "yaml", "j2": "jinja", "toml": "toml", "txt": "text"}
"""Languages of files, by the ends of their names."""
_ALMOST = lazy_re.compile(r"(?:`{3,}|~{3,})\s*(?:\w+\s+)?(?:bad|fixed|good)\b")
_FILE = lazy_re.compile(r"=== ([^\s\"'=]+)")
_COMMENT = lazy_re.compile(r"\s*(?:<!--|\{#|\{/\*|#)\s*\^(?:\[([^\]]*)\])?\s+(.*?)\s*(?:-->|#\}|\*/\})?\s*")


def find_fix_option(text: str) -> str:
    """Return the option of `lint` that fixes what a rule finds, or ""."""
    fixed = [example for example in parse_examples(text) if example.kind == "fixed"]
    if not fixed:
        return ""
    return "--fix --unsafe-fixes" if all(example.unsafe for example in fixed) else "--fix"


_TITLES = {"bad": "Reported", "fixed": "After --fix", "good": "Not reported"}


def get_example_title(kind: str, *, unsafe: bool) -> str:
    """Return the title that readers see above an example."""
    return _TITLES[kind] + " --unsafe-fixes" * unsafe


def strip_marks(text: str) -> str:
    """Return the documentation without marks; lines with messages stay."""
    return text.replace(OPEN, "").replace(CLOSE, "")


def iter_content(text: str) -> Iterator[str | ExampleFile]:
    """Yield the documentation line by line, with the files of its examples in place.

    Raises: MalformedManual if an example can't be parsed.
    """
    for number, opened, body in _iter_blocks(text):
        if opened is None:
            yield from body
            continue
        is_named = any(map(_FILE.fullmatch, body))
        for path, lines in _split_files(number, opened["language"], body):
            marked = tuple(index for index, line in enumerate(lines, 1) if not {OPEN, CLOSE}.isdisjoint(line))
            kind, *options = opened["title"].split()
            label = (
                get_example_title(kind, unsafe="unsafe" in options) if marked or kind != "bad" or not is_named else ""
            )
            language = _LANGUAGES.get(path.rpartition(".")[2], opened["language"])
            yield ExampleFile(label, language, path * is_named, opened["fence"], tuple(map(strip_marks, lines)), marked)


def parse_examples(text: str) -> Iterator[Example]:
    """Yield the examples of a rule's documentation, in order.

    Raises: MalformedManual if an example can't be parsed.
    """
    for number, opened, body in _iter_blocks(text):
        if opened is not None:
            yield _parse_example(number, opened["language"], opened["title"].split(), body)
        elif _ALMOST.match(body[0]):
            raise MalformedManual(f'line {number}: an example block starts with ```md title="bad"')


def _iter_blocks(text: str) -> Iterator[tuple[int, re.Match[str] | None, list[str]]]:
    """Yield each line or example block of the documentation: first line number (1-based), fence, lines."""
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        opened = _FENCE.fullmatch(lines[number])
        end = _find_closing_fence(lines, number + 1, opened["fence"]) if opened else number
        yield number + 1, opened, lines[number + 1 : end] if opened else [lines[number]]
        number = end + 1


def _find_closing_fence(lines: list[str], start: int, fence: str) -> int:
    for number in range(start, len(lines)):
        line = lines[number].rstrip()
        if line.lstrip(" ").startswith(fence) and not line.strip(f" {fence[0]}") and not line.startswith("    "):
            return number
    raise MalformedManual(f"line {start}: the block is not closed")


def _parse_example(line: int, language: str, title: list[str], body: list[str]) -> Example:
    kind, *options = title
    also: frozenset[str] = frozenset()
    config: list[tuple[str, str]] = []
    for option in options:
        key, _, value = option.partition("=")
        if (key, kind) == ("also", "good"):
            also = frozenset(value.split(","))
        elif key in ("lang", "dialect") and kind != "fixed":
            config.append((key, value))
        elif (option, kind) != ("unsafe", "fixed"):
            raise MalformedManual(f"line {line}: `{option}` means nothing in a `{kind}` block")
    files: dict[str, str] = {}
    marks: list[Mark] = []
    for path, lines in _split_files(line, language, body):
        files[path], matches = _parse_marks(path, line, lines)
        marks += matches
    if bool(marks) is not (kind == "bad"):
        raise MalformedManual(f"line {line}: a `bad` block has marks, and no other has")
    return Example(kind, line, files, tuple(marks), "unsafe" in options, also, tuple(config))


def _split_files(line: int, language: str, body: list[str]) -> Iterator[tuple[str, list[str]]]:
    starts = [(index, match[1]) for index, text in enumerate(body) if (match := _FILE.fullmatch(text))]
    if not starts:
        if language not in DEFAULT_PATHS:
            raise MalformedManual(f"line {line}: a block in `{language}` names its file: `=== path`")
        yield DEFAULT_PATHS[language], body
    elif starts[0][0] > 0:
        raise MalformedManual(f"line {line}: the block starts before its first `=== path`")
    ends = [start for start, _ in starts[1:]] + [len(body)] * bool(starts)
    yield from ((path, body[start + 1 : end]) for (start, path), end in zip(starts, ends, strict=True))


def _parse_marks(path: str, line: int, lines: list[str]) -> tuple[str, list[Mark]]:
    """Return the text without marks and messages, and the marks."""
    out: list[str] = []
    spans: list[list[int]] = []
    messages: list[tuple[str, tuple[str, ...] | None]] = []
    offset = 0
    for text in lines:
        if comment := _COMMENT.fullmatch(text):
            platforms = comment[1] if comment[1] is None else tuple(filter(None, comment[1].split(", ")))
            messages.append((comment[2], platforms))
            continue
        content = _collect_marks(text, offset, spans)
        out.append(content + "\n")
        offset += len(content) + 1
    if len(messages) != len(spans) or any(len(span) < 2 for span in spans):
        raise MalformedManual(f"line {line}: {len(spans)} marks and {len(messages)} messages in {path}")
    pairs = zip(sorted(spans), messages, strict=True)
    return "".join(out), [Mark(path, start, end, *message) for (start, end), message in pairs]


def _collect_marks(text: str, offset: int, spans: list[list[int]]) -> str:
    """Return the line without its marks, adding these to `spans`: [start] while open, then [start, end]."""
    content = ""
    for char in text:
        if char == OPEN:
            spans.append([offset + len(content)])
        elif char == CLOSE:
            unclosed = next((span for span in reversed(spans) if len(span) == 1), None)
            if unclosed is None:
                raise MalformedManual(f"a {CLOSE} closes nothing: {text}")
            unclosed.append(offset + len(content))
        else:
            content += char
    return content
