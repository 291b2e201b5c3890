"""A page that says the name of another platform where its copies say their own."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from rapidfuzz import fuzz

from tutorial_tool import variants, variation
from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.document import Range
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._copies import intended, named, quoted
from tutorial_tool.rules._shared._foreign import Foreign
from tutorial_tool.rules._shared._foreign_literals import foreign_literals
from tutorial_tool.rules._shared._foreign_mentions import Mention, mentions
from tutorial_tool.rules.drift._foreign_affixes import ForeignAffix, foreign_affixes
from tutorial_tool.rules.drift._foreign_code import ForeignCode, ForeignFile, foreign_code, foreign_files
from tutorial_tool.rules.drift._foreign_codes import ForeignPart, foreign_parts
from tutorial_tool.rules.drift._foreign_commands import ForeignCommand, foreign_commands
from tutorial_tool.rules.drift._foreign_frames import Framed, framed
from tutorial_tool.rules.drift._foreign_in_both import count, is_same, is_slip_of_both
from tutorial_tool.rules.drift._foreign_packages import ForeignPackage, foreign_packages
from tutorial_tool.rules.drift._foreign_programs import foreign_programs
from tutorial_tool.rules.drift._strange_names import Stranger, strangers
from tutorial_tool.site import Page
from tutorial_tool.variants import Step, Variant
from tutorial_tool.variation import OWN, Unit
from tutorial_tool.variation.tables import cell_rows, groups
from tutorial_tool.variation.wording import distinct

_ALIKE = 85
"""How alike two sentences are, in percent, that say the same of two platforms."""

_FEW = 4
_SELDOM = 0.15
"""The share of a platform's pages that name another one by mistake, at most."""
_AND_BEFORE = lazy_re.compile(r"(?:\b(?:both|either|and|or|nor)|[\w)]\s*[,/&])\s+(?:(?:the|an?|your)\s+)?$")
_AND_AFTER = lazy_re.compile(r"(?:\s+(?:and|or)|\s*[/&])\s")
_PHRASE = 12
"""Characters of a text that says more than a name."""
_BEGIN = 8
"""Characters up to a name that two sentences begin with, if they begin with the same words."""
_AROUND = 3
"""Words on each side of a name that are looked at; more than so many in all must be the same."""
_OFTEN = 3
"""How often the code of a page names another platform, at least, so that it is of that one."""
_HARDLY = 2
"""How often a page names another platform that it has no more to do with."""


@rule("drift", Severity.ERROR, yields_to=("prev-next-mismatch", "foreign-link", "foreign-image"))
def check(step: Step) -> Iterator[Finding]:
    alignment = variation.of(step)
    begun = list(framed(step, alignment))
    yield from (_begun(step, found) for found in begun)
    told = {(found.name, found.place) for found in begun}
    cells = [row for copies in groups(step) for row in cell_rows(copies, len(step.pages))]
    for row in (*alignment.rows("sentence", "alt"), *alignment.headings(), *alignment.front, *cells):
        same = len({unit.text for unit in row.values()}) == 1 and len(row) == len(step.pages)
        if not same or (len(row) == 2 and next(iter(row.values())).kind != "cell"):
            for name, unit in row.items():
                if not any(_has(unit, place) for id_, place in told if id_ == name) and (
                    finding := _foreign(step, row, name, unit)
                ):
                    yield finding
    yield from _in_code(step)
    yield from (_code(step, found) for found in foreign_code(step, alignment))
    yield from (_file(step, found) for found in foreign_files(step))
    for section in alignment.sections:
        for row in section.rows:
            differs = len(row) == 1 or len({unit.text for unit in row.values()}) > 1
            if differs and next(iter(row.values())).kind == "sentence":
                yield from _mentioned(step, row, told)


def _in_code(step: Step) -> Iterator[Finding]:
    """What is another one's in code, each place once."""
    literals = foreign_literals(step)
    yield from (_literal(step, found) for found in literals)
    tellers: tuple[tuple[Callable[[Step], Iterable[Any]], Callable[[Step, Any], Finding]], ...] = (
        (strangers, _strange),
        (foreign_commands, _command),
        (foreign_programs, _pasted_command),
        (foreign_affixes, _affix),
        (foreign_parts, _affix),
        (foreign_packages, _package),
    )
    for finds, tells in tellers:
        for found in finds(step):
            if not any(each.name == found.name and each.place.touches(*found.place) for each in literals):
                yield tells(step, found)


def _has(unit: Unit, place: Range) -> bool:
    """Whether a place is within a text."""
    return unit.place.start <= place.start and place.end <= unit.place.end


