"""A reason in the data that is yet to be written: `omit: TODO …`."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.data import Mapping, Node, Scalar, get_entries, get_items, get_node, load_yaml
from tutorial_tool.rules import rule
from tutorial_tool.site import Project

_UNWRITTEN = lazy_re.compile(r"\W*(?:TODO|FIXME|TBD|TBA|XXX)(?![\w-])")
_SECTIONS = ("tables", "tutorials")
_FIXES = {
    "omit": "say why the row is not there, or write its cells",
    "because": "say why this differs, or delete `because`",
    "not-on": "say why the step is not there, or delete the platform",
}
"""How to fix each kind of reason."""


@rule("project", Severity.WARNING)
def check(project: Project) -> Iterator[Finding]:
    for path in project.data_files:
        node = load_yaml(project.site.sources[path]).node
        sections = [get_node(node, name) for name in _SECTIONS]
        for kind, reason in (pair for section in sections for pair in _iter_reasons(section)):
            if _UNWRITTEN.match(reason.plain):
                yield project.flag(reason.span, f"unwritten reason; {_FIXES[kind]}")


def _iter_reasons(node: Node | None) -> Iterator[tuple[str, Scalar]]:
    """Yield the reasons below a node, each with its kind."""
    for item in get_items(node):
        yield from _iter_reasons(item)
    for key, value in get_entries(node):
        kind = key.plain
        if kind == "not-on" and isinstance(value, Mapping):
            yield from ((kind, reason) for _, reason in value.items if isinstance(reason, Scalar))
        elif kind in _FIXES and isinstance(value, Scalar):
            yield kind, value
        else:
            yield from _iter_reasons(value)
