"""Markup of other generators on a page for Python-Markdown, which renders it literally."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import is_within
from tutorial_tool.markdown.document import Range
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.site import Page, page_facts

_BOXES = {
    "hint": "info",
    "note": "note",
    "tip": "tip",
    "info": "info",
    "warning": "warning",
    "danger": "danger",
    "caution": "warning",
    "important": "warning",
    "details": "",
}
"""Admonitions of other generators and their Python-Markdown type; empty for a collapsible one."""
_NAME = lazy_re.compile(r"[A-Za-z]+")
_CONTAINER = lazy_re.compile(
    rf"^[ \t]*(?P<sign>:::+[ \t]*(?:{'|'.join(_BOXES)})\b[^\n]*)", re.MULTILINE | re.IGNORECASE
)
_ALERT = lazy_re.compile(
    r"^[ \t]*>[ \t]*(?P<sign>\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\])[ \t]*$", re.MULTILINE | re.IGNORECASE
)
_SHORTCODE = lazy_re.compile(r"(?P<sign>\{\{(?:<[ \t]*/?[a-z][^{}\n]*>|%[ \t]*/?[a-z][^{}\n]*%)\}\})")
"""A Hugo shortcode."""
_BLOCK = lazy_re.compile(
    r"^[ \t]*(?P<sign>\{%-?[ \t]*(?:hint|tabs|tab|content-ref|embed|swagger|stepper|step)\b[^{}\n]*%\})", re.MULTILINE
)
"""A GitBook block at the start of a line."""


@page_facts.register
def find_foreign_markup(page: Page) -> tuple[Range, ...]:
    """Find the markup of other generators on a page for Python-Markdown, as spans in order."""
    text = page.plain
    is_asked = any(sign in text for sign in (":::", "[!", "{{<", "{{%", "{%"))
    if page.publishing_dialect is not Dialect.PYTHON_MARKDOWN or not is_asked:
        return ()
    aside = [Range(block.start, block.end) for block, _ in page.document.walk() if block.kind in ("code", "html")]
    aside += [Range(*span) for span in page.document.code_spans]
    aside += [Range(0, page.document.front_matter.body)] if page.document.front_matter else []
    return tuple(sorted(place for place in _iter_markup(text) if not is_within(place.start, aside)))


def _iter_markup(text: str) -> Iterator[Range]:
    for pattern in (_CONTAINER, _ALERT, _SHORTCODE, _BLOCK):
        for match in pattern.finditer(text):
            written = match["sign"]
            start = match.start("sign") + len(written) - len(written.lstrip())
            yield Range(start, start + len(written.strip()))


def get_equivalent(written: str) -> str:
    """Return the Python-Markdown equivalent of another generator's markup; "" for none."""
    name = _NAME.search(written)
    box = _BOXES.get(name[0].lower()) if name else None
    return "" if box is None else f"!!! {box}" if box else "??? note"
