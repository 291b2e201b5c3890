"""Decides from cached facts, without parsing, whether comparing tables of copies could find anything.

For the rules that compare the tables of all steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from tutorial_tool.cache import blake2b
from tutorial_tool.core import lazy_re
from tutorial_tool.core.scripts import TELLING_WORDS
from tutorial_tool.site import Page, page_facts
from tutorial_tool.variants import Step

Fact = TypeVar("Fact")
_LONG = lazy_re.compile(r"\|[^|\n]{60,}(?=\|)")  # A cell with a description
_PADDING = lazy_re.compile(r"[ \t]+|-{3,}")


def have_same_values(step: Step) -> bool:
    """Return whether all copies of a step have the same tables except for descriptions.

    Then no two values differ.
    """
    return len({_compute_cached(step, page, _digest_values) for page in step.pages.values()}) == 1


def has_repeated_description(step: Step) -> bool:
    """Return whether a copy of a step may have the same description under two settings of a table."""
    return any(_compute_cached(step, page, _may_have_repeated_cells) for page in step.pages.values())


def _compute_cached(step: Step, page: Page, compute: Callable[[Page], Fact]) -> Fact:
    """Return `make(page)` from the cache; for a part of a page, which runs do not cache, by its text."""
    results = step.whole_site.results
    if step.is_tabset:
        return results.get(lambda: compute(page), compute.__name__, page.digest, page.dialect)
    return page.get_cached(compute)


@page_facts.register
def _digest_values(page: Page) -> bytes:
    """Return a digest of the source of a page's tables, without the descriptions."""
    tables = "\n\n".join(_PADDING.sub(" ", _LONG.sub("|", text)) for text in _get_table_texts(page))
    return blake2b(tables.encode("utf-8", "surrogatepass"), digest_size=16).digest() if tables else b""


@page_facts.register
def _may_have_repeated_cells(page: Page) -> bool:
    return any(
        "|" not in text or _has_repeated_cell(text.replace("\n", "|").split("|")) for text in _get_table_texts(page)
    )


def _has_repeated_cell(cells: Iterable[str]) -> bool:
    seen: set[str] = set()
    for cell in cells:
        text = " ".join(cell.lower().split())
        if text in seen and (text.count(" ") >= TELLING_WORDS - 1 or not text.isascii()):
            return True
        seen.add(text)
    return False


def _get_table_texts(page: Page) -> list[str]:
    """Return the source of each table.

    Few of the tabs that are views of their page have one and are parsed for it.
    """
    return [page.plain[table.start : table.end] for table in page.document.tables] if "|" in page.plain else []
