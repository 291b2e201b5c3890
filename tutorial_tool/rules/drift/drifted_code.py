"""Code, or the address of a link, that is a little off from what the other copies have there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from rapidfuzz.distance import OSA

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.document import Range
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared import _link_addresses
from tutorial_tool.rules._shared._code_by_letters import miswritten_code
from tutorial_tool.rules._shared._code_by_word import OddWord, odd_words
from tutorial_tool.rules._shared._copies import named
from tutorial_tool.rules._shared._missing_lines import MissingLine, missing_lines
from tutorial_tool.rules._shared._odd_literals import odd_code
from tutorial_tool.rules._shared._stray_values import stray, stray_code
from tutorial_tool.rules.drift._code_lists import unnamed_code
from tutorial_tool.rules.drift._link_steps import StrayLink, stray_links
from tutorial_tool.rules.drift._misspelled_names import MisspelledName, misnamed_packages, misspelled_names
from tutorial_tool.rules.drift._pasted_styles import pasted_styles
from tutorial_tool.rules.drift._uncalled_names import UncalledName, uncalled_members, uncalled_names
from tutorial_tool.spelling import lists
from tutorial_tool.variants import Step
from tutorial_tool.variation import slots
from tutorial_tool.variation.slots import Difference, Said, Slot

_WORD = lazy_re.compile(r"[^\W\d_]+")
_JOINED = lazy_re.compile(r"@?\w+(?:[-/]\w+)+")
"""A name of several words: `@acme/charts`, `acme-agent`."""
_FEW = 2
"""Words of a line that are a letter off, at most: where more are, it is another line."""
_SIGNS = 4
"""Characters of the shortest code that is told from another by two that changed places."""
_VERSION = lazy_re.compile(r"\d\.\d")
_AGREE = 3
"""Copies that agree, at least, where a link with another text leads elsewhere and may be meant."""
_LETTERS = 5
"""Letters of the shortest word that is told from another by one of them."""
_WHERE = {_link_addresses.KIND: "the address of a link", _link_addresses.TYPED: "an address"}


_Word = re.Match[str]


@rule(
    "drift",
    Severity.WARNING,
    yields_to=("broken-link", "broken-anchor", "foreign-name", "prev-next-mismatch"),
    needs="copies",
)
def check(step: Step) -> Iterator[Finding]:
    told: set[tuple[str, str]] = set()
    places: list[tuple[str, Range]] = []
    named_wrong: list[tuple[str, Range]] = []
    names: list[MisspelledName | UncalledName] = [
        *misspelled_names(step),
        *misnamed_packages(step),
        *uncalled_names(step),
        *uncalled_members(step),
        *pasted_styles(step),
    ]
    for off in names:
        if (off.name, off.word) not in told and not _has(named_wrong, off.name, off.place):
            told.add((off.name, off.word))
            named_wrong.append((off.name, off.place))
            yield _of_name(step, off)
    for link in stray_links(step):
        named_wrong.append((link.name, link.place))
        yield _of_link(step, link)
    for slot in (*slots.of(step).every, *_link_addresses.of(step)):
        literals = {name: said for name, said in slot.items() if said.kind in ("code", "line", *_link_addresses.KINDS)}
        most = _well_typed(literals) or _most(step, literals)
        for name in literals:
            usual = next((each for each in most if name not in each), []) if not step.pages[name].generated else []
            for slip in _found(step, literals, name, usual[0]) if usual else ():
                place = _place(slot[name], slip)
                if (name, slip.word) not in told and not _has(named_wrong, name, place):
                    told.add((name, slip.word))
                    places.append((name, slot[name].place))
                    yield _finding(step, literals, name, usual, slip)
    for odd in odd_code(step):
        slip = odd.difference
        told_there = (odd.name, odd.said.place) in places or _has(named_wrong, odd.name, _place(odd.said, slip))
        if (odd.name, slip.word) not in told and not told_there:
            told.add((odd.name, slip.word))
            slot = {odd.name: odd.said, odd.others[0]: odd.usual}
            finding = _finding(step, slot, odd.name, odd.others, slip)
            yield replace(finding, severity=Severity.HINT)
    lacks = list(missing_lines(step))
    yield from (_missing(step, lack) for lack in lacks)
    lines = {(lack.name, lack.line.text) for lack in lacks}
    yield from _of_words(step, {*told}, lines, [*places, *named_wrong])


def _of_words(
    step: Step,
    words: Collection[tuple[str, str]],
    lines: Collection[tuple[str, str]],
    places: Iterable[tuple[str, Range]],
) -> Iterator[Finding]:
    """Values and words, but for those that are told already by what they say, by their lines or by where they stand."""
    told = list(places)
    for value in stray_code(step):
        if not _has(told, value.name, value.place):
            told.append((value.name, value.place))
            yield stray(step, value)
    for word in (*odd_words(step), *unnamed_code(step), *miswritten_code(step)):
        known = (word.name, word.usual) in lines or (word.name, word.word) in words
        if not (known or _has(told, word.name, word.place)):
            yield _of_word(step, word)


def _has(places: Iterable[tuple[str, Range]], name: str, at: Range) -> bool:
    """Whether a finding on a variant's page stands at a place, or within it."""
    return any(id_ == name and place.touches(*at) for id_, place in places)


