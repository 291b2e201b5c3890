"""Misspelled names and schemes in code: `locationManger`, where the other samples have `locationManager`."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple
from zlib import crc32

from tutorial_tool.config.settings import Config
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.source import find_line_end, find_line_start
from tutorial_tool.links.typos import BROKEN_SCHEME, fix_scheme
from tutorial_tool.rules import rule
from tutorial_tool.rules.base import FACTOR
from tutorial_tool.rules.text._corpus import is_history
from tutorial_tool.site import Page, PageFix, Site, page_facts
from tutorial_tool.site.fact_index import collect_facts
from tutorial_tool.spelling import known_misspellings, lists, near_words
from tutorial_tool.spelling.near_words import MIN_SLIP

_MAX_LINE_LENGTH = 400  # Maximum characters of a handwritten line: longer ones are data
_NAME = lazy_re.compile(r"(?<![\w%\\])(?<!-(?=D))[A-Za-z_][A-Za-z_]{4,59}(?!\w)")
_URL = lazy_re.compile(r"(?:\w+:)?//(?=[\w-]+\.)[^\s\"'`<>)]+")
_TEXT = lazy_re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|(?<!\S)(?://+|#+|--|/?\*+) [^\n]*")
"""Text within code: a string, which may be a single word, or a comment."""
_FIRST_WORD = lazy_re.compile(r"[/#*-]+ ([A-Z][a-z]{4,}) [a-z]")
"""A comment's first word, whose capital makes it no name."""
_PART = lazy_re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_MAX_LINES_WITH_SLIP, _MIN_LINES = 2, 4
"""Maximum lines of code with the misspelled name, minimum with the right one. 7 trees, 2026-11: 84 of 90 true."""
_INFLECTED = frozenset("sdr")  # Final letters that make an inflected form
_WORD = lazy_re.compile(r"(?<![\w.])[a-z]{4,}(?![\w(]|\.\w)")
_ACCENT = lazy_re.compile("[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]")
_PARTICLES = ("in", "on", "up", "to")  # Second words in names written as one word: `optin`, `passin`


class _Use(NamedTuple):
    """A checksum of each line with a name; whether one has it outside of strings and comments, or as a first word."""

    lines: tuple[int, ...]
    is_identifier: bool
    begins_comment: bool


class _Slip(NamedTuple):
    """A misspelled name, the right one, and its uses in the code; 0 if a list of misspellings proves it."""

    name: str
    good: str
    uses: int


@rule("text", Severity.WARNING, yields_to=("misspelling", "missing-code"))
def check(site: Site, config: Config) -> Iterator[Finding]:
    pages = {page: page.get_cached(_find_names) for page in site.pages if page.may_be_english and not is_history(page)}
    counts = _count_lines(pages.values())
    rare = _find_rare_names(pages.values(), counts)
    first_words = {name for names in pages.values() for name, use in names.items() if use.begins_comment}
    may_be_listed = {name for name in rare if name in first_words or not (name.isalpha() and name.istitle())}
    slips = {
        slip.name: slip
        for slip in _find_slips(rare, counts)
        if (slip.uses or slip.name in may_be_listed) and slip.name not in config.full_vocabulary
    }
    for page, names in pages.items():
        for name in sorted(slips.keys() & names.keys()):
            yield from _report_slip(page, slips[name])
    for page, schemes in collect_facts(site, _find_schemes).items():
        for start, typed in schemes:
            span, (scheme, message) = (start, start + len(typed)), fix_scheme(typed)
            fix = PageFix(f"replace with `{scheme}`", ((*span, scheme),), safe=False)
            yield page.flag(span, message, fix=fix)


@page_facts.register
def _find_schemes(page: Page) -> tuple[tuple[int, str], ...]:
    """Find the misspelled schemes of URLs in code, each with its offset in the page."""
    code = ((start, page.plain[start:end]) for start, end in _find_code(page))
    with_slashes = ((start, text) for start, text in code if "//" in text or ":/" in text)
    slips = ((start, slip) for start, text in with_slashes for slip in BROKEN_SCHEME.finditer(text))
    return tuple((start + slip.start(), slip[0]) for start, slip in slips if slip[0].endswith("/"))


def _find_code(page: Page) -> list[tuple[int, int]]:
    """Return the offsets of the samples and code spans of a page."""
    document = page.document
    return [*((block.content_start, block.content_end) for block in document.code_blocks), *document.code_spans]


