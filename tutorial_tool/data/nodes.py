"""Nodes of YAML, TOML and JSON: scalars, lists and mappings with their spans."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from tutorial_tool.core.source import Span
from tutorial_tool.core.traced import Traced, strip_origins

if TYPE_CHECKING:
    from tutorial_tool.core.diagnostics import Finding


@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar. `style` is how it is written: `''` plain, `'`, `"`, `|` or `>`.

    `span` includes quotes and block header, and ends with the last line of a block scalar. A key without a value has an
    empty plain scalar, right after the colon.
    """

    text: Traced
    span: Span
    style: str = ""

    @property
    def plain(self) -> str:
        """The text without origins."""
        return strip_origins(self.text)


@dataclass(frozen=True, slots=True)
class Mapping:
    """Unique keys and their values, in the order of the file; merged ones (`<<`) come first."""

    items: tuple[tuple[Scalar, Node], ...]
    span: Span
    _index: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_index", {key.plain: at for at, (key, _) in enumerate(self.items)})

    def get(self, key: str) -> Node | None:
        at = self._index.get(key)
        return None if at is None else self.items[at][1]

    def get_key(self, key: str) -> Scalar | None:
        """Return the key as a node of the file."""
        at = self._index.get(key)
        return None if at is None else self.items[at][0]

    def list_keys(self) -> list[str]:
        return list(self._index)


@dataclass(frozen=True, slots=True)
class Sequence:
    items: tuple[Node, ...]
    span: Span


Node = Scalar | Mapping | Sequence


def get_entries(node: Node | None) -> tuple[tuple[Scalar, Node], ...]:
    """Return the keys and values of a mapping; nothing of another node."""
    return node.items if isinstance(node, Mapping) else ()


def get_items(node: Node | None) -> tuple[Node, ...]:
    """Return the items of a list; nothing of another node."""
    return node.items if isinstance(node, Sequence) else ()


def get_scalars(node: Node | None) -> list[Scalar]:
    """Return the items of a list that are scalars."""
    return [item for item in get_items(node) if isinstance(item, Scalar)]


class FrontMatter(NamedTuple):
    """Offsets of the YAML between the fences, and of the page's body after them."""

    start: int
    end: int
    body: int


class LoadedYaml(NamedTuple):
    """YAML text as a node, and its errors. No node if it is empty, or could not be read to its end."""

    node: Node | None
    findings: tuple[Finding, ...] = ()
