"""A platform's own name, a letter off where each other copy has its own: for `drifted-code` and `drifted-heading`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rapidfuzz.distance import OSA

from tutorial_tool import variants
from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Range
from tutorial_tool.rules._shared._copies import lone
from tutorial_tool.variants import Step
from tutorial_tool.variation import OWN, Unit, slots
from tutorial_tool.variation.slots import Slot

_TOKEN = lazy_re.compile(r"[^\W_]+")
_LETTERS = 6
"""Letters of a name that is told from another word by one of them, at least."""
_FEWEST = 5
"""The same of a name that its page says elsewhere as it is."""
_COPIES = 3
_PACKAGE = lazy_re.compile(r"[^\s\"'`;,()<>{}=]+")


class MisspelledName(NamedTuple):
    """A word at a place of a copy's page that is its own name, a letter off, and the `right` one."""

    name: str
    others: tuple[str, ...]
    word: str
    place: Range
    right: str


def misspelled_names(step: Step) -> Iterator[MisspelledName]:
    """The names in lines of code and code in sentences of which all other copies have their own in that place."""
    for slot in slots.of(step).every:
        if len(slot) >= _COPIES and all(said.kind in ("code", "line") for said in slot.values()):
            yield from _in_slot(step, slot)


def _in_slot(step: Step, slot: Slot) -> Iterator[MisspelledName]:
    shapes = {name: slots.shape(step, name, said.text) for name, said in slot.items()}
    own = [name for name, shape in shapes.items() if OWN in shape]
    if len(own) != len(slot) - 1 or len({shapes[name].lower() for name in own}) > 1:
        return
    (name,) = slot.keys() - set(own)
    page = step.pages[name]
    for match in _TOKEN.finditer(slot[name].text) if not page.generated else ():
        text = slot[name].text.lower()
        is_rest = f"{text[: match.start()]}{OWN}{text[match.end() :]}" == shapes[own[0]].lower()
        right = _right(step, name, match[0].lower(), slot[name].text) if is_rest else ""
        if right and is_once(page.plain, match[0]):
            start = slot[name].place.start + match.start()
            yield MisspelledName(name, tuple(own), match[0], Range(start, start + len(match[0])), right)


def misnamed_packages(step: Step) -> Iterator[MisspelledName]:
    """The packages and paths in lines of code, the same else, of which all other copies have their own in that place,
    and a page its own elsewhere: `acme-wev`, or `packages/web`, for `@acme/web`."""
    for slot in slots.of(step).every:
        if len(slot) >= _COPIES and all(said.kind == "line" for said in slot.values()):
            parts = {name: list(_PACKAGE.finditer(said.text)) for name, said in slot.items()}
            if len({len(found) for found in parts.values()}) == 1:
                yield from _in_line(step, slot, parts)


def _in_line(step: Step, slot: Slot, parts: Mapping[str, list[re.Match[str]]]) -> Iterator[MisspelledName]:
    columns = [dict(zip(parts, found, strict=True)) for found in zip(*parts.values(), strict=True)]
    shapes = [{name: slots.shape(step, name, match[0]).lower() for name, match in each.items()} for each in columns]
    unlike = [at for at, each in enumerate(shapes) if len(set(each.values())) > 1]
    if len(unlike) != 1:
        return
    column, shape = columns[unlike[0]], shapes[unlike[0]]
    name, others = lone(shape)
    if not name or OWN not in shape[others[0]] or step.pages[name].generated:
        return
    word = column[name][0]
    for form in slots.forms(step.variants[name]):
        right = shape[others[0]].replace(OWN, form)
        is_near = _is_a_letter_off_alone(word.lower(), right) or _is_of_another_scope(shape[name], shape[others[0]])
        if is_near and _times(step, name, right) and _times(step, name, word.lower()) == 1:
            start = slot[name].place.start + column[name].start()
            yield MisspelledName(name, others, word, Range(start, start + len(word)), right)
            return


def _is_a_letter_off_alone(word: str, form: str) -> bool:
    """Whether two packages differ in a letter: by a digit, they are of two versions."""
    return is_a_letter_off(word, form) and "".join(filter(str.isdigit, word)) == "".join(filter(str.isdigit, form))


def _is_of_another_scope(mine: str, theirs: str) -> bool:
    """Whether two packages or paths have the variant's name last, and another one before it."""
    scopes = [shape.rpartition("/") for shape in (mine, theirs)]
    return all(last == OWN and scope for scope, _, last in scopes)


def _times(step: Step, name: str, package: str) -> int:
    """How often the pages of a variant have a package or path, all of it."""
    pattern = re.compile(rf"(?<![\w@/.-]){re.escape(package)}(?![\w/-]|\.\w)")
    return sum(len(pattern.findall(page.plain.lower())) for page in variants.pages_of(step, name))


def misspelled_in(step: Step, row: Mapping[str, Unit]) -> Iterator[MisspelledName]:
    """The name in a heading or title, where all other copies have their own in that place."""
    own = [name for name, unit in row.items() if OWN in unit.masked]
    if len(row) < _COPIES or len(own) != len(row) - 1 or len({row[name].masked.lower() for name in own}) > 1:
        return
    (name,) = row.keys() - set(own)
    unit, page = row[name], step.pages[name]
    for match in _TOKEN.finditer(unit.masked) if not page.generated else ():
        is_rest = (
            f"{unit.masked[: match.start()]}{OWN}{unit.masked[match.end() :]}".lower() == row[own[0]].masked.lower()
        )
        right = _right(step, name, match[0].lower(), match[0]) if is_rest else ""
        at = unit.text.find(match[0]) if right else -1
        if at >= 0:
            yield MisspelledName(name, tuple(own), match[0], Range(*unit.at(at, at + len(match[0]))), right)


def _right(step: Step, name: str, word: str, text: str) -> str:
    """The name of a variant that a word of a text is but for a letter, which makes no plural; "" where it is another's.

    A short one is told where its page has what stands around the word with the name in it.
    """
    forms = {id_: slots.forms(variant) for id_, variant in step.variants.items()}
    if any(word in each for each in forms.values()):
        return ""
    around = next((each for each in text.lower().split() if word in each), word)
    plain = step.pages[name].plain.lower()
    for form in forms[name]:
        is_said = re.search(rf"(?<!\w){re.escape(around.replace(word, form))}(?!\w)", plain) is not None
        if _is_off(word, form, _FEWEST if is_said else _LETTERS):
            return form
    return ""


def _is_off(word: str, form: str, fewest: int) -> bool:
    is_long = min(len(word), len(form)) >= fewest and word.isalpha() and form.isalpha()
    return is_long and is_a_letter_off(word, form)


def is_a_letter_off(word: str, form: str) -> bool:
    """Whether a word is another but for a letter, which makes no plural."""
    return OSA.distance(word, form) == 1 and word not in (f"{form}s", form.removesuffix("s"))


def is_once(text: str, word: str) -> bool:
    """Whether a text has a word in one place, in whatever letters."""
    return sum(match[0].lower() == word.lower() for match in _TOKEN.finditer(text)) == 1
