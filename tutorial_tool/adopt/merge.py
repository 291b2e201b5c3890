"""Extend existing data files: additions are inserted into their text, so that all comments are kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tutorial_tool import data
from tutorial_tool.adopt.data import Value, format_flow, format_lines
from tutorial_tool.core import lazy_re
from tutorial_tool.core.errors import TutorialToolError
from tutorial_tool.core.grouping import group_by
from tutorial_tool.core.source import MAX_COLUMNS, Edit, Source, Span
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data import Node, Scalar

_SIGN = lazy_re.compile(r"\s#|(?:^|[:,\[{])\s*[&*!]")  # What may be a YAML comment, anchor, alias, or tag


class MergeConflict(TutorialToolError):
    """Existing data has a different value."""


def merge_additions(sources: Sequence[Source], additions: Mapping[str, Value]) -> dict[str, str]:
    """Return the raw texts of the changed data files, by path. The first source is `platforms.yaml`.

    An existing key is extended in its file; a new one is added next to its siblings. An entry of `steps` replaces the
    one with the same ID.

    Raises: MergeConflict if existing text would have to change, or the file cannot be extended.
    """
    roots = {source: data.load_yaml(source).node for source in sources}
    edits: list[Edit] = []
    for section, value in additions.items():
        homes = [node for node in roots.values() if isinstance(node, data.Mapping) and node.get(section)]
        if not homes:
            edits.append(_append_lines(sources[0], format_lines(section, value, 0)))
        elif isinstance(value, Mapping):
            for key, item in value.items():
                home = next((n for n in homes if key in (data.convert_to_plain(n.get(section)) or ())), homes[0])
                edits += _add_keys(home.get(section), {key: item}, f"{section}")
    out = {}
    for source in sources:
        file_edits = [edit for edit in edits if edit.span.source is source]
        if file_edits:
            out[source.path] = _expand_long_lines(source.apply(_join_edits(file_edits)), source.raw)
    return out


def _expand_long_lines(text: str, before: str) -> str:
    """Rewrite mappings and lists that became too long for one line in block style.

    If the file had such long lines before, it is returned unchanged.
    """
    old_lines = set(before.splitlines(keepends=True))
    if any(len(line) > MAX_COLUMNS for line in old_lines):
        return text
    out = "".join(line if line in old_lines else _expand_long_line(line) for line in text.splitlines(keepends=True))
    expanded = data.load_yaml(Source("", out))
    before, after = (data.convert_to_plain(node) for node in (data.load_yaml(Source("", text)).node, expanded.node))
    is_same = not expanded.findings and before == after
    return out if is_same else text


def _expand_long_line(line: str) -> str:
    bare = line.strip()
    if len(line) <= MAX_COLUMNS or not bare.endswith(("}", "]")) or _SIGN.search(bare):
        return line
    loaded = data.load_yaml(Source("", bare))
    content = data.convert_to_plain(loaded.node)
    if loaded.findings or not isinstance(content, dict) or len(content) != 1:
        return line
    end = line[len(line.rstrip("\r\n")) :]
    ((key, value),) = content.items()
    return "".join(f"{text}{end}" for text in format_lines(key, value, len(line) - len(line.lstrip(" "))))


def add_entry(source: Source, key: str, item: str, otherwise: Sequence[Value]) -> str:
    """Return the raw text of a file with an entry added to its list `key`.

    A mapping gets the entry as a key without a value. If the file has no such key, it gets one with the list
    `otherwise`.

    Raises: MergeConflict if it cannot be added.
    """
    root = data.load_yaml(source).node
    if not isinstance(root, data.Mapping):
        raise MergeConflict("the file is not a mapping, so nothing can be added")
    node = root.get(key)
    if node is None:
        edit = _append_lines(source, format_lines(key, otherwise, 0))
    elif isinstance(node, Scalar) and not node.text:
        edit = _insert_below(source, node.span.end, [f"  - {format_flow(entry)}" for entry in otherwise])
    elif isinstance(node, data.Mapping) and node.items:
        edit = _add_key(node, item, {})
    else:
        (edit,) = _add_entries(node, [item], key)
    return source.apply([edit])


def _join_edits(edits: Iterable[Edit]) -> Iterator[Edit]:
    """Join edits at the same place, those of an inner mapping before those of an outer one."""
    for result in group_by(edits, lambda edit: (edit.span.start, edit.span.end)).values():
        inner_first = sorted((edit.text for edit in result), key=lambda text: len(text.lstrip("\n ")) - len(text))
        yield Edit(result[0].span, "".join(inner_first))


def _add_keys(node: Node | None, value: Mapping[str, Value], where: str) -> Iterator[Edit]:
    """Yield the edits that add keys to a mapping.

    Raises: MergeConflict: it is no mapping with entries, or a key has another value.
    """
    if not isinstance(node, data.Mapping) or not node.items:
        raise MergeConflict(f"`{where}` is not a mapping with entries: nothing can be added to it")
    for key, item in value.items():
        existing = node.get(key)
        if existing is None:
            yield _add_key(node, key, item)
        elif isinstance(item, Mapping):
            yield from _add_keys(existing, item, f"{where}: {key}")
        elif isinstance(item, str):
            if data.convert_to_plain(existing) != item:
                raise MergeConflict(f"`{key}` in `{where}` says something else")
        else:
            yield from _add_entries(existing, item, f"{where}: {key}")


def _add_key(node: data.Mapping, key: str, value: Value) -> Edit:
    source, end = node.span.source, node.span.end
    if source.text[node.span.start : node.span.start + 1] == "{":
        name = next(iter(format_lines(key, "", 0))).partition(":")[0]
        return _insert_before_bracket(node.span, f"{name}: {format_flow(value)}")
    column = node.items[0][0].span.position.column - 1
    return _insert_below(source, end, format_lines(key, value, column))


def _add_entries(node: Node, value: Sequence[Value], where: str) -> Iterator[Edit]:
    """Yield the edits that add entries to a list; a mapping with an `id` replaces the entry with that ID.

    Raises: MergeConflict: it is no list with entries.
    """
    if not isinstance(node, data.Sequence) or not node.items:
        raise MergeConflict(f"`{where}` is not a list with entries: nothing can be added to it")
    entries = {_get_entry_id(data.convert_to_plain(item)): item for item in node.items}
    for item in value:
        existing = entries.get(_get_entry_id(item))
        if existing is None:
            yield _add_entry(node, item)
        elif isinstance(existing, Scalar) and isinstance(item, Mapping):
            yield Edit(existing.span, format_flow(item))
        elif not isinstance(item, str):
            yield from _add_keys(existing, {key: v for key, v in item.items() if key != "id"}, where)  # type: ignore[union-attr]


def _get_entry_id(entry: object) -> str:
    return str(entry.get("id", "")) if isinstance(entry, Mapping) else strip_origins(str(entry))


def _add_entry(node: data.Sequence, item: Value) -> Edit:
    source = node.span.source
    if source.text[node.span.start : node.span.start + 1] == "[":
        return _insert_before_bracket(node.span, format_flow(item))
    first = node.items[0].span.start
    start = source.text.rfind("-", 0, first)
    column = source.get_position(start).column - 1
    return _insert_below(source, node.span.end, [f"{' ' * column}- {format_flow(item)}"])


def _insert_before_bracket(span: Span, text: str) -> Edit:
    """Insert text as another entry of `{…}` or `[…]`.

    Raises: MergeConflict: a comment is before the closing bracket.
    """
    inside = span.source.text[span.start + 1 : span.end - 1]
    offset = span.start + 1 + len(inside.rstrip())
    if "#" in inside.rpartition("\n")[2]:
        raise MergeConflict("a comment is before a closing bracket: nothing can be added there")
    separator = "" if not inside.strip() else " " if inside.rstrip().endswith(",") else ", "
    return Edit(Span(span.source, offset, offset), separator + text)


def _insert_below(source: Source, end: int, added: Iterable[str]) -> Edit:
    """Insert lines after the line that contains an end offset."""
    index = source.text.find("\n", end)
    offset = len(source.text) if index < 0 else index
    return Edit(Span(source, offset, offset), "".join(f"\n{line}" for line in added))


def _append_lines(source: Source, added: Iterable[str]) -> Edit:
    text = source.text.rstrip("\n")
    return Edit(Span(source, len(text), len(text)), "".join(f"\n{line}" for line in added))
