"""Straight and curly apostrophes in the same documents."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules.text._corpus import Place, corpus
from tutorial_tool.site import Site

_APOSTROPHE = lazy_re.compile(r"(?<=[A-Za-z])['’](?=[a-z]{1,2}\b)")
_NAMES = {"'": "straight", "’": "curly"}


@rule("text", Severity.OFF)
def check(site: Site) -> Iterator[Finding]:
    read = corpus(site)
    passages = [passage for passage in read.usage.passages if "'" in passage.text or "’" in passage.text]
    places: dict[str, list[Place]] = {"'": [], "’": []}
    for place in read.find(_APOSTROPHE, passages):
        places[place.text].append(place)
    few, many = sorted(places.values(), key=len)
    if few:
        first, *others = few
        message = f"mixed apostrophes: {len(others) + 1} {_NAMES[first.text]}, {len(many)} {_NAMES[many[0].text]}"
        related = [(place.page, place.at, f"also {_NAMES[first.text]}") for place in others]
        yield first.page.flag(first.at, message, related=related)