def _find_rare_names(pages: Iterable[Mapping[str, _Use]], counts: Mapping[str, int]) -> frozenset[str]:
    """Return the names on few lines, and those in strings and comments only, which no API requires."""
    identifiers = {name for names in pages for name, use in names.items() if use.is_identifier}
    return frozenset(name for name, lines in counts.items() if lines <= _MAX_LINES_WITH_SLIP or name not in identifiers)


def _count_lines(pages: Iterable[Mapping[str, _Use]]) -> Counter[str]:
    """Count the distinct lines with each name: versions and translations of a page share lines."""
    lines: dict[str, set[int]] = defaultdict(set)
    for names in pages:
        for name, use in names.items():
            lines[name].update(use.lines)
    return Counter({name: len(keys) for name, keys in lines.items()})


@page_facts.register_english
def _find_names(page: Page) -> dict[str, _Use]:
    """Return the names in a page's code, with their uses."""
    document = page.document
    spans = (document.text[start:end] for start, end in document.code_spans)
    texts = [*(block.text for block in document.code_blocks), *spans]
    lines: dict[str, list[int]] = {}
    identifiers: set[str] = set()
    first_words: set[str] = set()
    for line in {line.strip() for text in texts for line in text.split("\n") if len(line) <= _MAX_LINE_LENGTH}:
        key, code = crc32(line.encode(errors="replace")), _mask_urls(line)
        texts = [text for text in _TEXT.findall(code) if " " in text]
        names = {*_NAME.findall(_TEXT.sub(lambda text: " " if " " in text[0] else text[0], code) if texts else code)}
        identifiers |= names
        first_words |= {first[1] for first in map(_FIRST_WORD.match, texts) if first}
        for name in names.union(*map(_NAME.findall, texts)):
            lines.setdefault(name, []).append(key)
    return {name: _Use(tuple(keys), name in identifiers, name in first_words) for name, keys in sorted(lines.items())}


def _mask_urls(text: str) -> str:
    """Replace URLs with blanks, since their components are names of others."""
    return _URL.sub(lambda url: " " * len(url[0]), text) if "/" in text else text


def _report_slip(page: Page, slip: _Slip) -> Iterator[Finding]:
    pattern = re.compile(rf"(?<![\w%\\]){slip.name}(?!\w)")
    if slip.name.islower() and any(
        match[0] != slip.name for match in re.finditer(rf"\b{slip.name}\b", page.plain, re.IGNORECASE)
    ):
        return  # a name that the text capitalizes: `testng`, `TestNG`
    reason = f", as in {slip.uses} other places" if slip.uses else ""
    for start, end in _find_code(page):
        text = _mask_urls(page.plain[start:end])
        for match in pattern.finditer(text):
            line = text[find_line_start(text, match.start()) : find_line_end(text, match.end())]
            if slip.name[1:].islower() and _is_foreign(line):
                continue
            span = start + match.start(), start + match.end()
            fix = PageFix(f"replace with `{slip.good}`", ((*span, slip.good),), safe=False)
            yield page.flag(span, f"`{slip.name}` should read `{slip.good}`{reason}", fix=fix)


def _is_foreign(line: str) -> bool:
    """Return whether a line is in another language: it has accented letters, or most of its words are unknown."""
    known = list(map(lists.is_known, _WORD.findall(line)))
    return known.count(False) > max(2, known.count(True)) or _ACCENT.search(line) is not None


# For another rule, which compares forms of one variable.
def normalize_name(name: str) -> str:
    return name.lower() if "__" in name else name.replace("_", "").lower()


def _find_slips(rare: frozenset[str], counts: Counter[str]) -> Iterator[_Slip]:
    """Find names with one misspelled part: another name proves it, or a list of known misspellings."""
    few = (name for name, lines in counts.items() if lines <= _MIN_LINES and len(_PART.findall(name)) > 1)
    unknown = {name: parts for name in rare.union(few) if (parts := _find_unknown_parts(name))}
    corrections = (
        known_misspellings.find_corrections({part.lower() for parts in unknown.values() for part in parts}) or {}
    )
    often = _find_words_in_names(counts)
    alike: Counter[str] = Counter()  # the uses of each name in any case style: `sales_region`, `SalesRegion`
    for name, lines in counts.items():
        alike[normalize_name(name)] += lines
    programs = _find_programs(unknown, counts)
    for name, parts in unknown.items():
        parts = [part for part in parts if not _is_term(part.lower(), corrections)]
        if len(parts) != 1 or parts[0] in programs:
            continue  # in another language, or no words at all
        part = parts[0].lower()
        similar = sorted(other for other, _, _ in often.find_nearest(part, 1) if _is_slip(part, other))
        if slip := _judge_name(name, parts[0], corrections.get(part, ()), similar, counts, alike):
            yield slip


