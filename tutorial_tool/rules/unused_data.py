"""A label, value, ability, table or code entry that no template asks for."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.data import Mapping, Node, Scalar, Sequence, load_yaml
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.site import Project
from tutorial_tool.traced import plain

KINDS = {"labels": "label", "values": "value", "can": "ability", "code": "code entry"}


@rule("project", Severity.HINT)
def check(project: Project) -> Iterator[Finding]:
    if project.site.errors:
        return  # what was not rendered cannot tell what it would have asked for
    for root in _roots(project):
        for _, platform in _items(root.get("platforms")):
            for kind, word in KINDS.items():
                for key in _keys(platform.get(kind) if isinstance(platform, Mapping) else None):
                    if (kind, plain(key.text)) not in project.site.asked:
                        yield project.flag(key.span, f"no template uses the {word} '{key.text}'")
        for key, _ in _items(root.get("tables")):
            if ("tables", plain(key.text)) not in project.site.asked:
                yield project.flag(key.span, f"no template uses the table '{key.text}'")


def _roots(project: Project) -> Iterator[Mapping]:
    """The data files that were read."""
    for path in project.data_files:
        node = load_yaml(project.site.sources[path]).node
        if isinstance(node, Mapping):
            yield node


def _items(node: Node | None) -> tuple[tuple[Scalar, Node], ...]:
    return node.items if isinstance(node, Mapping) else ()


def _keys(node: Node | None) -> list[Scalar]:
    if isinstance(node, Sequence):
        return [item for item in node.items if isinstance(item, Scalar)]
    return [key for key, _ in _items(node)]
