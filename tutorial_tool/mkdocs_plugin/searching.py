"""The site's own search: its results tell the platforms of pages apart."""

from __future__ import annotations

import json
from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.fs import files as disk
from tutorial_tool.publishing import search_labels

LARGEST = 500_000_000
"""Bytes of an index that is still labelled: a site of many thousand pages has one of some ten million."""


def label(config: MkDocsConfig, platforms: Mapping[str, str], hidden: Container[str]) -> None:
    """Label the entries, once the search plugin has written them. `platforms` are names, by the address of a page;
    pages at `hidden` addresses are left out."""
    folder = Path(config.site_dir)
    read = disk.read(folder / search_labels.FILE, root=folder, limit=LARGEST)
    if not isinstance(read, Finding):
        text = search_labels.labelled(read.text, platforms, grouped=config.theme.name == "material", hidden=hidden)
        disk.write_made({folder / search_labels.FILE: text.encode()}, root=folder)


def labelled(
    entries: list[Any], platforms: Mapping[str, str], hidden: Container[str], config: MkDocsConfig
) -> list[Any]:
    """Entries as `label` writes them."""
    index = json.dumps({"docs": entries}, separators=(",", ":"), default=str)
    is_grouped = config.theme.name == "material"
    return list(json.loads(search_labels.labelled(index, platforms, grouped=is_grouped, hidden=hidden))["docs"])
