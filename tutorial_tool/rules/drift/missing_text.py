"""A paragraph, item, sentence, table, picture or code that the other copies have, and this one lacks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

from rapidfuzz.distance import OSA

from tutorial_tool import variation
from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.document import MASK, Range
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._copies import lone, named, quoted
from tutorial_tool.rules._shared._fences import is_swallowed
from tutorial_tool.rules.drift._missing_links import MissingLink, missing_links
from tutorial_tool.rules.drift._nearly_one import are_nearly_one
from tutorial_tool.rules.drift._one_text import LABEL, SEVERAL, WORDS, are_one, paragraph, sentence, text_of
from tutorial_tool.rules.drift._own_sentences import explains
from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.site import Page
from tutorial_tool.spelling import lists
from tutorial_tool.variants import Step
from tutorial_tool.variation import OWN, SectionRow, Unit, masked
from tutorial_tool.variation.wording import (
    differing,
    has_own_name,
    names_a_platform,
    plain_words,
    platform_needs,
    without_names,
)

_SLIPS = 2
"""In how many places a paragraph differs at most that is the same but for slips."""
_MANY = 4
"""Copies that have a sentence, at least, where a name in it tells nothing."""
_THINGS = {"code": "the code ", "image": "the picture ", "table": "the table "}
"""What is no text, and may be missing, too."""
_ITEMS = 2
"""Items of a list that all copies have, at least, in which another is missed."""
_RUN = 6
"""Texts in a row that a page may lack beside another one; one that lacks more is written more briefly."""
_NUMBER = lazy_re.compile(r"[ \t]*\d+[.)][ \t]+(?:\*\*|__|`|\*|_)?")
_SHARED = lazy_re.compile(r"\*\*[^*\n]+\*\*|(?<!\*)\*[^*\s][^*\n]*\*(?!\*)|“[^”\n]+”|\"[^\"\n]+\"|\b[A-Z]{2,3}\b")
"""Labels, quoted messages and short acronyms."""
_WORD = lazy_re.compile(r"[^\W_]+")
_LEAD = lazy_re.compile(r"\*{0,2}`[^`\n]+`\*{0,2}(?: ?[:–—]| - )|\*\*[^*\n]+\*\*(?: ?[:–—]| - )|\*\*[^*\n]+:\*\*")
"""What names an item: code or a label before a colon or dash."""
_MISTYPED = 2
"""Letters in which a block of code differs at most that is the same, mistyped."""
_Row = Mapping[str, Unit]


class _Missing(NamedTuple):
    """A text that a page lacks: what stands next to it there, on which side, and the text where it is."""

    beside: Unit
    where: str
    row: _Row


@rule("drift", Severity.HINT, needs="copies")
def check(step: Step, found: Findings) -> Iterator[Finding]:
    missing: dict[str, list[_Missing]] = {}
    sections = variation.of(step).sections
    alike = len(step.pages) == 2 and are_nearly_one(sections)
    for section in sections:
        for name, lack in chain(_missing(step, section, alike=alike), _things(step, section)):
            if moved := _elsewhere(section, lack.row, name):
                if moved.kind not in _THINGS:
                    yield _moved(step, name, moved, lack.row)
            elif not (
                is_swallowed(step.pages[name], found)
                or _is_in_code(section, lack.row, name)
                or _is_below(sections, lack.row, name)
            ):
                missing.setdefault(name, []).append(lack)
    yield from (_link(step, lack) for lack in missing_links(step) if not is_swallowed(step.pages[lack.name], found))
    if not alike or sum(map(len, missing.values())) <= SEVERAL:
        for name, lacks in missing.items():
            yield _finding(step, name, lacks)


def _is_below(sections: Sequence[SectionRow], row: _Row, name: str) -> bool:
    """Whether a page alone has a sentence in another place: what follows a section of the others stands there below one
    of its own."""
    said = plain_words(next(iter(row.values())).masked)
    alone = (other[name] for section in sections for other in section.rows if set(other) == {name})
    return any(unit.kind == "sentence" and plain_words(unit.masked) == said for unit in alone)


def _missing(step: Step, section: SectionRow, *, alike: bool) -> Iterator[tuple[str, _Missing]]:
    """The variants that lack a text of a section, each with what stands beside it there.

    Two copies or more must have it, or one of two that are `alike` else.
    """
    least = 1 if alike else 2
    for index, each in enumerate(section.rows):
        row = each
        lacking = [name for name in section.sections if name not in row and not step.pages[name].generated]
        own = [name for name in lacking if _says_its_own(section.rows, row, name)]
        lacking = [name for name in lacking if name not in own]
        few = len(row) < least * max(1, len(section.sections) - len(row) - len(own)) or len(row) < least
        row = _without_slip(step, row) if lacking and not few else row
        is_item = _is_numbered(step, row) and len(row) > 1
        if (
            not lacking
            or few
            or not (is_item or _says_something(row, is_short=_is_short(row)))
            or (alike and MASK in next(iter(row.values())).text)
        ):
            continue
        kinds = {unit.prose.kind for unit in row.values() if unit.prose is not None}
        alone = len(row) == 1 and kinds != {"item"}  # a paragraph that one of two has may be its own
        whole = [other for other in section.rows if other not in (row, each) and _stands_in(other, row)]
        by_itself = is_item or _says_something(row, is_short=False)
        for name in lacking:
            found = None
            is_gap = _is_gap_in_list(section, index, name)
            if any(name in other for other in whole):
                found = _in_paragraph(step, section.rows, row, whole, name) if by_itself else None
            elif all(unit.is_first for unit in row.values()) and not alone:
                is_one = are_one(step, row, paragraph) or (is_gap and _is_led(step, row))
                found = _between(section, index, name) if is_one else None
            is_own = _is_no_gap(step, section, index, name) if is_item else _is_own(step, row, name, is_gap)
            if found and (not is_own or _is_of_all(section, row, whole, name)):
                yield name, found


def _says_its_own(rows: Sequence[_Row], row: _Row, name: str) -> bool:
    """Whether a page that lacks a sentence has one of its own instead, in the paragraph or item that others have."""
    whole = (other[name] for other in rows if other is not row and name in other and _stands_in(other, row))
    prose = [unit.prose for unit in whole]
    return any(set(other) == {name} and any(other[name].prose is each for each in prose) for other in rows)


def _without_slip(step: Step, row: _Row) -> _Row:
    """A text without the only one of several copies that says it, or a sentence beside it, in other words, or gives a
    reason of its own in its place."""
    if len(row) < SEVERAL or any(unit.kind != "sentence" for unit in row.values()):
        return row
    typed = {
        name: masked(step.pages[name].plain[slice(*paragraph(unit))], step.variants[name]) for name, unit in row.items()
    }
    odd, others = lone({name: plain_words(text) for name, text in typed.items()})
    if not odd:
        return row
    if explains(row[odd], row[others[0]]):
        return {name: row[name] for name in others}
    if len(differing(typed[odd], typed[others[0]])) > _SLIPS:
        return row
    is_own = platform_needs(step, (odd, typed[odd]), (others[0], typed[others[0]]), agreed=True)
    return row if is_own else {name: row[name] for name in others}


def _is_numbered(step: Step, row: _Row) -> bool:
    """Whether a text is an item of a numbered list, wherever it stands: a step, however short and whatever it names."""
    return all(_number(step.pages[name], unit) for name, unit in row.items())


def _number(page: Page, unit: Unit) -> bool:
    start = page.plain.rfind("\n", 0, unit.place.start) + 1
    return unit.kind == "sentence" and _NUMBER.fullmatch(page.plain, start, unit.place.start) is not None


def _is_in_item(page: Page, unit: Unit) -> bool:
    """Whether a text stands in an item of a numbered list, be it not its first sentence."""
    place = unit.prose.place if unit.prose is not None else unit.place
    start = page.plain.rfind("\n", 0, place.start) + 1
    return unit.kind == "sentence" and _NUMBER.fullmatch(page.plain, start, place.start) is not None


def _is_no_gap(step: Step, section: SectionRow, index: int, name: str) -> bool:
    """Whether an item is no gap in a list of the page that lacks it: something else stands there, or it is its own."""
    row = section.rows[index]
    unit = next(iter(row.values()))
    if (
        bool(unit.links)
        or (OWN in unit.masked and not _names_itself(step, name))
        or _has_own(section.rows, index, name)
    ):
        return True
    sides = section.rows[index::-1], section.rows[index:]
    near = (next((row[name] for row in rows if name in row and row[name].kind == "sentence"), None) for rows in sides)
    return not any(beside and _is_in_item(step.pages[name], beside) for beside in near)


def _is_gap_in_list(section: SectionRow, index: int, name: str) -> bool:
    """Whether a text is an item of a list of which a page has all others, and none of its own in that place."""
    items = [row for row in section.rows if len(row) == len(section.sections) and _are_items(row)]
    row = section.rows[index]
    least = 1 if all(map(_is_named, row.values())) else _ITEMS
    return len(items) >= least and _are_items(row) and not _has_own(section.rows, index, name)


def _are_items(row: _Row) -> bool:
    return all(unit.prose is not None and unit.prose.kind == "item" for unit in row.values())


def _things(step: Step, section: SectionRow) -> Iterator[tuple[str, _Missing]]:
    """The variants that lack a table, picture or code which two others or more have there, the same on each."""
    for index, each in enumerate(section.rows):
        row = each
        unit = next(iter(row.values()))
        lacking = [name for name in section.sections if name not in row and not step.pages[name].generated]
        if unit.kind not in _THINGS or len(row) < 2 * max(1, len(lacking)):
            continue
        row = _without_mistyped(step, row) if lacking else row
        unit = next(iter(row.values()))
        if len({each.masked.casefold() for each in row.values()}) > 1 or names_a_platform(step, unit.masked):
            continue
        least = min(_count(section, name, unit.kind) for name in row)
        for name in lacking:
            is_less = _count(section, name, unit.kind) < least and not _is_within(section, name, unit)
            if is_less and not _has_own(section.rows, index, name) and (found := _between(section, index, name)):
                yield name, found


def _without_mistyped(step: Step, row: _Row) -> _Row:
    """Code that several copies have without the only one that is a letter or two off: two others or more agree."""
    odd, others = lone({name: unit.masked.casefold() for name, unit in row.items()})
    if not odd or row[odd].kind != "code":
        return row
    mine, theirs = row[odd].text.casefold(), row[others[0]].masked.casefold()
    names = {step.variants[odd].id.casefold(), step.variants[odd].name.casefold()}
    is_one = any(OSA.distance(mine.strip(), theirs.replace(OWN, name).strip()) <= _MISTYPED for name in names)
    return {name: row[name] for name in others} if is_one else row


def _is_within(section: SectionRow, name: str, code: Unit) -> bool:
    """Whether the lines of some code stand in another block of a page's section, however they are indented there."""
    if code.kind != "code":
        return False
    lines = _lines(code)
    blocks = (_lines(unit) for unit in section.sections[name].units if unit.kind == "code")
    return bool(lines) and any(lines == block[at : at + len(lines)] for block in blocks for at in range(len(block)))


