"""Why a sentence may differ from that of the other copies, so that nobody has to mend it: for `drifted-wording`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from rapidfuzz import fuzz

from tutorial_tool import variation
from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.markdown.document import MASK
from tutorial_tool.rules._shared._code_behind import name_what_their_code_has
from tutorial_tool.rules._shared._copies import intended
from tutorial_tool.rules._shared._item_references import are_in_brackets, are_one_item
from tutorial_tool.rules._shared._turned import Pair
from tutorial_tool.rules.drift._own_sentences import (
    are_of_opposites,
    are_terms_of_both,
    are_two_items,
    explains,
    gives_a_reason,
    go_on_with_their_own,
    has_own_term,
)
from tutorial_tool.rules.drift._specifications import are_own_facts
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variation import OWN, Unit, masked, slots
from tutorial_tool.variation.copied_values import are_long
from tutorial_tool.variation.wording import (
    differing,
    is_one_word_more,
    lacks_one_of_a_list,
    plain_words,
    platform_needs,
)

VERSION = lazy_re.compile(r"\d+(?:\.\d+)+")
LETTERS = lazy_re.compile(r"\w+")
LABEL = lazy_re.compile(r"\*\*[^*\n]+\*\*")
_CLICK = lazy_re.compile(r"\b((?:click|tap|press)(?:ing)?) on\b", re.IGNORECASE)
_ARTICLE = lazy_re.compile(r"\b(?:an?|the)[ \n]", re.IGNORECASE)
_MARKED = lazy_re.compile(r"\*\*[^*\n]+\*\*|「[^「」\n]+」|『[^『』\n]+』")
"""Labels as they are typed where bold is not the only way to mark them."""
_BOUNDS = frozenset(("always", "only"))
AGREE = 3
"""Copies that agree on something, at least, where one that has it otherwise needs more of a reason."""
_PAIR = 2
"""Words of a label, at most; and words in which two sentences differ where each has another one in one place."""
_NEARLY = 75
"""How alike two labels are, in percent, that are one, mistyped."""
_BEFORE = 2
"""Words before a name with which it stands in another sentence, too."""
_CODES = 2
"""Pieces of code in a sentence, at least, that is about these."""
FEW = 3
"""Words of a sentence that differ at most where it was changed by a slip, and not written anew."""


def has_a_reason(step: Step, row: Mapping[str, Unit], name: str, pair: Pair) -> bool:
    """Whether the sentence of a copy is another one for a reason of its platform, or of its page."""
    unit, other, theirs, verdict, _ = pair
    here, there = (name, unit), (other, theirs)
    return (
        _is_link(unit)
        or _is_needed(step, row, name, pair)
        or _has_more_words(pair)
        or intended(step, step.pages[name], unit.place)
        or any(_is_apart(step, here, (id_, row[id_]), tie=verdict.tie) for id_ in verdict.usual)
        or (verdict.tie and _may_both_be_right(step, row, here, there))
        or _is_label(step, here, there)
        or has_own_term(step, row, name, other)
        or gives_a_reason(unit, theirs)
        or explains(unit, theirs)
        or go_on_with_their_own(unit, theirs)
        or are_of_opposites((step.variants[name], step.variants[other]), unit.masked, theirs.masked)
        or _tells_of_its_code(step, here, other, theirs)
        or name_what_their_code_has((step.pages[name], unit), (step.pages[other], theirs))
        or _are_of_items(step, here, there)
        or are_own_facts(step, row, name, other)
        or _are_own_versions(step, here, there)
    )


def _is_needed(step: Step, row: Mapping[str, Unit], name: str, pair: Pair) -> bool:
    """Whether a platform needs the words, other than a name that is nobody's where many agree on another one."""
    here, there = (name, pair.unit.masked), (pair.other, pair.theirs.masked)
    many = len(pair.agreeing)
    return platform_needs(step, here, there, agreed=many > 1) and not (
        many >= AGREE and _is_nobodys(step, row, name, pair.other)
    )


