"""Copies of steps become templates and data that give back the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tutorial_tool.adopt import check, measure, project, resolve, standing, template
from tutorial_tool.adopt.base import Base, without
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.lines import Column
from tutorial_tool.adopt.measure import Shares
from tutorial_tool.adopt.names import Names
from tutorial_tool.adopt.normalize import Modern, anchors, normalized
from tutorial_tool.adopt.project import Order, Project
from tutorial_tool.adopt.resolve import Ask, Choice, Resolved, spaces
from tutorial_tool.adopt.resolve.evidence import Evidence
from tutorial_tool.adopt.resolve.kept import Kept
from tutorial_tool.adopt.template import STYLES, Style, tables
from tutorial_tool.data import front_matter
from tutorial_tool.linter.config_lookup import Settings

LEAST_SHARED = 0.1
"""The part of the copies' text that all share, below which there is nothing to write once."""


@dataclass(frozen=True)
class Wishes:
    """What is to be changed on the way: drift settled, and what the tool computes taken out. `ask` asks a person.

    `root` is the folder that the paths of copies are relative to. White space in which alone copies differ is leveled,
    unless `exact_whitespace` keeps it.
    """

    resolve: bool = False
    normalize: bool = False
    root: Path = Path()
    ask: Ask | None = None
    exact_whitespace: bool = False


@dataclass(frozen=True)
class Adoption:
    """What came of some sets of copies: the project, if any could be adopted, and why the others were left alone.

    `shares` tells how much the copies share, as they were; `choices` what was settled, or left open; `kept` what only
    some copies have; `notes` what else was changed; `uneven` where tables stay text as a line is written otherwise,
    `short` where they do as a row lacks cells, or has too many; `degraded` which steps do without tables, files or
    values, and because of which line.
    """

    project: Project | None
    adopted: tuple[CopySet, ...]
    left: Mapping[CopySet, str]
    shares: Mapping[str, Shares]
    choices: tuple[Choice, ...] = ()
    kept: tuple[Kept, ...] = ()
    notes: tuple[str, ...] = ()
    uneven: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    degraded: tuple[str, ...] = ()


def adopt(
    sets: Sequence[CopySet],
    base: Base,
    *,
    display: Mapping[str, str] | None = None,
    others: Sequence[CopySet] = (),
    wishes: Wishes = Wishes(),
) -> Adoption:
    """The project that gives back these copies, as rendering it in a temporary folder has shown.

    A set that it cannot give back is left alone. `display` are names of platforms that are known, `others` are sets of
    the same tutorials that stay copies. Raises `merge.Conflict` where the project's data cannot be added to, and
    `config.ConfigError`.
    """
    left = {one: reason for one in sets if (reason := _refusal(one))}
    columns = {one: template.aligned(one) for one in sets if one not in left}
    shares = {str(one): measure.shares(one, aligned) for one, aligned in columns.items()}
    for one in columns:
        if shares[str(one)].share < LEAST_SHARED:
            left[one] = f"the copies share only {shares[str(one)].share:.0%} of their text: leave them as copies"
    rest = [one for one in sets if one not in left]
    platforms = [platform for one in rest for platform in one.platforms]
    names = template.learned(base.names(), platforms, [columns[one] for one in rest], display or {})
    settled = _settled(rest, columns, names, wishes)
    modern = _modern([one.copies for one in settled], others, base, wishes.root) if wishes.normalize else None
    rest = list(modern.sets) if modern else [one.copies for one in settled]
    columns = {one: columns.get(one) or template.aligned(one) for one in rest}
    site_name = standing.name_of(wishes.root, base.layout.root)
    order = Order(rest, columns, base, others, display or {}, modern=modern, site_name=site_name)
    made, order, failed, degraded = _made(order)
    notes = (*(note for one in settled for note in one.notes), *(modern.notes if modern else ()))
    if made is not None and modern is not None:
        made, problem = _computed(order, made, wishes.root)
        notes = (*notes, *problem)
    choices = tuple(choice for one in settled for choice in one.choices)
    kept = tuple(entry for one in settled for entry in one.kept)
    adopted = tuple(order.sets) if made else ()
    uneven = tuple(place for one in adopted for place in _places(one, order.columns[one], tables.uneven))
    short = tuple(place for one in adopted for place in _places(one, order.columns[one], tables.short))
    return Adoption(made, adopted, {**left, **failed}, shares, choices, kept, notes, uneven, short, tuple(degraded))


