"""Words that are another platform's, where each copy has its own: for the rule `foreign-name`.

Where all copies have a word of their own in one place, `Sony`, `Microsoft`, `Nintendo`, each answers to the others. A
copy that says another one's word in a second place, where all others have theirs, was pasted, and adapted by half.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

from tutorial_tool import variants, variation
from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Range
from tutorial_tool.rules._shared._foreign import Foreign
from tutorial_tool.spelling import lists
from tutorial_tool.variants import Step
from tutorial_tool.variation import slots
from tutorial_tool.variation.tables import cell_rows, groups

_WORD = lazy_re.compile(r"[^\W_]+(?:['’][a-z]+)?")
_CODE = lazy_re.compile(r"[ \t]*`[^`\n]+`[ \t]*")
"""A cell of nothing but a value in code."""
_ADDRESS = lazy_re.compile(r"\]\([^)\n]*\)|(?<![`\"'=])https?://[^\s)>\]]*")
_FEWEST, _LONGEST = 3, 80
"""Copies that are compared, and words of the longest text."""
_SHARED = 3
"""Words of a sentence, at least, that all copies have."""
_FILLED = 3
"""Words that a platform has in a place, at most."""
_TWICE = 2
"""In how many places all copies have words of their own that may be any words; and how often a pasted one stands."""
_BEFORE = 20
"""Characters before a word in which a sentence may begin."""
_BEGINS = ("", *"\n|-+>.!?:)")
"""What a sentence, a cell or an item begins behind."""


class _Word(NamedTuple):
    text: str
    place: Range


class _Filler(NamedTuple):
    """What a copy has between two words that all copies have."""

    text: str
    place: Range
    is_code: bool
    typed: str


_Slot = Mapping[str, _Filler]
_Around = tuple[str, frozenset[tuple[str, str]]]
_Settled = Mapping[_Around, Mapping[str, Sequence[_Slot]]]
"""What a copy says where the others say their own: by that, the places in which it does."""


def pasted(step: Step) -> tuple[Foreign, ...]:
    """The words of other variants, each once."""
    if len(step.pages) < _FEWEST or any(page.generated for page in step.pages.values()):
        return ()
    return variants.kept(step, _all)


def _all(step: Step) -> tuple[Foreign, ...]:
    return tuple(_found(step))


def _found(step: Step) -> Iterator[Foreign]:
    odd = [slot for slot in variants.kept(step, _places_of) if len(_texts(slot)) == len(slot) - 1]
    told = [each for slot in odd for each in _in_slot(step, slot)]
    counts = Counter((each.name, each.text) for each in told)
    for each in told:
        if counts[each.name, each.text] <= _TWICE:
            text = step.pages[each.name].plain
            yield each._replace(text=text[slice(*each.place)])


def _places_of(step: Step) -> tuple[_Slot, ...]:
    return tuple(slot for slot in _slots(step) if not any(_is_named(step, filler) for filler in slot.values()))


def _settled(step: Step) -> _Settled:
    """The places of a step in which each copy has words of its own."""
    found: dict[_Around, dict[str, list[_Slot]]] = {}
    for slot in variants.kept(step, _places_of):
        if len(_texts(slot)) == len(slot):
            for name in slot:
                found.setdefault(_around(slot, name), defaultdict(list))[slot[name].text].append(slot)
    return found


def _in_slot(step: Step, slot: _Slot) -> list[Foreign]:
    """The copy that has another one's word here; none where either of the two may be right."""
    out = []
    for name, filler in slot.items():
        other = next((id_ for id_ in slot if id_ != name and slot[id_].text == filler.text), None)
        if other is None:
            continue
        is_name = _may_name(step.pages[name].plain, filler)
        usual, is_here = _usual(step, _around(slot, name), is_name=is_name)
        if len(usual) != 1:
            continue
        ((own, places),) = usual.items()
        are_names = all(_is_name(each) for each in places[0].values()) and not (
            is_here and any(_only_begins(step.pages[id_].plain, each) for id_, each in places[0].items())
        )
        is_sure = are_names or _are_numbers_of_each(slot)
        if _are_two(own, filler.text) and len(places) >= (1 if is_sure else _TWICE):
            there = places[0][name]
            place = there.place if is_here else None
            out.append(Foreign(name, other, filler.text, there.typed, filler.place, place))
    return out if len(out) == 1 else []


def _are_numbers_of_each(slot: _Slot) -> bool:
    """Whether three copies or more have numbers of their own: that these stand together in two places is no chance."""
    return len(_texts(slot)) >= _FEWEST and all(text.replace(" ", "").isdigit() for text in _texts(slot))


def _usual(step: Step, around: _Around, *, is_name: bool) -> tuple[Mapping[str, Sequence[_Slot]], bool]:
    """What a copy says where others say this, in the same step, else, of a name, in the first other one; whether in
    the same."""
    if usual := variants.kept(step, _settled).get(around):
        return usual, True
    if not is_name:
        return {}, False
    for each in variants.others(step):
        if each.pages.keys() == step.pages.keys() and (usual := variants.kept(each, _settled).get(around)):
            return usual, False
    return {}, False


def _are_two(one: str, other: str) -> bool:
    """Whether two texts are two things, and not one with its long name: `Sandbox`, `Config Sandbox`."""
    left, right = one.casefold(), other.casefold()
    return left not in right and right not in left


def _texts(slot: _Slot) -> set[str]:
    return {filler.text for filler in slot.values()}


