"""The name of another platform in a sentence that both of two copies have: a slip, or meant. For `foreign-name`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from tutorial_tool import variation
from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Prose
from tutorial_tool.rules._shared._foreign_mentions import RELATES
from tutorial_tool.variants import Step
from tutorial_tool.variation import OWN, Unit

_WORD = lazy_re.compile(r"[ \n]([^\W\d_]+)\b")
_PHRASE = 12
"""Characters of a text that says more than a name."""
_BESIDE = 4
"""Words beside a name that may tell what a page has to do with it."""
_OFTEN = 3
"""How often a page names its own platform, at least, so that another one's name is a slip in a sentence of both."""


def is_same(step: Step, row: Mapping[str, Unit]) -> bool:
    """Whether all copies say the very same: with code of its own in it, each says it of its own platform."""
    written = {step.pages[name].plain[unit.place.start : unit.place.end] for name, unit in row.items()}
    return len({unit.text for unit in row.values()}) == len(written) == 1


def is_slip_of_both(step: Step, text: str, match: re.Match[str], name: str, other: str) -> bool:
    """Whether the name of another variant in a text of both is a slip on this page, which names itself elsewhere."""
    return not _is_on_purpose(text, match) and _name_themselves(step, text[match.end() :], name, other)


def count(step: Step, texts: Iterable[Prose], variant: str) -> int:
    """How often texts name a variant."""
    pattern = {**step.kin, **step.variants}[variant].pattern
    return sum(len(pattern.findall(text)) for text in texts)


def _is_on_purpose(text: str, match: re.Match[str]) -> bool:
    """Whether a sentence of both copies speaks to readers of one platform, or of two: `On Windows, …`, `Windows: …`."""
    before, after = text[: match.start()].split(), text[match.end() :].split()
    begins = len(before) <= 1 and text[match.end() : match.end() + 1] in ("", ",", ":")
    is_short = len(text) - len(match[0]) <= _PHRASE
    return begins or is_short or RELATES.search(" ".join((*before[-_BESIDE:], *after[:_BESIDE]))) is not None


def _name_themselves(step: Step, behind: str, name: str, other: str) -> bool:
    """Whether two copies name themselves where they answer to each other, and the one often does so, and names the
    other one once.

    They do in a sentence, or in a title or description, if that speaks of the same thing of theirs: `an iOS app`. For
    what is made for one platform may well need another one: `a Docker image`, `Java 17`.
    """
    document = step.pages[name].document
    if count(step, document.texts, name) < _OFTEN or count(step, document.prose(), other) != 1:
        return False
    alignment = variation.of(step)
    sentences = (row for row in alignment.rows("sentence") if name in row and other in row)
    if any(OWN in row[name].masked and OWN in row[other].masked for row in sentences):
        return True
    thing = _thing(behind)
    titles = (row for row in (*alignment.headings(), *alignment.front) if name in row and other in row)
    return (
        bool(thing)
        and count(step, document.texts, other) == 1
        and any(thing in _things(row[name].masked) & _things(row[other].masked) for row in titles)
    )


def _things(text: str) -> set[str]:
    """The words behind the own name of a variant."""
    return {_thing(rest) for rest in text.split(OWN)[1:]}


def _thing(text: str) -> str:
    """The word that a text begins with, if a blank stands before it."""
    found = _WORD.match(text)
    return found[1].lower() if found else ""