def _has_more_words(pair: Pair) -> bool:
    """Whether a sentence has a word more or less, which changes nothing: but for case, for articles and one of several
    names where several agree on theirs, and for bounds where many do."""
    unit, theirs, many = pair.unit, pair.theirs, len(pair.agreeing)
    if not is_one_word_more(unit.masked, theirs.masked) or _is_case(unit, theirs):
        return False
    if many > 1 and lacks_one_of_a_list(unit.masked, theirs.masked):
        return False
    return not (_is_small(unit, theirs) and many > 1) and not (_is_bound(unit, theirs) and many >= AGREE)


def _may_both_be_right(step: Step, row: Mapping[str, Unit], here: tuple[str, Unit], there: tuple[str, Unit]) -> bool:
    """Whether two sentences, of which nothing says which is the odd one, each tell of their own."""
    unit, theirs = here[1], there[1]
    return (
        _tell_of_their_code(step, here, there)
        or _is_menu(step, here, there)
        or (len(step.pages) > len(row) and words_apart(unit, theirs) > FEW)
        or (len(step.pages) >= 2 * len(row) and _is_alone(step, row))
        or _are_labels(unit, theirs)
        or _is_replaced(step, row)
        or are_terms_of_both(step, here, there)
        or are_two_items(unit, theirs)
        or _name_one(step, here, there)
    )


def _are_labels(unit: Unit, theirs: Unit) -> bool:
    """Whether two texts of a word or two are no longer than labels, and not one that was mistyped: `npm:`, `Or:`."""
    texts = (unit.masked, theirs.masked)
    return max(map(scripts.count, texts)) <= _PAIR and fuzz.ratio(*map(str.lower, texts)) < _NEARLY


def _is_replaced(step: Step, row: Mapping[str, Unit]) -> bool:
    """Whether two rewritten items stand between one that one of the two copies has and one that the other has: each has
    several of its own there."""
    units = list(row.values())
    if len(units) != _PAIR or max(words_apart(*units), words_apart(*units[::-1])) <= FEW:
        return False
    rows = _around(step, row)
    at = next((number for number, one in enumerate(rows) if one is row), 0)
    beside = [tuple(one) for one in (*rows[max(at - 1, 0) : at], *rows[at + 1 : at + 2])]
    return len(beside) == _PAIR and beside[0] != beside[1] and all(len(one) == 1 for one in beside)


def _is_alone(step: Step, row: Mapping[str, Unit]) -> bool:
    """Whether two copies differ in more than a word or two of a sentence, and say nothing else alike in its section."""
    units = list(row.values())
    if len(units) != _PAIR or words_apart(*units) + words_apart(*units[::-1]) <= _PAIR:
        return False
    shared = (one for one in _around(step, row) if one is not row and all(name in one for name in row))
    return not any(len({plain_words(one[name].masked) for name in row}) == 1 for one in shared)


def _around(step: Step, row: Mapping[str, Unit]) -> Sequence[Mapping[str, Unit]]:
    """What stands in the section of a sentence."""
    return next((each.rows for each in variation.of(step).sections if any(one is row for one in each.rows)), ())


def _is_nobodys(step: Step, row: Mapping[str, Unit], name: str, other: str) -> bool:
    """Whether the name that all copies but one have in a sentence is no platform's.

    All say it in one sentence elsewhere behind the same words; or it is that of a link which leads to one page from
    all, also where it is called otherwise.
    """
    unit, theirs = row[name], row[other]
    pairs = differing(unit.masked, theirs.masked)
    if len(pairs) != 1 or OWN in unit.masked[slice(*pairs[0][0])] + theirs.masked[slice(*pairs[0][1])]:
        return False
    texts = differing(unit.text, theirs.text)
    if len(texts) != 1:
        return False
    ((here, there),) = texts
    mine, usual = unit.text[slice(*here)], theirs.text[slice(*there)]
    if (
        not (mine and usual)
        or MASK in mine + usual
        or any(mine in page.plain for id_, page in step.pages.items() if id_ != name)
    ):
        return False
    if len({tuple(link.href for link in each.links) for each in row.values()}) == 1 and unit.links:
        start, end = unit.at(*here)
        return any(link.start <= start and end <= link.end for link in unit.links)
    before = theirs.text[: there[0]].split()[-_BEFORE:]
    phrase = " ".join((*before, usual))
    return (
        len(before) == _BEFORE
        and step.pages[name].plain.count(mine) == 1
        and any(
            len(each) == len(step.pages)
            and len({one.masked for one in each.values()}) == 1
            and phrase in each[name].masked
            for each in variation.of(step).rows("sentence")
            if each is not row
        )
    )


