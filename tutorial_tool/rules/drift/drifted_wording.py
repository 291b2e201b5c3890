"""A sentence that differs from that of the other copies for no reason of its platform."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from tutorial_tool import variation
from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._code_behind import code_behind
from tutorial_tool.rules._shared._copies import is_told, judged, mended, named, quoted, told
from tutorial_tool.rules._shared._item_references import OtherItem, other_items
from tutorial_tool.rules._shared._odd_literals import Odd, odd_labels
from tutorial_tool.rules._shared._stray_values import stray, stray_values
from tutorial_tool.rules._shared._turned import Pair, few_words, mistyped, put, turned
from tutorial_tool.rules.drift._link_texts import OtherText, other_texts
from tutorial_tool.rules.drift._mixed_terms import MixedTerm, mixed_terms
from tutorial_tool.rules.drift._odd_alts import OddAlt, odd_alts
from tutorial_tool.rules.drift._odd_amounts import odd_amounts, odd_signs
from tutorial_tool.rules.drift._own_sentences import differ_in_terms
from tutorial_tool.rules.drift._own_verbs import OtherVerb, other_verbs
from tutorial_tool.rules.drift._own_wording import (
    AGREE,
    FEW,
    LABEL,
    LETTERS,
    VERSION,
    as_typed,
    has_a_reason,
    words_apart,
)
from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variation import Unit, masked
from tutorial_tool.variation.asides import aside
from tutorial_tool.variation.wording import NUMBERS, differing, plain_words

_CODE = lazy_re.compile(r"`[^`\n]+`")


@rule("drift", Severity.HINT)
def check(step: Step, found: Findings) -> Iterator[Finding]:
    pairs: dict[str, list[Pair]] = {}
    verbs, terms = tuple(other_verbs(step)), mixed_terms(step)
    settled = {id(row) for term in terms for row in term.rows}
    for row in variation.of(step).rows("sentence"):
        if any(each.name in row and row[each.name].place.start == each.place.start for each in verbs):
            continue  # the copies that say it otherwise are right
        if id(row) in settled:
            continue
        yield from _asides(step, row)
        odd = list(_odd(step, row, found))
        yield from (_item(step, each) for each in other_items(step, row))
        yield from (_label(step, each) for each in odd_labels(step, row) if each.name not in dict(odd))
        alone = {name: turn for name, pair in odd if (turn := turned(step, name, pair) or mistyped(step, name, pair))}
        amounts = () if odd else odd_amounts(step, row)
        signs = () if odd else odd_signs(step, row)
        yield from (*alone.values(), *(one for one in (*amounts, *signs) if not is_told(one.span, found)))
        for name, pair in odd:
            if name not in alone:
                pairs.setdefault(name, []).append(pair)
    yield from (_alt(step, each) for each in odd_alts(step) if not found.on(step.pages[each.name], each.place))
    yield from (_verb(step, each) for each in verbs)
    yield from (_term(step, each) for each in terms)
    yield from (stray(step, each) for each in stray_values(step, "number"))
    told = {name: [pair.unit.place for pair in found] for name, found in pairs.items()}
    links = (each for each in other_texts(step) if not any(at.touches(*each.place) for at in told.get(each.name, ())))
    yield from (one for one in map(partial(_link, step), links) if not is_told(one.span, found))
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
        pair = Pair(row[name], other, row[other], verdict, verdict.agreeing(texts, other))
        if not (has_a_reason(step, row, name, pair) or told(step, (name, pair.unit), (other, pair.theirs), found)):
            yield name, pair


def _mended(step: Step, row: Mapping[str, Unit], found: Findings) -> Iterator[tuple[str, str]]:
    """The texts that other rules tell how to mend, as they are then."""
    for name, unit in row.items():
        text = mended(step.pages[name], unit.place, unit.text, found)
        if text.strip() != unit.text.strip():
            yield name, plain_words(masked(text, step.variants[name]))


def _cased(row: Mapping[str, Unit]) -> dict[str, str]:
    """The words of texts that differ in nothing but case and marks, if the case of one differs within a sentence."""
    words = {name: " ".join(LETTERS.findall(unit.masked)) for name, unit in row.items()}
    texts = {name: text[:1].lower() + text[1:] for name, text in words.items()}
    return texts if sorted(Counter(texts.values()).values()) == [1, len(row) - 1] else dict.fromkeys(texts, "")


def _may_differ(step: Step, row: Mapping[str, Unit], said: Iterable[str]) -> bool:
    """Whether each platform may say it in its own way, where no more than half say one thing."""
    return (
        _differ_in_numbers(said)
        or _differ_in_labels(step, row)
        or _differ_in_code(step, row)
        or differ_in_terms(step, row)
    )


def _differ_in_code(step: Step, row: Mapping[str, Unit]) -> bool:
    """Whether each text has other code, beside which a language may have its own words: it throws, raises, returns."""
    codes = {tuple(_CODE.findall(as_typed(step.pages[name], unit))) for name, unit in row.items()}
    return all(codes) and len(codes) == len(row)


def _differ_in_numbers(texts: Iterable[str]) -> bool:
    """Whether texts are one but for numbers, in figures or in words."""
    words = (scripts.words(VERSION.sub("0", text)) for text in texts)
    return len({tuple("#" if word.isdigit() or word in NUMBERS else word for word in each) for each in words}) == 1


def _differ_in_labels(step: Step, row: Mapping[str, Unit]) -> bool:
    """Whether texts are one but for labels in bold: each platform's own menus and buttons, if they are several."""
    typed = {name: as_typed(step.pages[name], unit) for name, unit in row.items()}
    rest = {plain_words(masked(LABEL.sub("", text), step.variants[name])) for name, text in typed.items()}
    return len(rest) == 1