def _place(said: Said, slip: Difference) -> Range:
    return Range(said.place.start + slip.start, said.place.start + slip.start + len(slip.word))


def _of_name(step: Step, slip: MisspelledName | UncalledName) -> Finding:
    if isinstance(slip, UncalledName):
        message = f"`{slip.word}` in a sentence, where the code on this page has `{slip.right}`"
    else:
        message = f"`{slip.word}` in code, where {named(step, slip.others)} have their own names: `{slip.right}`"
    return step.pages[slip.name].flag(slip.place, message, severity=Severity.HINT)


def _of_link(step: Step, stray: StrayLink) -> Finding:
    other, page = stray.others[0], step.pages[stray.name]
    related = [(step.pages[other], stray.there, f"the link on {step.variants[other].name}")]
    is_sure = stray.target is page or not stray.is_rewritten or len(stray.others) >= _AGREE
    message = f"this link leads to {_leads_to(step, stray)}"
    return page.flag(stray.place, message, related=related, severity=None if is_sure else Severity.HINT)


def _leads_to(step: Step, stray: StrayLink) -> str:
    """Where a link leads here, and where on the others."""
    others = named(step, stray.others)
    if stray.section:
        return f"another section than on {others}: there it leads to `#{stray.section}`"
    here = "this very page" if stray.target is step.pages[stray.name] else f"`{stray.target.path}`"
    return f"{here}; on {others} it leads to what is `{stray.usual.path}` here"


def _of_word(step: Step, odd: OddWord) -> Finding:
    usual, others = f"`{odd.usual}`", named(step, odd.others)
    line = "a line of code that " if odd.is_line else "which "
    message = f"`{odd.word}` in code, where {others} have {usual}"
    message = message if odd.word else f"{usual}, {line}{others} have, is missing here"
    related = [(step.pages[odd.others[0]], odd.there, f"{usual} here")]
    return step.pages[odd.name].flag(odd.place, message, related=related, severity=Severity.HINT)


def _missing(step: Step, lack: MissingLine) -> Finding:
    message = f"`{lack.line.text}`, a line of code that {named(step, lack.others)} have, is missing here"
    there = lack.others[0]
    related = [(step.pages[there], lack.line.place, f"the line on {step.variants[there].name}")]
    return step.pages[lack.name].flag(lack.beside.place, message, related=related, severity=Severity.HINT)


def _found(step: Step, slot: Slot, name: str, other: str) -> Sequence[Difference]:
    """What is wrong with what a copy has in a place, where another one has what is usual there."""
    mine, theirs = slot[name].text, slot[other].text
    if found := [slip for slip in _slips(step, slot, name, other) if _is_slip(step, slot, name, slip)]:
        return found
    is_address = slot[name].kind in _link_addresses.KINDS
    is_off = _is_elsewhere(step, slot, name, other) if is_address else _is_turned(step, slot, name, other)
    is_off = is_off or (is_address and _link_addresses.is_mistyped(mine))
    pairs = slots.differences(step, slot, name, other, _WORD) if is_off and not is_address else []
    return pairs[:1] if len(pairs) == 1 else [Difference(mine, 0, theirs)] if is_off else []


def _is_lone(said: Collection[str]) -> bool:
    """Whether several copies say no more than two different things, so that one of these is that of most."""
    return len(said) > 2 and len(set(said)) <= 2


def _is_elsewhere(step: Step, slot: Slot, name: str, other: str) -> bool:
    """Whether a link of one copy leads to another page than the same link of all others, which is no platform's own."""
    mine, theirs = slot[name].text, slot[other].text
    if not _is_lone([said.text for said in slot.values()]) or _link_addresses.lead_alike(mine, theirs):
        return False
    return not any(_link_addresses.is_own(step, id_, slot[id_].text) for id_ in (name, other))


def _well_typed(slot: Slot) -> list[list[str]]:
    """The copies whose address has no slip in it, where those of others have one: these are wrong, be they the most."""
    if any(said.kind not in _link_addresses.KINDS for said in slot.values()):
        return []
    right = [id_ for id_, said in slot.items() if not _link_addresses.is_mistyped(said.text)]
    return [right] if 0 < len(right) < len(slot) else []


