"""A sentence that differs from that of the other copies for no reason of its platform."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from tutorial_tool import align, lazy_re, unspaced
from tutorial_tool.align import OWN, Unit, masked, slots
from tutorial_tool.align.asides import aside
from tutorial_tool.align.wording import NUMBERS, differing, is_one_word_more, plain_words, platform_needs
from tutorial_tool.document import MASK
from tutorial_tool.evidence import Findings
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._copied_values import are_long
from tutorial_tool.rules._copies import intended, is_told, judged, mended, named, quoted, told
from tutorial_tool.rules._item_references import OtherItem, are_in_brackets, are_one_item, other_items
from tutorial_tool.rules._odd_alts import OddAlt, odd_alts
from tutorial_tool.rules._odd_amounts import odd_amounts, odd_signs
from tutorial_tool.rules._odd_literals import Odd, odd_labels
from tutorial_tool.rules._own_sentences import are_two_items, explains, gives_a_reason, has_own_term
from tutorial_tool.rules._specifications import are_own_facts
from tutorial_tool.rules._turned import Pair, few_words, put, turned
from tutorial_tool.site import Page
from tutorial_tool.variants import Step

_VERSION = lazy_re.compile(r"\d+(?:\.\d+)+")
_LETTERS = lazy_re.compile(r"\w+")
_LABEL = lazy_re.compile(r"\*\*[^*\n]+\*\*")
_CLICK = lazy_re.compile(r"\b((?:click|tap|press)(?:ing)?) on\b", re.IGNORECASE)
_ARTICLE = lazy_re.compile(r"\b(?:an?|the)[ \n]", re.IGNORECASE)
_CODE = lazy_re.compile(r"`[^`\n]+`")
_MARKED = lazy_re.compile(r"\*\*[^*\n]+\*\*|「[^「」\n]+」|『[^『』\n]+』")
"""Labels as they are typed where bold is not the only way to mark them."""
_BOUNDS = frozenset(("always", "only"))
_AGREE = 3
"""Copies that agree on the kind of a note, at least, where it says another thing on each."""
_BEFORE = 2
"""Words before a name with which it stands in another sentence, too."""
_CODES = 2
"""Pieces of code in a sentence, at least, that is about these."""
_FEW = 3
"""Words of a sentence that differ at most where it was changed by a slip, and not written anew."""


@rule("drift", Severity.HINT)
def check(step: Step, found: Findings) -> Iterator[Finding]:
    pairs: dict[str, list[Pair]] = {}
    for row in align.of(step).rows("sentence"):
        yield from _asides(step, row)
        odd = list(_odd(step, row, found))
        yield from (_item(step, each) for each in other_items(step, row))
        yield from (_label(step, each) for each in odd_labels(step, row) if each.name not in dict(odd))
        alone = {name: turn for name, pair in odd if (turn := turned(step, name, pair))}
        amounts = () if odd else odd_amounts(step, row)
        signs = () if odd else odd_signs(step, row)
        yield from (*alone.values(), *(one for one in (*amounts, *signs) if not is_told(one.span, found)))
        for name, pair in odd:
            if name not in alone:
                pairs.setdefault(name, []).append(pair)
    yield from (_alt(step, each) for each in odd_alts(step) if not found.on(step.pages[each.name], each.place))
    for name in step.pages:
        if left := _not_swapped(pairs.get(name, [])):
            yield _finding(step, name, left)


def _not_swapped(pairs: list[Pair]) -> list[Pair]:
    """The pairs without those in which one says `a` for the other's `b`, and in another sentence `b` for its `a`: both
    mean it."""
    said = [{*_differences(pair)} for pair in pairs]
    turned_round = [{(other, theirs, mine) for other, mine, theirs in each} for each in said]
    return [
        pair
        for at, pair in enumerate(pairs)
        if not any(said[at] and said[at] <= each for other, each in enumerate(turned_round) if other != at)
    ]


def _differences(pair: Pair) -> Iterator[tuple[str, str, str]]:
    """The words in which two sentences differ, each with the other variant before it."""
    for here, there in differing(pair.unit.masked, pair.theirs.masked):
        yield pair.other, pair.unit.masked[slice(*here)].lower(), pair.theirs.masked[slice(*there)].lower()


def _odd(step: Step, row: Mapping[str, Unit], found: Findings) -> Iterator[tuple[str, Pair]]:
    """The variants whose sentence is another than most say, or than the newer or the correct one."""
    texts = {name: plain_words(unit.masked) for name, unit in row.items()}
    if len(set(texts.values())) > 1:
        texts |= dict(_mended(step, row, found))
    if len(row) > 2 and len(set(texts.values())) == len(row):
        texts = {name: " ".join(NUMBERS.get(word, word) for word in text.split()) for name, text in texts.items()}
    elif len(row) > 2 and len(set(texts.values())) == 1:
        texts = _cased(row)
    said = set(texts.values())
    most = 2 * max(list(texts.values()).count(text) for text in said)
    if len(said) == 1 or (
        len(said) > 2 and (most < len(texts) or (most == len(texts) and _may_differ(step, row, said)))
    ):
        return  # each says it in its own words: no drift of one
    verdict = judged(step, texts, {name: unit.place for name, unit in row.items()}, found)
    if verdict.tie and len(row) > 3:
        return  # half of them say this, half that: two families of platforms
    for name in verdict.odd:
        other = min(verdict.usual, key=lambda id_: len(differing(row[name].masked, row[id_].masked)))
        unit, theirs, agreeing = row[name], row[other], verdict.agreeing(texts, other)
        if not (
            _is_link(unit)
            or (
                platform_needs(step, (name, unit.masked), (other, theirs.masked), agreed=len(agreeing) > 1)
                and not (len(agreeing) >= _AGREE and _is_nobodys(step, row, name, other))
            )
            or (
                is_one_word_more(unit.masked, theirs.masked)
                and not _is_case(unit, theirs)
                and not (_is_small(unit, theirs) and len(agreeing) > 1)
                and not (_is_bound(unit, theirs) and len(agreeing) >= _AGREE)
            )
            or intended(step, step.pages[name], unit.place)
            or any(_is_apart(step, (name, unit), (id_, row[id_]), tie=verdict.tie) for id_ in verdict.usual)
            or (verdict.tie and _tell_of_their_code(step, (name, unit), (other, theirs)))
            or (verdict.tie and _is_menu(step, (name, unit), (other, theirs)))
            or (verdict.tie and len(step.pages) > len(row) and _words_apart(unit, theirs) > _FEW)
            or _is_label(step, (name, unit), (other, theirs))
            or has_own_term(step, row, name, other)
            or gives_a_reason(unit, theirs)
            or explains(unit, theirs)
            or _tells_of_its_code(step, (name, unit), other, theirs)
            or (verdict.tie and (are_two_items(unit, theirs) or _name_one(step, (name, unit), (other, theirs))))
            or _are_of_items(step, (name, unit), (other, theirs))
            or are_own_facts(step, row, name, other)
            or _are_own_versions(step, (name, unit), (other, theirs))
            or told(step, (name, unit), (other, theirs), found)
        ):
            yield name, Pair(unit, other, theirs, verdict, agreeing)


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
            for each in align.of(step).rows("sentence")
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


def _mended(step: Step, row: Mapping[str, Unit], found: Findings) -> Iterator[tuple[str, str]]:
    """The texts that other rules tell how to mend, as they are then."""
    for name, unit in row.items():
        text = mended(step.pages[name], unit.place, unit.text, found)
        if text.strip() != unit.text.strip():
            yield name, plain_words(masked(text, step.variants[name]))


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
    versions = [[_VERSION.findall(text) for text in pair] for pair in pairs]
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
    longest = max(unspaced.count(unit.masked), unspaced.count(theirs.masked))
    common = longest - max(_words_apart(unit, theirs), _words_apart(theirs, unit))
    if not (MASK in unit.masked and MASK in theirs.masked and longest > _FEW):
        return False
    return 2 * common < longest or (_code_alone(step, here, there) and common - unit.masked.count(MASK) <= _FEW)


def _tells_of_its_code(step: Step, here: tuple[str, Unit], other: str, theirs: Unit) -> bool:
    """Whether a sentence is rewritten around code that no other page has: it tells of its platform's own."""
    name, unit = here
    if MASK not in unit.text or _words_apart(unit, theirs) <= _FEW:
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
    labels = [" ".join(_LABEL.findall(text)) for _, text in typed]
    rest = {masked(_LABEL.sub("", text), variant) for variant, text in typed}
    words = [Counter(_LETTERS.findall(label)) for label in labels]
    if len(rest) > 1 or words[0] == words[1]:
        return False
    return any(" > " in label for label in labels) or not {*map(str.lower, words[0])} & {*map(str.lower, words[1])}