def _begun(step: Step, found: Framed) -> Finding:
    """A finding where a sentence begins with the name of another variant, as those of all copies do with their own."""
    page = step.pages[found.name]
    first = next(id_ for id_ in found.others if id_ != found.other)
    word = page.plain[slice(*found.place)]
    message = (
        f"`{word}` on a page for {step.variants[found.name].name}: {named(step, found.others)} name themselves here"
    )
    there = found.others[first]
    return page.flag(found.place, message, related=[(step.pages[first], there.place, quoted(there.text))])


def _literal(step: Step, found: Foreign) -> Finding:
    page, here, there = step.pages[found.name], step.variants[found.name].name, step.variants[found.other].name
    where = "elsewhere" if found.there else "in other steps"
    message = f"`{found.text}`, that of {there}, on a page for {here}"
    if found.third:
        message += f": {step.variants[found.third].name} names itself here"
    elif found.usual:
        message += f": all others have `{found.usual}` here"
    else:
        message += f", which has `{found.own}` in its place {where}"
    related = [(page, found.there, f"`{found.own}` here")] if found.there else []
    return page.flag(found.place, message, related=related, severity=Severity.HINT)


def _strange(step: Step, found: Stranger) -> Finding:
    here = step.variants[found.name].name
    message = f"`{found.word}` on a page for {here}, where {named(step, found.others)} have their own names"
    return step.pages[found.name].flag(found.place, message, severity=Severity.HINT)


def _command(step: Step, found: ForeignCommand) -> Finding:
    here, there = step.variants[found.name].name, step.variants[found.other].name
    message = f"`{found.text}`, that of {there}, on a page for {here}: {named(step, found.others)} "
    message += f"{'has its' if len(found.others) == 1 else 'have their'} own here"
    return step.pages[found.name].flag(found.place, message, severity=Severity.WARNING)


def _pasted_command(step: Step, found: ForeignCommand) -> Finding:
    return replace(_command(step, found), severity=Severity.HINT)


def _package(step: Step, found: ForeignPackage) -> Finding:
    here, there = step.variants[found.name].name, step.variants[found.other].name
    message = f"`{found.text}`, that of {there}, on a page for {here}, whose own is `{found.own}`"
    severity = Severity.WARNING if found.is_sure else Severity.HINT
    return step.pages[found.name].flag(found.place, message, severity=severity)


def _affix(step: Step, found: ForeignAffix | ForeignPart) -> Finding:
    here, there = step.variants[found.name].name, step.variants[found.other].name
    message = f"`{found.text}`, that of {there}, on a page for {here}: as all others here, it would be `{found.own}`"
    return step.pages[found.name].flag(found.place, message, severity=Severity.HINT)


def _code(step: Step, found: ForeignCode) -> Finding:
    here, there = step.variants[found.name].name, step.variants[found.other].name
    message = f"code in {found.language} on a page for {here}: that of {there}; the other code here is in {found.own}"
    return step.pages[found.name].flag(found.place, message, severity=Severity.WARNING)


def _file(step: Step, found: ForeignFile) -> Finding:
    here, there = step.variants[found.name].name, step.variants[found.other].name
    message = f"`{found.text}`, a file as that of {there}, on a page for {here}: the code below it is in {found.own}"
    return step.pages[found.name].flag(found.place, message, severity=Severity.WARNING)


def _mentioned(step: Step, row: Mapping[str, Unit], told: Collection[tuple[str, Range]]) -> Iterator[Finding]:
    """The names of other variants where the copies name nothing, or say nothing."""
    for name, unit in row.items():
        page = step.pages[name]
        if any(_has(unit, place) for id_, place in told if id_ == name):
            continue
        for mention in mentions(step, row, name) if not page.generated else ():
            about = () if mention.without else step.variants  # who names two others has to do with platforms
            third = [id_ for id_ in about if id_ not in (name, mention.other) and _names(step, name, id_)]
            if not (third or _is_list(step, name, mention.other, unit) or _has_to_do_with(step, name, mention.other)):
                yield _out_of_place(step, row, name, mention)


def _out_of_place(step: Step, row: Mapping[str, Unit], name: str, mention: Mention) -> Finding:
    unit, others = row[name], named(step, mention.without)
    word = re.sub(r"^an?\s", "", unit.text[mention.start : mention.end], flags=re.IGNORECASE)
    said = f"{others} name{'s' * (len(mention.without) == 1)} nothing here" if others else "no copy says this"
    message = f"`{word}` on a page for {step.variants[name].name}: {said}"
    related = [(step.pages[id_], row[id_].place, quoted(row[id_].text)) for id_ in mention.without[:1]]
    severity = Severity.WARNING if others else Severity.HINT
    return step.pages[name].flag(
        unit.at(mention.end - len(word), mention.end), message, related=related, severity=severity
    )


