"""Edits of data files that preserve all other text: entries inserted in lists and mappings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.errors import TutorialToolError
from tutorial_tool.core.source import Edit, Span
from tutorial_tool.data import Mapping, Node, Scalar, Sequence, get_entries, get_items, get_scalars, load_yaml
from tutorial_tool.scaffold import build_id
from tutorial_tool.site import Site

_ID = lazy_re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


class ScaffoldError(TutorialToolError):
    """The change can't be written; the message is one line for the author."""


def check_id(id_: str) -> None:
    """Check an id.

    Raises: ScaffoldError if it is not valid.
    """
    if not _ID.fullmatch(id_):
        raise ScaffoldError(f"`{id_}` is not an id: use letters, digits, - and _, as in `{build_id(id_, 'id')}`")


def iter_roots(site: Site) -> Iterator[Mapping]:
    """Yield the data files of a site as nodes."""
    for path in site.data_files:
        node = load_yaml(site.sources[path]).node
        if isinstance(node, Mapping):
            yield node


def insert_entry(key: Scalar, value: Node, lines: Iterable[str]) -> Edit:
    """Return the edit that inserts lines after a mapping's entry, with its indentation.

    Raises: ScaffoldError if the entry is in braces.
    """
    source = key.span.source
    start = source.get_line_start(key.span.position.line)
    indent = source.text[start : key.span.start]
    if indent.strip():
        raise ScaffoldError(f"{key.span}: write `{key.text}` on a line of its own first; in braces, nothing is added")
    return _insert_after(value.span, "".join(f"{indent}{line}\n" if line else "\n" for line in lines), f"{indent} ")


def insert_item(items: Sequence, item: Node, text: str) -> Edit:
    """Return the edit that inserts a text after an item of a list, in brackets or with dashes."""
    source = items.span.source
    if source.text.startswith("[", items.span.start):
        end = item.span.end
        return Edit(source.span(end, end), f", {text}")
    start = source.get_line_start(item.span.position.line)
    return _insert_after(item.span, f"{source.text[start : item.span.start].partition('-')[0]}- {text}\n")


def _insert_after(span: Span, text: str, inside: str = "") -> Edit:
    """Return the edit that inserts a text below a node and its comments, including those `inside`."""
    source = span.source
    last = span.start + len(span.text.rstrip())
    end = source.text.find("\n", last)
    if end < 0:
        return Edit(source.span(len(source.text), len(source.text)), f"\n{text.rstrip()}\n")
    while inside and (line := source.text[end + 1 :].partition("\n")[0]).startswith(inside) and line.strip()[0] == "#":
        end += len(line) + 1
    return Edit(source.span(end + 1, end + 1), text)


def find_lists_naming(node: Node | None, id_: str, keys: frozenset[str]) -> Iterator[tuple[Sequence, Scalar]]:
    """Yield the lists below some keys, at any depth, that contain an id, and the item."""
    for key, value in get_entries(node):
        if key.plain in keys and isinstance(value, Sequence):
            yield from ((value, item) for item in get_scalars(value) if item.plain == id_)
        yield from find_lists_naming(value, id_, keys)
    for item in get_items(node):
        yield from find_lists_naming(item, id_, keys)


def apply_edits(edits: Iterable[Edit]) -> dict[str, bytes]:
    """Return the edited files by path, each edit applied once, in their original encoding."""
    by_path: dict[str, dict[tuple[int, int, str], Edit]] = {}
    for edit in edits:
        own = by_path.setdefault(edit.span.path, {})
        source = next(iter(own.values())).span.source if own else edit.span.source
        own[edit.span.start, edit.span.end, edit.text] = Edit(Span(source, *edit.span[1:]), edit.text)
    return {path: next(iter(own.values())).span.source.apply(own.values()).encode() for path, own in by_path.items()}
