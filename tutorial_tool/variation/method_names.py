"""Find names that a page's text writes as another variant's code does: `setZones` for its own `SetZones`.

The text has the same form in all copies, so comparing slots does not find it: what should vary does not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.site import Page
from tutorial_tool.spelling.near_words import MIN_NAME
from tutorial_tool.variants import Step

_NAME = lazy_re.compile(r"(?<![\w$])(?P<name>[A-Za-z_]\w*)(?![\w$])(?P<call>\()?")
_JOINED = lazy_re.compile(r"[a-z][A-Z]|[A-Za-z]_[A-Za-z]")


_LONG = lazy_re.compile(r"_*(?:(?>[A-Z]+(?![a-z])|[A-Z]?[a-z]+)[\d_]*){3,}")
"""A name of three words or more; names of two words, such as `userId`, are often product concepts."""


class ForeignMethod(NamedTuple):
    """A name in a text, its form in the page's own code, and the variants whose code has it as typed."""

    variant: str
    place: tuple[int, int]
    typed: str
    own_name: str
    others: tuple[str, ...]


def find_foreign_methods(step: Step) -> Iterator[ForeignMethod]:
    """Find names in text that are in another variant's code, but not in this form in the page's own.

    The page's own code has the name in another case or with a prefix.
    """
    names = {variant: _count_names(page) for variant, page in step.pages.items()}
    for variant, page in step.pages.items():
        names_by_form = {form: name for name, _ in names[variant].most_common()[::-1] for form in _iter_forms(name)}
        if names_by_form:
            yield from _find_on_page(variant, page, names_by_form, names)


def _find_on_page(
    variant: str, page: Page, names_by_form: dict[str, str], names: dict[str, Counter[str]]
) -> Iterator[ForeignMethod]:
    text = page.plain
    used = {match["name"] for block in page.document.code_blocks for match in _NAME.finditer(block.text)}
    for start, end in _find_in_text(page):
        typed = text[start:end]
        called = names_by_form.get(_normalize_name(typed), "")
        is_type = typed[0].isupper() and called[:1].islower()  # a class and an instance of it
        is_constant = typed.isupper() != called.isupper()  # the value of a parameter
        if not called or typed in used or is_type or is_constant or not _JOINED.search(typed):
            continue
        others = tuple(other for other in names if typed in names[other])
        if others and not any(called in line and typed in line.replace(called, "") for line in text.split("\n")):
            # a line with both forms explains a rename, or lists the keys and the methods of the same options
            yield ForeignMethod(variant, (start, end), typed, called, others)


def _find_in_text(page: Page) -> Iterator[tuple[int, int]]:
    """Yield the spans of names in code spans, and of names of several words in the text."""
    for start, end in page.document.code_spans:
        yield from (match.span("name") for match in _NAME.finditer(page.plain, start, end))
    for prose in page.document.get_prose():
        if _JOINED.search(prose):
            yield from (
                prose.locate(*match.span("name")) for match in _NAME.finditer(prose) if _LONG.fullmatch(match["name"])
            )


def _count_names(page: Page) -> Counter[str]:
    """Count the names in the code blocks of a page that are called or have several words, in order."""
    matches = (match for block in page.document.code_blocks for match in _NAME.finditer(block.text))
    return Counter(match["name"] for match in matches if match["call"] or _LONG.fullmatch(match["name"]))


def _iter_forms(name: str) -> Iterator[str]:
    """Yield the normalized forms of a name; for an environment variable, also without framework prefixes."""
    if len(_normalize_name(name)) >= MIN_NAME:
        yield _normalize_name(name)
    short = name.partition("_")[2] if name.isupper() else ""
    while _LONG.fullmatch(short):
        yield _normalize_name(short)
        short = short.partition("_")[2]


def _normalize_name(name: str) -> str:
    return name.replace("_", "").lower()