def _lines(code: Unit) -> list[str]:
    return [line.strip() for line in code.text.strip().splitlines() if line.strip()]


def _count(section: SectionRow, name: str, kind: str) -> int:
    """How many tables, pictures or blocks of code a page has in a section."""
    return sum(unit.kind == kind for unit in section.sections[name].units)


def _between(section: SectionRow, index: int, name: str) -> _Missing | None:
    """A paragraph that is missing between two that all have, or at the end of a section; None where a page says
    something of its own there instead."""
    before, others = _beside(section.rows, index, name, -1)
    after, more = _beside(section.rows, index, name, 1)
    place = before[name] if before else section.sections[name].heading
    lacks = others + more
    each_s_own = sum(_is_item_of_each(row) for row in lacks) if _are_items(section.rows[index]) else 0
    is_replaced = len(lacks) > 0 and _own_texts(section.rows, index, name) > each_s_own
    leads_in = partial(_leads_in, section)
    is_replaced = is_replaced or (leads_in(section.rows[index]) and _has_own(section.rows, index, name, leads_in))
    if place is None or not (before or after) or is_replaced or len(lacks) > _RUN:
        return None
    return _Missing(place, "behind", section.rows[index])


def _leads_in(section: SectionRow, row: _Row) -> bool:
    """Whether a text introduces a list."""
    for name, unit in row.items():
        units = section.sections[name].units
        following = units[units.index(unit) + 1 :][:1]
        is_item = bool(following) and following[0].prose is not None and following[0].prose.kind == "item"
        if unit.kind != "sentence" or not unit.text.rstrip().endswith((":", "：")) or not is_item:
            return False
    return True


