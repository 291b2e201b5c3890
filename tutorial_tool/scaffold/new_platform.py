"""A new platform modeled on another one: a draft in the data, in the same lists, with files to adapt."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from tutorial_tool.adopt.data import format_scalar
from tutorial_tool.core.diagnostics import format_suggestion, join_names
from tutorial_tool.core.source import Edit
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data import Mapping, Sequence, convert_to_plain, get_entries
from tutorial_tool.data.model.parts import Platform
from tutorial_tool.scaffold import data_edits
from tutorial_tool.scaffold.data_edits import ScaffoldError
from tutorial_tool.scaffold.todo import STUB
from tutorial_tool.site import Site

_LISTS = frozenset(("only", "platforms"))
"""Keys of lists of platforms: a new platform is added wherever the similar one is listed."""
_COMMENTS = {
    **dict.fromkeys((".md",), ("<!-- ", " -->")),
    **dict.fromkeys((".py", ".rb", ".sh", ".yaml", ".yml", ".toml", ".r", ".pl", ".ps1"), ("# ", "")),
    **dict.fromkeys((".html", ".xml", ".plist", ".vue"), ("<!-- ", " -->")),
    **dict.fromkeys((".lua", ".sql", ".hs"), ("-- ", "")),
    **dict.fromkeys((".brs", ".bas", ".vb"), ("' ", "")),
}
"""The form of a comment, by suffix; `// …` otherwise. JSON has no comments."""


def add_platform(site: Site, id_: str, name: str, like: str) -> dict[str, bytes]:
    """Return the new and changed files by path.

    Raises: ScaffoldError if the platform can't be added.
    """
    model = site.model
    data_edits.check_id(id_)
    if id_ in model.platforms or id_ in model.groups:
        raise ScaffoldError(f"platform or group `{id_}` already exists")
    if like not in model.platforms:
        hint = format_suggestion(like, model.platforms) or f"; use one of: {join_names(model.platforms)}"
        raise ScaffoldError(f"unknown platform `{like}`{hint}")
    pattern = model.platforms[like]
    edits = [edit for root in data_edits.iter_roots(site) for edit in _build_edits(root, id_, name, pattern)]
    return data_edits.apply_edits(edits) | dict(_build_stubs(site, id_, name, pattern))


def _build_edits(root: Mapping, id_: str, name: str, like: Platform) -> Iterator[Edit]:
    platforms, groups = root.get("platforms"), root.get("groups")
    if isinstance(platforms, Mapping) and (key := platforms.get_key(like.id)) and (value := platforms.get(like.id)):
        yield data_edits.insert_entry(key, value, _format_entry(id_, name, like))
    lists = (members for _, members in get_entries(groups))
    for members in (members for members in lists if isinstance(members, Sequence)):
        yield from (
            data_edits.insert_item(members, item, id_) for item in members.items if convert_to_plain(item) == like.id
        )
    for section in ("tutorials", "tables"):
        for items, item in data_edits.find_lists_naming(root.get(section), like.id, _LISTS):
            yield data_edits.insert_item(items, item, id_)


def _format_entry(id_: str, name: str, like: Platform) -> Iterator[str]:
    """Yield the lines of a platform, with comments for missing texts.

    `todo` and `lint --drafts` report these.
    """
    yield f"{id_}:"
    yield f"  name: {format_scalar(name, alone=True)}"
    yield "  draft: true  # builds leave it out: delete this line to publish it"
    if like.section:
        yield f"  section: {format_scalar(strip_origins(like.section), alone=True)}"
    if like.can:
        yield f"  can: [{', '.join(sorted(like.can))}]  # as {like.id}: check each"
    values = {key: convert_to_plain(node) for key, node in like.values.items()}
    for kind, texts in (
        ("labels", {key: strip_origins(text) for key, text in like.labels.items()}),
        ("values", values),
    ):
        if texts:
            yield f"  # {kind}:  # to write; {like.id} has:"
            shown = {key: format_scalar(value) if isinstance(value, str) else "…" for key, value in texts.items()}
            yield from (f"  #   {key}: {value}" for key, value in shown.items())


def _build_stubs(site: Site, id_: str, name: str, like: Platform) -> Iterator[tuple[str, bytes]]:
    """Yield copies of parts and code files that only the other platform has, marked for adapting."""
    mark = f".{like.id}."
    for template in sorted(site.template_names):
        folder, file = posixpath.split(template)
        if not folder.startswith("steps/") or mark not in file:
            continue
        source = site.sources.get(f"{site.layout.templates}/{template}")
        new = f"{folder}/{file.replace(mark, f'.{id_}.', 1)}"
        if source is not None and new not in site.template_names:
            suffix = posixpath.splitext(file)[1]
            before, after = _COMMENTS.get(suffix, ("// ", ""))
            message = f"{STUB.format(platform=id_)}: adapt this copy of {file} to {name}, and delete this line"
            line = "" if suffix == ".json" else f"{before}{message}{after}\n"
            yield f"{site.layout.templates}/{new}", (line + source.text).encode()