def _asides(step: Step, row: Mapping[str, Unit]) -> Iterator[Finding]:
    """What begins a note on some copies, and a warning on others."""
    found = {name: aside(step.pages[name], unit) for name, unit in row.items() if not step.pages[name].generated}
    opened = {name: one for name, one in found.items() if one is not None}
    words = {name: masked(one.word, step.variants[name]) for name, one in opened.items()}
    if len(opened) < len(row) or len(set(words.values())) != 2:
        return
    verdict = judged(step, words, {name: one.place for name, one in opened.items()})
    name, other = verdict.odd[0], verdict.usual[0]
    apart = max(words_apart(row[name], row[other]), words_apart(row[other], row[name]))
    is_one_text = plain_words(row[name].masked) == plain_words(row[other].masked) or (len(row) == 2 and apart == 1)
    if not is_one_text and (verdict.tie or len(verdict.odd) > 1 or len(verdict.usual) < AGREE):
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


def _verb(step: Step, odd: OtherVerb) -> Finding:
    message = f"`{odd.text}` here, and `{odd.own}` in {odd.times} other sentences of {step.variants[odd.name].name}"
    return step.pages[odd.name].flag(odd.place, message)


def _term(step: Step, odd: MixedTerm) -> Finding:
    times = f"{odd.times} other place{'s' * (odd.times > 1)}"
    where = f"`{odd.own}` in {times} of {step.variants[odd.name].name}"
    message = f"`{odd.text}` here, as on {named(step, odd.others)}, and {where}"
    return step.pages[odd.name].flag(odd.place, message)


def _link(step: Step, odd: OtherText) -> Finding:
    message = f"the link says `{odd.text}`, and `{odd.usual}` on {named(step, odd.others)}"
    related = [(step.pages[odd.others[0]], odd.there, f"`{odd.usual}` here")]
    return step.pages[odd.name].flag(odd.place, message, related=related)


def _alt(step: Step, odd: OddAlt) -> Finding:
    message = f"the picture is described as {quoted(odd.usual, odd.alt)} on {named(step, odd.others)}"
    related = [(step.pages[odd.others[0]], odd.there, f"what {step.variants[odd.others[0]].name} says")]
    return step.pages[odd.name].flag(odd.place, message, related=related)


def _finding(step: Step, name: str, pairs: list[Pair]) -> Finding:
    page = step.pages[name]
    first, *rest = sorted(pairs, key=lambda pair: _doubt(page, pair))
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


def _doubt(page: Page, pair: Pair) -> tuple[bool, ...]:
    """What makes a pair less sure than others: no mistake is found in it, or not all others agree, if they are several;
    then code in it or right behind it, which may need other words, or more than a few words that differ."""
    others = len(pair.verdict.odd) + len(pair.verdict.usual) - 1
    has_code = "\ufffc" in pair.unit.masked + pair.theirs.masked
    is_rewritten = words_apart(pair.unit, pair.theirs) > FEW
    if others == 1:
        return not pair.verdict.strong, True, has_code or bool(code_behind(page.plain, pair.unit)), is_rewritten
    if len(pair.agreeing) < others:
        return not pair.verdict.strong, True
    return not pair.verdict.strong, False, has_code, is_rewritten
