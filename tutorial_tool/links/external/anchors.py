"""The anchors of another host's page: those in its HTML, and those that its scripts seem to make."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown import html_tags

_SCRIPT = lazy_re.compile(r"<script\b[^<>]*+>((?:[^<]++|<(?!/script))*+)", re.IGNORECASE)
_QUOTED = lazy_re.compile(r"[\"'#]([\w%.:~-]++)\\*+[\"']")
_PREFIX = "user-content-"  # What GitHub writes before the ids of headings, and its script takes off


def find_ids(html: str) -> frozenset[str]:
    """The anchors of a page. What it links to itself, or names in a script, may become one there."""
    return frozenset(_found(html))


def _found(html: str) -> Iterator[str]:
    for attribute in html_tags.attributes(html):
        if attribute.is_id:
            yield attribute.value.removeprefix(_PREFIX)
        elif attribute.value.startswith("#"):
            yield attribute.value[1:]
    for script in _SCRIPT.finditer(html):
        for quoted in _QUOTED.finditer(script[1]):
            yield quoted[1].removeprefix(_PREFIX)
