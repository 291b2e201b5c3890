"""A label, value, feature, table or code entry that no template asks for."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from itertools import chain

from tutorial_tool.core.diagnostics import CLEAR_TYPO, Finding, Related, Severity, format_suggestion
from tutorial_tool.core.source import Span
from tutorial_tool.data import Mapping, Scalar, get_entries, get_node, get_scalars, load_yaml
from tutorial_tool.rules import rule
from tutorial_tool.site import Project

_OF_PLATFORMS = ("labels", "values", "can", "code")
KINDS = {"labels": "label", "values": "value", "can": "feature", "code": "code entry", "tables": "table"}


@rule("project", Severity.HINT)
def check(project: Project) -> Iterator[Finding]:
    if project.site.errors:
        return  # the data used by unrendered templates is unknown
    requested: AbstractSet[tuple[str, str]] = project.site.requested_names
    stated: dict[tuple[str, str], dict[str, Span]] = {}
    for kind, owner, key in chain.from_iterable(map(_iter_names, _iter_roots(project))):
        stated.setdefault((kind, key.plain), {}).setdefault(owner, key.span)
    for (kind, name), owners in stated.items():
        if (kind, name) not in requested:
            first, *others = owners.values()
            related = tuple(Related(span, f"this {KINDS[kind]}, on another platform") for span in others)
            same_kind = [other for other_kind, other in requested if other_kind == kind]
            candidates = [other for other in same_kind if owners.keys().isdisjoint(stated.get((kind, other), ()))]
            hint = format_suggestion(name, sorted(candidates), CLEAR_TYPO)
            yield project.flag(first, f"unused {KINDS[kind]} `{name}`{hint}", related=related)


def _iter_names(root: Mapping) -> Iterator[tuple[str, str, Scalar]]:
    """Yield the names that a data file provides to templates: the kind, the owner, and the key of each."""
    for owner, platform in get_entries(root.get("platforms")):
        for kind in _OF_PLATFORMS:
            node = get_node(platform, kind)
            keys = get_scalars(node) or [key for key, _ in get_entries(node)]
            yield from ((kind, owner.plain, key) for key in keys)
    yield from (("tables", "", key) for key, _ in get_entries(root.get("tables")))


def _iter_roots(project: Project) -> Iterator[Mapping]:
    for path in project.data_files:
        node = load_yaml(project.site.sources[path]).node
        if isinstance(node, Mapping):
            yield node