def _foreign(step: Step, row: Mapping[str, Unit], name: str, unit: Unit) -> Finding | None:
    """A finding where a text names another variant as the texts beside it name their own."""
    page = step.pages[name]
    is_shared = unit.kind == "sentence" and len(step.pages) == len(row) and is_same(step, row)
    for other, variant in (*step.variants.items(), *step.kin.items()):
        if other == name or not variant.may_be_in(unit.text):
            continue
        match = variant.pattern.search(unit.text)
        if match is None or intended(step, page, unit.place) or _is_list(step, name, other, unit):
            continue
        is_part = not distinct(step.variants[name], variant)
        if is_part and not _is_chosen(step, row, name, match, variant.pattern.sub(OWN, unit.masked)):
            continue
        as_own = variant.pattern.sub(OWN, unit.masked)
        own = [id_ for id_, theirs in row.items() if id_ != name and _says(theirs, as_own)]
        own = own or _in_its_place([id_ for id_ in row if id_ != name], row, as_own)
        word = re.sub(r"^an?\s", "", match[0], flags=re.IGNORECASE)
        is_titled = _names_itself_above(step, row, name)
        is_longer = not distinct(variant, step.variants[name])  # React has to do with React Native
        if (
            not own
            or (own == [other] and (is_longer or (unit.text == row[other].text and _is_listed(unit.text, match))))
            or _names_itself(row, unit, own, _own_words(step, name))
            or not _is_slip(step, row, name, other, own, word)
            or (_is_one(row) and not is_titled and _is_written(variant, page.plain) > _HARDLY)
            or (is_shared and not is_slip_of_both(step, unit.text, match, name, own[0]))
        ):
            continue
        start = match.end() - len(word)
        message = f"`{word}` on a page for {step.variants[name].name}: {named(step, own)} name{'s' * (len(own) == 1)} "
        message += "itself here" if len(own) == 1 else "themselves here"
        related = [(step.pages[own[0]], row[own[0]].place, quoted(row[own[0]].text))]
        severity = Severity.WARNING if is_shared or is_part else None
        if own == [other] and len(step.pages) == 2 and not (is_titled or is_shared) and _count(step, name, name) <= 1:
            severity = Severity.HINT  # it may be the name of what both are about
        if _is_of_code(step, name, variant):
            severity = Severity.HINT  # it may be the family to which the page's own platform belongs
        return page.flag(unit.at(start, match.end()), message, related=related, severity=severity)
    return None


def _is_chosen(step: Step, row: Mapping[str, Unit], name: str, match: re.Match[str], as_own: str) -> bool:
    """Whether a name that is a part of the page's own stands by itself in bold or code, where all other copies have
    theirs so in the same words: `Select **Halo**` on a page for Halo Mini. Else it may be that of the family."""
    start, end = row[name].at(*match.span())
    text = step.pages[name].plain
    marks = text[start - 1 : start], text[end : end + 1]
    others = [unit.masked for id_, unit in row.items() if id_ != name]
    return marks in (("*", "*"), ("`", "`")) and len(others) > 1 and set(others) == {as_own}


def _is_written(variant: Variant, text: str) -> int:
    """How often a text has a name of a variant, code and addresses included, however it is written."""
    words = "|".join(map(re.escape, variant.words))
    return len(re.findall(rf"(?<![^\W_])(?:{words})(?![^\W_])", text, re.IGNORECASE))


def _is_of_code(step: Step, name: str, other: Variant) -> bool:
    """Whether the code of a page names another variant in several places, and hardly its own."""
    code = "\n".join(block.text for block in step.pages[name].document.code_blocks)
    there = _is_written(other, code)
    return there >= _OFTEN and _OFTEN * _is_written(step.variants[name], code) < there


def _is_one(row: Mapping[str, Unit]) -> bool:
    """Whether all of several copies that have a text have the very same."""
    return len(row) > 1 and len({unit.text for unit in row.values()}) == 1


def _names_itself_above(step: Step, row: Mapping[str, Unit], name: str) -> bool:
    """Whether a text of the front matter stands above a title in which the page names itself."""
    title = next(iter(variation.of(step).headings()), {}).get(name)
    return row[name].kind == "meta" and title is not None and OWN in title.masked


def _is_listed(text: str, match: re.Match[str]) -> bool:
    """Whether a name is one of several that a text lists: `both the Base and the Pro`."""
    return _AND_BEFORE.search(text, 0, match.start()) is not None or _AND_AFTER.match(text, match.end()) is not None


