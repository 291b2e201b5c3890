"""References by a dotted number (`step 7.3`) where nothing that their reader sees is numbered so."""

from __future__ import annotations

import re
from functools import cache

from tutorial_tool import links
from tutorial_tool.core import lazy_re
from tutorial_tool.links.generators.mkdocs import plugins
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules.navigation._outline import Outline
from tutorial_tool.site import Page
from tutorial_tool.variants.ordering import Order
from tutorial_tool.variants.ordering.numbers import Number, shown
from tutorial_tool.variants.ordering.sequences import home
from tutorial_tool.variants.step_references import Reference, speaks_of_documents

_NUMBERING = frozenset(("add-number", "enumerate-headings", "enumerate-headings-plugin"))
"""Plugins of MkDocs that number headings."""
_ELSEWHERE = lazy_re.compile(r"--8<--|\binclude|\{\{|\{%|^import\s|^number", re.MULTILINE)
"""What brings in other texts, or numbers."""
_WORD = r"(?:(?:step|section|part|chapter)[ \u00a0]+)?"
_BEGIN = rf"(?:<[^<>\n]*>)?[^\w\n]*{_WORD}"


def lacks(known: Order, outline: Outline, reference: Reference) -> bool:
    """Whether the number of a reference is that of no step, section or item: no page that may be meant has any such."""
    page, number = outline.page, reference.number
    if _may_be_numbered(known, page) or (known.sequence(page) and outline.step is not None):
        return False
    if reference.text[:3].lower() == "sec" and speaks_of_documents(page.plain):
        return False  # it may be theirs
    if outline.items(()) >= number[0] or any(len(pair) > 1 for pair in outline.known):
        return False
    near = (other for other in known.site.pages if home(other) == home(page))
    if any(_major(number[0]).search(other.plain) for other in near):
        return False
    return not any(_stands(number).search(other.plain) for other in known.site.pages)


def _may_be_numbered(known: Order, page: Page) -> bool:
    """Whether numbers that nobody typed may stand on a page, or what has the number is not among the pages."""
    if page.dialect is Dialect.MYST or _ELSEWHERE.search(page.plain):
        return True
    if any(re.fullmatch(r"steps?", tag.name, re.IGNORECASE) for tag in page.document.tags):
        return True
    if any(other.path.rpartition("/")[2] == "SUMMARY.md" for other in known.site.pages):
        return True  # a book, whose chapters are counted
    of = links.of(known.site)
    return not of.is_whole or not _NUMBERING.isdisjoint(plugins(of.tree(page)))


@cache
def _major(number: int) -> re.Pattern[str]:
    """A heading or an item with a number."""
    return re.compile(rf"^(?:#+|title:){_BEGIN}{number}\b|^[ \t>*]*{number}[.)][ \t]", re.MULTILINE | re.IGNORECASE)


@cache
def _stands(number: Number) -> re.Pattern[str]:
    """A line that begins with a dotted number."""
    return re.compile(rf"^{_BEGIN}{re.escape(shown(number))}(?!\.?\d)", re.MULTILINE | re.IGNORECASE)
