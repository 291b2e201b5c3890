"""Look up English words: whether one is known, and how frequent it and pairs of words are."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

from tutorial_tool.cache import blake2b
from tutorial_tool.spelling import store

# Reads the word lists of the packages `spylls` and `symspellpy`.
MAX_ABBREVIATION = 4  # Maximum letters of a word that may be an abbreviation


def compute_key() -> str:
    """Return a digest of the list files' names, sizes and times, which changes with the packages."""
    files = ((path.name, path.stat()) for path in _find_sources())
    parts = (f"{name} {status.st_size} {status.st_mtime_ns}" for name, status in files)
    return blake2b("\n".join(parts).encode(), digest_size=8).hexdigest()


def read() -> tuple[Mapping[str, float], Mapping[str, float]]:
    """Return the words and the pairs of words, in lower case, with their counts in a large corpus.

    Words in the Hunspell dictionary are positive (1 if they have no count); those only in the frequency list, which
    contains a few misspellings, are negative.
    """
    dic, single, pairs = _find_sources()
    counted = dict(_read_counts(single))
    forms = {form.lower() for form in _iter_forms(dic)}
    words = {word: count if word in forms else -count for word, count in counted.items()}
    words.update((form, 1.0) for form in forms if form not in counted)
    return words, dict(_read_counts(pairs))


def _find_sources() -> tuple[Path, Path, Path]:
    """Return the paths of the dictionary, and of the frequencies of words and of pairs.

    The packages are located, not imported: that is slow.
    """
    symspell = _find_package_folder("symspellpy")
    return (
        _find_package_folder("spylls") / "hunspell" / "data" / "en" / "en_US.dic",
        symspell / "frequency_dictionary_en_82_765.txt",
        symspell / "frequency_bigramdictionary_en_243_342.txt",
    )


def _find_package_folder(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"No module named '{package}'", name=package)
    return Path(spec.origin).parent


def _read_counts(path: Path) -> Iterator[tuple[str, float]]:
    """Yield the entries of lines of `text count`, where the text may be two words."""
    for line in path.read_text(encoding="utf-8-sig").splitlines():
        text, _, count = line.rpartition(" ")
        if text:
            yield text.lower(), float(count)


def _iter_forms(dic: Path) -> Iterator[str]:
    """Yield every word of a Hunspell dictionary in every form of its affix rules, except possessives."""
    from spylls.hunspell import readers
    from spylls.hunspell.readers.file_reader import BaseReader

    rules = BaseReader(StringIO(dic.with_suffix(".aff").read_text("utf-8")))
    rules.reset_encoding = lambda _encoding: None
    aff, context = readers.read_aff(rules)
    words = BaseReader(StringIO(dic.read_text(context.encoding)))
    for entry in readers.read_dic(words, aff=aff, context=context).words:
        yield from _iter_inflections(entry.stem, entry.flags, aff)


def _iter_inflections(stem: str, flags: set[str], aff: Any) -> Iterator[str]:
    if aff.ONLYINCOMPOUND in flags or aff.FORBIDDENWORD in flags:
        return
    yield stem
    suffixes = [s for flag in flags for s in aff.SFX.get(flag, ()) if s.add != "'s" and s.cond_regexp.search(stem)]
    prefixes = [p for flag in flags for p in aff.PFX.get(flag, ()) if p.cond_regexp.search(stem)]
    suffixed = [(stem.removesuffix(s.strip) + s.add, s.crossproduct) for s in suffixes]
    yield from (form for form, _ in suffixed)
    for prefix in prefixes:
        yield prefix.add + stem.removeprefix(prefix.strip)
        if prefix.crossproduct:
            yield from (prefix.add + form.removeprefix(prefix.strip) for form, crosses in suffixed if crosses)


COMMON = 1_000_000
"""Minimum frequency of a word that only the frequency list has, since that list includes misspellings."""


@cache
def _load_tables() -> store.Tables:
    return store.load(compute_key(), read)


def is_known(word: str) -> bool:
    """Return whether a word is English, in any case, with or without `'s`: in the dictionary, or common."""
    count = _load_tables().words[_normalize_word(word)]
    return count > 0 or count <= -COMMON


def iter_known(words: Iterable[str]) -> Iterator[tuple[str, float]]:
    """Yield the known ones of many lowercase words without `'s`, each with its frequency."""
    look_up = _load_tables().words.look_up
    for word in words:
        if (count := look_up(word)) > 0 or count <= -COMMON:
            yield word, abs(count)


def is_listed(word: str) -> bool:
    """Return whether any list has the word, even as a rare one that may be a misspelling."""
    return _load_tables().words[_normalize_word(word)] != 0


def get_frequency(word: str) -> float:
    """Return the word's count in a corpus of 10¹² words; 0 if it has none, 1 for a rare one."""
    return abs(_load_tables().words[word.lower()])


def get_pair_frequency(first: str, second: str) -> float:
    """Return how often the two words were counted one after the other; 0 below 6.4 million."""
    return _load_tables().pairs[f"{first.lower()} {second.lower()}"]


def _normalize_word(word: str) -> str:
    word = word.lower().replace("’", "'")
    return word[:-2] if word.endswith("'s") else word.rstrip("'")
