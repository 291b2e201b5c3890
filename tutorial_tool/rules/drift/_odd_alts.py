"""One picture that one of several copies describes otherwise than all others: for the rule `drifted-wording`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tutorial_tool.markdown.document import Image, Range
from tutorial_tool.rules._shared._copies import lone
from tutorial_tool.variants import Step
from tutorial_tool.variation import OWN, masked, slots
from tutorial_tool.variation.wording import names_a_platform, plain_words, without_names

_AGREE = 3
"""Copies that agree, at least."""


class OddAlt(NamedTuple):
    """The alt text of a copy's picture, and that of the same picture on all `others`, which stands `there` on the first
    of them."""

    name: str
    others: tuple[str, ...]
    alt: str
    usual: str
    place: Range
    there: Range


def odd_alts(step: Step) -> Iterator[OddAlt]:
    """The alt texts of pictures that all copies show once, from one address but for the name of each."""
    if len(step.pages) < _AGREE or any(page.generated for page in step.pages.values()):
        return
    shown = {name: _described(step, name) for name in step.pages}
    for address in next(iter(shown.values())):
        if all(address in each for each in shown.values()):
            images = {name: each[address] for name, each in shown.items()}
            said = {name: plain_words(masked(image.alt or "", step.variants[name])) for name, image in images.items()}
            name, others = lone(said)
            if not name or not all(said.values()):
                continue
            is_one = OWN not in address or _is_said_twice(step, name, images)
            is_other = is_one and len(others) >= _AGREE and not names_a_platform(step, said[name])
            if is_other or _names_another(step, name, others[0], images):
                yield from _odd(name, others, images)


def _names_another(step: Step, name: str, other: str, images: Mapping[str, Image]) -> bool:
    """Whether an alt text has the name of another platform in it, and is that of all others without it."""
    mine, usual = (masked(images[id_].alt or "", step.variants[id_]) for id_ in (name, other))
    if not names_a_platform(step, mine) or names_a_platform(step, usual) or OWN in usual + mine:
        return False
    return plain_words(without_names(step, mine)) == plain_words(usual)


def _is_said_twice(step: Step, name: str, images: Mapping[str, Image]) -> bool:
    """Whether another picture of the page has the same alt text. Else a picture that is each one's own may show other
    things."""
    return bool(name) and sum(one.alt == images[name].alt for one in step.pages[name].document.images) > 1


def _odd(name: str, others: tuple[str, ...], images: Mapping[str, Image]) -> Iterator[OddAlt]:
    mine, usual = images[name], images[others[0]]
    if mine.alt and usual.alt and mine.alt_place and usual.alt_place:
        yield OddAlt(name, others, mine.alt, usual.alt, mine.alt_place, usual.alt_place)


def _described(step: Step, name: str) -> dict[str, Image]:
    """The pictures that a page shows once, by their address with the name of its variant masked."""
    images = [(slots.shape(step, name, image.src), image) for image in step.pages[name].document.images]
    counts = Counter(address for address, _ in images)
    return {address: image for address, image in images if counts[address] == 1}