def _has_own(rows: Sequence[_Row], index: int, name: str, of: Callable[[_Row], bool] = bool) -> bool:
    """Whether a page has a text of its own, such as is asked for, in the gap around a row that it lacks."""
    start, end = (_next(rows, index, name, way) for way in (-1, 1))
    return any(name in row and of(row) for row in rows[start + 1 : end])


def _is_item_of_each(row: _Row) -> bool:
    """Whether a row are items of which each copy has another text: that of a page that lacks it may be elsewhere."""
    return _are_items(row) and len({plain_words(unit.masked) for unit in row.values()}) > 1


def _own_texts(rows: Sequence[_Row], index: int, name: str) -> int:
    """How many paragraphs or items of its own a page has in the gap around a row that it lacks."""
    start, end = (_next(rows, index, name, way) for way in (-1, 1))
    return sum(name in row and row[name].is_first for row in rows[start + 1 : end])


def _next(rows: Sequence[_Row], index: int, name: str, way: int) -> int:
    """The number of the next row that a page has with those that have a text; that before the first, or behind the
    last, for none. Where one of two has the text, what each says in its own words there is no such row."""
    having = rows[index].keys()
    at = index + way
    while 0 <= at < len(rows) and (
        name not in rows[at] or not having & rows[at].keys() or (len(having) == 1 and _is_rewritten(rows[at]))
    ):
        at += way
    return at