def _is_label(step: Step, here: tuple[str, Unit], there: tuple[str, Unit]) -> bool:
    """Whether two sentences differ in a bold or quoted label alone, which only its own page has.

    In a script without capitals, that tells the names of menus and buttons, each platform's own, from other words.
    """
    (name, unit), (other, theirs) = here, there
    if not (unspaced.is_in(unit.text) and unspaced.is_in(theirs.text)):
        return False
    pages = step.pages[name], step.pages[other]
    typed = [_typed(page, each) for page, each in zip(pages, (unit, theirs), strict=True)]
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


def _typed(page: Page, unit: Unit) -> str:
    """A sentence as it is typed, with the marks of a label that begins or ends it."""
    start, end = unit.place
    start -= 2 * page.plain.endswith("**", 0, start)
    return page.plain[start : end + 2 * page.plain.startswith("**", end)]


def _cased(row: Mapping[str, Unit]) -> dict[str, str]:
    """The words of texts that differ in nothing but case and marks, if the case of one differs within a sentence."""
    words = {name: " ".join(_LETTERS.findall(unit.masked)) for name, unit in row.items()}
    texts = {name: text[:1].lower() + text[1:] for name, text in words.items()}
    return texts if sorted(Counter(texts.values()).values()) == [1, len(row) - 1] else dict.fromkeys(texts, "")


