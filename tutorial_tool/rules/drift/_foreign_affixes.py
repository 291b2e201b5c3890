"""Names that are made as those of another platform: `LockedError` among `…Exception`s: for the rule `foreign-name`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Range
from tutorial_tool.variants import Step
from tutorial_tool.variation import slots
from tutorial_tool.variation.slots import Said

_NAME = lazy_re.compile(r"[A-Za-z]\w{4,}")
_COPIES = 3
_PLACES = 3
"""Places in which all copies have such names, at least."""
_STEM = 4
"""Letters of what all copies have in common in one place, at least."""


class ForeignAffix(NamedTuple):
    """A name on the page of `name` that is that of `other`; as all others on its page, it would be `own`."""

    name: str
    other: str
    text: str
    own: str
    place: Range


class _Made(NamedTuple):
    """What all copies have in common in a place, and how each makes its name of that: `*Error`, `Err*`."""

    stem: str
    affixes: Mapping[str, str]
    slot: Mapping[str, Said]


def foreign_affixes(step: Step) -> Iterator[ForeignAffix]:
    """The only name of a copy that is made otherwise than all its others, and is that of a copy which makes all so."""
    if len(step.pages) < _COPIES:
        return
    made = [found for slot in slots.of(step).every if len(slot) == len(step.pages) and (found := _made(slot))]
    if len(made) < _PLACES:
        return
    for name in step.pages:
        affixes = [each.affixes[name] for each in made]
        usual = max(affixes, key=affixes.count)
        odd = [each for each in made if each.affixes[name] != usual]
        if len(odd) == 1 and not step.pages[name].generated:
            said = odd[0].slot[name]
            same = [id_ for id_, each in odd[0].slot.items() if id_ != name and each.text == said.text]
            usually = [id_ for id_ in same if all(each.affixes[id_] == odd[0].affixes[name] for each in made)]
            if usually and step.pages[name].plain.count(said.text) == 1:
                yield ForeignAffix(name, usually[0], said.text, usual.replace("*", odd[0].stem), said.place)


def _made(slot: Mapping[str, Said]) -> _Made | None:
    texts = {name: said.text for name, said in slot.items()}
    if any(said.kind != "code" for said in slot.values()) or not all(map(_NAME.fullmatch, texts.values())):
        return None
    stem, *others = texts.values()
    for text in others:
        match = SequenceMatcher(None, stem, text, autojunk=False).find_longest_match()
        stem = stem[match.a : match.a + match.size]
    if len(stem) < _STEM:
        return None
    return _Made(stem, {name: text.replace(stem, "*", 1) for name, text in texts.items()}, slot)
