"""Sentences in which a copy tells of what its platform has of its own: for `drifted-wording`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import islice

from tutorial_tool import lazy_re, unspaced, variants
from tutorial_tool.align import Unit
from tutorial_tool.align.wording import NO_TERMS, NUMBERS, differing, is_retyped, word_counts
from tutorial_tool.document import MASK
from tutorial_tool.variants import Step

_WORD = lazy_re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_OFTEN = 3
"""How often a page uses a word of its own that no other copy has, however short."""
_SHORT, _LONG = 3, 6
"""Words of the shortest sentence that tells whether it is another one, and of one that does by a word alone."""
_SHARE = 3
"""Of how many words no more than one is shared by sentences that tell of two things."""
_STEPS = 40
"""Other steps of a tutorial that are looked at."""
_LETTERS = 4
"""Letters of such a word, and of one that says something, at least."""


def has_own_term(step: Step, row: Mapping[str, Unit], name: str, other: str) -> bool:
    """Whether a sentence has a word that its page often says, and no other copy ever: for one word that its page says
    nowhere, or in a sentence that has less than half of its words in common with the other one."""
    mine, theirs = row[name].masked, row[other].masked
    pairs = [(mine[slice(*here)], theirs[slice(*there)]) for here, there in differing(mine, theirs)]
    if len(pairs) == 1 and all(_WORD.fullmatch(stretch) for stretch in pairs[0]):
        return not is_retyped(*pairs[0]) and _is_said_by_all_its_pages(step, name, *map(str.lower, pairs[0]))
    words = [word for stretch, _ in pairs for word in _WORD.findall(stretch.lower())]
    if not any(_is_own(step, name, word) for word in words):
        return False
    said = unspaced.count(mine)
    return 2 * (said - sum(unspaced.count(stretch) for stretch, _ in pairs)) < said


def _is_own(step: Step, name: str, word: str) -> bool:
    """Whether a page uses a word often, and no other copy does."""
    if len(word) < _LETTERS or word_counts(step.pages[name])[word] < _OFTEN:
        return False
    return all(word not in word_counts(page) for id_, page in step.pages.items() if id_ != name)


def _is_said_by_all_its_pages(step: Step, name: str, word: str, usual: str) -> bool:
    """Whether the pages of a variant often say a word, and seldom the usual one; and those of the others never do."""
    if {word, usual} & {*NO_TERMS, *NUMBERS}:
        return False
    steps = [step] if _is_own(step, name, word) else islice(variants.of_these(step), _STEPS)
    pages = [each.pages for each in steps]
    own = [word_counts(found[name]) for found in pages if name in found]
    others = (page for found in pages for id_, page in found.items() if id_ != name and id_ in step.pages)
    times, usually = (sum(counts[each] for counts in own) for each in (word, usual))
    return times >= max(_OFTEN, 2 * usually) and not any(word_counts(page)[word] for page in others)


def gives_a_reason(unit: Unit, theirs: Unit) -> bool:
    """Whether a sentence lacks words of which what follows speaks, as only this copy does: `Copy the key. A web page
    cannot keep a secret.` for `Copy the key and the secret.`"""
    pairs = differing(unit.masked, theirs.masked)
    if unit.prose is None or theirs.prose is None or any(start < end for (start, end), _ in pairs):
        return False
    lacking = {word for _, there in pairs for word in _WORD.findall(theirs.masked[slice(*there)].lower())}
    lacking = {word for word in lacking if len(word) >= _LETTERS}
    rest = _behind(unit)
    return bool(lacking) and lacking <= {*_WORD.findall(rest)} and rest != _behind(theirs)


def explains(unit: Unit, theirs: Unit) -> bool:
    """Whether another sentence speaks of what those before it lack, as only this copy does: it is the reason."""
    if unit.prose is None or theirs.prose is None or unit.is_first or theirs.is_first or not are_two(unit, theirs):
        return False
    before = [{*_WORD.findall(str(each.prose)[: each.offset].lower())} for each in (unit, theirs)]
    lacking = {word for word in before[1] - before[0] if len(word) >= _LETTERS}
    return bool(lacking) and before[0] < before[1] and lacking <= {*_WORD.findall(unit.text.lower())}


def are_two(unit: Unit, theirs: Unit) -> bool:
    """Whether two sentences share next to nothing: a word of a longer one, or short words such as `the`."""
    mine, other = unit.masked, theirs.masked
    if unspaced.is_in(mine) or MASK in mine + other or any(map(str.isdigit, mine)):
        return False
    words = [Counter(_WORD.findall(text.lower())) for text in (mine, other)]
    common, longest = words[0] & words[1], max(map(Counter.total, words))
    if longest < _SHORT or common.total() > longest / _SHARE:
        return False
    return longest > _LONG or all(len(word) < _LETTERS for word in common)


def are_two_items(unit: Unit, theirs: Unit) -> bool:
    """Whether two short items of lists share no more than words such as `the`."""
    are_items = all(each.prose is not None and each.prose.kind == "item" for each in (unit, theirs))
    is_short = max(unspaced.count(each.masked) for each in (unit, theirs)) <= _LONG
    return are_items and is_short and are_two(unit, theirs)


def _behind(unit: Unit) -> str:
    """What follows a sentence in its paragraph or item, in small letters."""
    return str(unit.prose)[unit.offset + len(unit.text) :].strip().lower() if unit.prose is not None else ""
