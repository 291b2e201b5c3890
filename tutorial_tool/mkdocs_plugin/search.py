"""The site's search: results show the platforms of pages."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Mapping
from html import escape
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.fs import files as disk
from tutorial_tool.publishing.social_meta import add_platform_name

FILE = "search/search_index.json"  # The search index of MkDocs and Material


def label_index_file(config: MkDocsConfig, platforms: Mapping[str, str], hidden: Container[str]) -> None:
    """Label the entries of the search index file.

    `platforms` maps page URLs to platform names; pages at `hidden` URLs are left out.
    """
    folder = Path(config.site_dir)
    source = disk.read(folder / FILE, root=folder, limit=disk.LARGEST)
    if not isinstance(source, Finding):
        text = label_index(source.text, platforms, grouped=config.theme.name == "material", hidden=hidden)
        disk.write_generated({folder / FILE: text.encode()}, root=folder)


def label_entries(
    entries: list[Any], platforms: Mapping[str, str], hidden: Container[str], config: MkDocsConfig
) -> list[Any]:
    """Label entries as `label_index_file` does."""
    index = json.dumps({"docs": entries}, separators=(",", ":"), default=str)
    is_grouped = config.theme.name == "material"
    return list(json.loads(label_index(index, platforms, grouped=is_grouped, hidden=hidden))["docs"])


def label_index(index: str, platforms: Mapping[str, str], *, grouped: bool, hidden: Container[str] = ()) -> str:
    """Return an index with platform names in its titles; `platforms` maps page URLs to names.

    `grouped`: the theme shows the sections of a page below it, as Material does, and reads titles as HTML; then only
    pages are labeled. Pages at `hidden` URLs are left out: others have the same content. An unexpected index is
    returned unchanged.
    """
    try:
        content = json.loads(index)
        if "index" not in content:  # a prebuilt index refers to entries by position
            content["docs"] = [entry for entry in content["docs"] if entry["location"].partition("#")[0] not in hidden]
        entries = content["docs"]
        mark: Callable[[str], str] = escape if grouped else str
        for entry in entries:
            _label_entry(entry, platforms, mark, grouped=grouped)
    except (ValueError, KeyError, TypeError, AttributeError):
        return index
    return json.dumps(content, separators=(",", ":"))


def _label_entry(
    entry: dict[str, Any], platforms: Mapping[str, str], mark: Callable[[str], str], *, grouped: bool
) -> None:
    address, section, _ = entry["location"].partition("#")
    if address in platforms and not (grouped and section):
        entry["title"] = add_platform_name(entry["title"], mark(platforms[address]))
