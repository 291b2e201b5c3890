"""Align the texts of several copies into columns of corresponding units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import filterfalse, takewhile

from rapidfuzz import fuzz

from tutorial_tool.adopt.lines.units import CopyUnit, expand_unit, get_tags, open_element, split
from tutorial_tool.core import lazy_re
from tutorial_tool.core.similarity import MAJORITY
from tutorial_tool.variation import multi_alignment

Column = dict[str, CopyUnit]  # Corresponding units by platform; a platform may lack one
_MIN_SIMILARITY_BY_KIND = {"row": 0.3, "front": 0.3, "image": 0.4, "table": 0.2, "fence": 0.0, "code": 0.5}
_CODE_KEY = lazy_re.compile(r"[ \t]*[\"']?[A-Za-z][\w-]*[\"']?[ \t]*:[ \t]")  # What a line of data is about
BLANK_SIMILARITY = 0.01  # Similarity of two blank lines: below that of any other match


def align_units(copies: Mapping[str, Sequence[CopyUnit]]) -> list[Column]:
    """Return the aligned units of copies, in an order that preserves that of each copy."""
    aligned = multi_alignment.align_sequences(copies, _get_key, compute_similarity, BLANK_SIMILARITY)
    return [{p: column[p] for p in copies if p in column} for column in _normalize_blanks(aligned)]


def align_lines(column: Mapping[str, CopyUnit]) -> list[Column]:
    """Return the aligned parts of corresponding units: lines, rows, sentences."""
    return align_units({platform: expand_unit(unit) for platform, unit in column.items()})


def align_texts(texts: Mapping[str, str]) -> list[Column]:
    """Return the aligned units of texts. Elements with the same tags everywhere are split."""
    return _open_elements(align_units({platform: split(text) for platform, text in texts.items()}), len(texts))


def _open_elements(aligned: Iterable[Column], copies: int) -> list[Column]:
    out: list[Column] = []
    for column in aligned:
        parts = {platform: open_element(unit) for platform, unit in column.items()}
        is_shared = len(column) == copies and len({get_tags(unit) for unit in column.values()}) == 1
        if is_shared and any(len(units) > 1 for units in parts.values()):
            out += _open_elements(align_units(parts), copies)
        else:
            out.append(column)
    return out


def merge_unlike_columns(aligned: Iterable[Column], platforms: frozenset[str]) -> Iterator[Column]:
    """Yield the columns, merging adjacent dissimilar texts into one where each copy has exactly one."""
    pending: list[Column] = []
    for column in aligned:
        if pending and not _can_merge(pending, column):
            yield from pending
            pending = []
        pending.append(column)
        if sum(map(len, pending)) == len(platforms):
            yield {platform: unit for units in pending for platform, unit in units.items()}
            pending = []
    yield from pending


def _can_merge(pending: Sequence[Column], column: Column) -> bool:
    """Return whether a column is text like the preceding ones, and has other platforms."""
    kinds = {unit.kind for units in (*pending, column) for unit in units.values()}
    is_text = kinds == {"text"} or (len(kinds) == 1 and next(iter(kinds)).startswith("heading"))
    return is_text and all(units.keys().isdisjoint(column) for units in pending)


def _get_key(unit: CopyUnit) -> str:
    """Return the key by which units are equal; blank lines have none: their context identifies them."""
    return "" if unit.is_blank else f"{unit.kind}\0{unit.text}"


@lru_cache(maxsize=100_000)
def compute_similarity(left: CopyUnit, right: CopyUnit) -> float:
    """Return the similarity of two units: 2 for equal ones, 0 for those that cannot correspond."""
    if left.kind != right.kind:
        is_same_text = left.kind[0] == "h" == right.kind[0] and left.text.lstrip("#") == right.text.lstrip("#")
        return float(is_same_text)
    if left.is_blank:
        return 2 * BLANK_SIMILARITY if left == right else BLANK_SIMILARITY
    if left == right:
        return 2.0
    if left.kind == "row":
        return _compare_rows(left.text, right.text)
    if left.kind == "attribute":
        return float(left.text.partition("=")[0] == right.text.partition("=")[0])
    if left.kind == "code" and (key := _CODE_KEY.match(left.text)) and right.text.startswith(key[0]):
        return 1.0
    minimum = _MIN_SIMILARITY_BY_KIND.get(left.kind, MAJORITY)
    if left.kind == "text" and _is_item(left.text) != _is_item(right.text):
        minimum = 0.75
    ratio = fuzz.ratio(left.text, right.text, score_cutoff=100 * minimum) / 100
    return max(0.1, ratio) if ratio or not minimum else 0.0


def _compare_rows(left: str, right: str) -> float:
    """Return the similarity of two rows by their first cell."""
    first, second = (text.strip().strip("|").partition("|")[0].strip() for text in (left, right))
    return 1.5 if first == second else 0.6 if fuzz.ratio(first, second) >= 80 else 0.0


def _is_item(text: str) -> bool:
    bare = text.lstrip()
    return bare[:2] in ("* ", "- ", "+ ") or (bare.lstrip("0123456789")[:2] in (". ", ") ") and bare[:1].isdigit())


def _normalize_blanks(columns: Sequence[Column]) -> list[Column]:
    """Return the columns with blank lines between common texts moved to where an author would put them."""
    platforms = frozenset(platform for column in columns for platform in column)
    out: list[Column] = []
    stretch: list[Column] = []
    for column in columns:
        if column.keys() == platforms and not is_blank(column):
            out += [*_move_blanks(stretch, platforms), column]
            stretch = []
        else:
            stretch.append(column)
    return [*out, *_raise_blanks(_move_blanks(stretch, platforms), len(platforms))]


def _move_blanks(stretch: Sequence[Column], platforms: frozenset[str]) -> Sequence[Column]:
    """Move blank lines after the text that they follow: `_ [B _]` instead of `[_ B] _`.

    Trailing ones are common to all if each copy has a text there, `[A | B] _`, or none has one before its text: `[B]
    _`.
    """
    texts = [column for column in stretch if not is_blank(column)]
    if not texts:
        return stretch
    last = {platform: number for number, column in enumerate(texts, 1) for platform in column}
    at_end = last.keys() == platforms or not (is_blank(stretch[0]) and last.keys() & stretch[0].keys())
    blanks: dict[tuple[int, int], Column] = {}
    number, after_text, counts = 0, dict.fromkeys(platforms, 0), dict.fromkeys(platforms, 0)
    for column in stretch:
        if not is_blank(column):
            number += 1
            after_text |= dict.fromkeys(column, number)
            counts |= dict.fromkeys(column, 0)
            continue
        for platform, unit in column.items():
            is_trailing = after_text[platform] == last.get(platform, 0)
            position = len(texts) + 1 if at_end and is_trailing else after_text[platform]
            blanks.setdefault((position, counts[platform]), {})[platform] = unit
            counts[platform] += 1
    rows = [((number, -1), text) for number, text in enumerate(texts, 1)] + list(blanks.items())
    return _split_last_blank([column for _, column in sorted(rows, key=lambda row: row[0])], platforms)


def _split_last_blank(columns: Sequence[Column], platforms: frozenset[str]) -> Sequence[Column]:
    """Move the last blank line of copies without the text before it after their own last text: `[A | B] _ [C _]`."""
    *above, last = columns
    if not above or last.keys() != platforms or not is_blank(last):
        return columns
    own, end = above[-1].keys(), len(above)
    while above and above[-1].keys() <= own:
        above.pop()
    above += takewhile(is_blank, columns[len(above) : end])
    is_empty = {platform: is_blank(column) for column in above for platform in column}
    texts = [column.keys() for column in filterfalse(is_blank, above) if column.keys() & own]
    if is_empty != {platform: platform in own for platform in platforms} or texts[-1:] in ([], [own]):
        return columns
    text = columns[len(above) : end]
    moved = {platform: last[platform] for platform in platforms - own}
    if above[-1].keys() == own:
        moved |= above.pop()
    return [*_split_last_blank([*above, moved], platforms), *text, {platform: last[platform] for platform in own}]


def _raise_blanks(columns: Sequence[Column], copies: int) -> list[Column]:
    """Return the last columns, with blank lines of some copies right above the headings that follow: `A [_ # B]`."""
    out: list[Column] = []
    above: dict[str, Column | None] = {}  # The line above the heading that follows in a copy; None if a text follows
    for column in reversed(columns):
        blank: Column = {}
        if not is_blank(column):
            above |= dict.fromkeys(column, blank if next(iter(column.values())).kind.startswith("heading") else None)
        elif len(column) < copies or None in map(above.get, column.keys() & above.keys()):
            for platform, unit in column.items():
                line = above.get(platform)
                (blank if line is None else line)[platform] = unit
            column = {}
        out += [column, blank]
    return list(filter(None, reversed(out)))


def is_blank(column: Column) -> bool:
    """Return whether a column has only white space."""
    return all(unit.is_blank for unit in column.values())
