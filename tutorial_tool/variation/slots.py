"""What stands in one place on each copy of a step: code, labels, numbers, short cells, lines of code.

Where one copy has `/etc/app.conf` and the others a path of their own in two places, each path is its platform's own.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from rapidfuzz import fuzz

from tutorial_tool import variants, variation
from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.data.toggle_words import state_of
from tutorial_tool.markdown.document import Range
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variation.tables import all_keys, cells, groups, shared_columns
from tutorial_tool.variation.units import Section, Unit

_LITERAL = lazy_re.compile(
    r"(?P<ticks>`+)(?!`)(?P<code>[^`\n]+)(?P=ticks)(?!`)|(?<!\*)\*\*(?P<label>[^*\n]+)\*\*(?!\*)"
)
_CODE = lazy_re.compile(r"`(?P<code>[^`\n]+)`")
_NUMBER = scripts.Expression(r"(?<![\w.,:/#-])\d+(?:[.,:]\d+)*(?![\w%/-]|[.,:]\d)")
_VALUE = lazy_re.compile(
    r"\"(?P<double>[^\"\n]{1,80})\"|'(?P<single>[^'\n]{1,80})'|(?<![\w.-])(?P<number>\d{3,})(?![\w.-])"
)
"""What code of all languages writes alike: texts in quotes, and numbers that no count has by chance."""
_SHORTEST = 4  # Characters of a literal that stands for one thing
_DIGITS = 3  # Digits of a number that is nobody else's by chance
_WORDS = 4  # Words of a cell that holds a value, and no description
_LINES = 60  # Lines of the longest code that is compared line by line
_FENCES = ("```", "~~~")
_LOOKED_AT = 8  # Places with one literal that are looked at in each of them
_ALIKE = 0.6  # How much two commands in attributes have in common that answer to each other
_COMPONENT = lazy_re.compile(r"[A-Z]|[a-z][\w.]*[.-]")
"""How the name of a component begins, which no element of HTML has."""
_COMMAND = lazy_re.compile(r"(?P<quote>[\"'`]?)(?P<code>[a-z$@./][^\"`\n]*[^\s\"`](?<![.!?:]))(?P=quote)")
"""A command, as an attribute or its expression has it: no sentence."""
_PACKAGE = lazy_re.compile(r"(?<![\w@/.:\"'`$-])(?:@[\w.-]+/[\w.-]*\w|[A-Za-z]\w*(?:[-./:]\w+)+)")
_PROSE = frozenset("alt title label description caption placeholder summary name heading class classname style".split())
"""Attributes that hold text for readers, or what a page looks like."""
_NAMING = lazy_re.compile(r"^[A-Z~/.$]|\w[._/\\:+@-]\w|[a-z]\d|\d[a-z]")
"""What a value has that names a thing, and is no word or amount that any platform may have."""


class Said(NamedTuple):
    """What one copy has in a place: `kind` is code, label, number, cell, line, value or package; `language` that of a
    line."""

    kind: str
    text: str
    place: Range
    language: str = ""


Slot = Mapping[str, Said]  # What stands in one place, by variant


@dataclass(frozen=True, eq=False)
class Slots:
    """The places of a step, and those in which a variant says a thing."""

    every: tuple[Slot, ...]
    where: Mapping[tuple[str, str], tuple[Slot, ...]]

    def of(self, name: str, text: str) -> tuple[Slot, ...]:
        """The places where a variant says just this."""
        return self.where.get((name, text), ())


def of(step: Step) -> Slots:
    """The places of a step, found once."""
    return variants.kept(step, _found)


def apart(step: Step, left: tuple[str, str], right: tuple[str, str], place: tuple[int, int] | None = None) -> bool:
    """Whether two variants say different things in another place, too, just as at `place` of the first one's page.

    Where `place` is not told, they must do so in two. Each is a variant and what it says. Then that is each one's own:
    no slip. Words for states and small numbers say nothing, for two settings may have them by chance.
    """
    (name, text), (other, value) = left, right
    if not (tells(text) and tells(value)):
        return False
    here = of(step)
    matches = (
        slot
        for slots in everywhere(step)
        for slot in slots.of(name, text)[:_LOOKED_AT]
        if other in slot and slot[other].text == value
        if place is None or slots is not here or not slot[name].place.touches(*place)
    )
    return len(list(islice(matches, 2))) >= (2 if place is None else 1)


def everywhere(step: Step) -> Iterator[Slots]:
    """The places of a step, then those of the other steps of its tutorial: asked for only as far as needed."""
    yield of(step)
    yield from map(of, variants.others(step))


def tells(text: str) -> bool:
    """Whether a value names one thing: it is no state, small number or amount, and no plain word."""
    if text.isdigit():
        return len(text) >= _DIGITS
    return len(text) >= _SHORTEST and _NAMING.search(text) is not None and state_of(text) is None


def _found(step: Step) -> Slots:
    item = tuple(slot for slot in _slots(step) if len(slot) > 1)
    where: dict[tuple[str, str], list[Slot]] = {}
    for slot in item:
        for name, value in slot.items():
            where.setdefault((name, value.text), []).append(slot)
    return Slots(item, {key: tuple(result) for key, result in where.items()})


def _slots(step: Step) -> Iterator[Slot]:
    """All places that differ between copies; of two copies those, too, in which both say one thing."""
    alignment = variation.of(step)
    for row in alignment.rows("sentence"):
        if len(row) > 2 and len({step.pages[name].plain[slice(*unit.place)] for name, unit in row.items()}) == 1:
            continue
        yield from of_sentence(step, row)
        yield from answering({name: list(_numbers(unit)) for name, unit in row.items()})
    for row in alignment.rows("code"):
        for parts in (lines, values):
            yield from answering({name: list(parts(step.pages[name], unit)) for name, unit in row.items()})
    for slot in commands(step):
        if len(slot) == 2 or len({value.text for value in slot.values()}) > 1:
            yield slot
            yield from answering({name: list(_packages(value)) for name, value in slot.items()})
    for copies in groups(step):
        for key in all_keys(copies):
            for title in shared_columns(copies)[1:]:
                row_ = cells(copies, key, title)
                typed = {name: copies[name].typed(cell) for name, cell in row_.items()}
                yield from answering(
                    {
                        name: [Said("cell", text, Range(row_[name].start, row_[name].end))]
                        for name, text in typed.items()
                        if 0 < scripts.count(text) <= _WORDS
                    }
                )


def of_sentence(step: Step, row: Mapping[str, Unit]) -> Iterator[Slot]:
    """The places of a sentence with code or a label in them."""
    yield from answering({name: list(_literals(step.pages[name], unit)) for name, unit in row.items()})


def answering(matches: Mapping[str, list[Said]]) -> Iterator[Slot]:
    """What answers to what, and differs between several copies, where all have as many literals in a place."""
    for slot in answering_all(matches):
        if len(slot) == 2 or len({value.text for value in slot.values()}) > 1:
            yield slot


def answering_all(matches: Mapping[str, list[Said]]) -> Iterator[Slot]:
    """What answers to what, where all copies have as many literals in a place."""
    if len({len(literals) for literals in matches.values()}) == 1:
        for literals in zip(*matches.values(), strict=True):
            yield dict(zip(matches, literals, strict=True))


def commands(step: Step) -> tuple[Slot, ...]:
    """The commands in attributes of components that answer to each other, those of each section by themselves."""
    return variants.kept(step, _commands)


def _commands(step: Step) -> tuple[Slot, ...]:
    result = {name: _in_attributes(page) for name, page in step.pages.items()}
    if sum(map(bool, result.values())) < 2:
        return ()
    rows = variation.of(step).sections
    starts = {name: sorted(_start(row.sections[name]) for row in rows if name in row.sections) for name in result}
    out: list[Slot] = []
    for row in rows:
        inside = {}
        for name, section in row.sections.items():
            at = bisect_right(starts[name], _start(section))
            end = starts[name][at] if at < len(starts[name]) else len(step.pages[name].plain)
            inside[name] = [value for value in result[name] if _start(section) <= value.place.start < end]
        out += variation.align(inside, lambda value: f"{value.language} {value.text}", _commands_alike, _ALIKE)
    return tuple(slot for slot in out if len(slot) > 1)


def _packages(value: Said) -> Iterator[Said]:
    """The names of several words in a command, such as those of packages: `@acme/charts`, `acme-agent`."""
    for match in _PACKAGE.finditer(value.text):
        start = value.place.start + match.start()
        yield Said("package", match[0], Range(start, start + len(match[0])))


def _start(section: Section) -> int:
    return section.heading.place.start if section.heading else 0


def _commands_alike(left: Said, right: Said) -> float:
    return fuzz.ratio(left.text, right.text) / 100 if left.language == right.language else 0.0


def _in_attributes(page: Page) -> list[Said]:
    """The commands that components are given: `<Snippet text="npm install acme" />`."""
    if page.generated or "<" not in page.plain:
        return []
    result = []
    for tag in page.document.tags:
        for name, given in tag.attributes.items() if _COMPONENT.match(tag.name) and not tag.closing else ():
            match = _COMMAND.fullmatch(page.plain, given.start, given.end) if name not in _PROSE else None
            if match and " " in match["code"]:
                result.append(Said("line", match["code"], Range(*match.span("code")), f"<{tag.name} {name}>"))
    return result


def _literals(page: Page, unit: Unit) -> Iterator[Said]:
    end = unit.place.end + 2  # the marks of a label that ends the sentence
    for match in _LITERAL.finditer(page.plain, max(unit.place.start - 2, 0), end):
        kind = "code" if match["code"] else "label"
        if kind == "label" and (marked := _CODE.fullmatch(page.plain, *match.span(kind))):
            yield Said("code", marked["code"].strip(), Range(*marked.span("code")))
        else:
            yield Said(kind, match[kind].strip(), Range(*match.span(kind)))


def _numbers(unit: Unit) -> Iterator[Said]:
    for match in _NUMBER.finditer(unit.text):
        yield Said("number", match[0], unit.at(*match.span()))


def lines(page: Page, unit: Unit) -> Iterator[Said]:
    """The lines of a block of code, those of its fence aside."""
    at = unit.place.start
    lines = page.plain[unit.place.start : unit.place.end].split("\n")
    language = lines[0].strip("`~{}. \t>").lower() if lines[0].strip()[:3] in _FENCES else ""
    for number, line in enumerate(lines if len(lines) <= _LINES else ()):
        text = line.strip()
        if text and not (text[:3] in _FENCES and number in (0, len(lines) - 1)):
            start = at + line.index(text)
            yield Said("line", text, Range(start, start + len(text)), language)
        at += len(line) + 1


def values(page: Page, unit: Unit) -> Iterator[Said]:
    """The texts in quotes and the longer numbers of a block of code."""
    for match in _VALUE.finditer(page.plain, *unit.place):
        kind = match.lastgroup or ""
        yield Said("value", match[kind], Range(*match.span(kind)))
