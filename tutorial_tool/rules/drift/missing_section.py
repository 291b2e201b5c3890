"""A section that the other copies have, and this one lacks, or has at another place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz

from tutorial_tool import variation
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.fs import blame
from tutorial_tool.markdown.document import MASK, Range
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._copies import changed, named, quoted
from tutorial_tool.rules._shared._fences import is_swallowed
from tutorial_tool.rules.drift._nearly_one import are_nearly_one
from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variation import OWN, Section, SectionRow, Unit
from tutorial_tool.variation.wording import has_own_name, names_a_platform

_HTML = lazy_re.compile(r"<h(?P<level>[1-6])\b[^<>\n]*>(?P<text>[^\n]{1,200}?)</h(?P=level)>", re.IGNORECASE)
_NEARLY = 75
"""How alike two headings are, in percent, that call a section nearly the same."""
_STEM = 6
"""Letters of a word that tells a section, at least."""
_TAG = lazy_re.compile(r"<[^<>]*>")
_RELEASE = lazy_re.compile(r"\W*(?:v?\d+\.\d+\.\d+|\d{4}-\d{2}-\d{2})")
"""The version or day of a release, as a heading begins with it."""


@rule("drift", Severity.HINT)
def check(step: Step, found: Findings) -> Iterator[Finding]:
    alignment = variation.of(step)
    if sum(len(row.sections) == len(step.pages) for row in alignment.sections) < 2:
        return  # pages that share no more than their begin are not copies of each other
    for index, row in enumerate(alignment.sections):
        lacking = [
            name
            for name, page in step.pages.items()
            if name not in row.sections
            and not is_swallowed(page, found)
            and not _is_in_html(page, row)
            and not _is_called_in_short(alignment.sections, row, name)
        ]
        if lacking and len(row.sections) >= 2 * len(lacking) and not _is_own(step, row):
            yield _finding(step, alignment.sections, index, lacking)
    if (lost := _lost_by_one_of_two(step, alignment.sections)) is not None:
        lacking = [name for name in step.pages if name not in alignment.sections[lost].sections]
        if not is_swallowed(step.pages[lacking[0]], found):
            yield _finding(step, alignment.sections, lost, lacking)
    yield from _turned(step, alignment.sections)


def _is_in_html(page: Page, row: SectionRow) -> bool:
    """Whether a page has the heading of a section in HTML: `<h2>Contents</h2>`."""
    headings = {section.heading.text.strip().lower() for section in row.sections.values() if section.heading}
    return any(_TAG.sub("", found["text"]).strip().lower() in headings for found in _HTML.finditer(page.plain))


def _is_called_in_short(rows: tuple[SectionRow, ...], row: SectionRow, name: str) -> bool:
    """Whether a page has a section that no other one has, by a name that begins as that of a lacking one: `Install` for
    `Installation`, perhaps within another section."""
    keys = {section.key for section in row.sections.values()}
    own = [other.sections[name].key for other in rows if set(other.sections) == {name}]
    return any(
        min(len(mine), len(key)) >= _STEM and " " not in mine + key and (key.startswith(mine) or mine.startswith(key))
        for mine in own
        for key in keys
    )


def _lost_by_one_of_two(step: Step, rows: tuple[SectionRow, ...]) -> int | None:
    """The only section that one of two copies lacks which say the same else, if it says nothing of a platform."""
    lone = [index for index, row in enumerate(rows) if len(row.sections) == 1]
    if len(step.pages) != 2 or len(lone) != 1 or not 0 < lone[0] < len(rows) - 1:
        return None
    row, others = rows[lone[0]], [other for other in rows if len(other.sections) == 2]
    ((name, section),) = row.sections.items()
    units = [section.heading, *section.units] if section.heading else []
    other = next(id_ for id_ in step.pages if id_ != name)
    is_plain = len(units) > 1 and all(_is_plain(step, name, other, unit) for unit in units)
    return lone[0] if is_plain and not step.pages[other].generated and are_nearly_one(others) else None


def _is_plain(step: Step, name: str, other: str, unit: Unit) -> bool:
    """Whether a part is text without code, in which no platform is named, nor anything that the other page never is."""
    is_text = unit.kind in ("sentence", "heading") and MASK not in unit.text and OWN not in unit.masked
    return is_text and not names_a_platform(step, unit.masked) and not has_own_name(step, name, unit.text, [other])


def _turned(step: Step, rows: tuple[SectionRow, ...]) -> Iterator[Finding]:
    """A section that stands at another place than on most copies, all else in one order."""
    shared = [row for row in rows if len(row.sections) == len(step.pages) and _is_headed(row)]
    order = {name: _order(shared, name) for name in step.pages if not step.pages[name].generated}
    usual, count = Counter(order.values()).most_common(1)[0] if order else ((), 0)
    if count < 2 or 2 * count <= len(step.pages):
        return
    having = [name for name, found in order.items() if found == usual]
    for name, found in order.items():
        if found != usual and (index := _lone(found, usual)) is not None:
            yield _misplaced(step, name, having, shared, index, usual)


def _is_headed(row: SectionRow) -> bool:
    return all(section.heading is not None for section in row.sections.values())


def _order(rows: Sequence[SectionRow], name: str) -> tuple[int, ...]:
    """The sections by number, as they follow each other on a page."""
    places = {at: row.sections[name].heading for at, row in enumerate(rows)}
    return tuple(sorted(places, key=lambda at: places[at].place.start if places[at] else 0))  # type: ignore[union-attr]


def _lone(mine: tuple[int, ...], usual: tuple[int, ...]) -> int | None:
    """The one section without which two orders are the same."""
    rests = (at for at in mine if [n for n in mine if n != at] == [n for n in usual if n != at])
    return next(rests, None)


def _misplaced(
    step: Step, name: str, having: Sequence[str], rows: Sequence[SectionRow], index: int, usual: tuple[int, ...]
) -> Finding:
    heading, theirs = rows[index].sections[name].heading, rows[index].sections[having[0]].heading
    assert heading is not None
    assert theirs is not None
    at = usual.index(index)
    beside = rows[usual[at - 1] if at else usual[1]].sections[name].heading
    where = f"{'behind' if at else 'before'} {quoted(beside.text)}" if beside else "at another place"
    message = f"{quoted(heading.text)}, a section that stands {where} on {named(step, having)}, stands elsewhere here"
    related = [(step.pages[having[0]], theirs.place, f"its place on {step.variants[having[0]].name}")]
    return step.pages[name].flag(heading.place, message, related=related)


def _is_own(step: Step, row: SectionRow) -> bool:
    """Whether a section is about platforms, or a release: its place is where they need it."""
    headings = [section.heading for section in row.sections.values() if section.heading]
    return not headings or any(_RELEASE.match(unit.text) or names_a_platform(step, unit.text) for unit in headings)


def _finding(step: Step, rows: tuple[SectionRow, ...], index: int, lacking: list[str]) -> Finding:
    row, page = rows[index], step.pages[lacking[0]]
    having = {name: section for name, section in row.sections.items() if section.heading}
    usual = Counter(section.key for section in having.values()).most_common(1)[0][0]
    called = [name for name, section in having.items() if fuzz.ratio(section.key, usual) >= _NEARLY]
    name = next(name for name, section in having.items() if section.key == usual)
    heading = having[name].heading
    assert heading is not None
    times = [changed(step, step.pages[id_], found.heading.place) for id_, found in having.items() if found.heading]
    newer = blame.newest([min(times), _newest(step, page, _before(rows, index, lacking[0]))]) == [0]
    age = "; it is newer there than what stands here" if newer else ""
    has, tie = ("have" if len(called) > 1 else "has"), (" (a tie: either may be right)" if len(having) == 1 else "")
    message = f"{quoted(heading.text)}, a section that {named(step, called)} {has}, is missing here{age or tie}"
    related = [(step.pages[name], heading.place, f"the section on {step.variants[name].name}")]
    related += [
        (step.pages[id_], _place(rows, index, step.pages[id_], id_), "missing here, too") for id_ in lacking[1:]
    ]
    severity = Severity.WARNING if newer else None
    return page.flag(_place(rows, index, page, lacking[0]), message, related=related, severity=severity)


def _before(rows: tuple[SectionRow, ...], index: int, name: str) -> Section | None:
    """The section of a variant after which the missing one would stand."""
    return next((row.sections[name] for row in reversed(rows[:index]) if name in row.sections), None)


def _place(rows: tuple[SectionRow, ...], index: int, page: Page, name: str) -> Range:
    section = _before(rows, index, name)
    if section is not None and section.heading is not None:
        return section.heading.place
    front = page.document.front_matter
    start = front.body if front else 0
    return Range(start, start)


def _newest(step: Step, page: Page, section: Section | None) -> int:
    units = ([section.heading] if section.heading else []) + section.units if section else []
    times = [changed(step, page, unit.place) for unit in units]
    return max(times) if times and all(times) else 0
