"""Packages of another platform in blocks of code, wherever they stand in these: for the rule `foreign-name`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool import variants
from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Range
from tutorial_tool.site import Page, page_facts
from tutorial_tool.variants import Step
from tutorial_tool.variation import OWN, masked

_PACKAGE = lazy_re.compile(r"(?<![\w@/.-])@[a-z\d][\w.-]*/[a-z\d][\w.-]*(?<![.-])")
"""A name within a scope, as npm has them: `@acme/ios`."""
_WORD = lazy_re.compile(r"[^\W_]+")
_SURE = 2
"""How often a platform's pages have its own package, at least, where another one's is more than a hint."""


class ForeignPackage(NamedTuple):
    """A package on the page of `name` that is that of `other`; `own` is the one which the platform's pages have."""

    name: str
    other: str
    text: str
    own: str
    place: Range
    is_sure: bool


class _Use(NamedTuple):
    """A package, where it stands, and the number of its block of code: sentences may well name another one's."""

    text: str
    place: Range
    block: int


def foreign_packages(step: Step) -> Iterator[ForeignPackage]:
    """The packages that a platform's pages have once, where they have their own else, named as all name theirs."""
    asked = [(name, use) for name, page in step.pages.items() if not page.generated for use in page.kept(_uses)]
    odd = [(name, use) for name, use in asked if OWN not in masked(use.text, step.variants[name])]
    odd = [(name, use) for name, use in odd if any(_whose(step, name, use.text))]
    known = {name: _packages(step, name) for name in step.pages} if odd else {}
    for name, use in odd:
        for other, shape in _whose(step, name, use.text):
            own = next((each for each in known[name] if masked(each, step.variants[name]) == shape), None)
            users = {id_ for id_, packages in known.items() if use.text in packages}
            if own is None or users != {name, other} or known[name][use.text] > 1:
                continue
            if not any(each.block == use.block and each.text == own for each in step.pages[name].kept(_uses)):
                yield ForeignPackage(name, other, use.text, own, use.place, known[name][own] >= _SURE)


def _whose(step: Step, name: str, text: str) -> Iterator[tuple[str, str]]:
    """The other variants whose name stands in a package, each with the package without it.

    Of two variants, one of which is called by the other's name and more, one may need what is the other one's.
    """
    own = {*_WORD.findall(step.variants[name].name.lower())}
    for other, variant in step.variants.items():
        called = {*_WORD.findall(variant.name.lower())}
        if other != name and not (called <= own or own <= called) and OWN in (shape := masked(text, variant)):
            yield other, shape


def _packages(step: Step, name: str) -> Counter[str]:
    """The packages in the code of a variant's pages."""
    return Counter(use.text for page in variants.pages_of(step, name) for use in page.kept(_uses))


@page_facts.of_each
def _uses(page: Page) -> tuple[_Use, ...]:
    """The packages in the blocks of code of a page."""
    blocks = enumerate(page.document.code_blocks if _PACKAGE.search(page.plain) else ())
    return tuple(
        _Use(match[0], Range(*match.span()), number)
        for number, block in blocks
        for match in _PACKAGE.finditer(page.plain, block.content_start, block.content_end)
    )
