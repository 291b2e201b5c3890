"""The configuration of MkDocs of which no site is built: it is no YAML, or names what is not there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tutorial_tool import data, links
from tutorial_tool.config import plugin_options
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import CLEAR_TYPO, Finding, Severity, find_nearest, format_suggestion
from tutorial_tool.links import Tree
from tutorial_tool.links.generators.mkdocs import get_plugin_options
from tutorial_tool.rules import rule
from tutorial_tool.site import Site

_TEMPLATE = lazy_re.compile(r"\{[{%]")  # Filled in before the file is parsed as YAML
_PLUGIN = "tutorial"


@rule("project", Severity.ERROR)
def check(site: Site) -> Iterator[Finding]:
    for tree in links.get_addresses(site).pages.trees:
        source = tree.faults[0].span.source if tree.faults else None
        if source is not None and not _TEMPLATE.search(source.text):
            site.sources.setdefault(source.path, source)
            yield from tree.faults
        if site.is_project and tree.node is not None:
            yield from _report_project(tree, tree.node)


def _report_project(tree: Tree, node: data.Mapping) -> Iterator[Finding]:
    """Report misspelled settings of the plugin or its folders, which MkDocs fails on or ignores."""
    docs = node.get("docs_dir")
    if isinstance(docs, data.Scalar) and not Path(tree.docs).is_dir():
        folders = [entry.name for entry in Path(tree.root).iterdir() if entry.is_dir()]
        suggestion = format_suggestion(docs.text, folders)
        yield Finding("", Severity.OFF, f"folder `{docs.text}` for the pages not found{suggestion}", docs.span)
    names = list(_iter_plugin_names(node.get("plugins")))
    for name in () if _PLUGIN in (name.plain.rpartition("/")[2] for name in names) else names:
        if find_nearest(name.text, [_PLUGIN], CLEAR_TYPO):
            message = f"unknown plugin `{name.text}`; did you mean `{_PLUGIN}`?"
            yield Finding("", Severity.OFF, message, name.span)
    for key, _ in data.get_entries(get_plugin_options(tree, _PLUGIN)):
        if key.plain not in plugin_options.OPTIONS:
            yield Finding("", Severity.WARNING, plugin_options.describe_unknown(key.plain), key.span)


def _iter_plugin_names(node: data.Node | None) -> Iterator[data.Scalar]:
    for item in (node, *data.get_items(node)):
        yield from (name for name, _ in data.get_entries(item))
        if isinstance(item, data.Scalar):
            yield item
