"""The configuration of MkDocs that is no YAML: no site is built of it, and nothing of the site is known."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tutorial_tool import addresses, data, files, lazy_re
from tutorial_tool.addresses import Tree
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.site import Site
from tutorial_tool.source import Source

_NAMES = ("mkdocs.yml", "properdocs.yml", "mkdocs.yaml", "properdocs.yaml")
_TEMPLATE = lazy_re.compile(r"\{[{%]")
"""What is filled in before the file is read as YAML."""


@rule("project", Severity.ERROR)
def check(site: Site) -> Iterator[Finding]:
    of = addresses.of(site)
    for tree in of.trees:
        source = _broken(tree, of.pages.root) if tree.is_mkdocs and tree.node is None else None
        if source is not None:
            site.sources.setdefault(source.path, source)
            yield from data.load_yaml(source, rule="broken-configuration").findings


def _broken(tree: Tree, root: str) -> Source | None:
    """The configuration of a tree, if it is no YAML."""
    paths = (Path(tree.root, name) for name in _NAMES)
    path = next((path for path in paths if path.is_file()), None)
    read = files.read(path, root=root) if path else None
    if not isinstance(read, Source) or _TEMPLATE.search(read.text):
        return None
    loaded = data.load_yaml(read)
    return read if loaded.node is None and loaded.findings else None
