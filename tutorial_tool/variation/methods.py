"""Names that a page's text has as another variant's code writes them: `setZones`, where its own calls `SetZones`.

Both forms are alike in all copies of the text, so no comparison of slots shows them: what should vary does not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.site import Page
from tutorial_tool.variants import Step

_NAME = lazy_re.compile(r"(?<![\w$])(?P<name>[A-Za-z_]\w*)(?![\w$])(?P<call>\()?")
_JOINED = lazy_re.compile(r"[a-z][A-Z]|[A-Za-z]_[A-Za-z]")
_SHORTEST = 8  # Letters of a name that is more than a common word. 36 trees, 2026-11: `setZones` is among the shortest


_LONG = lazy_re.compile(r"_*(?:(?>[A-Z]+(?![a-z])|[A-Z]?[a-z]+)[\d_]*){3,}")
"""A name of three words or more: those of two are often ideas of the product, as `userId` is."""


class ForeignMethod(NamedTuple):
    """A name in a text, what the page's own code calls it, and the variants whose code has it as typed."""

    variant: str
    place: tuple[int, int]
    typed: str
    own_name: str
    others: tuple[str, ...]


def find_foreign_methods(step: Step) -> Iterator[ForeignMethod]:
    """Names in code spans that another variant's code has, and the page's own in another case, or with a prefix."""
    names = {variant: _count_names(page) for variant, page in step.pages.items()}
    for variant, page in step.pages.items():
        own = {form: name for name, _ in names[variant].most_common()[::-1] for form in _iter_forms(name)}
        if own:
            yield from _find_on_page(variant, page, own, names)


def _find_on_page(
    variant: str, page: Page, own: dict[str, str], names: dict[str, Counter[str]]
) -> Iterator[ForeignMethod]:
    text = page.plain
    used = {match["name"] for block in page.document.code_blocks for match in _NAME.finditer(block.text)}
    for start, end in _find_in_text(page):
        typed = text[start:end]
        called = own.get(_normalize_name(typed), "")
        is_type = typed[0].isupper() and called[:1].islower()  # a class, and an object of it
        is_constant = typed.isupper() != called.isupper()  # it holds what a parameter is given
        if not called or typed in used or is_type or is_constant or not _JOINED.search(typed):
            continue
        line = text[text.rfind("\n", 0, start) + 1 : text.find("\n", end)]
        others = tuple(other for other in names if typed in names[other])
        if others and called not in line:  # a line with both forms tells how one became the other
            yield ForeignMethod(variant, (start, end), typed, called, others)


def _find_in_text(page: Page) -> Iterator[tuple[int, int]]:
    """The places of names in code spans, and of those in the text that are of several words."""
    for start, end in page.document.code_spans:
        yield from (match.span("name") for match in _NAME.finditer(page.plain, start, end))
    for prose in page.document.get_prose():
        if _JOINED.search(prose):
            yield from (
                prose.locate(*match.span("name")) for match in _NAME.finditer(prose) if _LONG.fullmatch(match["name"])
            )


def _count_names(page: Page) -> Counter[str]:
    """How often the code blocks of a page have each name that they call, or that is of several words, in order."""
    matches = (match for block in page.document.code_blocks for match in _NAME.finditer(block.text))
    return Counter(match["name"] for match in matches if match["call"] or _LONG.fullmatch(match["name"]))


def _iter_forms(name: str) -> Iterator[str]:
    """A name as all languages would write it; an environment variable without the prefix of a framework, too."""
    if len(_normalize_name(name)) >= _SHORTEST:
        yield _normalize_name(name)
    short = name.partition("_")[2] if name.isupper() else ""
    while _LONG.fullmatch(short):
        yield _normalize_name(short)
        short = short.partition("_")[2]


def _normalize_name(name: str) -> str:
    return name.replace("_", "").lower()