def _is_rewritten(row: _Row) -> bool:
    """Whether two items that stand in one place differ in more than a slip."""
    if len(row) != 2 or not _are_items(row):
        return False
    mine, theirs = (unit.masked for unit in row.values())
    words = sum(
        max(scripts.count(mine[slice(*here)]), scripts.count(theirs[slice(*there)]))
        for here, there in differing(mine, theirs)
    )
    return words >= SEVERAL


def _elsewhere(section: SectionRow, row: _Row, name: str) -> Unit | None:
    """A text that a page has in the same section, at another place."""
    said = plain_words(next(iter(row.values())).masked)
    alone = (other[name] for other in section.rows if set(other) == {name})
    return next((unit for unit in alone if plain_words(unit.masked) == said), None)


def _is_in_code(section: SectionRow, row: _Row, name: str) -> bool:
    """Whether a text stands in what a page shows as code in the same section, since it is indented too far."""
    codes = [_in_a_row(unit.text) for unit in section.sections[name].units if unit.kind == "code"]
    texts = {_in_a_row(unit.text) for unit in row.values() if unit.kind == "sentence"}
    return any(text in code for text in texts if text.strip() for code in codes)


def _in_a_row(text: str) -> str:
    """The words of a text, each between blanks."""
    return f" {' '.join(_WORD.findall(text.lower()))} "


def _moved(step: Step, name: str, unit: Unit, row: _Row) -> Finding:
    tie = "" if len(row) > 1 else " (a tie: either may be right)"
    message = f"{quoted(unit.text)} stands at another place on {named(step, row)}{tie}"
    there, theirs = next(iter(row.items()))
    related = [(step.pages[there], theirs.place, f"its place on {step.variants[there].name}")]
    return step.pages[name].flag(unit.place, message, related=related)


def _says_something(row: _Row, *, is_short: bool) -> bool:
    """Whether a text is a sentence of some words, in what readers read; one that `is_short`, with those behind it."""
    first = next(iter(row.values()))
    kinds = {unit.prose.kind if unit.prose is not None else "" for unit in row.values()}
    text = text_of(first, paragraph) if is_short else first.text
    return first.kind == "sentence" and scripts.count(text) >= WORDS and kinds <= {"paragraph", "item", "quote"}


def _is_short(row: _Row) -> bool:
    """Whether a text is a few words that others of its paragraph or item follow: `An access key. You find it there.`"""
    return all(unit.is_first for unit in row.values()) and _is_brief(next(iter(row.values())))


def _is_brief(unit: Unit) -> bool:
    return unit.kind == "sentence" and unit.is_first and scripts.count(unit.text) < WORDS


def _is_led(step: Step, row: _Row) -> bool:
    """Whether three copies or more begin an item with the same code or label and sentence, whatever they say then:
    `**429**: There were too many requests.`"""
    plain = {step.pages[name].plain[unit.place.start :] for name, unit in row.items()}
    return len(row) >= SEVERAL and all(map(_LEAD.match, plain)) and are_one(step, row, sentence)


