"""Find a project through the options of the plugin in `mkdocs.yml`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from tutorial_tool import data
from tutorial_tool.config import site_generator
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files

_CONFIGURATIONS = ("mkdocs.yml", "properdocs.yml", "mkdocs.yaml")


class PluginConfig(NamedTuple):
    """The plugin's options in a configuration: the folders of the project, pages, and templates, if set."""

    project: Path
    docs: Path
    templates: str | None


def read_config(folder: Path) -> PluginConfig | None:
    """Return the plugin's options in a folder's MkDocs configuration; None if it does not use the plugin."""
    for name in _CONFIGURATIONS:
        source = files.read(folder / name, root=folder) if (folder / name).is_file() else None
        if isinstance(source, Source):
            node = site_generator.read_node(source.path, source.raw)
            return _parse_config(folder, node) if isinstance(node, data.Mapping) else None
    return None


def find_enclosing(root: Path) -> PluginConfig | None:
    """Return the configuration that publishes the project in `root`, or None.

    It is the nearest one with the plugin, in that folder or one above it, up to the root of the repository.
    """
    for folder in (root, *root.parents):
        result = read_config(folder)
        if result is not None:
            return result if result.project == root else None
        if (folder / ".git").exists():
            break
    return None


def _parse_config(folder: Path, node: data.Mapping) -> PluginConfig | None:
    used = [options for name, options in data.iter_named(node, "plugins") if name.rpartition("/")[2] == "tutorial"]
    if not used:
        return None
    project = Path(os.path.normpath(folder / (data.get_text(used[0], "project") or ".")))
    docs = Path(os.path.normpath(folder / (data.get_text(node, "docs_dir") or "docs")))
    return PluginConfig(project, docs, data.get_text(used[0], "templates") or None)