def _most(step: Step, slot: Slot) -> list[list[str]]:
    """The copies that have what most have, but for their names; of two that differ, each. None where no two agree."""
    if len({said.text for said in slot.values()}) == 1:
        return []
    shapes = {id_: slots.shape(step, id_, said.text) for id_, said in slot.items()}
    found = ([id_ for id_, other in shapes.items() if other == shape] for shape in dict.fromkeys(shapes.values()))
    return [each for each in found if len(each) == len(slot) - 1 == 1 or 1 < len(each) > len(slot) / 2]


def _slips(step: Step, slot: Slot, name: str, other: str) -> Sequence[Difference]:
    """The few words in which two pieces of code differ, if each of them is a letter off, and no variant's name."""
    mine, theirs = slot[name].text, slot[other].text
    if abs(len(slots.shape(step, name, mine)) - len(slots.shape(step, other, theirs))) > _FEW:
        return []
    left, right = list(_WORD.finditer(mine)), list(_WORD.finditer(theirs))
    if len(left) + 1 == len(right):
        return _joined(left, right, mine, theirs)
    pairs = slots.differences(step, slot, name, other, _WORD)
    off = all(
        len(slip.usual) >= _LETTERS and OSA.distance(slip.word.lower(), slip.usual.lower()) == 1 for slip in pairs
    )
    return pairs if off and len(pairs) <= _FEW else []


def _joined(left: list[_Word], right: list[_Word], mine: str, theirs: str) -> Sequence[Difference]:
    """Two words of a command that stand there as one, where all else is the same: `apt-get`, `aptget`."""
    for one, (two, three) in zip(left, pairwise(right), strict=True):
        if one[0] != two[0]:
            parted = theirs[two.start() : three.end()]
            is_one = len(one[0]) >= _LETTERS and re.sub("[-_ ]", "", parted) == one[0]
            same = mine[: one.start()] + parted + mine[one.end() :] == theirs
            return [Difference(one[0], one.start(), parted)] if is_one and same else []
    return []


def _is_slip(step: Step, slot: Slot, name: str, slip: Difference) -> bool:
    """Whether a word is no word where the other one is; else whether the page has that other one, and this once.

    Two copies have code in languages of their own, where `elif` and `elsif` are both right.
    """
    known, usual = lists.known(slip.word), all(lists.known(part) for part in _WORD.findall(slip.usual))
    text = step.pages[name].plain
    if known and usual:
        return len(slot) > 2 and _is_off_in_name(slot[name].text, slip, text)
    if known or usual:
        return usual
    return len(slot) > 2 and text.count(slip.word) == 1 and slip.usual in text


def _is_off_in_name(code: str, slip: Difference, text: str) -> bool:
    """Whether a word is part of a name such as `@acme/chart`, which a page has once, and else with the usual word."""
    match = next((each for each in _JOINED.finditer(code) if each.start() <= slip.start < each.end()), None)
    if match is None or match[0] == slip.word:
        return False
    at = slip.start - match.start()
    usual = match[0][:at] + slip.usual + match[0][at + len(slip.word) :]
    names = [each[0] for each in _JOINED.finditer(text)]
    return names.count(match[0]) == 1 and usual in names


def _is_turned(step: Step, slot: Slot, name: str, other: str) -> bool:
    """Whether a piece of code has two neighbouring signs the other way round than all other copies have it.

    Else it may be a sign off, where the page itself has the other one, too.
    """
    shapes = {id_: slots.shape(step, id_, said.text) for id_, said in slot.items()}
    mine, theirs = shapes[name], shapes[other]
    if not _is_lone(shapes.values()) or min(len(mine), len(theirs)) < _SIGNS:
        return False
    if OSA.distance(mine, theirs) != 1 or mine.lower() == theirs.lower() or _VERSION.search(theirs):
        return False
    (text, place), said = (slot[name].text, slot[name].place), slot[other].text
    page = step.pages[name].plain
    is_elsewhere = said in page[: place.start] or said in page[place.end :]
    is_swap = len(mine) == len(theirs) and sorted(mine) == sorted(theirs)
    is_apart = slots.apart(step, (name, text), (other, said), slot[name].place)
    return page.count(text) == 1 and (is_swap or is_elsewhere) and not is_apart


def _finding(step: Step, slot: Slot, name: str, agreeing: Sequence[str], slip: Difference) -> Finding:
    other = agreeing[0]
    is_address, is_whole = slot[name].kind in _link_addresses.KINDS, slip.word == slot[name].text
    where = _WHERE.get(slot[name].kind, "code")
    message = f"`{slip.word}` in {where}, where {named(step, agreeing)} {'has' if len(agreeing) == 1 else 'have'} "
    message += f"`{slip.usual}`"
    related = [(step.pages[other], slot[other].place, f"`{slip.usual}` here")]
    severity = Severity.HINT if len(slot) == 2 or (is_address and is_whole) else None
    return step.pages[name].flag(_place(slot[name], slip), message, related=related, severity=severity)
