"""The entries of a search, each of which tells the platform of its page: a step has the same title on all of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Mapping
from html import escape
from typing import Any

from tutorial_tool.publishing.social_meta import named

FILE = "search/search_index.json"  # Where MkDocs and Material keep what their search knows


def labelled(index: str, platforms: Mapping[str, str], *, grouped: bool, hidden: Container[str] = ()) -> str:
    """An index with the name of the platform in its titles. `platforms` gives it, by the address of the page.

    `grouped`: the theme shows the sections of a page below it, as Material does, and reads titles as HTML; only pages
    are labelled then. Pages at `hidden` addresses are left out: others say the same. An index that is not as expected
    is returned as it is.
    """
    try:
        read = json.loads(index)
        if "index" not in read:  # which counts the entries
            read["docs"] = [entry for entry in read["docs"] if entry["location"].partition("#")[0] not in hidden]
        entries = read["docs"]
        mark: Callable[[str], str] = escape if grouped else str
        for entry in entries:
            _label(entry, platforms, mark, grouped=grouped)
    except (ValueError, KeyError, TypeError, AttributeError):
        return index
    return json.dumps(read, separators=(",", ":"))


def _label(entry: dict[str, Any], platforms: Mapping[str, str], mark: Callable[[str], str], *, grouped: bool) -> None:
    address, section, _ = entry["location"].partition("#")
    if address in platforms and not (grouped and section):
        entry["title"] = named(entry["title"], mark(platforms[address]))
