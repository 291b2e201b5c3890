"""The front matter of a page, with the places of the page's text."""

from __future__ import annotations

from tutorial_tool import data
from tutorial_tool.traced import Traced


def front_matter(text: Traced) -> data.Loaded | None:
    """What a text says in front, as `data.load_traced` reads it; None where there is none."""
    found = data.split(text)
    return data.load_traced(text, found.start, found.end) if found else None


def entry_node(node: data.Node | None, key: str) -> Traced | None:
    """The text of an entry, where it has one."""
    value = node.get(key) if isinstance(node, data.Mapping) else None
    return value.text if isinstance(value, data.Scalar) and value.text else None


def entry_text(front: data.Loaded | None, key: str) -> str:
    """The text of an entry, or nothing."""
    return (entry_node(front.node, key) if front else None) or ""
