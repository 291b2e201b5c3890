"""Decide whether units are readable as one text with values, and which platforms can share one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from tutorial_tool.adopt.lines import Column, align_lines, align_units
from tutorial_tool.adopt.lines.units import CopyUnit, expand_unit
from tutorial_tool.adopt.names import Names
from tutorial_tool.adopt.names.naming import SLOT_PLACEHOLDER, SlotContext, find_value_parts
from tutorial_tool.adopt.names.own_names import PlatformNames
from tutorial_tool.adopt.template import code, tables
from tutorial_tool.adopt.words import Piece, Slot, build_pieces
from tutorial_tool.adopt.words.pieces import MAX_VALUE_CHARACTERS, Vector, get_texts, split_words
from tutorial_tool.core import lazy_re
from tutorial_tool.core.scripts import MAX_TERM_WORDS

MAX_UNKNOWN = 2  # Maximum differences in a line that are not values used elsewhere; with more, it was rewritten
MAX_BLOCK_DIFFERENCES = 4  # Maximum differences in a table or in code that is still one text
BLOCK_SCALAR = lazy_re.compile(r"[>|][-+]?\d?")  # Start of a multi-line text in front matter
_CROSSING = lazy_re.compile(r"^[,.;:!?]+\s|[.!?]\s+\S")  # A text that crosses the end of a sentence
_ITEM = lazy_re.compile(r"[ \t]*(?:[-*+]|\d+[.)]|#{1,6})[ \t]+")  # The start of a list item or a heading
MARKER = lazy_re.compile(
    r"[ \t]*(?:[A-Za-z][\w.-]*:(?:[ \t]+[>|]-?[ \t]*\n(?=[ \t]))?[ \t]+|(?:(?:[-*+]|\d+[.)]|#{1,6})[ \t]+)?"
    r"(?:[A-Z][\w ]{1,30}:[ \t]+|(\*\*|__)[^*_\n:]{1,30}(?::\1|\1:)[ \t]+)?)"
)
"""The start of a list item or a heading, with a label; or of a front matter field, whose text may be in a block."""
_FACT = lazy_re.compile(r"`[^`\n]+`|\d[\w.]*")  # Code, or a number
Group = frozenset[str]
Partition = frozenset[Group]  # Groups of platforms that can share a text


def partition(column: Column, scope: Group, names: Names, *, as_data: bool = True) -> Partition:
    """Partition the platforms of a scope by their text in a column; those without any are a group, too.

    `as_data` says whether a table may become data.
    """
    is_one_text = len(column) > 2 and _fits_one_text(column, names, as_data)
    groups = [column] if is_one_text else _group_platforms(column, names, as_data)
    absent = scope.difference(column)
    return frozenset([*map(frozenset, groups), *([absent] if absent else [])])


def _group_platforms(column: Column, names: Names, as_data: bool) -> list[dict[str, CopyUnit]]:
    """Group the platforms of a column, each with the first group whose texts fit one text with its own."""
    groups: list[dict[str, CopyUnit]] = []
    for platform, unit in column.items():
        for group in groups:
            if _fits_one_text({**group, platform: unit}, names, as_data):
                group[platform] = unit
                break
        else:
            groups.append({platform: unit})
    return groups


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
    if any(unit.is_wrapped for unit in units.values()):
        return _has_shared_sentences(units, names)
    return is_one_line(units, names)


def is_one_line(units: Mapping[str, CopyUnit], names: Names) -> bool:
    """Return whether units are readable as one line or paragraph with values."""
    return _is_readable_line(build_pieces({p: unit.text for p, unit in units.items()}, names), names)


def _has_shared_sentences(units: Mapping[str, CopyUnit], names: Names) -> bool:
    """Return whether paragraphs share half of their sentences as the same text, possibly with values."""
    sentences = {platform: expand_unit(unit) for platform, unit in units.items()}
    shared = sum(len(column) == len(units) and is_one_line(column, names) for column in align_units(sentences))
    return 2 * shared >= max(map(len, sentences.values()))


def find_unknown(pieces: Sequence[Piece], names: Names) -> list[Slot]:
    """Return the differences that are not names, or values that are also used elsewhere."""
    return [piece for piece in pieces if isinstance(piece, Slot) and not names.is_known(piece.vector)]


def _is_readable_line(pieces: Sequence[Piece], names: Names) -> bool:
    unknown = find_unknown(pieces, names)
    has_lines = any("\n" in text for slot in unknown for _, text in slot.vector)
    if has_lines or is_rewritten(pieces, names) or _has_different_indent(pieces):
        return False
    contexts = add_contexts(pieces, SlotContext())
    return not any(_is_no_value(piece, around, names) for piece, around in contexts if piece in unknown)


def is_rewritten(pieces: Sequence[Piece], names: Names) -> bool:
    """Return whether a line has many or long differences, or more of them than common text."""
    unknown = find_unknown(pieces, names)
    common = sum(len(piece) for piece in pieces if isinstance(piece, str))
    differing = sum(  # labels, attributes, and link targets may be long
        piece.size
        for piece, around in add_contexts(pieces, SlotContext())
        if isinstance(piece, Slot) and piece in unknown and not (around.is_bold or around.is_attribute)
    )
    return not _is_one_text(unknown, common) or differing > 2 * common


def _has_different_indent(pieces: Sequence[Piece]) -> bool:
    """Return whether lines differ in what they begin with, other than words, where a value would not be readable."""
    texts = set(get_texts(pieces[0].vector)) if isinstance(pieces[0], Slot) else set()
    lacks_words = "" in texts and not all(text.replace(" ", "").isalnum() for text in texts - {""})
    return lacks_words or any(text[:1].isspace() for text in texts)


def _is_no_value(piece: Piece, context: SlotContext, names: Names) -> bool:
    """Return whether texts cannot be a value within a line, which is rather written once for each platform."""
    assert isinstance(piece, Slot)
    values = set(get_texts(piece.vector)) - {""}
    if any(map(BLOCK_SCALAR.fullmatch, values)) or (len(values) > 1 and _is_cut(values, context)):
        return True
    is_wording = len(values) > 1 and not _ITEM.match(context.before) and is_platform_wording(piece.vector, names)
    return is_wording and not names.has_name(piece.vector, context)


def _is_cut(texts: Collection[str], context: SlotContext) -> bool:
    """Return whether texts cross the end of a sentence or of code, or are only punctuation within a line."""
    cuts_code = context.before.count("`") % 2 == 1 and any("`" in text for text in texts)
    is_sign = bool(context.after.strip()) and not any(map(split_words, texts))
    return is_sign or cuts_code or any(map(_CROSSING.search, texts))


def is_platform_wording(vector: Vector, names: Names) -> bool:
    """Return whether texts are phrases that each platform needs: with its own code or numbers, or all different."""
    texts = {text.replace(names.display.get(platform, platform), "") for platform, text in vector}
    if max(len(text.split()) for text in texts) <= MAX_TERM_WORDS:
        return False
    facts = {frozenset(_FACT.findall(text)) for text in texts} - {frozenset()}
    return len(facts) > 1 or 2 < len(vector) == len(texts)


def add_contexts(pieces: Sequence[Piece], base: SlotContext) -> Iterator[tuple[Piece, SlotContext]]:
    """Yield the pieces of a line, each with its context."""
    texts = [piece.replace("\n", " ") if isinstance(piece, str) else SLOT_PLACEHOLDER for piece in pieces]
    line, end = "".join(texts), 0
    for piece, text in zip(pieces, texts, strict=True):
        start, end = end, end + len(text)
        yield piece, replace(base, before=line[:start], after=line[end:])


def _is_one_text(unknown: Sequence[Slot], common: int) -> bool:
    """Return whether a text has few and short differences, given how many characters are common."""
    most = MAX_UNKNOWN * max(1, common // MAX_VALUE_CHARACTERS)
    return len({slot.vector for slot in unknown}) <= most and all(slot.size <= MAX_VALUE_CHARACTERS for slot in unknown)


def _is_readable_fence(units: Mapping[str, CopyUnit], names: Names) -> bool:
    """Return whether code is readable as one text: one language, and most lines on all platforms."""
    if len({unit.lines[0] for unit in units.values()}) > 1:
        return False
    lines = align_units({platform: expand_unit(unit)[1:-1] for platform, unit in units.items()})
    lacking = sum(len(line) < len(units) for line in lines)
    return 2 * lacking <= len(lines) and _is_readable_block(units, names, in_code=True)


def _is_readable_block(units: Mapping[str, CopyUnit], names: Names, *, in_code: bool = False) -> bool:
    """Return whether lines have few differences; those in code must be values with a name."""
    count = 0
    for column in align_lines(units):
        if len(column) < len(units):
            count += 1
            continue
        pieces = build_pieces({p: unit.text for p, unit in column.items()}, names)
        if not _is_readable_line(pieces, names) or (in_code and not _are_values(pieces, names)):
            return False
        count += len(find_unknown(pieces, names))
    return count <= MAX_BLOCK_DIFFERENCES


def _are_values(pieces: Sequence[Piece], names: Names) -> bool:
    """Return whether the differences in a line of code are known, or have a name by their form or key."""
    return all(
        isinstance(piece, str)
        or (names.is_known(piece.vector) and names.has_name(piece.vector, context))
        or any(find_value_parts(piece.vector, context))
        for piece, context in add_contexts(pieces, SlotContext(in_code=True))
    )