def _is_slip(step: Step, row: Mapping[str, Unit], name: str, other: str, own: list[str], word: str) -> bool:
    """Whether a name is a slip, and not what a page is about, as Android is for a framework that runs there.

    It is where more variants name themselves than name that one; else where the page has that name hardly anywhere, and
    says the same of no third platform.
    """
    pattern = {**step.kin, **step.variants}[other].pattern
    sayers = sum(bool(pattern.search(unit.text)) for id_, unit in row.items() if id_ != other)
    themselves = sum(id_ != other for id_ in own)
    if themselves > sayers:
        return True
    if themselves < sayers and (sayers > 1 or word == word.lower()):
        return False
    if _has_to_do_with(step, name, other):
        return False
    return not _of_a_third(step, name, other, pattern.sub(OWN, row[name].masked))


def _has_to_do_with(step: Step, name: str, other: str) -> bool:
    """Whether a page names another variant often, or the pages of its other steps do."""
    return _count(step, name, other) > _HARDLY or _is_at_home(step, name, other)


def _count(step: Step, name: str, other: str) -> int:
    """How often a page names a variant."""
    return count(step, step.pages[name].document.prose(), other)


def _names(step: Step, name: str, other: str) -> bool:
    """Whether a page names another variant."""
    pattern = step.variants[other].pattern
    return any(pattern.search(prose) for prose in step.pages[name].document.prose())


def _is_at_home(step: Step, name: str, other: str) -> bool:
    """Whether a variant's pages of other steps name another one, too: a framework names the systems that it runs on."""
    variant = {**step.kin, **step.variants}[other]
    pages = [
        each.pages[name]
        for each in variants.of(step.site)
        if name in each.pages and each.pages[name] not in step.pages.values()
    ]
    naming = sum(_has_the_words(page, variant) for page in pages)
    return naming > _FEW and naming > _SELDOM * len(pages)


def _has_the_words(page: Page, variant: Variant) -> bool:
    """Whether a page has all words of a name, wherever; where no blanks are between words, it must have the name."""
    if page.document.words.issuperset(variant.name.lower().split()):
        return True
    return any(variant.pattern.search(prose) for prose in page.document.prose() if scripts.is_in(prose))


def _of_a_third(step: Step, name: str, other: str, as_own: str) -> bool:
    """Whether the page says the same of another variant, too: a list of platforms."""
    third = [variant for id_, variant in step.variants.items() if id_ not in (name, other)]
    texts = [prose for prose in step.pages[name].document.prose() if prose.kind != "cell"]
    return len(as_own) > _PHRASE and any(
        variant.pattern.search(text) and fuzz.partial_ratio(as_own, variant.pattern.sub(OWN, text)) >= _ALIKE
        for variant in third
        for text in texts
    )


def _is_list(step: Step, name: str, other: str, unit: Unit) -> bool:
    """Whether a text names a third variant beside another one: it lists platforms."""
    known = {**step.kin, **step.variants}
    rest = known[other].pattern.sub("", unit.text)
    return any(
        distinct(known[other], third) and distinct(known[name], third) and third.pattern.search(rest)
        for id_, third in known.items()
        if id_ not in (name, other)
    )


def _says(theirs: Unit, as_own: str) -> bool:
    """Whether a text says of its own platform what `as_own` says, in nearly the same words."""
    mine, other = as_own.lower(), theirs.masked.lower()
    begin = other.find(OWN) + 1
    same_begin = begin > _BEGIN and mine[:begin] == other[:begin]
    return OWN in other and (same_begin or fuzz.ratio(other, mine) >= _ALIKE)


def _in_its_place(others: list[str], row: Mapping[str, Unit], as_own: str) -> list[str]:
    """The variants that name themselves between the same words, whatever else they say: two at least."""
    before, after = as_own.lower().split(OWN, 1)
    around = before.split(" ")[-_AROUND - 1 :], after.split(" ")[: _AROUND + 1]
    words = [sum(any(map(str.isalnum, word)) for word in each) for each in around]
    if sum(words) <= _AROUND or (not words[0] and before.strip()) or not words[1]:
        return []
    phrase = " ".join(around[0]) + OWN + " ".join(around[1])
    found = [id_ for id_ in others if phrase in row[id_].masked.lower()]
    return found if len(found) > 1 and 2 * len(found) > len(others) else []


def _names_itself(row: Mapping[str, Unit], unit: Unit, own: list[str], own_words: set[str]) -> bool:
    """Whether the text says its own name as often as the others say theirs: then the other name is one more."""
    if own_words & set(scripts.words(unit.text)):
        return True
    return unit.masked.count(OWN) >= min(row[id_].masked.count(OWN) for id_ in own)


def _own_words(step: Step, name: str) -> set[str]:
    """The words of a variant's name that no other name has."""
    others = {word for id_, variant in step.variants.items() if id_ != name for word in variant.name.split()}
    return set(step.variants[name].name.split()) - others