def _are_of_items(step: Step, here: tuple[str, Unit], there: tuple[str, Unit]) -> bool:
    """Whether two sentences differ in numbers alone, of items that answer to each other: `step 2` of a longer list."""
    mine, theirs = here[1], there[1]
    pairs = differing(mine.text, theirs.text)
    numbers = [(mine.text[slice(*left)], theirs.text[slice(*right)]) for left, right in pairs]
    are_one = bool(numbers) and all(are_one_item(step, (*here, left), (*there, right)) for left, right in numbers)
    return are_one or are_in_brackets(step, here, there)


def _is_apart(step: Step, here: tuple[str, Unit], there: tuple[str, Unit], *, tie: bool) -> bool:
    """Whether two sentences differ in numbers alone, each of which is its platform's own elsewhere, too.

    Between two copies a long number, such as a port, need not be met again: it counts nothing.
    """
    (name, mine), (other, theirs) = here, there
    if not any(map(str.isdigit, mine.text)):
        return False
    said = [
        (left, right)
        for place, their_place in differing(mine.text, theirs.text)
        for left, right in ((mine.text[slice(*place)], theirs.text[slice(*their_place)]),)
        if masked(left, step.variants[name]) != masked(right, step.variants[other])
    ]
    return bool(said) and all(
        left.isdigit()
        and right.isdigit()
        and ((tie and are_long(left, right)) or slots.apart(step, (name, left), (other, right), mine.place))
        for left, right in said
    )


def _are_own_versions(step: Step, here: tuple[str, Unit], there: tuple[str, Unit]) -> bool:
    """Whether two sentences differ in versions alone, which each page says in longer form: `3.0`, and `acme@3.0.2`."""
    texts = here[1].masked, there[1].masked
    pairs = [[text[slice(*place)] for text, place in zip(texts, pair, strict=True)] for pair in differing(*texts)]
    versions = [[VERSION.findall(text) for text in pair] for pair in pairs]
    pages = [step.pages[name].plain for name, _ in (here, there)]
    return bool(pairs) and all(
        len(found) == 1 and re.search(rf"(?<![\d.]){re.escape(found[0])}\.\d", page)
        for pair in versions
        for found, page in zip(pair, pages, strict=True)
    )


def _name_one(step: Step, here: tuple[str, Unit], there: tuple[str, Unit]) -> bool:
    """Whether a page names itself where the other one names it, too, or each names the other one: they point at each
    other."""
    pairs = (here, there), (there, here)
    named_there = [bool(step.variants[name].pattern.search(theirs.text)) for (name, _), (_, theirs) in pairs]
    own = [OWN in mine.masked for (_, mine), _ in pairs]
    return all(named_there) or any(is_own and is_there for is_own, is_there in zip(own, named_there, strict=True))


def _tell_of_their_code(step: Step, here: tuple[str, Unit], there: tuple[str, Unit]) -> bool:
    """Whether two sentences with code in them have less than half of their words in common, or a few words and no code:
    each tells of its own."""
    unit, theirs = here[1], there[1]
    longest = max(scripts.count(unit.masked), scripts.count(theirs.masked))
    common = longest - max(words_apart(unit, theirs), words_apart(theirs, unit))
    if not (MASK in unit.masked and MASK in theirs.masked and longest > FEW):
        return False
    return 2 * common < longest or (_code_alone(step, here, there) and common - unit.masked.count(MASK) <= FEW)


def _tells_of_its_code(step: Step, here: tuple[str, Unit], other: str, theirs: Unit) -> bool:
    """Whether a sentence is rewritten around code that no other page has: it tells of its platform's own."""
    name, unit = here
    if MASK not in unit.text or words_apart(unit, theirs) <= FEW:
        return False
    codes = {said.text for said in slots.code_of(step.pages[name], unit)}
    own = [code for code in codes if not any(code in page.plain for id_, page in step.pages.items() if id_ != name)]
    shapes = {slots.shape(step, other, said.text) for said in slots.code_of(step.pages[other], theirs)}
    return any(slots.shape(step, name, code) not in shapes for code in own)


