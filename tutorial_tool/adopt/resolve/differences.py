"""Where copies differ in words that answer to each other: slots of lines, cells of tables, lines written anew."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.lines import Column, columns
from tutorial_tool.adopt.lines.units import expanded
from tutorial_tool.adopt.names import Names
from tutorial_tool.adopt.names.naming import Context
from tutorial_tool.adopt.template.fits import is_wrapped_otherwise, is_written_anew
from tutorial_tool.adopt.words import Piece, Slot, has_word, merged
from tutorial_tool.adopt.words.pieces import Vector, is_article
from tutorial_tool.core import lazy_re

_RULE = lazy_re.compile(r":?-+:?")  # A cell of the delimiter row of a table
_CELL = lazy_re.compile(r"(?:[^|\\]|\\.)+")
_ADDRESS = lazy_re.compile(r"(?:\]\(|(?:href|src)=[\"'])([^)\"'\s]*)$")
_IN_LABEL, _BEFORE_LABEL = lazy_re.compile(r"\]\[[^\]\n]*\Z"), lazy_re.compile(r"[^\[\]\n]*\]\[")
_ATTRIBUTE = lazy_re.compile(r"""([\w:@.-]+)\s*=\s*(?:\{\s*)?(?:"[^"]*|'[^']*|`[^`]*|\{[^}]*)\Z""")
_IN_TAG = lazy_re.compile(r"</?(?:[A-Za-z](?:[^<>]|=>)*)?\Z|\{[{%][^}]*\Z|\{[^{}]*=[^{}]*\Z")
"""A tag, shortcode or list of attributes that is still open."""
_IN_COMPONENT = lazy_re.compile(r"<([A-Z]\w*)\b[^<>]*(?<!/)>(?:(?!</\1>)[^\n])*\Z")
"""A component that is still open: what it makes of its text, nobody knows."""
_STATEMENT = lazy_re.compile(r"""import\s(?:[^'"\n]*\sfrom\s+)?['"]|export\s+(?:const|let|var|default|function)\b""")
"""A line of MDX that is code."""
_READ = frozenset(
    "alt aria-label caption content description heading href label placeholder src summary tip title".split()
)
"""Attributes that readers read, and those of links, which are judged as such."""
_BEFORE_CODE = lazy_re.compile(r"[ \t]*(?:[(\[][ \t]*)?`+")
_BEHIND_CODE = lazy_re.compile(r"`+[ \t]*[)\]]?[ \t]*")
MARKED = "labels or code differ: each may be right"
OF_CODE = "the code that it speaks of differs, too"
OF_PAGE = "what a page's front matter says of it may be its own"
_ITEM = lazy_re.compile(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]+")
_SENTENCE_END = lazy_re.compile(r"[.!?][\"'”’)\]*_]*\s+|[。！？]")
_WORD_BEFORE = lazy_re.compile(r"\w+[ \u00a0-]?\Z")
_WORD_BEHIND = lazy_re.compile(r"[ \u00a0-]?\w+")
_SHORT = 3  # Letters of words of which others are a letter off by chance
_AROUND = 40  # Characters of a line that are shown beside a difference


@dataclass(frozen=True)
class Difference:
    """Texts that answer to each other and are not the same: (start, end) in each copy's text, by platform.

    `around` is the line with `…` in their place, `cell` the number of a table's column. `is_address` tells a part of a
    link, or a URL. `sentence` is where the sentence, heading, item or cell begins that they are in: a platform, and a
    place in its text. `stays` tells why no copy's text is better
    than another's, in words.
    """

    spans: Mapping[str, tuple[int, int]]
    around: str
    cell: int | None = None
    is_address: bool = False
    sentence: tuple[str, int] = ("", 0)
    stays: str = ""

    def text(self, copies: CopySet, platform: str) -> str:
        start, end = self.spans[platform]
        return copies.copies[platform].text[start:end]

    def beside(self, copies: CopySet) -> tuple[str, str]:
        """The words right before and behind these texts, where all copies have the same there."""
        around = [
            (_WORD_BEFORE.search(text, max(0, start - _AROUND), start), _WORD_BEHIND.match(text, end))
            for platform, (start, end) in self.spans.items()
            for text in [copies.copies[platform].text]
        ]
        before, behind = ({result[0] if result else "" for result in side} for side in zip(*around, strict=True))
        return "".join(before) if len(before) == 1 else "", "".join(behind) if len(behind) == 1 else ""


def differences(copies: CopySet, aligned: Sequence[Column], names: Names) -> Iterator[Difference]:
    """The differences that no platform needs, as far as their place tells: not in code, nor in labels."""
    for column, offsets in lines(aligned, dict.fromkeys(copies.platforms, 0)):
        texts = {platform: unit.text for platform, unit in column.items()}
        kind = next(iter(column.values())).kind
        if len(set(texts.values())) == 1 or kind in ("fence", "code", "blank"):
            continue
        if is_wrapped_otherwise(column, names):
            texts = {platform: text[:-1].replace("\n", " ") + "\n" for platform, text in texts.items()}
        yield from _cells(texts, offsets) if kind == "row" else _line(texts, offsets, names, kind)


def lines(aligned: Sequence[Column], offsets: dict[str, int]) -> Iterator[tuple[Column, dict[str, int]]]:
    """The columns, tables as their rows, and where each begins in its copy."""
    for column in aligned:
        if next(iter(column.values())).kind == "table":
            rows = columns({platform: expanded(unit) for platform, unit in column.items()})
            yield from lines(rows, dict(offsets))
        else:
            yield column, dict(offsets)
        for platform, unit in column.items():
            offsets[platform] += len(unit.text)


def _cells(texts: Mapping[str, str], offsets: Mapping[str, int]) -> Iterator[Difference]:
    """The cells of a row that differ, each as a whole."""
    cells = {platform: _cells_of(text) for platform, text in texts.items()}
    if len({len(own) for own in cells.values()}) != 1 or not all(cells.values()):
        return
    head = next(iter(cells.values()))[0][0]
    for number, pair in enumerate(zip(*cells.values(), strict=True)):
        if len({text for text, _ in pair}) > 1 and not all(_RULE.fullmatch(text) for text, _ in pair):
            starts = {p: offsets[p] + at for p, (_, at) in zip(cells, pair, strict=True)}
            spans = {p: (starts[p], starts[p] + len(text)) for p, (text, _) in zip(cells, pair, strict=True)}
            yield Difference(spans, f"{head} | …", number, sentence=next(iter(starts.items())))


def _cells_of(row: str) -> list[tuple[str, int]]:
    """The cells of a row that are not empty, without the white space around them, and where each begins."""
    return [cell for cell in map(_stripped, _CELL.finditer(row)) if cell[0]]


def _stripped(match: re.Match[str]) -> tuple[str, int]:
    bare = match[0].strip()
    return bare, match.start() + match[0].find(bare)


def _line(texts: Mapping[str, str], offsets: Mapping[str, int], names: Names, kind: str) -> Iterator[Difference]:
    pieces = merged(texts, names)
    stays = OF_PAGE if kind == "front" else ""
    if is_written_anew(pieces, names):
        start = _marker(list(texts.values()))
        spans = {p: (offsets[p] + start, offsets[p] + len(text.rstrip("\n"))) for p, text in texts.items()}
        yield Difference(spans, "", sentence=next(iter(offsets.items())), stays=stays)
        return
    first, line = next(iter(texts.items()))
    at = {platform: offsets[platform] for platform in texts}
    for number, piece in enumerate(pieces):
        if isinstance(piece, Slot):
            own = piece.texts
            if _may_settle(piece, pieces, number) or _is_more_code(piece, pieces, number):
                spans = {p: (at[p], at[p] + len(text)) for p, text in own.items()}
                begin = _sentence(line, at[first] - offsets[first])
                yield Difference(
                    spans,
                    _around(pieces, number),
                    is_address=_is_address(piece, pieces, number),
                    sentence=(first, offsets[first] + begin),
                    stays=stays or _stays(pieces, number),
                )
            at = {p: place + len(own[p]) for p, place in at.items()}
        else:
            at = {p: place + len(piece) for p, place in at.items()}


def _sentence(line: str, at: int) -> int:
    """Where the sentence begins that a place of a line stands in."""
    return max((match.end() for match in _SENTENCE_END.finditer(line, 0, at)), default=0)


def _marker(texts: Sequence[str]) -> int:
    """The characters of the item's number or bullet that all lines begin with."""
    match = _ITEM.match(texts[0])
    return match.end() if match and all(text.startswith(match[0]) for text in texts) else 0


def _may_settle(slot: Slot, pieces: Sequence[Piece], number: int) -> bool:
    """Whether nothing says that platforms need a slot: no label in bold, no code, no article before their names."""
    before = "".join(piece for piece in pieces[:number] if isinstance(piece, str))
    after = "".join(piece for piece in pieces[number + 1 :] if isinstance(piece, str))
    in_code = before.count("`") % 2 == 1 and "`" in after
    code = any("`" in text for _, text in slot.vector)
    words = any(has_word(text) for _, text in slot.vector) and not is_article(slot.vector)
    own_label = Context(before, after).is_label and not _is_a_letter_off(slot.vector)
    return words and not in_code and not code and not own_label


def _is_a_letter_off(vector: Vector) -> bool:
    """Whether one of three platforms or more writes a word that all others have, but for a letter or its case."""
    (usual, times), *others = Counter(text for _, text in vector).most_common()
    if times < 2 or len(others) != 1 or others[0][1] > 1:
        return False
    return Levenshtein.distance(usual.lower(), others[0][0].lower(), score_cutoff=1) <= 1 and len(usual) > _SHORT


def _stays(pieces: Sequence[Piece], number: int) -> str:
    """Why nothing but a mistake tells which text of a slot is right, in words."""
    before, after = (
        "".join(piece for piece in part if isinstance(piece, str)) for part in (pieces[:number], pieces[number + 1 :])
    )
    if _is_in_markup(before) or Context(before, after).is_label:
        return MARKED
    return OF_CODE if _is_beside_code(pieces, number) else ""


def _is_in_markup(before: str) -> bool:
    """Whether a place is code without marks: a value that a component or shortcode gets, a statement of MDX."""
    if _STATEMENT.match(before) or _IN_COMPONENT.search(before):
        return True
    if not (match := _ATTRIBUTE.search(before)):
        return _IN_TAG.search(before) is not None
    is_within = _IN_TAG.search(before, 0, match.start()) or not before[: match.start()].rpartition("\n")[2].strip()
    return bool(is_within) and match[1].lower() not in _READ


def _is_beside_code(pieces: Sequence[Piece], number: int) -> bool:
    """Whether code stands right beside a slot, perhaps in brackets, in which the copies differ as well."""
    ahead, behind = pieces[max(0, number - 2) : number], pieces[number + 1 : number + 3]
    return any(
        len(beside) == 2 and isinstance(beside[at], Slot) and isinstance(gap, str) and mark.fullmatch(gap) is not None
        for beside, at, mark in ((ahead, 0, _BEHIND_CODE), (behind, 1, _BEFORE_CODE))
        for gap in beside[1 - at : 2 - at]
    )


def _is_more_code(slot: Slot, pieces: Sequence[Piece], number: int) -> bool:
    """Whether some copies name code in a sentence, and words beside it, that others lack: nothing in it is settled."""
    texts = [text for _, text in slot.vector]
    ahead = "".join(piece for piece in pieces[:number] if isinstance(piece, str))
    is_added = any(not text.strip() for text in texts) and any("`" in text and has_word(text) for text in texts)
    return is_added and ahead.count("`") % 2 == 0


def _is_address(slot: Slot, pieces: Sequence[Piece], number: int) -> bool:
    """Whether a slot is in the address of a link, or in a reference to the definition of one."""
    ahead = "".join(piece for piece in pieces[:number] if isinstance(piece, str))
    behind = "".join(piece for piece in pieces[number + 1 :] if isinstance(piece, str))
    is_reference = _IN_LABEL.search(ahead) is not None or _BEFORE_LABEL.match(behind) is not None
    return is_reference or _ADDRESS.search(ahead) is not None or any("://" in text for _, text in slot.vector)


def _around(pieces: Sequence[Piece], number: int) -> str:
    """The words beside a slot, as one of the platforms has them."""
    reported = [piece if isinstance(piece, str) else piece.vector[0][1] for piece in pieces]
    before, after = (re.sub(r"\s+", " ", "".join(part)) for part in (reported[:number], reported[number + 1 :]))
    short = before if len(before) <= _AROUND else before[-_AROUND:].partition(" ")[2]
    behind = after.rstrip() if len(after) <= _AROUND else after[:_AROUND].rpartition(" ")[0]
    return f"{short.lstrip()}…{behind}"
