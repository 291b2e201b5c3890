"""Sentences in which a copy tells of what its platform has of its own: for `drifted-wording`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain

from tutorial_tool import variants, variation
from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.markdown.document import MASK
from tutorial_tool.site import Page
from tutorial_tool.variants import Step, Variant
from tutorial_tool.variation import Unit
from tutorial_tool.variation.opposites import are_opposed
from tutorial_tool.variation.wording import (
    NO_TERMS,
    NUMBERS,
    denies,
    differing,
    is_retyped,
    plain_words,
    word_counts,
)

_WORD = lazy_re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_FEW = 3
"""Words at most in which a sentence is a platform's own, and the same else."""
_TERM = lazy_re.compile(r"[^\W\d_]{4,}|[^\W\d_]{3,} [^\W\d_]{3,}")
_OFTEN = 3
"""How often a page uses a word of its own that no other copy has, however short."""
_TERMS = 2
"""In how many places a sentence differs at most in which a term is another one."""
_TWICE = 2
"""How often it must stand elsewhere than in the place of the usual word, where its page has that, too."""
_SHORT, _LONG = 3, 6
"""Words of the shortest sentence that tells whether it is another one, and of one that does by a word alone."""
_SHARE = 3
"""Of how many words no more than one is shared by sentences that tell of two things."""
_NAME_WORD = lazy_re.compile(r"[^\W\d_]+")
_DENIALS = frozenset(("no", "non", "not", "un", "without", "disabled", "off"))
"""Words in the name of what is told apart from its opposite."""
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
    said = scripts.count(mine)
    return 2 * (said - sum(scripts.count(stretch) for stretch, _ in pairs)) < said


def are_terms_of_both(step: Step, here: tuple[str, Unit], there: tuple[str, Unit]) -> bool:
    """Whether two sentences differ in a term of a word or two, which the pages of each say twice or more, and those of
    the other never: `menu bar`, `tray`."""
    (name, unit), (other, theirs) = here, there
    pairs = differing(unit.masked, theirs.masked)
    said = [(unit.masked[slice(*left)].lower(), theirs.masked[slice(*right)].lower()) for left, right in pairs]
    if len(said) > _TERMS or any(map(_is_number, " ".join(chain(*said)).split())):
        return False
    steps = (step, *variants.others(step))
    pages = [[each.pages[id_] for each in steps if id_ in each.pages] for id_ in (name, other)]
    return any(_is_each_s_term(terms, pages) for terms in said)


def _is_each_s_term(terms: tuple[str, str], pages: Sequence[Sequence[Page]]) -> bool:
    """Whether the first of two lists of pages says the first of two terms, and never the second; and so on."""
    if not all(_TERM.fullmatch(term) and term not in NO_TERMS for term in terms):
        return False
    counts = [[sum(times_said(page, term) for page in own) for own in pages] for term in terms]
    return min(counts[0][0], counts[1][1]) >= _TWICE and not counts[0][1] and not counts[1][0]


def times_said(page: Page, phrase: str) -> int:
    """How often a page says some words that stand side by side."""
    if not all(word_counts(page)[word] for word in phrase.split()):
        return 0
    found = re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)")
    return sum(len(found.findall(" ".join(prose.lower().split()))) for prose in page.document.prose())


def differ_in_terms(step: Step, row: Mapping[str, Unit]) -> bool:
    """Whether half of the copies say one thing, and each other one has a word in its place that no other copy ever
    says, and one of them says its word elsewhere, too: `in a container`, `in your cluster`."""
    texts = {name: plain_words(unit.masked) for name, unit in row.items()}
    usual = Counter(texts.values()).most_common(1)[0][0]
    theirs = next(row[name] for name in row if texts[name] == usual)
    words = {name: _words_apart(unit, theirs) for name, unit in row.items() if texts[name] != usual}
    numbers = {tuple(filter(_is_number, scripts.words(unit.masked.lower()))) for unit in row.values()}
    if len(numbers) > 1 or max(map(len, words.values())) > _FEW:
        return False
    own = {name: [word for word in found if _is_own(step, name, word, 1)] for name, found in words.items()}
    return all(own.values()) and any(
        word_counts(step.pages[name])[word] > 1 for name, found in own.items() for word in found
    )


def _is_number(word: str) -> bool:
    return word in NUMBERS or any(map(str.isdigit, word))


