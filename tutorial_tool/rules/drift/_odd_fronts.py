"""What the front matter of one copy calls its page, where all others call it otherwise: for `drifted-heading`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tutorial_tool import variants, variation
from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.links.pages import first_heading
from tutorial_tool.markdown.document import Range
from tutorial_tool.rules._shared._copies import lone
from tutorial_tool.site import Page
from tutorial_tool.variants import Step, Variant
from tutorial_tool.variation import OWN, Unit, masked
from tutorial_tool.variation.units import front_matter
from tutorial_tool.variation.wording import plain_words

_WORD = lazy_re.compile(r"[^\W_]+")
_MARK = lazy_re.compile(r"[._-]")
_LABELS = frozenset("title sidebarlabel sidebartitle linktitle navtitle navlabel shorttitle menutitle".split())
_TEXTS = _LABELS | {"description", "summary"}
"""The keys that say what a page is called, and what it is about, in small letters without marks."""


class OddFront(NamedTuple):
    """What the page of `name` says of itself, where those of all `others` say `usual`; `of` is the page of another step
    which says so, too, if any."""

    name: str
    others: tuple[str, ...]
    unit: Unit
    usual: str
    there: Range
    of: Page | None


def odd_fronts(step: Step) -> Iterator[OddFront]:
    """The texts of front matter that were pasted from another step, or have no word of their page's heading."""
    for row in variation.of(step).front:
        name, others = lone({id_: plain_words(unit.masked) for id_, unit in row.items()})
        if not name or len(row) < len(step.pages) or step.pages[name].generated:
            continue
        unit, usual = row[name], row[others[0]]
        said = _said(step.pages[name], step.variants[name])
        key = next((each for each, found in said.items() if found.place == unit.place), "")
        other = _other(step, name, key, unit) if key else None
        if other or (key in _LABELS and _is_off(step, name, row)):
            shown = usual.masked.replace(OWN, step.variants[name].name)
            yield OddFront(name, others, unit, shown, usual.place, other)


def _said(page: Page, variant: Variant) -> dict[str, Unit]:
    """What the front matter of a page calls it, by the keys without marks and in small letters."""
    keys = {_MARK.sub("", key).lower(): unit for key, unit in front_matter(page, variant).items()}
    return {key: unit for key, unit in keys.items() if key in _TEXTS}


def _other(step: Step, name: str, key: str, unit: Unit) -> Page | None:
    """The page of another step of this variant that says the same of itself, as another variant's does."""
    for each in variants.others(step):
        said = {id_: _said(page, step.variants[id_]).get(key) for id_, page in each.pages.items() if id_ in step.pages}
        texts = [id_ for id_, found in said.items() if found and plain_words(found.masked) == plain_words(unit.masked)]
        if name in texts and len(texts) > 1:
            return each.pages[name]
    return None


def _is_off(step: Step, name: str, units: Mapping[str, Unit]) -> bool:
    """Whether a label has no word of its page's heading, which is one on all copies, and all other labels have none but
    its words."""
    if any(variant.may_be_in(units[name].text) for id_, variant in step.variants.items() if id_ != name):
        return False  # it is called as another platform is
    titles = {id_: masked(page.kept(first_heading), step.variants[id_]) for id_, page in step.pages.items()}
    if len({plain_words(title) for title in titles.values()}) > 1:
        return False
    words = {id_: _words(unit.masked) for id_, unit in units.items()}
    heading = _words(titles[name])
    return not words[name] & heading and all(each and each <= heading for id_, each in words.items() if id_ != name)


def _words(text: str) -> set[str]:
    return {word[0] for word in scripts.finditer(_WORD, text.lower())}
