"""Methods that a page's text names as another variant's code writes them: `setZones`, where its own calls `SetZones`.

Both forms are alike in all copies of the text, so no comparison of slots shows them: what should vary does not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.site import Page
from tutorial_tool.variants import Step

_CALL = lazy_re.compile(r"(?<![\w$])([A-Za-z_]\w*)(?=\()")
_NAME = lazy_re.compile(r"(?<![\w$])[A-Za-z_]\w*(?![\w$])")
_JOINED = lazy_re.compile(r"[a-z][A-Z]|[A-Za-z]_[A-Za-z]")
_SHORTEST = 8  # Letters of a name that is more than a common word. 36 trees, 2026-11: `setZones` is among the shortest


class ForeignMethod(NamedTuple):
    """A method's name in a text, what the page's own code calls it, and the variants whose code calls it as typed."""

    variant: str
    place: tuple[int, int]
    typed: str
    own: str
    others: tuple[str, ...]


def find_foreign_methods(step: Step) -> Iterator[ForeignMethod]:
    """Names in code spans that the page's own code has in another case only, and that another variant's code calls."""
    calls = {variant: _calls(page) for variant, page in step.pages.items()}
    for variant, page in step.pages.items():
        if own := {_folded(n): n for n, _ in calls[variant].most_common()[::-1] if len(_folded(n)) >= _SHORTEST}:
            yield from _on_page(variant, page, own, calls)


def _on_page(variant: str, page: Page, own: dict[str, str], calls: dict[str, Counter[str]]) -> Iterator[ForeignMethod]:
    document, text = page.document, page.plain
    used = {name for block in document.code_blocks for name in _NAME.findall(block.text)}
    for start, end in document.code_spans:
        for match in _NAME.finditer(text, start, end):
            typed, called = match[0], own.get(_folded(match[0]), "")
            is_type = typed[0].isupper() and called[:1].islower()  # a class, and an object of it
            if not called or typed in used or is_type or not _JOINED.search(typed):
                continue
            line = text[text.rfind("\n", 0, start) + 1 : text.find("\n", end)]
            others = tuple(other for other in calls if typed in calls[other])
            if others and called not in line:  # a line with both forms tells how one became the other
                yield ForeignMethod(variant, match.span(), typed, called, others)


def _calls(page: Page) -> Counter[str]:
    """How often the code blocks of a page call each method, in their order."""
    return Counter(name for block in page.document.code_blocks for name in _CALL.findall(block.text))


def _folded(name: str) -> str:
    return name.replace("_", "").lower()
