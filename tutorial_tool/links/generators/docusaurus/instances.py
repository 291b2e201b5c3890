"""The folders of pages that a Docusaurus configuration names, as far as they are literals."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import normpath
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.links import literals
from tutorial_tool.links.literals import List, Object, Text

_PLUGINS = lazy_re.compile(r"\b(?:presets|plugins)[\"']?\s*:\s*(?=\[)")

_PAIR = lazy_re.compile(
    r"\bpath\s*:\s*[\"'](\w[\w./-]*)[\"']\s*,(?:\s*id\s*:\s*[\"'][\w-]*[\"']\s*,)?\s*routeBasePath\s*:\s*[\"']([\w./-]+)[\"']"
)


class Instance(NamedTuple):
    """A folder of pages, its route, and its file of sidebars, "" if not set.

    Paths are relative to the folder of the configuration, and routes to the base of the site.
    """

    folder: str
    route: str
    sidebars: str


def find_instances(text: str) -> Iterator[Instance]:
    """Yield the folders of docs in a configuration, except those whose path is computed."""
    for match in _PLUGINS.finditer(text):
        for options in _find_docs_options(literals.parse_value(text, match.end())):
            folder, route, sidebars = (options.get_text(key) for key in ("path", "routeBasePath", "sidebarPath"))
            if (folder or not options.has("path")) and (route or not options.has("routeBasePath")):
                path = normpath(folder.value) if folder else "docs"
                yield Instance(path, route.value.strip("/") if route else "docs", sidebars.value if sidebars else "")
    for match in _PAIR.finditer(text):  # options that a function turns into plugins
        yield Instance(normpath(match[1]), match[2].strip("/"), "")


def _find_docs_options(value: literals.Value) -> Iterator[Object]:
    """Yield the options of the docs in a preset, and of each plugin that publishes a folder of docs."""
    for node in literals.iter_values(value):
        if isinstance(node, Object) and isinstance(docs := node.get("docs"), Object):
            yield docs
        if isinstance(node, List) and len(node.items) > 1:
            name, options = node.items[:2]
            if isinstance(name, Text) and "content-docs" in name.value and isinstance(options, Object):
                yield options
