"""A link whose text does not say where it leads: `here`, `<< Previous`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path

from tutorial_tool import addresses, lazy_re
from tutorial_tool.document import Link
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, Site

_NAVIGATION = lazy_re.compile(r"(?:previous|prev|next)\b")
_NAMED = lazy_re.compile(r"\b(?:aria-label|aria-labelledby|title)\s*=", re.IGNORECASE)


@cache
def unnamed_texts() -> frozenset[str]:
    """The texts that say nothing, in lower case."""
    text = (Path(__file__).parent / "words" / "unnamed.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.splitlines() if line and not line.startswith("#"))


@rule("navigation", Severity.HINT, yields_to=("typed-navigation",), english=True)
def check(site: Site) -> Iterator[Finding]:
    known = addresses.of(site)
    for page in site.pages:
        if page.lang not in ("en", None):
            continue
        told: dict[tuple[str, str], list[Link]] = {}
        for link in page.document.links:
            text = _bare(link)
            if text in unnamed_texts() and not _is_named_otherwise(page, link):
                if _NAVIGATION.match(text) and known.resolve(page, link.href).kind in ("external", "mail"):
                    continue  # the name of something, as a framework is called `Next`
                told.setdefault((text, link.href), []).append(link)
        for first, *others in told.values():
            related = [(page, (other.start, other.end), "and here") for other in others]
            shown = " ".join(unescape(first.text).split())
            yield page.flag((first.start, first.end), f"`{shown}` does not say where the link leads", related=related)


def _bare(link: Link) -> str:
    """A link's text in lower case, without arrows and marks around it."""
    return " ".join(re.sub(r"[^\w\s'’-]+", " ", unescape(link.text).lower().replace("\ufffc", "x")).split())


def _is_named_otherwise(page: Page, link: Link) -> bool:
    if link.title:
        return True
    return link.kind == "html" and _NAMED.search(page.document.text, link.start, link.end) is not None
