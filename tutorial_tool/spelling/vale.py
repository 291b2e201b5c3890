"""Read a configuration of Vale: its vocabularies, and the rules of its styles that are lists of words."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path

from tutorial_tool import data
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Source
from tutorial_tool.data import Node, Scalar, get_entries, get_scalars, get_text
from tutorial_tool.fs import files
from tutorial_tool.spelling.patterns import MalformedPattern, compile_pattern
from tutorial_tool.spelling.vocabulary import RejectedWord, Vocabulary

NAMES = (".vale.ini", "_vale.ini", "vale.ini")
_ENTRY = lazy_re.compile(r"^[ \t]*(StylesPath|Vocab|BasedOnStyles)[ \t]*=[ \t]*([^\n#;]*)", re.MULTILINE)
_FOLDERS = ("config/vocabularies", "Vocab")  # Folders of vocabularies in Vale 3 and Vale 2
_SPECIAL = lazy_re.compile(r"[\\()\[\]{}*+?|^$]")

Read = tuple[Vocabulary, list[Finding]]


def read_configuration(source: Source, folder: Path, root: Path, read: Callable[[Path, Path], Read]) -> Read:
    """Return the vocabularies and word lists of a configuration; `read` reads a vocabulary's folder."""
    entries: dict[str, list[str]] = {}
    for match in _ENTRY.finditer(source.text):
        entries.setdefault(match[1], []).extend(filter(None, map(str.strip, match[2].split(","))))
    styles = folder / posixpath.normpath(next(iter(entries.get("StylesPath", ())), "styles"))
    vocabulary, findings = Vocabulary(), list[Finding]()
    for name, place in product(entries.get("Vocab", ()), _FOLDERS):
        if (path := styles / place / name).is_dir():
            more, wrong = read(path, root)
            vocabulary, findings = vocabulary | more, findings + wrong
    names = dict.fromkeys(entries.get("BasedOnStyles", ()))
    rules = (file for name in names if (styles / name).is_dir() for file in sorted((styles / name).glob("*.yml")))
    ruled = tuple(item for file in rules for item in _read_rule(file, root))
    return vocabulary | Vocabulary(rejected=ruled), findings


def _read_rule(path: Path, root: Path) -> Iterator[RejectedWord]:
    """Read the words of a rule that extends `existence` or `substitution`.

    Expressions that need another engine are left to Vale.
    """
    source = files.read(path, root=root)
    if isinstance(source, Finding):
        return
    node = data.load_yaml(source, rule="unreadable-file").node
    fields = {key.plain: value for key, value in get_entries(node)}
    case = get_text(fields.get("ignorecase"))
    for word, better in _list_words(fields):
        text, span = word.plain, source.span(word.span.start, word.span.end)
        better = "" if _SPECIAL.search(better) else better
        if not _SPECIAL.search(text):
            yield RejectedWord(text.lower() if case == "true" else text, span, better)
            continue
        with suppress(MalformedPattern):
            yield RejectedWord(text, span, better, compile_pattern(f"(?i){text}" if case == "true" else text))


def _list_words(fields: dict[str, Node]) -> list[tuple[Scalar, str]]:
    kind, tokens, swap = get_text(fields.get("extends")), fields.get("tokens"), fields.get("swap")
    if kind == "existence":
        return [(item, "") for item in get_scalars(tokens)]
    return [(key, get_text(value)) for key, value in get_entries(swap)] if kind == "substitution" else []