def _in_paragraph(step: Step, rows: Sequence[_Row], row: _Row, whole: Sequence[_Row], name: str) -> _Missing | None:
    """A sentence that is missing in a paragraph that is the same otherwise. `whole` are its other sentences."""
    several = len(row) >= SEVERAL or _is_like_one(step, row, whole, name)
    if any(
        name not in other or not _is_usual(step, other, name, 1 if several and MASK not in other[name].text else 0)
        for other in whole
    ):
        return None
    prose = whole[0][name].prose
    own = any(set(other) == {name} and other[name].prose is prose for other in rows)
    if own or any(other[name].prose is not prose for other in whole) or not are_one(step, row, sentence):
        return None
    having = next(iter(row))
    before = [other for other in whole if having in other and other[having].offset < row[having].offset]
    return _Missing(before[-1][name], "behind", row) if before else _Missing(whole[0][name], "in front of", row)


def _is_like_one(step: Step, row: _Row, whole: Sequence[_Row], name: str) -> bool:
    """Whether a page has all other sentences of a paragraph as one of two copies has them: the slip is the other's."""
    said = [{id_: plain_words(without_names(step, unit.masked)) for id_, unit in other.items()} for other in whole]
    return len(row) > 1 and any(all(name in of and of.get(id_) == of[name] for of in said) for id_ in row)


def _is_usual(step: Step, row: _Row, name: str, least: int = 0) -> bool:
    """Whether a sentence of a page is the same on all other copies, but for names; of several copies, on most, or on
    `least` of them."""
    said = {id_: plain_words(without_names(step, unit.masked)) for id_, unit in row.items()}
    same = sum(text == said[name] for id_, text in said.items() if id_ != name)
    return same == len(said) - 1 or 0 < least <= same or (same > SEVERAL and 2 * same > len(said) - 1)


def _is_own(step: Step, row: _Row, name: str, is_gap: bool) -> bool:
    """Whether a text leads to another page, or has a name that the page of the variant that lacks it never has.

    Labels, messages and short acronyms that three platforms or more show are no platform's own; nor are labels of plain
    words where the text `is_gap` in a list, and a paragraph that leads to one page from three platforms or more.
    """
    having, unit = next(iter(row.items()))
    if OWN in unit.masked and not _names_itself(step, name):
        return True
    place = paragraph(unit) if _is_brief(unit) else unit.place
    if scripts.count(unit.beside_links) < WORDS and (unit.links or place is unit.place):
        is_named = is_gap and all(map(_is_named, row.values()))
        return not (len(row) >= SEVERAL and _leads_to_one_page(row, "item" if is_named else "paragraph"))
    typed = _typed(step.pages[having], place)
    text = typed if len(row) < SEVERAL or "`" in typed else _SHARED.sub("it", typed)
    text = LABEL.sub(_without_plain_label, text) if is_gap else text
    said = text_of(unit, paragraph) if _is_brief(unit) else unit.text
    bare = masked(text if text is not typed else said, step.variants[having]).replace(OWN, "it")
    return has_own_name(step, having, bare, [name], agreed=len(row) > 1)


def _typed(page: Page, place: Range) -> str:
    """What stands at a place, with the marks of emphasis that begin or end it."""
    start, end = place
    while page.plain.startswith("*", end):
        end += 1
    while page.plain.endswith("*", 0, start):
        start -= 1
    return page.plain[start:end]


def _is_of_all(section: SectionRow, row: _Row, whole: Sequence[_Row], name: str) -> bool:
    """Whether a sentence of plain text is missing on one of five copies or more, in a paragraph that all have, word for
    word: then the names in it are nobody's own."""
    if len(row) < _MANY or len(row) < len(section.sections) - 1 or not any(name in other for other in whole):
        return False
    unit = next(iter(row.values()))
    is_plain = not unit.links and MASK not in unit.text and OWN not in unit.masked
    return is_plain and all(len({each.text for each in other.values()}) == 1 for other in (row, *whole))


def _is_named(unit: Unit) -> bool:
    """Whether an item has a name before the link that it is else: `size` in code, and where it is described."""
    return bool(unit.links) and any(sign.isalnum() or sign == MASK for sign in unit.text.split(unit.links[0].text)[0])


def _leads_to_one_page(row: _Row, kind: str) -> bool:
    """Whether a paragraph or item leads to a page that is nobody's own, as `See also` does, and `Next` does not."""
    addresses = Counter(link.href for unit in row.values() for link in unit.links)
    is_one = len(addresses) == 1 or (kind == "item" and max(addresses.values()) > 1)
    return is_one and all(unit.links and unit.prose is not None and unit.prose.kind == kind for unit in row.values())