def _code_alone(step: Step, here: tuple[str, Unit], there: tuple[str, Unit]) -> bool:
    """Whether two sentences have several pieces of code, none of which both have."""
    codes = [
        {slots.shape(step, name, said.text) for said in slots.code_of(step.pages[name], unit)}
        for name, unit in (here, there)
    ]
    return min(map(len, codes)) >= _CODES and not codes[0] & codes[1]


def _is_menu(step: Step, here: tuple[str, Unit], there: tuple[str, Unit]) -> bool:
    """Whether two sentences differ in menus alone, other words of which each of two platforms may have, or in labels
    that have no word in common."""
    typed = [(step.variants[name], step.pages[name].plain[slice(*unit.place)]) for name, unit in (here, there)]
    labels = [" ".join(LABEL.findall(text)) for _, text in typed]
    rest = {masked(LABEL.sub("", text), variant) for variant, text in typed}
    words = [Counter(LETTERS.findall(label)) for label in labels]
    if len(rest) > 1 or words[0] == words[1]:
        return False
    return any(" > " in label for label in labels) or not {*map(str.lower, words[0])} & {*map(str.lower, words[1])}


def _is_label(step: Step, here: tuple[str, Unit], there: tuple[str, Unit]) -> bool:
    """Whether two sentences differ in a bold or quoted label alone, which only its own page has.

    In a script without capitals, that tells the names of menus and buttons, each platform's own, from other words.
    """
    (name, unit), (other, theirs) = here, there
    if not (scripts.is_in(unit.text) and scripts.is_in(theirs.text)):
        return False
    pages = step.pages[name], step.pages[other]
    typed = [as_typed(page, each) for page, each in zip(pages, (unit, theirs), strict=True)]
    mine, other_ones = (set(_MARKED.findall(text)) for text in typed)
    rest = {
        plain_words(masked(_MARKED.sub("", text), step.variants[id_]))
        for text, id_ in zip(typed, (name, other), strict=True)
    }
    own = mine - other_ones, other_ones - mine
    return (
        len(rest) == 1
        and len(mine) == len(other_ones)
        and all(own)
        and not (any(label in pages[1].plain for label in own[0]) or any(label in pages[0].plain for label in own[1]))
    )


def _is_case(unit: Unit, theirs: Unit) -> bool:
    """Whether two texts differ in the case of a word, and in no other words."""
    mine, other = (LETTERS.findall(text.masked) for text in (unit, theirs))
    return mine != other and [word.lower() for word in mine] == [word.lower() for word in other]


def _is_small(unit: Unit, theirs: Unit) -> bool:
    """Whether two texts differ in nothing but articles within them, or `click on` for `click`."""
    mine, other = (_ARTICLE.sub("", _CLICK.sub(r"\1", text.masked)) for text in (unit, theirs))
    begin = [text.masked.lower().split()[:1] for text in (unit, theirs)]
    return begin[0] == begin[1] and plain_words(mine) == plain_words(other)


def _is_bound(unit: Unit, theirs: Unit) -> bool:
    """Whether two texts differ in a word that says when something holds: `Always`, `only`."""
    pairs = differing(unit.masked, theirs.masked)
    said = [unit.masked[slice(*here)] + theirs.masked[slice(*there)] for here, there in pairs]
    return bool(said) and all(each.lower() in _BOUNDS for each in said)


def _is_link(unit: Unit) -> bool:
    """Whether a text is that of links, and a word or two beside them: it names what they lead to."""
    inside = any(link.start <= unit.place.start and unit.place.end <= link.end for link in unit.links)
    return inside or (bool(unit.links) and scripts.count(unit.beside_links) <= 2)


def as_typed(page: Page, unit: Unit) -> str:
    """A sentence as it is typed, with the marks of a label that begins or ends it."""
    start, end = unit.place
    start -= 2 * page.plain.endswith("**", 0, start)
    return page.plain[start : end + 2 * page.plain.startswith("**", end)]


def words_apart(unit: Unit, theirs: Unit) -> int:
    """How many words of a sentence another one has not in that place."""
    return sum(scripts.count(unit.masked[slice(*here)]) for here, _ in differing(unit.masked, theirs.masked))
