"""Decide whether units are readable as one text with values, and which platforms can share one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tutorial_tool.adopt.lines import Column, align_units
from tutorial_tool.adopt.lines.units import CopyUnit, expand_unit
from tutorial_tool.adopt.names import Names
from tutorial_tool.adopt.names.own_names import PlatformNames
from tutorial_tool.adopt.template import code, tables
from tutorial_tool.adopt.words import Piece, Slot, build_pieces, has_word
from tutorial_tool.core import lazy_re

MAX_UNKNOWN = 2  # Maximum differences in a line that are not values used elsewhere; with more, it was rewritten
MAX_VALUE_CHARACTERS = 160  # Maximum characters of a difference within a line, and so in YAML
MAX_BLOCK_DIFFERENCES = 4  # Maximum differences in a table or in code that is still one text
TOLERATED_CHARACTERS = 12  # Characters that may differ in a line, however little it has in common
BLOCK_SCALAR = lazy_re.compile(r"[>|][-+]?\d?")  # Start of a multi-line text in front matter
_CROSSING = lazy_re.compile(r"^[,.;:!?]+\s|[.!?]\s+\S")  # A text that crosses the end of a sentence
Group = frozenset[str]
Partition = frozenset[Group]  # Groups of platforms that can share a text


def partition(column: Column, scope: Group, names: Names, *, as_data: bool = True) -> Partition:
    """Partition the platforms of a scope by their text in a column; those without any are a group, too.

    `as_data` says whether a table may become data.
    """
    absent = scope.difference(column)
    groups: list[dict[str, CopyUnit]] = [column] if len(column) > 2 and _fits_one_text(column, names, as_data) else []
    for platform, unit in column.items() if not groups else ():
        for group in groups:
            if _fits_one_text({**group, platform: unit}, names, as_data):
                group[platform] = unit
                break
        else:
            groups.append({platform: unit})
    return frozenset([*(frozenset(group) for group in groups), *([absent] if absent else [])])


def _fits_one_text(units: Mapping[str, CopyUnit], names: Names, as_data: bool) -> bool:
    if len(set(units.values())) == 1:
        return True
    kind = next(iter(units.values())).kind
    if kind == "blank":
        return True
    if kind == "fence":
        return code.is_one_value(units, names) or _is_readable_fence(units, names)
    if kind == "table" and as_data and tables.build(units, PlatformNames.build(units, names)):
        return True
    if kind == "table":
        return _is_readable_block(units, names)
    if _is_wrapped(units):
        return _has_shared_lines(units, names)
    return is_one_line(units, names)


def is_known_line(units: Mapping[str, CopyUnit], names: Names) -> bool:
    """Return whether units differ only in names and values that are also used elsewhere."""
    return not _find_unknown(build_pieces({p: unit.text for p, unit in units.items()}, names), names)


def is_one_line(units: Mapping[str, CopyUnit], names: Names) -> bool:
    """Return whether units are readable as one line or paragraph with values."""
    return _is_readable_line(build_pieces({p: unit.text for p, unit in units.items()}, names), names)


def _is_wrapped(units: Mapping[str, CopyUnit]) -> bool:
    return any(unit.is_wrapped for unit in units.values())


def _has_shared_lines(units: Mapping[str, CopyUnit], names: Names) -> bool:
    """Return whether paragraphs share half of their lines as the same text, possibly with values."""
    lines = align_units({platform: expand_unit(unit) for platform, unit in units.items()})
    shared = sum(len(line) == len(units) and is_one_line(line, names) for line in lines)
    return 2 * shared >= max(len(unit.lines) for unit in units.values())


def _find_unknown(pieces: Sequence[Piece], names: Names) -> list[Slot]:
    return [piece for piece in pieces if isinstance(piece, Slot) and not names.is_known(piece.vector)]


def _is_readable_line(pieces: Sequence[Piece], names: Names) -> bool:
    unknown = _find_unknown(pieces, names)
    return (
        not is_rewritten(pieces, names)
        and not _has_different_indent(pieces)
        and not any(map(_is_no_value, unknown))
        and all("\n" not in text for slot in unknown for _, text in slot.vector)
    )


def is_rewritten(pieces: Sequence[Piece], names: Names) -> bool:
    """Return whether a line has many or long differences, or more of them than common text."""
    unknown = _find_unknown(pieces, names)
    common = sum(len(piece) for piece in pieces if isinstance(piece, str))
    differing = sum(_measure_wording(pieces, index) for index, piece in enumerate(pieces) if piece in unknown)
    added = [slot.size for slot in unknown if not all(text for _, text in slot.vector)]
    if len(added) > 1 and sum(added) >= common:
        return True
    return not _is_one_text(unknown) or differing > max(2 * common, TOLERATED_CHARACTERS)


def _measure_wording(pieces: Sequence[Piece], index: int) -> int:
    """Return the number of characters of wording in a slot: a label in bold counts at most as one word."""
    slot, neighbors = pieces[index], (*pieces[index - 1 : index], *pieces[index + 1 : index + 2])
    assert isinstance(slot, Slot)
    is_label = len(neighbors) > 1 and all(isinstance(text, str) and "**" in text for text in neighbors)
    return min(slot.size, TOLERATED_CHARACTERS) if is_label else slot.size


def _has_different_indent(pieces: Sequence[Piece]) -> bool:
    """Return whether lines differ in leading white space, where a value would not be readable."""
    first = pieces[0]
    return isinstance(first, Slot) and any(text[:1].isspace() or not text for _, text in first.vector)


def _is_no_value(slot: Slot) -> bool:
    """Return whether texts cannot be named as a value: only punctuation, or crossing the end of a sentence."""
    values = {text for _, text in slot.vector} - {""}
    if any(map(BLOCK_SCALAR.fullmatch, values)):
        return True
    return len(values) > 1 and (not any(map(has_word, values)) or any(map(_CROSSING.search, values)))


def _is_one_text(unknown: Sequence[Slot]) -> bool:
    """Return whether a line is the same text with few and short differences."""
    return len({slot.vector for slot in unknown}) <= MAX_UNKNOWN and all(
        slot.size <= MAX_VALUE_CHARACTERS for slot in unknown
    )


def _is_readable_fence(units: Mapping[str, CopyUnit], names: Names) -> bool:
    """Return whether code is readable as one text: one language, and more common text than not."""
    if len({unit.lines[0] for unit in units.values()}) > 1:
        return False
    inside = align_units({platform: expand_unit(unit)[1:-1] for platform, unit in units.items()})
    different = [column for column in inside if len(column) < len(units) or len(set(column.values())) > 1]
    common = sum(len(next(iter(column.values())).text) for column in inside if column not in different)
    parts = [build_pieces({p: unit.text for p, unit in column.items()}, names) for column in different]
    unknown = sum(slot.size for pieces in parts for slot in _find_unknown(pieces, names))
    lacking = sum(len(next(iter(column.values())).text) for column in different if len(column) < len(units))
    common += sum(len(piece) for pieces in parts for piece in pieces if isinstance(piece, str)) - lacking
    return unknown + lacking <= common and _is_readable_block(units, names)


def _is_readable_block(units: Mapping[str, CopyUnit], names: Names) -> bool:
    count = 0
    for column in align_units({platform: expand_unit(unit) for platform, unit in units.items()}):
        if len(column) < len(units):
            count += 1
            continue
        pieces = build_pieces({p: unit.text for p, unit in column.items()}, names)
        if not _is_readable_line(pieces, names):
            return False
        count += len(_find_unknown(pieces, names))
    return count <= MAX_BLOCK_DIFFERENCES
