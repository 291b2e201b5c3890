"""Whether texts of several copies are one text: for `missing-text`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rapidfuzz.distance import OSA

from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.markdown.document import MASK, Range
from tutorial_tool.variants import Step
from tutorial_tool.variation import OWN, Unit, masked
from tutorial_tool.variation.wording import differing, names_a_platform

WORDS = 4
"""Words of a text that says something, at least."""
SEVERAL = 3
_TERM = lazy_re.compile(r"[^\W\d_]{3,}(?: [^\W\d_]{3,})?")
_LONG = 8
"""Words, at least, that texts have in common which are one but for a term."""
_ADDRESS = lazy_re.compile(r"\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)")
LABEL = lazy_re.compile(r"\*\*(?P<label>[^*\n]+)\*\*")


def are_one(step: Step, row: Mapping[str, Unit], of: Callable[[Unit], Range]) -> bool:
    """Whether a text is the same wherever it stands, code included, but for platforms' own names and addresses.

    Where several have it, the labels in it may be each one's own, and so may a term.
    """
    texts = (_ADDRESS.sub("]", step.pages[name].plain[slice(*of(unit))]) for name, unit in row.items())
    typed = [masked(text, step.variants[name]) for text, name in zip(texts, row, strict=True)]
    bare = [LABEL.sub("", text) for text in typed]
    if len(row) >= SEVERAL and scripts.count(bare[0]) >= WORDS:
        typed = bare
    same = (
        len({text.casefold() for text in typed}) == 1
        or (len(typed) == 2 and _are_one_but_for_a_slip(*typed))
        or (len(typed) >= SEVERAL and _are_one_but_for_a_term(typed))
    )
    return same and not any(
        names_a_platform(step, masked(text_of(unit, of), step.variants[n])) for n, unit in row.items()
    )


def _are_one_but_for_a_slip(mine: str, theirs: str) -> bool:
    """Whether two texts of some words differ in a sign or a letter alone: one of them is mistyped."""
    pairs = differing(mine, theirs)
    words = [(mine[slice(*here)].lower(), theirs[slice(*there)].lower()) for here, there in pairs]
    if (
        len(pairs) > 1
        or scripts.count(mine) <= WORDS
        or MASK in mine + theirs
        or any(OWN in "".join(pair) for pair in words)
    ):
        return False
    return all(
        min(len(one), len(two)) >= WORDS and one.isalpha() and two.isalpha() and OSA.distance(one, two) == 1
        for one, two in words
    )


def _are_one_but_for_a_term(texts: Sequence[str]) -> bool:
    """Whether longer texts differ in one place alone, in a word or two of each: what each platform calls a thing."""
    words = [text.casefold().split() for text in texts]
    ends = [shared_ends(each, words[0]) for each in words if each != words[0]]
    start, end = (min(each) for each in zip(*ends, strict=True))
    terms = [" ".join(each[start : len(each) - end]).strip(".,;:") for each in words]
    return start + end >= _LONG and all(_TERM.fullmatch(term) for term in terms)


def shared_ends(words: Sequence[str], others: Sequence[str]) -> tuple[int, int]:
    """How many words two texts have in common at their begins, and at their ends."""
    shortest = min(len(words), len(others))
    start = next((at for at in range(shortest) if words[at] != others[at]), shortest)
    rest = shortest - start
    return start, next((at for at in range(rest) if words[-1 - at] != others[-1 - at]), rest)


def text_of(unit: Unit, of: Callable[[Unit], Range]) -> str:
    return str(unit.prose) if of is paragraph and unit.prose is not None else unit.text


def sentence(unit: Unit) -> Range:
    return unit.place


def paragraph(unit: Unit) -> Range:
    return unit.prose.place if unit.prose is not None else unit.place