def _is_case(unit: Unit, theirs: Unit) -> bool:
    """Whether two texts differ in the case of a word, and in no other words."""
    mine, other = (_LETTERS.findall(text.masked) for text in (unit, theirs))
    return mine != other and [word.lower() for word in mine] == [word.lower() for word in other]


def _may_differ(step: Step, row: Mapping[str, Unit], said: Iterable[str]) -> bool:
    """Whether each platform may say it in its own way, where no more than half say one thing."""
    return _differ_in_numbers(said) or _differ_in_labels(step, row) or _differ_in_code(step, row)


def _differ_in_code(step: Step, row: Mapping[str, Unit]) -> bool:
    """Whether each text has other code, beside which a language may have its own words: it throws, raises, returns."""
    codes = {tuple(_CODE.findall(_typed(step.pages[name], unit))) for name, unit in row.items()}
    return all(codes) and len(codes) == len(row)


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


def _differ_in_numbers(texts: Iterable[str]) -> bool:
    """Whether texts are one but for numbers, in figures or in words."""
    words = (unspaced.words(_VERSION.sub("0", text)) for text in texts)
    return len({tuple("#" if word.isdigit() or word in NUMBERS else word for word in each) for each in words}) == 1


def _differ_in_labels(step: Step, row: Mapping[str, Unit]) -> bool:
    """Whether texts are one but for labels in bold: each platform's own menus and buttons, if they are several."""
    typed = {name: _typed(step.pages[name], unit) for name, unit in row.items()}
    rest = {plain_words(masked(_LABEL.sub("", text), step.variants[name])) for name, text in typed.items()}
    return len(rest) == 1


def _is_link(unit: Unit) -> bool:
    """Whether a text is that of links, and a word or two beside them: it names what they lead to."""
    inside = any(link.start <= unit.place.start and unit.place.end <= link.end for link in unit.links)
    return inside or (bool(unit.links) and unspaced.count(unit.beside_links) <= 2)