def _words_apart(unit: Unit, theirs: Unit) -> list[str]:
    """The words that a sentence has in the place of others, but for those that are typed otherwise only."""
    pairs = [
        (unit.masked[slice(*here)], theirs.masked[slice(*there)])
        for here, there in differing(unit.masked, theirs.masked)
    ]
    return [word for mine, other in pairs if not is_retyped(mine, other) for word in _WORD.findall(mine.lower())]


def _is_own(step: Step, name: str, word: str, times: int = _OFTEN) -> bool:
    """Whether a page uses a word often, and no other copy does."""
    if len(word) < _LETTERS or word_counts(step.pages[name])[word] < times:
        return False
    return all(word not in word_counts(page) for id_, page in step.pages.items() if id_ != name)


def _is_said_by_all_its_pages(step: Step, name: str, word: str, usual: str) -> bool:
    """Whether the pages of a variant often say a word, and seldom the usual one; and those of the others never do."""
    if {word, usual} & {*NO_TERMS, *NUMBERS}:
        return False
    steps = [step] if _is_own(step, name, word) else variants.looked_at(step)
    pages = [each.pages for each in steps]
    own = [word_counts(found[name]) for found in pages if name in found]
    others = (page for found in pages for id_, page in found.items() if id_ != name and id_ in step.pages)
    times, usually = (sum(counts[each] for counts in own) for each in (word, usual))
    if times < _OFTEN or any(word_counts(page)[word] for page in others):
        return False
    return times >= 2 * usually or times - _swapped(step, name, word, usual) >= _TWICE


def _swapped(step: Step, name: str, word: str, usual: str) -> int:
    """In how many sentences of a step a page has a word in the place of the usual one."""
    pair = (word, usual)
    return sum(
        any(
            (row[name].masked[slice(*here)].lower(), theirs.masked[slice(*there)].lower()) == pair
            for other, theirs in row.items()
            if other != name
            for here, there in differing(row[name].masked, theirs.masked)
        )
        for row in variation.of(step).rows("sentence")
        if name in row and word in row[name].masked.lower()
    )


def are_of_opposites(variants: tuple[Variant, Variant], mine: str, theirs: str) -> bool:
    """Whether two texts differ in a denial or in opposites, as the names of their variants do: `Not intrusive`."""
    names = [{*_NAME_WORD.findall(f"{each.id} {each.name}".lower())} for each in variants]
    if len([1 for words in names if words & _DENIALS]) != 1:
        return False
    return any(
        denies(mine[slice(*here)], theirs[slice(*there)])
        or are_opposed(mine[slice(*here)].lower(), theirs[slice(*there)].lower())
        for here, there in differing(mine, theirs)
    )


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
    if scripts.is_in(mine) or MASK in mine + other or any(map(str.isdigit, mine)):
        return False
    words = [Counter(_WORD.findall(text.lower())) for text in (mine, other)]
    common, longest = words[0] & words[1], max(map(Counter.total, words))
    if longest < _SHORT or common.total() > longest / _SHARE:
        return False
    return longest > _LONG or all(len(word) < _LETTERS for word in common)


def are_two_items(unit: Unit, theirs: Unit) -> bool:
    """Whether two items of lists share no more than words such as `the`, and if they are longer, one more."""
    if not all(each.prose is not None and each.prose.kind == "item" for each in (unit, theirs)):
        return False
    if max(scripts.count(each.masked) for each in (unit, theirs)) <= _LONG:
        return are_two(unit, theirs)
    return are_two(unit, theirs) and len(_shared(unit, theirs)) <= 1


def _shared(unit: Unit, theirs: Unit) -> set[str]:
    """The longer words that two texts have in common."""
    said = [{word for word in _WORD.findall(each.masked.lower()) if len(word) >= _LETTERS} for each in (unit, theirs)]
    return said[0] & said[1]


def go_on_with_their_own(unit: Unit, theirs: Unit) -> bool:
    """Whether two sentences that share short words alone follow others that differ, too, in a paragraph of each."""
    if unit.prose is None or theirs.prose is None or unit.is_first or theirs.is_first or not are_two(unit, theirs):
        return False
    if _shared(unit, theirs):
        return False
    before = [_WORD.findall(str(each.prose)[: each.offset].lower()) for each in (unit, theirs)]
    return before[0] != before[1]


def _behind(unit: Unit) -> str:
    """What follows a sentence in its paragraph or item, in small letters."""
    return str(unit.prose)[unit.offset + len(unit.text) :].strip().lower() if unit.prose is not None else ""
