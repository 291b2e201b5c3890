"""Names of other platforms where the copies name none at all: for the rule `foreign-name`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.rules._shared._code_behind import code_behind
from tutorial_tool.spelling import lists
from tutorial_tool.variants import Step, Variant
from tutorial_tool.variation import OWN, Unit, slots
from tutorial_tool.variation.wording import differing, distinct, names_a_platform

_WORDS = 3
"""Words of what is said in place of a word that names no platform: `an Android phone`, `a device`."""
_PLACES = 2
"""In how many places two sentences differ that are one, but for a name and a slip."""
_SENTENCE = 5
"""Words of a sentence, at least, that tells something of a platform."""
_SHORTEST = 3
"""Letters of a name that stands in code by no chance."""
_CODE = lazy_re.compile(r"`[^`\n]+`")
RELATES = lazy_re.compile(
    r"\b(?:unlike|like|as|than|instead|also|both|other|others|another|same|similar|differ\w*|versus|vs|whereas|while"
    r"|compar\w+|mirrors?|equivalent|from|migrat\w+|port\w*|and|or|not|see|too|support\w*|across|between|either|every)\b",
    re.IGNORECASE,
)
"""Words with which a page speaks of another platform on purpose."""

_COMPARES = lazy_re.compile(
    r"\b(?:unlike|like|as|than|compared|opposed|contrast|contrary|similar(?:ly)?|same|differ(?:s|ent(?:ly)?)?)"
    r"(?: (?:as|on|with|to|in|from|for|of|the|an?))*[ ]+(?:an? )?$",
    re.IGNORECASE,
)
"""What stands before a platform with which a sentence compares: `As on Linux, …`, `Compared with Linux, …`."""


class Mention(NamedTuple):
    """A name of another variant: where it stands in the text, and the variants that say the same without a name.

    Where none says the same, the whole sentence stands on this page alone.
    """

    other: str
    start: int
    end: int
    without: tuple[str, ...]


def mentions(step: Step, row: Mapping[str, Unit], name: str) -> Iterator[Mention]:
    """The names of other variants in a sentence of one, whose copies say it without a name or do not say it."""
    unit = row[name]
    if step.variants[name].pattern.search(unit.text):
        return
    for other, variant in (*step.variants.items(), *step.kin.items()):
        if other == name or not variant.may_be_in(unit.text):
            continue
        if not (distinct(step.variants[name], variant) and distinct(variant, step.variants[name])):
            continue  # React has to do with React Native
        if (match := _named(variant, unit)) is None or _COMPARES.search(unit.text, 0, match.start()):
            continue
        without = tuple(id_ for id_, theirs in row.items() if id_ != name and _is_without(step, unit, theirs, variant))
        alone = len(row) == 1 and len(unit.text.split()) >= _SENTENCE and not unit.links
        inserted = alone and not RELATES.search(unit.text) and not _stands_elsewhere(step, name, unit)
        inserted = inserted and not _is_in_code_beside(step.pages[name].plain, unit, variant)
        if inserted or len(without) > 1 or (without and len(step.pages) == 2):
            yield Mention(other, *match.span(), without)


def _stands_elsewhere(step: Step, name: str, unit: Unit) -> bool:
    """Whether another copy says just the same, perhaps at another place."""
    return any(unit.text in prose for id_, page in step.pages.items() if id_ != name for prose in page.document.prose())


def _is_in_code_beside(text: str, unit: Unit, variant: Variant) -> bool:
    """Whether the code in a paragraph, or in the block right behind it, has the name: the page has to do with it."""
    place = unit.prose.place if unit.prose is not None else unit.place
    code = " ".join((*_CODE.findall(text, place.start, place.end), code_behind(text, unit)))
    return any(form in code.lower() for form in slots.forms(variant) if len(form) >= _SHORTEST)


def _named(variant: Variant, unit: Unit) -> re.Match[str] | None:
    """Where a text has a name of a variant: as a name is written, and not one that may be a word of the language."""
    for match in variant.pattern.finditer(unit.text):
        word = re.sub(r"^an?\s", "", match[0], flags=re.IGNORECASE)
        begins = not unit.text[: match.start()].strip(" \"'“(*_")
        is_word = begins and word[1:].islower() and lists.known(word.lower())
        inside = any(link.start <= unit.at(*match.span()).start < link.end for link in unit.links)
        if word != word.lower() and not is_word and not inside:
            return match
    return None


def _is_without(step: Step, mine: Unit, theirs: Unit, variant: Variant) -> bool:
    """Whether a text says the same as another one that has a name, or an ordinary word, in one place less."""
    if names_a_platform(step, theirs.text) or OWN in theirs.masked:
        return False
    pairs = differing(mine.text, theirs.text)
    said = [(mine.text[slice(*here)], theirs.text[slice(*there)]) for here, there in pairs]
    return len(said) <= _PLACES and any(
        variant.pattern.search(here) and scripts.count(here) <= _WORDS and scripts.count(there) < _WORDS
        for here, there in said
    )
