"""The folders of pages that a Docusaurus configuration names, as far as they are literals."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import join, normpath
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.links import literals
from tutorial_tool.links.literals import List, Object, Text

_PLUGINS = lazy_re.compile(r"\b(?:presets|plugins)[\"']?\s*:\s*(?=\[)")

_PAIR = lazy_re.compile(
    r"\bpath\s*:\s*[\"'](\w[\w./-]*)[\"']\s*,(?:\s*id\s*:\s*[\"']([\w-]*)[\"']\s*,)?\s*routeBasePath\s*:\s*[\"']([\w./-]+)[\"']"
)
_OPTIONS = ("path", "routeBasePath", "sidebarPath", "id", "lastVersion")


class Instance(NamedTuple):
    """A folder of pages, its route, and its file of sidebars, "" if not set.

    Paths are relative to the folder of the configuration, and routes to the base of the site. `id` is "" for the
    default instance, and `last_version` for the newest one. `start` is the route without the path of the version.
    """

    folder: str
    route: str
    sidebars: str = ""
    id: str = ""
    last_version: str = ""
    start: str = ""

    @property
    def prefix(self) -> str:
        """The prefix of the instance's `versions.json` and `versioned_docs`."""
        return f"{self.id}_" if self.id else ""


def find_instances(text: str) -> Iterator[Instance]:
    """Yield the folders of docs in a configuration, except those whose path is computed."""
    # options that a function may turn into plugins
    pairs = {normpath(path): (route.strip("/"), id_) for path, id_, route in _PAIR.findall(text)}
    for match in _PLUGINS.finditer(text):
        for options in _find_docs_options(literals.parse_value(text, match.end())):
            folder, route, *others = (options.get_text(key) for key in _OPTIONS)
            if (folder or not options.has("path")) and (route or not options.has("routeBasePath")):
                path = normpath(folder.value) if folder else "docs"
                sidebars, id_, last = (text.value if text else "" for text in others)
                id_ = "" if id_ == "default" else id_
                pairs.pop(path, None)
                start = route.value.strip("/") if route else "docs"
                yield Instance(path, join(start, _find_current_path(options)).rstrip("/"), sidebars, id_, last, start)
    yield from (Instance(path, route, id=id_, start=route) for path, (route, id_) in pairs.items())


def _find_current_path(options: Object) -> str:
    """Return the path that `versions` states for the current version, without slashes around it."""
    versions = options.get("versions")
    current = versions.get("current") if isinstance(versions, Object) else None
    path = current.get_text("path") if isinstance(current, Object) else None
    return path.value.strip("/") if path else ""


def _find_docs_options(value: literals.Value) -> Iterator[Object]:
    """Yield the options of the docs in a preset, and of each plugin that publishes a folder of docs."""
    for node in literals.iter_values(value):
        if isinstance(node, Object) and isinstance(docs := node.get("docs"), Object):
            yield docs
        if isinstance(node, List) and len(node.items) > 1:
            name, options = node.items[:2]
            if isinstance(name, Text) and "content-docs" in name.value and isinstance(options, Object):
                yield options
