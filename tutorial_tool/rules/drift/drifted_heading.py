"""A heading that differs from that of the other copies, over the same section."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from tutorial_tool import variation
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.document import MASK, Heading
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._copies import intended, judged, lone, named, quoted
from tutorial_tool.rules.drift._misspelled_names import MisspelledName, misspelled_in
from tutorial_tool.rules.drift._odd_fronts import OddFront, odd_fronts
from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variants.ordering import numbers
from tutorial_tool.variation import OWN, Section, SectionRow, Unit, masked
from tutorial_tool.variation.wording import differing, plain_words, platform_needs, uncapitalised

_TITLE = lazy_re.compile(r"[ \t]*[\"']?title[\"']?[ \t]*[:=][ \t]*[\"']?")
"""What stands before the title of a page in its front matter, whatever that is written in."""
_REMARK = lazy_re.compile(r"\([^()]*\)\s*|（[^（）]*）\s*")
"""What may stand before the number of a step: `(Optional) Step 12: Translate`."""


_SLUG = lazy_re.compile(r"[@a-z\d][a-z\d]*(?:[-_/.]+[a-z\d]+)+")
"""The name of a package or folder, as a README may have it for a title."""
_CALL = lazy_re.compile(r"([\w.$]+) ?\(.*", re.DOTALL)
"""The name of a function, with its parameters."""


@rule("drift", Severity.HINT)
def check(step: Step, found: Findings) -> Iterator[Finding]:
    yield from _levels(step)
    yield from _ids(step)
    off = [
        each for row in (*variation.of(step).headings(), *variation.of(step).front) for each in misspelled_in(step, row)
    ]
    yield from (_of_name(step, each) for each in off)
    told = list(_texts(step, found, off))
    yield from told
    fronts = (_of_front(step, each) for each in odd_fronts(step))
    yield from (one for one in fronts if not any(one.span.overlaps(other.span) for other in told))


def _of_front(step: Step, odd: OddFront) -> Finding:
    others = named(step, odd.others)
    as_there = f" here and on `{odd.of.path}`" if odd.of else " here"
    message = f"{quoted(odd.unit.text)}{as_there}, and {quoted(odd.usual)} on {others}"
    related = [(step.pages[odd.others[0]], odd.there, f"what {step.variants[odd.others[0]].name} says")]
    return step.pages[odd.name].flag(odd.unit.place, message, related=related)


def _of_name(step: Step, off: MisspelledName) -> Finding:
    own = step.variants[off.name].name
    right = own if own.lower() == off.right else off.right
    message = f"`{off.word}` here, where {named(step, off.others)} name themselves: it would be `{right}`"
    return step.pages[off.name].flag(off.place, message)


def _levels(step: Step) -> Iterator[Finding]:
    """The only heading of a page that is of another level than on all of two copies or more."""
    odd: dict[str, list[tuple[SectionRow, int]]] = {}
    for row in variation.of(step).sections:
        levels = {name: section.level for name, section in row.sections.items() if section.heading}
        name, others = lone(levels)
        if name and len({row.sections[id_].key for id_ in levels}) == 1:
            odd.setdefault(name, []).append((row, levels[others[0]]))
    for name, rows in odd.items():
        row, usual = rows[0]
        section, beside = row.sections[name], [other for other in row.sections if other != name]
        if len(rows) > 1 or section.heading is None or step.pages[name].generated:
            continue
        there = row.sections[beside[0]].heading
        message = f"a heading of level {section.level} here, and of level {usual} on {named(step, beside)}"
        related = [(step.pages[beside[0]], there.place, f"of level {usual} here")] if there else []
        yield step.pages[name].flag(section.heading.place, message, related=related)


def _ids(step: Step) -> Iterator[Finding]:
    """The headings of one text whose id, as it is typed, only one copy has otherwise: links to it are lost."""
    for row in variation.of(step).sections:
        found = {name: _heading(step.pages[name], section) for name, section in row.sections.items()}
        headings = {name: heading for name, heading in found.items() if heading and heading.id and heading.attrs}
        name, others = lone({name: masked(str(each.id), step.variants[name]) for name, each in headings.items()})
        if not name or len({row.sections[id_].key for id_ in headings}) > 1 or step.pages[name].generated:
            continue
        mine, theirs = headings[name], headings[others[0]]
        message = f"`#{mine.id}` here, and `#{theirs.id}` on {named(step, others)}"
        there = [(step.pages[others[0]], theirs.attrs, f"`#{theirs.id}` here")] if theirs.attrs else []
        yield step.pages[name].flag(mine.attrs or (mine.start, mine.end), message, related=there)


def _heading(page: Page, section: Section) -> Heading | None:
    """The heading of a section, as it stands on the page."""
    at = section.heading.place.start if section.heading else -1
    return next((each for each in page.document.headings if each.start <= at < each.end), None)


def _titles(step: Step) -> Iterator[Mapping[str, Unit]]:
    """The titles in the front matter of pages without a heading of the first level, which they stand for."""
    if any(heading.level == 1 for page in step.pages.values() for heading in page.document.headings):
        return
    for row in variation.of(step).front:
        if all(_TITLE.fullmatch(_before(step.pages[name].plain, unit.place.start)) for name, unit in row.items()):
            yield row


def _unnumbered(text: str) -> str:
    """A heading without the number of its step, which each copy counts by itself."""
    remark = _REMARK.match(text)
    start = remark.end() if remark else 0
    return text[:start] + numbers.named(text[start:])


def _before(text: str, at: int) -> str:
    """What stands before a place in its line."""
    return text[text.rfind("\n", 0, at) + 1 : at]


def _are_one_call(mine: str, theirs: str) -> bool:
    """Whether two headings name one function, which each language has with its own parameters."""
    calls = [_CALL.fullmatch(text.strip()) for text in (mine, theirs)]
    return all(calls) and len({call[1] for call in calls if call}) == 1


def _texts(step: Step, found: Findings, off: Sequence[MisspelledName]) -> Iterator[Finding]:
    for row in (*_titles(step), *variation.of(step).headings()):
        texts = {name: plain_words(_unnumbered(unit.masked)) for name, unit in row.items()}
        if len(set(texts.values())) != 2:
            continue  # more than two: each platform has its own words for it
        verdict = judged(step, texts, {name: unit.place for name, unit in row.items()}, found)
        name, other = verdict.odd[0], verdict.usual[0]
        unit, theirs = row[name], row[other]
        is_told = any(each.name == name and each.place.touches(*unit.place) for each in off)
        is_slug = any(_SLUG.fullmatch(each.text.strip()) for each in (unit, theirs))
        if is_told or (verdict.tie and (unit.kind == "meta" or is_slug)) or _are_one_call(unit.text, theirs.text):
            continue
        titles = (name, uncapitalised(unit.masked)), (other, uncapitalised(theirs.masked))
        agreed = len(verdict.usual) > 1
        if platform_needs(step, *titles, agreed=agreed) or not differing(unit.masked, theirs.masked):
            continue
        if intended(step, step.pages[name], unit.place):
            continue
        reason = f" ({verdict.reason})" if verdict.reason else ""
        what = "page" if unit.kind == "meta" else "section"
        is_one = len({row[id_].text for id_ in verdict.usual}) == 1
        shown = theirs.text if is_one else theirs.masked.replace(OWN, MASK)
        message = f"this {what} is called {quoted(shown)} on {named(step, verdict.usual)}{reason}"
        related = [(step.pages[other], theirs.place, f"the heading on {step.variants[other].name}")]
        related += [(step.pages[id_], row[id_].place, "differs, too") for id_ in verdict.odd[1:]]
        yield step.pages[name].flag(unit.place, message, related=related)
