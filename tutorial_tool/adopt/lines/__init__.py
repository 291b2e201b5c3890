"""Align the texts of several copies into columns of corresponding units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from rapidfuzz import fuzz

from tutorial_tool.adopt.lines.units import CopyUnit, get_tags, open_element, split
from tutorial_tool.variation import multi_alignment

Column = dict[str, CopyUnit]  # Corresponding units by platform; a platform may lack one
_ALIKE = {"row": 0.3, "front": 0.3, "image": 0.4, "table": 0.2, "fence": 0.0, "code": 0.5}
ALIKE = 0.5  # Minimum similarity of corresponding units, from 0 to 1; `_ALIKE` overrides it for some kinds
MOST_PAIRS = 60_000  # Maximum pairs of units to compare in a gap between equal ones
LEAST = 0.01  # Similarity of two blank lines: below that of any other match


def align_units(copies: Mapping[str, Sequence[CopyUnit]]) -> list[Column]:
    """Return the aligned units of copies, in an order that preserves that of each copy."""
    aligned = _normalize_blanks(
        multi_alignment.align_sequences(copies, _get_key, compute_similarity, LEAST, largest=MOST_PAIRS)
    )
    return [{platform: column[platform] for platform in copies if platform in column} for column in aligned]


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


def merge_unlike_columns(aligned: Iterable[Column], everyone: frozenset[str]) -> Iterator[Column]:
    """Yield the columns, merging adjacent dissimilar texts into one where each copy has exactly one."""
    waiting: list[Column] = []
    for column in aligned:
        if waiting and not _can_merge(waiting, column):
            yield from waiting
            waiting = []
        waiting.append(column)
        if sum(map(len, waiting)) == len(everyone):
            yield {platform: unit for units in waiting for platform, unit in units.items()}
            waiting = []
    yield from waiting


def _can_merge(waiting: Sequence[Column], column: Column) -> bool:
    """Return whether a column is text like the preceding ones, and has other platforms."""
    kinds = {unit.kind for units in (*waiting, column) for unit in units.values()}
    is_text = kinds == {"text"} or (len(kinds) == 1 and next(iter(kinds)).startswith("heading"))
    return is_text and all(units.keys().isdisjoint(column) for units in waiting)


def _get_key(unit: CopyUnit) -> str:
    """Return the key by which units are equal; blank lines have none: their context identifies them."""
    return "" if unit.is_blank else f"{unit.kind}\0{unit.text}"


@lru_cache(maxsize=100_000)
def compute_similarity(left: CopyUnit, right: CopyUnit) -> float:
    """Return the similarity of two units: 2 for equal ones, 0 for those that cannot correspond."""
    if left.kind != right.kind:
        same = left.kind[0] == "h" == right.kind[0] and left.text.lstrip("#") == right.text.lstrip("#")
        return float(same)
    if left.is_blank:
        return 2 * LEAST if left == right else LEAST
    if left == right:
        return 2.0
    if left.kind == "row":
        return _compare_rows(left.text, right.text)
    least = _ALIKE.get(left.kind, ALIKE)
    if left.kind == "text" and _is_item(left.text) != _is_item(right.text):
        least = 0.75
    likeness_ = fuzz.ratio(left.text, right.text, score_cutoff=100 * least) / 100
    return max(0.1, likeness_) if likeness_ or not least else 0.0


def _compare_rows(left: str, right: str) -> float:
    """Return the similarity of two rows by their first cell."""
    first, second = (text.strip().strip("|").partition("|")[0].strip() for text in (left, right))
    return 1.5 if first == second else 0.6 if fuzz.ratio(first, second) >= 80 else 0.0


def _is_item(text: str) -> bool:
    bare = text.lstrip()
    return bare[:2] in ("* ", "- ", "+ ") or (bare.lstrip("0123456789")[:2] in (". ", ") ") and bare[:1].isdigit())


def _normalize_blanks(profile: Sequence[Column]) -> list[Column]:
    """Return the columns with blank lines between common texts moved to where an author would put them."""
    everyone = frozenset(platform for column in profile for platform in column)
    out: list[Column] = []
    stretch: list[Column] = []
    for column in profile:
        if column.keys() == everyone and not is_blank(column):
            out += [*_move_blanks(stretch, everyone), column]
            stretch = []
        else:
            stretch.append(column)
    return [*out, *_move_blanks(stretch, everyone)]


def _move_blanks(stretch: Sequence[Column], everyone: frozenset[str]) -> Sequence[Column]:
    """Move blank lines after the text that they follow: `_ [B _]` instead of `[_ B] _`.

    Trailing ones are common to all if each copy has a text there, `[A | B] _`, or none has one before its text: `[B]
    _`.
    """
    texts = [column for column in stretch if not is_blank(column)]
    if not texts:
        return stretch
    last = {platform: number for number, column in enumerate(texts, 1) for platform in column}
    at_end = last.keys() == everyone or not (is_blank(stretch[0]) and last.keys() & stretch[0].keys())
    behind: dict[tuple[int, int], Column] = {}
    seen, place, count = 0, dict.fromkeys(everyone, 0), dict.fromkeys(everyone, 0)
    for column in stretch:
        if not is_blank(column):
            seen += 1
            place |= dict.fromkeys(column, seen)
            count |= dict.fromkeys(column, 0)
            continue
        for platform, unit in column.items():
            at = len(texts) + 1 if at_end and place[platform] == last.get(platform, 0) else place[platform]
            behind.setdefault((at, count[platform]), {})[platform] = unit
            count[platform] += 1
    rows = [((number, -1), text) for number, text in enumerate(texts, 1)] + list(behind.items())
    return [column for _, column in sorted(rows, key=lambda row: row[0])]


def is_blank(column: Column) -> bool:
    """Return whether a column has only white space."""
    return all(unit.is_blank for unit in column.values())
