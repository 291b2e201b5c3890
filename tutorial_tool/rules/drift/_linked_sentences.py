"""Sentences that are one on all copies but for what stands in their links, and where these links lead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tutorial_tool import links as addresses
from tutorial_tool import variants, variation
from tutorial_tool.markdown.document import Link
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variation import Unit, masked
from tutorial_tool.variation.wording import plain_words


class Linked(NamedTuple):
    """One link of a sentence as each copy has it, and the texts of these as they are compared: without own names."""

    links: Mapping[str, Link]
    texts: Mapping[str, str]
    is_one_text: bool
    """Whether all of the sentence is one on all copies, its links with it."""


class Lead(NamedTuple):
    """What a link leads to: a page, the step that it is of, if any, and an anchor, the variant's own names masked."""

    page: Page
    step: Step | None
    fragment: str
    section: str


def linked_sentences(step: Step) -> tuple[Linked, ...]:
    """The links of sentences that all copies have, with words beside the links where the texts of these differ."""
    return variants.kept(step, _all)


def _all(step: Step) -> tuple[Linked, ...]:
    return tuple(each for row in variation.of(step).rows("sentence") for each in _in_row(step, row))


def _in_row(step: Step, row: Mapping[str, Unit]) -> Iterator[Linked]:
    counts = {len(unit.links) for unit in row.values()}
    if len(row) < len(step.pages) or counts == {0} or len(counts) > 1:
        return
    is_one_text = len({plain_words(unit.masked) for unit in row.values()}) == 1
    if is_one_text or _is_one_frame(step, row):
        for number in range(counts.pop()):
            links = {name: unit.links[number] for name, unit in row.items()}
            texts = {name: plain_words(masked(link.text, step.variants[name])) for name, link in links.items()}
            yield Linked(links, texts, is_one_text)


def _is_one_frame(step: Step, row: Mapping[str, Unit]) -> bool:
    """Whether a sentence has words beside its links, and the same ones on all copies."""
    frames = {plain_words(masked(unit.beside_links, step.variants[name])) for name, unit in row.items()}
    return len(frames) == 1 and any(map(str.isalnum, frames.pop()))


def steps_of(step: Step) -> Mapping[Page, tuple[str, Step]]:
    """The variant and the step of each page that a variant of this step has."""
    return {} if any(page.generated for page in step.pages.values()) else variants.answered_by(step)


def lead_of(step: Step, name: str, link: Link, known: Mapping[Page, tuple[str, Step]]) -> Lead | None:
    """Where a link leads: to a page of the same variant, or one that is no variant's."""
    found = addresses.of(step.site).of_link(step.pages[name], link)
    if found.page is None or found.kind not in ("page", "self") or found.redirected:
        return None
    whose, there = known.get(found.page, (name, None))
    return (
        Lead(found.page, there, masked(found.fragment, step.variants[name]), found.fragment) if whose == name else None
    )