def _asides(step: Step, row: Mapping[str, Unit]) -> Iterator[Finding]:
    """What begins a note on some copies, and a warning on others."""
    found = {name: aside(step.pages[name], unit) for name, unit in row.items() if not step.pages[name].generated}
    opened = {name: one for name, one in found.items() if one is not None}
    words = {name: masked(one.word, step.variants[name]) for name, one in opened.items()}
    if len(opened) < len(row) or len(set(words.values())) != 2:
        return
    verdict = judged(step, words, {name: one.place for name, one in opened.items()})
    name, other = verdict.odd[0], verdict.usual[0]
    is_one_text = plain_words(row[name].masked) == plain_words(row[other].masked)
    if not is_one_text and (verdict.tie or len(verdict.odd) > 1 or len(verdict.usual) < _AGREE):
        return
    message = f"marked `{words[name]}` here, and `{words[other]}` on {named(step, verdict.usual)}"
    related = [(step.pages[other], opened[other].place, f"`{words[other]}` here")]
    yield step.pages[name].flag(opened[name].place, message, related=related)


def _label(step: Step, odd: Odd) -> Finding:
    message = f"`{odd.said.text}` here, and `{odd.usual.text}` on {named(step, odd.others)}"
    there = odd.others[0]
    related = [(step.pages[there], odd.usual.place, f"`{odd.usual.text}` here")]
    return step.pages[odd.name].flag(odd.said.place, message, related=related)


def _item(step: Step, odd: OtherItem) -> Finding:
    others = named(step, odd.others)
    message = f"`{odd.text}` is another item than on {others}: what they mean is item {odd.number} here"
    related = [(step.pages[odd.others[0]], odd.there, f"the item on {step.variants[odd.others[0]].name}")]
    return step.pages[odd.name].flag(odd.place, message, related=related)


def _alt(step: Step, odd: OddAlt) -> Finding:
    message = f"the picture is described as {quoted(odd.usual, odd.alt)} on {named(step, odd.others)}"
    related = [(step.pages[odd.others[0]], odd.there, f"what {step.variants[odd.others[0]].name} says")]
    return step.pages[odd.name].flag(odd.place, message, related=related)


def _finding(step: Step, name: str, pairs: list[Pair]) -> Finding:
    page, (first, *rest) = step.pages[name], sorted(pairs, key=_doubt)
    others = named(step, first.agreeing)
    where = "below" if first is pairs[0] else "on this page"
    many = f"; {len(rest)} more {where}" if rest else ""
    if places := few_words(step, name, first):
        place, message = put(step, name, first, *places)
    else:
        reason = f" ({first.verdict.reason})" if first.verdict.reason else ""
        mine, theirs = quoted(first.unit.text, first.theirs.text), quoted(first.theirs.text, first.unit.text)
        place, message = first.unit.place, f"{mine} differs from {others}: {theirs}{reason}"
    related = [(step.pages[first.other], first.theirs.place, f"what {step.variants[first.other].name} says")]
    for pair in rest:
        related.append((page, pair.unit.place, f"differs, too: {quoted(pair.unit.text, pair.theirs.text)}"))
        text = f"what {step.variants[pair.other].name} says: {quoted(pair.theirs.text, pair.unit.text)}"
        related.append((step.pages[pair.other], pair.theirs.place, text))
    severity = Severity.WARNING if first.verdict.strong else None
    return page.flag(place, message + many, related=related, severity=severity)


def _doubt(pair: Pair) -> tuple[bool, ...]:
    """What makes a pair less sure than others: no mistake is found in it, or not all others agree, if they are several.

    Where they do, code in it, which may need other words, or more than a few words that differ.
    """
    others = len(pair.verdict.odd) + len(pair.verdict.usual) - 1
    if len(pair.agreeing) < max(others, 2):
        return not pair.verdict.strong, True
    is_rewritten = _words_apart(pair.unit, pair.theirs) > _FEW
    return not pair.verdict.strong, False, "\ufffc" in pair.unit.masked + pair.theirs.masked, is_rewritten


def _words_apart(unit: Unit, theirs: Unit) -> int:
    """How many words of a sentence another one has not in that place."""
    return sum(unspaced.count(unit.masked[slice(*here)]) for here, _ in differing(unit.masked, theirs.masked))
