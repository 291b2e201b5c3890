"""Add a correct word to the project's vocabulary, wherever the configuration keeps it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from tutorial_tool.config.settings import OWN_FILE, SHARED_FILE, TABLE, Config
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Source, find_line_start
from tutorial_tool.data import toml_places
from tutorial_tool.data.forms import get_section, parse_toml
from tutorial_tool.fs import files

RULES = ("misspelling", "unknown-word", "inconsistent-spelling")  # Rules that use the vocabulary
_WORD = lazy_re.compile(r"[^\W_](?:[\w.'’ -]*\w)?")
_KEY = "vocabulary"


class Addition(NamedTuple):
    """A text to insert into a file at an offset; `source` is None for a new file."""

    path: Path
    source: Source | None
    offset: int
    text: str


def get_word(finding: Finding) -> str | None:
    """Return the word that a finding is about, if the vocabulary could contain it."""
    text = finding.span.text
    return text if finding.rule in RULES and _WORD.fullmatch(text) else None


def build_addition(config: Config, word: str) -> Addition | None:
    """Return the addition of a word to the vocabulary; None if no safe way is known."""
    if config.vocabulary_file is not None:
        return _add_to_list(config.folder / config.vocabulary_file, word)
    if config.file is None:
        return Addition(config.folder / OWN_FILE, None, 0, f"{_KEY} = [{_quote_word(word)}]\n")
    read = files.read(config.file, root=config.file.parent)
    if isinstance(read, Finding):
        return None
    prefix = TABLE if config.file.name == SHARED_FILE else ()
    places = toml_places.find_positions(read.text)
    insertion = _add_to_array(read.text, places, prefix, word) or _build_array(read.text, places, prefix, word)
    if insertion is None:
        return None
    offset, entry = insertion
    is_added = _contains_word(read.text[:offset] + entry + read.text[offset:], prefix, word)
    return Addition(config.file, read, offset, entry) if is_added else None


def _add_to_list(path: Path, word: str) -> Addition | None:
    """Return the addition of a word to a file with one word a line; None if the file cannot be read."""
    read = files.read(path, root=path.parent)
    if isinstance(read, Finding):
        return None
    end = len(read.text)
    return Addition(path, read, end, ("" if read.text.endswith("\n") or not end else "\n") + word + "\n")


_Places = dict[toml_places.Path, toml_places.EntryPosition]


def _add_to_array(text: str, places: _Places, prefix: toml_places.Path, word: str) -> tuple[int, str] | None:
    """Return the insertion of a word before the first one of the array, so that comments stay in place."""
    array = places.get((*prefix, _KEY))
    if array is None or text[array.value : array.value + 1] != "[":
        return None
    first = places.get((*prefix, _KEY, 0))
    if first is None:
        return array.value + 1, _quote_word(word)
    line = find_line_start(text, first.value)
    is_alone = array.value < line and not text[line : first.value].strip()
    separator = f",\n{text[line : first.value]}" if is_alone else ", "
    return first.value, _quote_word(word) + separator


def _build_array(text: str, places: _Places, prefix: toml_places.Path, word: str) -> tuple[int, str] | None:
    """Return the insertion of a new array as the first key of the tool's table; None if there is one."""
    if (*prefix, _KEY) in places:
        return None
    entry = f"{_KEY} = [{_quote_word(word)}]\n"
    header = places.get(prefix) if prefix else None
    if header is not None and text.startswith("[", header.key):
        end = text.find("\n", header.key)
        return (len(text), f"\n{entry}") if end < 0 else (end + 1, entry)
    first_keys = [place.key for path, place in places.items() if path[: len(prefix)] == prefix]
    start = find_line_start(text, min(first_keys, default=0))
    if prefix:
        return start, f"[{'.'.join(map(str, prefix))}]\n{entry}\n"
    return start, entry + "\n" * text.startswith("[", start)


def _quote_word(word: str) -> str:
    return json.dumps(word, ensure_ascii=False)


def _contains_word(text: str, prefix: toml_places.Path, word: str) -> bool:
    """Return whether the vocabulary of a changed configuration contains the word."""
    words = get_section(parse_toml(text), *map(str, prefix)).get(_KEY)
    return isinstance(words, list) and word in words