def _around(slot: _Slot, name: str) -> _Around:
    """What the other copies have in a place."""
    return name, frozenset((id_, filler.text) for id_, filler in slot.items() if id_ != name)


def _is_named(step: Step, filler: _Filler) -> bool:
    """Whether a filler is a platform's name, of which other rules tell; in code it may be told by nobody."""
    return not filler.is_code and any(variant.pattern.search(filler.text) for variant in step.variants.values())


def _is_name(filler: _Filler) -> bool:
    """Whether a filler is none of the words that any text has."""
    return filler.is_code or any(map(str.isupper, filler.text)) or (filler.text.isdigit() and slots.tells(filler.text))


def _only_begins(text: str, filler: _Filler) -> bool:
    """Whether a filler has a capital for no more than that a text begins with it: `Number`, `The amount`."""
    first, *others = filler.text.split()
    before = text[max(filler.place.start - _BEFORE, 0) : filler.place.start].rstrip(" *_\"'(“")
    is_plain = first.istitle() and lists.known(first.lower()) and all(map(str.islower, others))
    return not filler.is_code and is_plain and before[-1:] in _BEGINS


def _may_name(text: str, filler: _Filler) -> bool:
    """Whether a filler may be the name of something: a capital in each word, and not that of a sentence alone."""
    if filler.is_code:
        return True
    words = filler.text.split()
    before = text[max(filler.place.start - _BEFORE, 0) : filler.place.start].rstrip(" *_\"'(“")
    has_capitals = all(word[0].isupper() or not word.isalpha() for word in words)
    return has_capitals and (len(words) > 1 or before[-1:] not in _BEGINS)


# Places


def _slots(step: Step) -> Iterator[_Slot]:
    """What each copy has between words that all have: in sentences, cells and lines that answer to each other."""
    alignment = variation.of(step)
    cells = [row for copies in groups(step) for row in cell_rows(copies, len(step.pages))]
    for row in (*alignment.rows("sentence"), *cells):
        if len(row) == len(step.pages):
            typed = {name: list(_words(step.pages[name].plain, unit.place)) for name, unit in row.items()}
            said = {name: step.pages[name].plain[slice(*unit.place)] for name, unit in row.items()}
            code = {name: "`" in text for name, text in said.items()}
            least = 0 if all(map(_CODE.fullmatch, said.values())) else 1
            yield from _fillers(step, typed, code, _SHARED if next(iter(row.values())).kind == "sentence" else least)
    for row in alignment.rows("code"):
        if len(row) == len(step.pages):
            lines = {name: list(slots.lines(step.pages[name], unit)) for name, unit in row.items()}
            if len({len(found) for found in lines.values()}) == 1:
                for each in zip(*lines.values(), strict=True):
                    yield from _of_code(step, dict(zip(lines, each, strict=True)))
    for slot in slots.commands(step):
        if len(slot) == len(step.pages):
            yield from _of_code(step, slot)


def _of_code(step: Step, said: slots.Slot) -> Iterator[_Slot]:
    typed = {name: list(_words(step.pages[name].plain, line.place)) for name, line in said.items()}
    yield from _fillers(step, typed, dict.fromkeys(said, True), 1)


def _words(text: str, place: Range) -> Iterator[_Word]:
    """The words of a text, those of addresses aside."""
    addresses = [found.span() for found in _ADDRESS.finditer(text, *place)]
    for found in _WORD.finditer(text, *place):
        if not any(start <= found.start() < end for start, end in addresses):
            yield _Word(found[0], Range(*found.span()))


def _fillers(step: Step, typed: Mapping[str, Sequence[_Word]], code: Mapping[str, bool], least: int) -> Iterator[_Slot]:
    """What stands between the words that all copies have, where each has something there."""
    texts = {name: [word.text for word in words] for name, words in typed.items()}
    if len({tuple(each) for each in texts.values()}) == 1 or max(map(len, texts.values())) > _LONGEST:
        return
    shared = _in_all(list(texts.values()))
    if len(shared) < least:
        return
    ends = {name: [-1, *_places(shared, each), len(each)] for name, each in texts.items()}
    for at in range(len(shared) + 1):
        gaps = {name: typed[name][found[at] + 1 : found[at + 1]] for name, found in ends.items()}
        if all(0 < len(gap) <= _FILLED for gap in gaps.values()):
            yield {name: _filler(step.pages[name].plain, gap, code[name]) for name, gap in gaps.items()}


def _filler(text: str, words: Sequence[_Word], is_code: bool) -> _Filler:
    place = Range(words[0].place.start, words[-1].place.end)
    ticks = text.count("`", text.rfind("\n", 0, place.start) + 1, place.start) % 2 if is_code else 0
    is_block = is_code and "`" not in text[text.rfind("\n", 0, place.start) + 1 : place.start]
    return _Filler(" ".join(word.text for word in words), place, bool(ticks) or is_block, text[slice(*place)])


def _in_all(texts: list[list[str]]) -> list[str]:
    """The words that all texts have in one order: of each two, the longest common subsequence."""
    shared = texts[0]
    for text in texts[1:]:
        shared = [
            word
            for block in LCSseq.opcodes(shared, text)
            if block.tag == "equal"
            for word in shared[block.src_start : block.src_end]
        ]
    return shared


def _places(shared: Sequence[str], text: Sequence[str]) -> list[int]:
    """Where the words that all have stand in a text."""
    return [
        block.dest_start + at
        for block in LCSseq.opcodes(list(shared), list(text))
        if block.tag == "equal"
        for at in range(block.src_end - block.src_start)
    ]
