"""Compare the texts of several platforms by word: common text, and the slots in which they differ."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from tutorial_tool.adopt.copies import REFERENCE
from tutorial_tool.adopt.words.facts import SIGNS, Facts, MaskedTexts, mask_facts
from tutorial_tool.adopt.words.pieces import Vector, get_texts, join_pieces, split_unspaced
from tutorial_tool.adopt.words.whole_spans import expand_differences
from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.core.similarity import MAX_TOKENS

_TOKEN = lazy_re.compile(rf"{REFERENCE.pattern}|\w+|\n|[^\S\n]+|\*+|[^\w\s]")
_MARKUP = lazy_re.compile(rf"[`*|\[\](){{}}<>\"“”„«»「」\n{SIGNS}]")
_EMPHASIS = lazy_re.compile(r"[*_`]+")  # Emphasis markers, which some texts have and others lack
_SENTENCE_END = lazy_re.compile(r"[.!?:;]\s|[。！？]")
SHORT_GAP = 2  # Maximum words between two slots that people read as one


@dataclass(frozen=True)
class Slot:
    """A place where texts differ. `vector` has the text of each platform."""

    vector: Vector

    @property
    def size(self) -> int:
        """The length of its longest text, in characters."""
        return max(len(text) for _, text in self.vector)


Piece = str | Slot  # Common text, or a slot. With the slots filled in, the pieces are each platform's text.


def find_vectors(texts: Mapping[str, str], facts: Facts | None = None) -> list[Vector]:
    """Return the differences between texts, as whole units, given known facts."""
    masked = mask_facts(texts, facts)
    pieces = expand_differences(expand_pieces(masked.texts))
    return [masked.restore_vector(piece) for piece in pieces if not isinstance(piece, str)]


def build_pieces(texts: Mapping[str, str], facts: Facts | None = None) -> list[Piece]:
    """Build the pieces of several platforms' texts. Adjacent slots are merged, unless they are facts."""
    masked = mask_facts(texts, facts)

    def is_known(vector: Vector) -> bool:
        return facts is not None and facts.is_known(masked.restore_vector(vector))

    pieces = _join_slots(expand_differences(expand_pieces(masked.texts)), is_known)
    parts = _split_spaces(_restore_facts(_split_spaces(pieces), masked))
    return [part if isinstance(part, str) else Slot(part) for part in parts]


def _restore_facts(pieces: Sequence[str | Vector], masked: MaskedTexts) -> Iterator[str | Vector]:
    """Yield the pieces with facts restored: those in common texts become separate slots."""
    for piece in pieces:
        yield from filter(None, masked.split_facts(piece)) if isinstance(piece, str) else [masked.restore_vector(piece)]


def _split_spaces(pieces: Iterable[str | Vector]) -> list[str | Vector]:
    """Return the pieces with the spaces that all texts share at their ends as texts of their own."""
    return [part for piece in pieces for part in _trim_spaces(piece) if part]


def _trim_spaces(piece: str | Vector) -> Iterator[str | Vector]:
    """Split off the white space that all texts of a difference begin and end with."""
    if isinstance(piece, str):
        yield piece
        return
    before = _get_shared_space(get_texts(piece))
    bare = tuple((platform, text[len(before) :]) for platform, text in piece)
    after = _get_shared_space([text[::-1] for _, text in bare])[::-1]
    yield from (before, tuple((p, text[: len(text) - len(after)]) for p, text in bare), after)


def _get_shared_space(texts: Sequence[str]) -> str:
    """Return the white space that all texts begin with."""
    first = texts[0]
    size = len(first) - len(first.lstrip())
    return next(first[:end] for end in range(size, -1, -1) if all(text.startswith(first[:end]) for text in texts))


def expand_pieces(texts: Mapping[str, str]) -> list[str | Vector]:
    """Return the pieces with the text of each platform in slots."""
    distinct = list(dict.fromkeys(texts.values()))
    index = {text: number for number, text in enumerate(distinct)}
    return [
        piece if isinstance(piece, str) else tuple((p, piece[index[text]]) for p, text in texts.items())
        for piece in _split_common(distinct)
    ]


def _split_common(distinct: Sequence[str]) -> list[str | tuple[str, ...]]:
    """Split texts into common text, and each text's part between."""
    tokens = [_tokenize(text) for text in distinct]
    if len(distinct) == 1:
        return [distinct[0]]
    if max(map(len, tokens)) > MAX_TOKENS:
        return [tuple(distinct)]
    common: list[tuple[str, tuple[int, ...]]] = [(token, (index,)) for index, token in enumerate(tokens[0])]
    for other in tokens[1:]:
        matches = _find_matches(tuple(token for token, _ in common), other)
        common = [(common[i][0], (*common[i][1], j)) for i, j in matches]
    out: list[str | tuple[str, ...]] = []
    starts = (0,) * len(distinct)
    for token, positions in [*common, ("", tuple(map(len, tokens)))]:
        between = tuple("".join(t[a:b]) for t, a, b in zip(tokens, starts, positions, strict=True))
        if any(between):
            out.append(between)
        if token:
            out[-1:] = [out[-1] + token] if out and isinstance(out[-1], str) else [*out[-1:], token]
        starts = tuple(position + 1 for position in positions)
    return out


@lru_cache(maxsize=20_000)
def _tokenize(text: str) -> tuple[str, ...]:
    matches = (match[0] for match in _TOKEN.finditer(text))
    if scripts.has_unspaced_script(text):
        return tuple(part for token in matches for part in split_unspaced(token))
    return tuple(matches)


@lru_cache(maxsize=20_000)
def _find_matches(left: tuple[str, ...], right: tuple[str, ...]) -> list[tuple[int, int]]:
    """Return pairs of equal tokens in order, longest runs first (Ratcliff and Obershelp), as in `difflib`."""
    blocks = SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks()
    return [(block.a + k, block.b + k) for block in blocks for k in range(block.size)]


def _join_slots(pieces: Iterable[str | Vector], is_known: Callable[[Vector], bool]) -> Iterator[str | Vector]:
    """Merge slots with almost nothing between them, which are not readable word by word."""
    slot: Vector = ()  # the last slot, and the common text after it
    between = ""
    for piece in pieces:
        if isinstance(piece, str) and slot and not between:
            between = piece
        elif isinstance(piece, str):
            yield from filter(None, (slot, between, piece))
            slot, between = (), ""
        elif slot and (not between or _can_join(slot, between, piece, is_known)):
            slot, between = join_pieces([slot, between, piece]), ""
        else:
            yield from filter(None, (slot, between))
            slot, between = piece, ""
    yield from filter(None, (slot, between))


def _can_join(slot: Vector, between: str, other: Vector, is_known: Callable[[Vector], bool]) -> bool:
    if slot == other and _EMPHASIS.fullmatch("".join(get_texts(slot))):
        return "\n" not in between
    if is_known(slot) or is_known(other) or _MARKUP.search(between):
        return False
    if slot == other or _SENTENCE_END.search(between):
        return False
    words = len(re.findall(r"\w+", between)) if between.isascii() else scripts.count_words(between)
    return words == 0 or (words <= SHORT_GAP and len(between) <= max(map(len, get_texts((*slot, *other)))))