def _modern(sets: Sequence[CopySet], others: Sequence[CopySet], base: Base, root: Path) -> Modern:
    """The sets as the tool wants them; anchors stay that the project's other pages link to, or its inventory has."""
    folder = base.layout.root
    rest = without(base, sets)
    steps = frozenset(copy.source.path for one in (*sets, *others) for copy in one.copies.values())
    return normalized(sets, root, anchors.asked_for(rest.values(), Settings(folder).config(folder)), steps)


def _places(one: CopySet, columns: Sequence[Column], odd: Callable[[Column], tuple[str, int] | None]) -> Iterator[str]:
    at = dict.fromkeys(one.platforms, 0)
    for column in columns:
        if found := odd(column):
            platform, offset = found
            yield str(one.copies[platform].source.span(at[platform] + offset))
        for platform, unit in column.items():
            at[platform] += len(unit.text)


def _settled(
    sets: Sequence[CopySet], columns: Mapping[CopySet, Sequence[Column]], names: Names, wishes: Wishes
) -> list[Resolved]:
    """The sets with their drift settled, or, where that is not wished for, with the choices that are open."""
    if not wishes.resolve:
        found = Evidence.of(sets, wishes.root)
        choices = {one: tuple(resolve.open_choices(one, columns[one], names, found)) for one in sets}
        leveled = {one: (one, []) if wishes.exact_whitespace else spaces.leveled(one) for one in sets}
        return [Resolved(leveled[one][0], choices[one], notes=tuple(leveled[one][1])) for one in sets]
    evidence = Evidence.of(sets, wishes.root)
    return [resolve.resolved(one, columns[one], names, evidence, wishes.ask) for one in sets]


def _made(order: Order) -> tuple[Project | None, Order, dict[CopySet, str], list[str]]:
    """The project of the sets that it gives back; what was made of them; why others were left alone, or are written
    with less than others."""
    left: dict[CopySet, str] = {}
    reasons: dict[CopySet, str] = {}
    while order.sets:
        made = project.build(order)
        failed = check.failures(made.files, order.sets, order.base)
        if not failed:
            plain = ((one, style.lacks) for one, style in order.plainly.items() if one in order.sets)
            return (
                made,
                order,
                left,
                [f"{one}: written without {lacks}, because of {reasons[one]}" for one, lacks in plain],
            )
        culprits = _culprits(failed, order)
        reasons = {**culprits, **reasons}
        plainly = {one: _plainer(order.plainly.get(one)) for one in culprits}
        left |= {one: reason for one, reason in culprits.items() if plainly[one] is None}
        sets = [one for one in order.sets if one not in left]
        order = replace(order, sets=sets, plainly={**order.plainly, **{one: s for one, s in plainly.items() if s}})
    return None, order, left, []


def _plainer(style: Style | None) -> Style | None:
    """The next style in which a set may be written; None where there is none."""
    following = STYLES.index(style) + 1 if style else 1
    return STYLES[following] if following < len(STYLES) else None


def _culprits(failed: Mapping[CopySet, str], order: Order) -> Mapping[CopySet, str]:
    """The sets that fail alone, where one of them keeps all from being rendered."""
    if len(failed) < len(order.sets) or len(order.sets) == 1:
        return failed
    alone: dict[CopySet, str] = {}
    for one in order.sets:
        made = project.build(replace(order, sets=[one], others=[]))
        alone |= check.failures(made.files, [one], order.base)
    return alone or failed


def _computed(order: Order, made: Project, root: Path) -> tuple[Project, list[str]]:
    """The project that prints numbers and links itself; as it is, with the reason, where it could not be rendered.

    Where only its pictures cannot be calls, they stay as they are.
    """
    reasons: list[str] = []
    for drawn, what in ((True, "images are not calls of `figure()`"), (False, "numbers and links are not computed")):
        final = project.build(replace(order, computed=True, drawn=drawn))
        errors = check.errors(final.files, order.sets, order.base, root)
        if not errors:
            return final, reasons
        reasons = [f"{what}: {errors[0]}"]
    return made, reasons


def _refusal(one: CopySet) -> str | None:
    """Why a set is not even tried."""
    if len(one.copies) < 2:
        return "only one copy: nothing to compare it with"
    for copy in one.copies.values():
        if len(copy.source.newlines) > 1:
            return f"{copy.source.path} has mixed line endings: save it with one kind and try again"
        if (front := front_matter(copy.source)) and front.findings:
            return str(front.findings[0])
    return None


__all__ = ["Adoption", "Wishes", "adopt"]