def _without_plain_label(match: re.Match[str]) -> str:
    """What stands for a label of plain words, as `Fleet manager`; others may be names, as `Xcode`."""
    words = _WORD.findall(match["label"])
    return "it" if words and all(map(lists.known, words)) else match[0]


def _names_itself(step: Step, name: str) -> bool:
    """Whether a page names its platform in its text, as the others do."""
    variant = step.variants[name]
    texts = (prose for prose in step.pages[name].document.prose() if prose.kind != "heading")
    return any(variant.pattern.search(text) for text in texts if variant.may_be_in(text))


def _stands_in(other: _Row, row: _Row) -> bool:
    """Whether two texts stand in one paragraph or item."""
    return any(name in other and other[name].prose is unit.prose for name, unit in row.items())


def _beside(rows: Sequence[_Row], index: int, name: str, way: int) -> tuple[_Row | None, list[_Row]]:
    """What a page has next to a text that it lacks, of what is not one variant's alone, and what it lacks up to it."""
    at = _next(rows, index, name, way)
    gap = rows[index + 1 : at] if way > 0 else rows[at + 1 : index]
    lacks = [row for row in gap if len(row) > 1 and not _stands_in(row, rows[index])]
    return (rows[at] if 0 <= at < len(rows) else None), lacks


def _finding(step: Step, name: str, found: Sequence[_Missing]) -> Finding:
    (beside, where, row), *others = [lack._replace(row=_usual_first(lack.row)) for lack in found]
    text = _shown_of(step, row)
    many = f"; {len(others)} more below" if others else ""
    has, tie = ("have", "") if len(row) > 1 else ("has", " (a tie: either may be right)")
    message = f"{text}, which {named(step, row)} {has}, is missing {where} this{tie}{many}"
    related = [(step.pages[id_], unit.place, f"the text on {step.variants[id_].name}") for id_, unit in row.items()][:1]
    for place, at, other in others:
        related.append((step.pages[name], _end(step.pages[name], place), f"{at} this, too: {_shown_of(step, other)}"))
    return step.pages[name].flag(_end(step.pages[name], beside), message, related=related)


def _usual_first(row: _Row) -> _Row:
    """A text of several copies, with those before others that say it as most do."""
    said = {name: plain_words(unit.masked) for name, unit in row.items()}
    counts = Counter(said.values())
    return dict(sorted(row.items(), key=lambda item: -counts[said[item[0]]]))


def _link(step: Step, lack: MissingLink) -> Finding:
    message = f"{quoted(lack.link.text.strip())}, a link that {named(step, lack.having)} have, is missing here"
    there, place = lack.having[0], Range(lack.link.start, lack.link.end)
    related = [(step.pages[there], place, f"the link on {step.variants[there].name}")]
    return step.pages[lack.name].flag(lack.place, message, related=related)


def _end(page: Page, unit: Unit) -> Range:
    """Where what is missing would follow: a text, or the last line of a table or code."""
    if unit.kind not in ("code", "table"):
        return unit.place
    text = page.plain[slice(*unit.place)].rstrip()
    return Range(unit.place.start + text.rfind("\n") + 1, unit.place.start + len(text))


def _shown_of(step: Step, row: _Row) -> str:
    """A text of several copies as a message shows it; of code without the name that each has in it."""
    name, unit = next(iter(row.items()))
    if unit.text.startswith(MASK) and not unit.links and _is_led(step, row):
        return quoted(step.pages[name].plain[slice(*unit.place)].replace("**", "").replace("`", ""))
    if unit.kind != "code" or len({each.text for each in row.values()}) == 1:
        return _shown(unit)
    line = masked(unit.text.strip().partition("\n")[0], step.variants[name])
    return _THINGS["code"] + quoted(line.replace(OWN, "…"))


def _shown(unit: Unit) -> str:
    """A text as a message shows it; of code its first line."""
    text = unit.text.strip().partition("\n")[0] if unit.kind == "code" else unit.text
    text = text_of(unit, paragraph) if _is_brief(unit) else text
    text = unit.image.alt or text if unit.image is not None else text
    return _THINGS.get(unit.kind, "") + quoted(text)
