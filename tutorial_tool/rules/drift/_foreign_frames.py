"""Names of other platforms with which a sentence begins as those of all copies do: for the rule `foreign-name`.

`On Linux, …` stands behind one and the same sentence on each copy, and goes on with what each platform needs. So the
words behind the name tell nothing of a copy that says `On Windows, …` there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Range
from tutorial_tool.variants import Step, Variant
from tutorial_tool.variation import OWN, Alignment, Section, Unit
from tutorial_tool.variation.wording import distinct

_FRAME = lazy_re.compile(rf"(?:[^\W\d_]+ ){{1,3}}{OWN}(?=[,:])|{OWN}(?=:)")
"""The first words of a sentence for readers of one platform."""


class Framed(NamedTuple):
    """The name of `other` on the page of `name`, where all `others` begin with their own: each with its sentence."""

    name: str
    other: str
    place: Range
    others: dict[str, Unit]


class _Opening(NamedTuple):
    """How a sentence begins, behind which other text, with whose name."""

    behind: str
    frame: str
    variant: str
    unit: Unit


def framed(step: Step, alignment: Alignment) -> Iterator[Framed]:
    """The names of other variants in such places, each once a section."""
    for row in alignment.sections:
        if len(row.sections) < 3:
            continue
        found = {name: list(_openings(step, name, section)) for name, section in row.sections.items()}
        for name, openings in found.items():
            if not step.pages[name].generated:
                yield from _of_page(step, name, openings, {other: found[other] for other in found if other != name})


def _of_page(step: Step, name: str, mine: Sequence[_Opening], theirs: dict[str, list[_Opening]]) -> Iterator[Framed]:
    for opening in mine:
        if opening.variant == name or any(each.frame == opening.frame and each.variant == name for each in mine):
            continue
        own = {
            id_: each.unit
            for id_, openings in theirs.items()
            for each in openings
            if (each.behind, each.frame, each.variant) == (opening.behind, opening.frame, id_)
        }
        others = len(step.pages) - 1
        if len(own) == others and opening.variant in own and not _is_named_else(step, name, opening):
            match = step.variants[opening.variant].pattern.search(opening.unit.text)
            if match is not None:
                yield Framed(name, opening.variant, opening.unit.at(*match.span()), own)


def _is_named_else(step: Step, name: str, opening: _Opening) -> bool:
    """Whether a page names the other variant in another place, too: it has to do with it."""
    pattern = step.variants[opening.variant].pattern
    return sum(len(pattern.findall(prose)) for prose in step.pages[name].document.prose()) > 1


def _openings(step: Step, name: str, section: Section) -> Iterator[_Opening]:
    """The sentences of a section that begin with the name of a variant, each behind the part before it."""
    units = [section.heading, *section.units] if section.heading else section.units
    for before, unit in pairwise(units):
        if unit.kind != "sentence" or (":" not in unit.text and "," not in unit.text):
            continue
        for variant in (name, *(other for other in step.variants if other != name)):
            masked = unit.masked if variant == name else _as_own(step, name, unit, step.variants[variant])
            if match := _FRAME.match(masked):
                yield _Opening(before.masked.lower(), match[0].lower(), variant, unit)
                break


def _as_own(step: Step, name: str, unit: Unit, variant: Variant) -> str:
    """A sentence that names one variant, and no other one, as that one would say it of itself."""
    if OWN in unit.masked or not variant.may_be_in(unit.text) or not distinct(step.variants[name], variant):
        return ""
    return variant.pattern.sub(OWN, unit.masked)
