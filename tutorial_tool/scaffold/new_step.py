"""A new step of a tutorial: a draft in its list of steps, and its template."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.adopt.data import format_scalar
from tutorial_tool.adopt.template.jinja import escape_text
from tutorial_tool.core.diagnostics import format_suggestion
from tutorial_tool.core.source import Edit
from tutorial_tool.data import Mapping, Node, Sequence, get_entries, get_items, get_node, get_text
from tutorial_tool.data.model.parts import Tutorial
from tutorial_tool.scaffold import data_edits
from tutorial_tool.scaffold.data_edits import ScaffoldError
from tutorial_tool.site import Site

_TEMPLATE = """\
---
title: {title}
---

TODO: write this step, and delete `draft: true` in the data.
"""


def add_step(site: Site, reference: str, title: str, after: str | None) -> dict[str, bytes]:
    """Return the new and changed files by path; `reference` is a step's id, or tutorial/step."""
    named, _, id_ = reference.rpartition("/")
    tutorial = _find_tutorial(site, named)
    data_edits.check_id(id_)
    if id_ in tutorial.steps:
        raise ScaffoldError(f"tutorial `{tutorial.id}` already has a step `{id_}`")
    if after not in (None, *tutorial.steps):
        hint = format_suggestion(after, tutorial.steps) or f"; use one of: {', '.join(tutorial.steps)}"
        raise ScaffoldError(f"tutorial `{tutorial.id}` has no step `{after}`{hint}")
    before = after or list(tutorial.steps)[-1]
    edits = [edit for root in data_edits.iter_roots(site) for edit in _build_edits(root, tutorial.id, before, id_)]
    files = data_edits.apply_edits(edits)
    names = (f"steps/{tutorial.id}/{id_}.md.j2", f"steps/{id_}.md.j2")
    if site.template_names.isdisjoint(names):
        text = _TEMPLATE.format(title=escape_text(format_scalar(title, alone=True)))
        files[f"{site.layout.templates}/{names[1]}"] = text.encode()
    return files


def _find_tutorial(site: Site, named: str) -> Tutorial:
    tutorials = site.model.tutorials
    if not named and len(tutorials) == 1:
        return next(iter(tutorials.values()))
    if named not in tutorials:
        message = f"unknown tutorial `{named}`" if named else "there are several tutorials: write TUTORIAL/STEP"
        hint = format_suggestion(named, tutorials) or f"; use one of: {', '.join(tutorials)}"
        raise ScaffoldError(f"{message}{hint}")
    return tutorials[named]


def _build_edits(root: Mapping, tutorial: str, before: str, id_: str) -> Iterator[Edit]:
    """Yield insertions after the step in the tutorial's list and in platform orders that have it."""
    node = get_node(root, "tutorials", tutorial)
    for items, item in _find_items(get_node(node, "steps"), before):
        yield data_edits.insert_item(items, item, f"{{id: {id_}, draft: true}}")
    for _, override in get_entries(get_node(node, "on")):
        for items, item in _find_items(get_node(override, "steps"), before):
            yield data_edits.insert_item(items, item, id_)


def _find_items(items: Node | None, step: str) -> Iterator[tuple[Sequence, Node]]:
    for item in get_items(items):
        if isinstance(items, Sequence) and get_text(get_node(item, "id") or item) == step:
            yield items, item