def _find_programs(unknown: Mapping[str, list[str]], counts: Mapping[str, int]) -> frozenset[str]:
    """Return the names that are a part of another rare one, as `mosquitto` is of `mosquitto_pub`."""
    rare = {
        (part.lower(), name.lower())
        for name in unknown
        if counts[name] <= _MAX_LINES_WITH_SLIP
        for part in unknown[name]
    }
    names_with = Counter(part for part, _ in rare)
    return frozenset(
        part for parts in unknown.values() for part in parts if part in counts and names_with[part.lower()] > 1
    )


def _judge_name(
    name: str, part: str, corrections: Sequence[str], similar: Iterable[str], counts: Counter[str], alike: Counter[str]
) -> _Slip | None:
    """Judge a name with one unknown part.

    It is misspelled if a frequent name has a correction or similar word in place of the part, or if the only correction
    is certain.
    """
    is_word = name.strip("_").lower() == part.lower()  # which may be in another language: `Plattform`
    words = corrections if is_word and corrections else (*corrections, *similar)  # `overriden`: not `overrides`
    candidates = [name.replace(part, word.capitalize() if part[0].isupper() else word, 1) for word in words]
    uses = {form: counts[form] if is_word else alike[normalize_name(form)] for form in (name, *candidates)}
    good = max(candidates, key=uses.__getitem__, default=name)
    if uses[good] >= max(_MIN_LINES, FACTOR * uses[name]) and (corrections or not is_word):
        return _Slip(name, _find_form(good, counts), uses[good])
    is_name = counts[part] >= _MIN_LINES and near_words.generate_edits(part).isdisjoint(corrections)  # `testca`
    if len(corrections) == 1 and lists.get_frequency(part) < lists.COMMON and not is_name:
        return _Slip(name, candidates[0], 0)
    return None


def _find_form(name: str, counts: Counter[str]) -> str:
    """Return the name if the code has it, or else its most frequent form in other capitals."""
    forms = (form for form in counts if form.lower() == name.lower() and form[0] == name[0])
    return name if counts[name] else max(forms, key=counts.__getitem__, default=name)


def _is_term(word: str, listed: Mapping[str, Sequence[str]]) -> bool:
    """Return whether a word is composed of others: `datadir` and `optin` of two, `metalness` of one.

    Not if a list has it as a misspelling by one letter, as `propertes`.
    """
    if word.endswith(_PARTICLES) and lists.is_known(word[:-2]):
        return True
    corrections = listed.get(word, ())
    goods = near_words.generate_edits(word).intersection(corrections) if corrections else ()
    if not goods:
        return _is_made_of_known(word)
    return not any(len(good) < len(word) for good in goods) and near_words.is_composed(word, lists.is_known)


def _find_unknown_parts(name: str) -> list[str]:
    parts = _PART.findall(name)
    return [part for part in parts if len(part) >= MIN_SLIP and not part.isupper() and not lists.is_known(part.lower())]


@cache
def _is_made_of_known(word: str) -> bool:
    return near_words.is_made_of(word, lists.is_known)


def _find_words_in_names(counts: Mapping[str, int]) -> near_words.FrequentWords:
    """Return the English words in frequent names, searchable for similar ones."""
    names = (name for name, uses in counts.items() if uses >= _MIN_LINES)
    words = {part.lower() for name in names for part in _PART.findall(name) if len(part) >= MIN_SLIP}
    return near_words.FrequentWords(dict.fromkeys(filter(lists.is_known, words), 0))


def _is_slip(word: str, other: str) -> bool:
    """Return whether a word that differs by one edit is a slip: neither an inflected form nor another name.

    Another first letter makes another name: `_ncontains` is the opposite of `_contains`.
    """
    if word[0] not in other[:2] or other[0] not in word[:2]:
        return False
    shorter, longer = sorted((word, other), key=len)
    return not longer.startswith(shorter) or longer[-1] not in _INFLECTED
