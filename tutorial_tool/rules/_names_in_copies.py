"""A platform's name in small letters, where the other copies of the sentence have theirs as they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.document import Prose
from tutorial_tool.finding import Finding
from tutorial_tool.site import Page
from tutorial_tool.unspaced import Expression
from tutorial_tool.variants import Step
from tutorial_tool.variants.lasting import lasting


class SmallName(NamedTuple):
    """A name and its place on a page, and the sentence of a copy: its page and the place of its name."""

    page: Page
    place: tuple[int, int]
    typed: str
    name: str
    other: Page
    shown: tuple[int, int]


@lasting
def compared(step: Step) -> tuple[Finding, ...]:
    """The findings of a step, which are the same as long as its pages are."""
    return tuple(
        small.page.flag(
            small.place,
            f"`{small.typed}` is `{small.name}`: the other copies have their names here as they are written",
            related=[(small.other, small.shown, "another copy")],
        )
        for small in found(step)
    )


def found(step: Step) -> Iterator[SmallName]:
    """All of a step: of each copy those in texts that are the same in another one, but for the name."""
    texts = {id_: {str(prose): prose for prose in page.document.prose()} for id_, page in step.pages.items()}
    for id_, own in texts.items():
        name = step.variants[id_].name
        if name == name.lower():
            continue
        pattern = Expression(rf"(?<![\w-]){re.escape(name.lower())}(?![\w-])")
        for text, prose in own.items():
            for match in pattern.finditer(text):
                if sample := _sample(step, id_, texts, match):
                    other, said, (start, end) = sample
                    shown = texts[other][said].at(start, end)
                    yield SmallName(step.pages[id_], prose.at(match), match[0], name, step.pages[other], shown)


def _sample(
    step: Step, own: str, texts: dict[str, dict[str, Prose]], match: re.Match[str]
) -> tuple[str, str, tuple[int, int]] | None:
    """A copy that has its name there as it is written, its text, and where the name stands in that; None where none
    has, or one has its own in small letters, too."""
    sample = None
    for id_, known in texts.items():
        name = step.variants[id_].name
        if id_ == own or name == name.lower():
            continue
        before, after = match.string[: match.start()], match.string[match.end() :]
        if f"{before}{name.lower()}{after}" in known:
            return None
        if (text := f"{before}{name}{after}") in known:
            sample = sample or (id_, text, (match.start(), match.start() + len(name)))
    return sample
