"""The order of steps and platforms in a generator's syntax: front matter or separate files."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from tutorial_tool import data
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data import forms
from tutorial_tool.publishing.export.engines import Order
from tutorial_tool.site import Site

_FIELDS: Mapping[str, tuple[str, str]] = {
    "docusaurus": ("sidebar_position", "sidebar_position: {}\n"),
    "hugo": ("weight", "weight: {}\n"),
    "starlight": ("sidebar", "sidebar:\n  order: {}\n"),
}
"""By generator, the front matter key for the position of a page, and the lines to write."""
_DATE_FIELDS: Mapping[str, tuple[str, str]] = {
    "docusaurus": ("last_update", "last_update:\n  date: {}\n"),
    "hugo": ("lastmod", "lastmod: {}\n"),
    "starlight": ("lastUpdated", "lastUpdated: {}\n"),
    "vitepress": ("lastUpdated", "lastUpdated: {}\n"),
}
"""By generator, the front matter key for the date of the last change, and the lines to write."""
_CATEGORIES = ("_category_.json", "_category_.yml", "_category_.yaml")
_INDEXES = ("_index.md", "index.md", "_index.html", "index.html")


def compute_positions(site: Site, order: Order) -> dict[str, int]:
    """Return the 1-based position of each step in its tutorial and platform, by page path.

    Docusaurus sorts pages without a position last: the home page gets 0, to precede folders with one.
    """
    if order not in _FIELDS:
        return {}
    orders = [paths for tutorial in site.model.tutorials for paths in site.group_paths(tutorial).values()]
    steps = {path: number for paths in orders for number, path in enumerate(paths, start=1)}
    beside_home = any("/" not in folder and position for folder, (_, position) in _find_folders(site).items())
    return {"index.md": 0, **steps} if order == "docusaurus" and beside_home else steps


def add_order_fields(text: str, position: int | None, date: str | None, order: Order) -> str:
    """Add a page's position and last-change date to its front matter, unless that has them."""
    for value, fields in ((position, _FIELDS), (date, _DATE_FIELDS)):
        if value is not None and order in fields:
            text = _add_field(text, fields[order][0], fields[order][1].format(value))
    return text


def _add_field(text: str, key: str, lines: str) -> str:
    front_matter = data.find_front_matter(text)
    if front_matter is None:
        return text if forms.is_toml(text) or text.startswith("{") else f"---\n{lines}---\n\n{text.lstrip(chr(10))}"
    if key in data.parse_metadata(text) or text[front_matter.start : front_matter.end].lstrip().startswith("{"):
        return text
    before = text[: front_matter.end].rstrip("\n")
    return f"{before}\n{lines}{text[front_matter.end :].lstrip(chr(10))}"


def build_files(site: Site, nav: list[dict[str, Any]], order: Order, taken: Collection[str]) -> dict[str, str]:
    """Return files with names and order, by path in the page folder; none replaces one in `taken`."""
    match order:
        case "docusaurus":
            files = {
                f"{folder}/_category_.json": _format_json({"label": name} | ({"position": place} if place else {}))
                for folder, (name, place) in _find_folders(site).items()
                if not any(f"{folder}/{file}" in taken for file in _CATEGORIES)
            }
        case "hugo":
            files = {
                f"{folder}/_index.md": f"---\ntitle: {json.dumps(name, ensure_ascii=False)}\n"
                + (f"weight: {place}\n" if place else "")
                + "---\n"
                for folder, (name, place) in _find_folders(site).items()
                if not any(f"{folder}/{file}" in taken for file in _INDEXES)
            }
        case "mdbook":
            files = {"SUMMARY.md": "# Summary\n\n" + "".join(_render_summary(nav))}
        case "vitepress":
            files = {"../sidebar.json": _format_json(list(_build_sidebar(nav)))}
        case _:
            files = {}
    return {path: text for path, text in files.items() if path not in taken}


def _format_json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _find_folders(site: Site) -> dict[str, tuple[str, int]]:
    """Return the folders of platforms and tutorials with name and position among the platforms, or 0.

    A folder shared by several has no name.
    """
    names: dict[str, set[tuple[str, int]]] = {}
    for id_, tutorial in site.model.tutorials.items():
        for position, (platform, paths) in enumerate(site.group_paths(id_).items(), start=1):
            for path in paths:
                for folder, is_platform in _find_named_folders(path, platform.id):
                    names.setdefault(folder, set()).add(
                        (strip_origins(platform.name), position) if is_platform else (strip_origins(tutorial.title), 0)
                    )
    names_only = {folder: {name for name, _ in values} for folder, values in names.items()}
    return {folder: min(name) for folder, name in names.items() if len(names_only[folder]) == 1 and folder}


def _find_named_folders(path: str, platform: str) -> Iterator[tuple[str, bool]]:
    """Yield the folder of a platform above a page, and its tutorial's, next to it or to the step."""
    parts = posixpath.dirname(path).split("/")
    name = rf"(?<![^\W_]){re.escape(platform)}(?![^\W_])"
    index = next((number for number, part in enumerate(parts) if re.search(name, part)), None)
    if index is None:
        return
    yield "/".join(parts[: index + 1]), True
    if index:
        yield "/".join(parts[:index]), False


def _render_summary(nav: list[dict[str, Any]], depth: int = 0) -> Iterator[str]:
    """Yield the entries of mdBook's `SUMMARY.md`; a group is a chapter without a page."""
    for entry in nav:
        title = " ".join(str(entry["title"]).replace("[", "\\[").replace("]", "\\]").split())
        path = entry.get("path", "")
        if path and not str(path).endswith(".md"):
            continue
        yield f"{'  ' * depth}- [{title}]({f'<{path}>' if ' ' in path else path})\n"
        yield from _render_summary(entry.get("children", []), depth + 1)


def _build_sidebar(nav: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the entries of VitePress' `sidebar`."""
    for entry in nav:
        if "children" in entry:
            yield {"text": entry["title"], "items": list(_build_sidebar(entry["children"]))}
        else:
            path = str(entry["path"])
            link = "/" + re.sub(r"(^|/)index$", r"\1", path.removesuffix(".md")) if path.endswith(".md") else path
            yield {"text": entry["title"], "link": link}
