"""Definition of a linter: its command, its output format, and its rules."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Severity
from tutorial_tool.core.source import Source
from tutorial_tool.markdown.parser import Dialect

_LEVELS = {"error": Severity.ERROR, "warning": Severity.WARNING, "info": Severity.HINT, "suggestion": Severity.HINT}
MARKDOWN = (".md", ".markdown", ".mdx")


class Remark(NamedTuple):
    """A linter's remark on a file: on the 0-based characters `start` to `end`, or on that line."""

    path: str
    start: int
    end: int
    code: str
    message: str
    severity: Severity = Severity.WARNING
    is_whole_line: bool = False


class UnreadableOutput(Exception):
    """The output is not in the linter's known format; the message has the details."""


class LintedFiles:
    """The files passed to a linter, by path below `root`, and positions in them."""

    def __init__(self, texts: Mapping[str, str], root: Path) -> None:
        self.texts = texts
        self._roots = dict.fromkeys((root, root.resolve()))
        self._sources: dict[str, Source] = {}

    def get_source(self, path: str) -> Source:
        """Return the file that a linter names.

        Raises: UnreadableOutput if it was not passed.
        """
        names = [os.path.relpath(path, root) for root in self._roots] if Path(path).is_absolute() else [path]
        names = [name.replace("\\", "/").removeprefix("./") for name in names]
        name = next((name for name in names if name in self.texts), None)
        if name is None:
            raise UnreadableOutput(f"it reports on `{path[:200]}`, which it was not asked about")
        if name not in self._sources:
            self._sources[name] = Source(name, self.texts[name])
        return self._sources[name]

    def build_remark(
        self,
        path: str,
        line: int,
        column: int | None,
        code: str,
        message: str,
        *,
        length: int | None = None,
        severity: Severity = Severity.WARNING,
    ) -> Remark:
        """Build a remark on a 1-based line and column, with a length in characters.

        Without a length, it is on the word at the column; if that is the line's first word or there is no column, on
        the line.
        """
        source = self.get_source(path)
        line = min(max(line, 1), source.line_count)
        text = source.get_line_text(line)
        indent = len(text) - len(text.lstrip())
        is_whole_line = length is None and (column is None or column - 1 <= indent)
        column_offset = indent if is_whole_line or column is None else min(max(column - 1, 0), len(text))
        if length is None:
            length = len(text.rstrip()) - indent if is_whole_line else len(_WORD.match(text, column_offset)[0])  # type: ignore[index]
        start = source.get_line_start(line) + column_offset
        end = min(start + max(length, 0), source.get_line_end(line))
        return Remark(source.path, start, end, _normalize_code(code), _require_text(message), severity, is_whole_line)


def _normalize_code(code: object) -> str:
    """Return the name of a rule; a few linters have none for files that they can't read."""
    if code is None or code == "":
        return "unnamed"
    return re.sub(r"[\s\[\],]+", "-", _require_text(code))


def _require_text(text: object) -> str:
    if not isinstance(text, str):
        raise UnreadableOutput(f"it printed `{str(text)[:80]}` instead of a string")
    return text


_WORD = lazy_re.compile(r"\S*")


def convert_utf16_column(text: str, column: int) -> int:
    """Convert a 1-based column in UTF-16 units, as in JavaScript, to one in characters."""
    before = text.encode("utf-16-le", "surrogatepass")[: 2 * (column - 1)]
    return len(before.decode("utf-16-le", "replace")) + 1


def parse_severity(word: object) -> Severity:
    """Return the severity for a linter's word.

    Raises: UnreadableOutput if the word is unknown.
    """
    try:
        return _LEVELS[str(word).lower()]
    except KeyError:
        raise UnreadableOutput(f"it calls a severity `{word}`") from None


Reader = Callable[[str, LintedFiles], Iterable[Remark]]


@dataclass(frozen=True, eq=False)
class Tool:
    """A supported linter.

    `options` come before the files. `read` parses standard output, or standard error if `on_stderr`. A run that
    succeeds ends with one of `codes`.
    """

    name: str
    about: str  # What its rules check, after "A rule of NAME, which"
    install: str
    tested: str  # The versions that were tested
    options: tuple[str, ...]
    read: Reader
    docs: str  # The URL of a rule's documentation: `{code}` is the tool's name for it, `{lower}` in lower case
    codes: frozenset[int] = frozenset((0, 1))
    for_dialect: Callable[[Dialect, Path], tuple[str, ...]] = lambda _dialect, _root: ()
    """Further options for pages in a dialect, below a folder."""
    prefix: str = "./"  # Precedes a path, so that it is never taken for an option
    suffixes: tuple[str, ...] = ()  # The suffixes that the tool reads; empty for any
    on_stderr: bool = False
    from_npm: bool = False
    equivalents: Mapping[str, tuple[str, ...]] | None = None
    """Rules of ours or of other tools that report the same defect, by this tool's rule; `*` is for all others."""

    @cached_property
    def rules(self) -> Mapping[str, tuple[str, ...]]:
        return self.equivalents or {}

    def get_overriding_rules(self, code: str) -> tuple[str, ...]:
        """Return the rules whose findings replace one of this linter's at the same location."""
        return tuple(name.format(code=code) for name in self.rules.get(code, self.rules.get("*", ())))

    def build_rule_url(self, code: str) -> str:
        return self.docs.format(code=code, lower=code.lower())


def require_list(value: Any, *, subject: str) -> Sequence[Any]:
    """Return a list in JSON.

    Raises: UnreadableOutput if it is something else.
    """
    if not isinstance(value, list):
        raise UnreadableOutput(f"{subject} is not a list")
    return value


def iter_entries(value: Any, *, subject: str) -> Iterator[tuple[str, Any]]:
    """Yield the entries of an object in JSON.

    Raises: UnreadableOutput if it is something else.
    """
    if not isinstance(value, dict):
        raise UnreadableOutput(f"{subject} is not an object")
    yield from value.items()
