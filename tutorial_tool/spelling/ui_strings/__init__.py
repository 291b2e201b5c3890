"""Read the texts of the product's UI from its developers' files, and check whether a label is one of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.caching import cache_method
from tutorial_tool.core.diagnostics import Finding, build_error
from tutorial_tool.core.grouping import group_by
from tutorial_tool.core.source import Source, Span
from tutorial_tool.fs import files
from tutorial_tool.spelling.ui_strings.readers import MalformedStrings, get_reader

RULE = "unreadable-file"
_MIN_RATIO = 85  # Minimum similarity of a label and a string, in percent, to suggest the string
MAX_LABEL = 80  # Maximum characters of a label; a longer text is a sentence
_PLACEHOLDER = lazy_re.compile(
    r"%(?:\d+\$)?[-+#0]*\d*(?:\.\d+)?(?:hh|h|ll|l|q|z)?[@a-zA-Z]|%\(\w+\)[sd]|%\{[^{}]*\}"
    r"|\{\{[^{}]*\}\}|\$?\{(?:[^{}]|\{[^{}]*\})*\}|\$\w+\$"
)
"""Placeholders of printf, Python, ICU, i18next, JavaScript and Chrome."""
_ACCELERATOR = lazy_re.compile(r"&(?=\w)|\(&\w\)|_(?=\w)")
_END = lazy_re.compile(r"[…:.\s]+$")
_ICON = lazy_re.compile(r"^[^\w\s(\"'$%{]\s+(?=\w)")
_SPACE = lazy_re.compile(r"\s+")


def normalize_label(text: str) -> str:
    """Return a label in the form in which labels are compared.

    That is with single spaces, straight apostrophes, no `…` or `:` at its end, and no character that is an icon (`+
    Add`).
    """
    text = unicodedata.normalize("NFC", _SPACE.sub(" ", text)).replace("’", "'").strip()
    return _END.sub("", _ICON.sub("", text))


def _build_forms(text: str) -> set[str]:
    """Return a string as typed, and without the access key marker of menus: `&File`, `_File`."""
    bare = _ACCELERATOR.sub("", text.replace("&&", "\0")).replace("\0", "&")
    return {normalize_label(text), normalize_label(bare)}


class SimilarString(NamedTuple):
    """A UI string similar to a label: `kind` is `case`, `near`, or `far` if it may mean something else."""

    kind: str
    text: str
    span: Span


@dataclass(frozen=True, eq=False)
class Strings:
    """The UI strings of some files."""

    sources: tuple[tuple[Source, tuple[str, ...]], ...] = ()

    @cached_property
    def _exact(self) -> dict[str, tuple[str, Source]]:
        """Each form of each string that may be a label, with the string and its source."""
        matches: dict[str, tuple[str, Source]] = {}
        for source, texts in self.sources:
            for text in texts:
                for form in _build_forms(text) if not _PLACEHOLDER.search(text) else ():
                    if form and len(form) <= MAX_LABEL:
                        matches.setdefault(form, (normalize_label(_ACCELERATOR.sub("", text)), source))
        return matches

    @cached_property
    def _by_casefold(self) -> dict[str, list[str]]:
        return group_by(self._exact, lambda form: form.casefold())

    @cached_property
    def _templates_by_letter(self) -> dict[str, list[tuple[str, ...]]]:
        """The strings with placeholders, by their first letter: the parts between these, in lower case."""
        all_parts = [
            tuple(
                normalize_label(part).casefold() if index else part.lstrip().casefold()
                for index, part in enumerate(parts)
            )
            for _, texts in self.sources
            for text in texts
            if len(parts := _PLACEHOLDER.split(text)) > 1
        ]
        worded = (some for some in dict.fromkeys(all_parts) if any(any(map(str.isalpha, part)) for part in some))
        return group_by(worded, lambda some: some[0][:1])

    @cached_property
    def _by_length(self) -> dict[int, list[str]]:
        return group_by(self._by_casefold, len)

    def __len__(self) -> int:
        return sum(len(texts) for _, texts in self.sources)

    def __contains__(self, label: str) -> bool:
        """Return whether a label is one of the strings, with anything in placeholders.

        All capitals are taken as a style.
        """
        label = normalize_label(label)
        folded = label.casefold()
        forms = self._by_casefold.get(folded, ())
        if label in forms or (forms and label.isupper()) or any(map(str.isupper, forms)):
            return True
        filled = [*self._templates_by_letter.get("", ()), *self._templates_by_letter.get(folded[:1], ())]
        return any(_matches_parts(folded, parts) for parts in filled)

    def find_similar(self, label: str) -> SimilarString | None:
        """Return the string probably meant by a label that is none of them; None if none is similar.

        If several strings differ from the label only in case, the result is None as well.
        """
        return self._find_similar(normalize_label(label))

    @cache_method
    def _find_similar(self, label: str) -> SimilarString | None:
        if matches := self._by_casefold.get(label.casefold()):
            return self._build_similar("case", matches[0]) if len(matches) == 1 else None
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        max_distance = 1 if len(label) < 8 else 2
        if len(label) < 4:
            return None
        folded = label.casefold()
        near_in_length = range(len(folded) - max_distance, len(folded) + max_distance + 1)
        choices = list(chain.from_iterable(self._by_length.get(length, ()) for length in near_in_length))
        listed = process.extract(folded, choices, scorer=OSA.distance, score_cutoff=max_distance, limit=3)
        near = [text for text, _, _ in listed if re.sub(r"\D", "", text) == re.sub(r"\D", "", label)]
        return self._build_similar("near", self._by_casefold[near[0]][0]) if near else self._find_closest(folded)

    def _find_closest(self, folded: str) -> SimilarString | None:
        """Return the string of several words that is most similar to a label."""
        from rapidfuzz import fuzz, process

        first, *others = folded.split()
        result = process.extractOne(folded, self._by_word.get(first, ()), scorer=fuzz.ratio, score_cutoff=_MIN_RATIO)
        return self._build_similar("far", self._by_casefold[result[0]][0]) if others and result else None

    @cached_property
    def _by_word(self) -> dict[str, list[str]]:
        """The normalized strings by their first word."""
        return group_by(self._by_casefold, lambda form: form.partition(" ")[0])

    def _build_similar(self, kind: str, form: str) -> SimilarString:
        text, source = self._exact[form]
        at = source.text.find(text)
        span = source.span(at, at + len(text)) if at >= 0 else source.span(0)
        return SimilarString(kind, text if kind == "case" else form, span)


def _matches_parts(text: str, parts: tuple[str, ...]) -> bool:
    """Return whether a text has the parts in order with anything between.

    Each part is searched once, from the left.
    """
    first, *middle, last = parts
    if not (text.startswith(first) and text.endswith(last)) or len(first) + len(last) > len(text):
        return False
    at = len(first)
    for part in middle:
        index = text.find(part, at, len(text) - len(last))
        if index < 0:
            return False
        at = index + len(part)
    return True


def read(paths: Iterable[str], root: Path) -> tuple[Strings, list[Finding]]:
    """Return the strings of some files, relative to a folder, and the findings in them."""
    read_: list[tuple[Source, tuple[str, ...]]] = []
    findings: list[Finding] = []
    for name in paths:
        source = _read_source(root / name, root)
        if isinstance(source, Finding):
            findings.append(source)
            continue
        try:
            read_.append((source, tuple(get_reader(source.path)(source.text))))
        except MalformedStrings as wrong:
            findings.append(build_error(RULE, str(wrong), source.span(min(wrong.at, len(source.text)))))
    return Strings(tuple(read_)), findings


def _read_source(path: Path, root: Path) -> Source | Finding:
    """Read a file, which Xcode may have written in UTF-16."""
    if path.suffix.lower() == ".strings" and path.is_file() and path.stat().st_size <= files.LIMIT:
        raw = path.read_bytes()
        if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
            try:
                return Source(files.format_path(path, root), raw.decode("utf-16"))
            except UnicodeDecodeError:
                pass
    return files.read(path, root=root)


def select_for_platform(named: Mapping[str, Strings], platform: str | None) -> Strings:
    """Return the strings that apply to a platform: its own, and those of all."""
    stringses = [named[name] for name in ("ALL", platform) if name is not None and name in named]
    if len(stringses) == 1:
        return stringses[0]
    return Strings(tuple(pair for strings in stringses for pair in strings.sources))
