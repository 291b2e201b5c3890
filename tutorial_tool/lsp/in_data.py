"""Complete ids of platforms, groups and steps, and the words of a column, in the data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import find_line_start
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.site import Site

_KEY = lazy_re.compile(r"(?P<indent>[ ]*)(?P<dash>(?:- +)*)(?P<key>[\w-]+):(?=[ \n]|$)")
_WORD = r"(?P<word>[\w-]*)$"
_LIST = rf"\[(?:[^\[\]]*,)?[ ]*{_WORD}"
_ENTRY = rf"\{{(?:(?:[^{{}}\"]|\"[^\"]*\"|\{{[^{{}}]*\}})*,)?[ ]*{_WORD}"
_EXTENDS = lazy_re.compile(rf"\bextends:[ ]+{_WORD}")
_IDS = lazy_re.compile(rf"\b(?:only|platforms):[ ]+{_LIST}|\b(?:on|not-on):[ ]+{_ENTRY.replace('word', 'other')}")
_STEPS = lazy_re.compile(rf"\bsteps:[ ]+{_LIST}")
_GROUP = lazy_re.compile(rf"^[ ]+[\w-]+:[ ]+{_LIST}")
_ITEM = lazy_re.compile(rf"^[ ]*- +{_WORD}")
_ALONE = lazy_re.compile(rf"^[ ]*{_WORD}")
_CELL = lazy_re.compile(r"(?:^[ ]*|[{,][ ]*)(?P<column>[\w-]+):[ ]+(?P<word>[^,{}\[\]\"'#\n]*)$")


class DataChoices(NamedTuple):
    """The choices for the word that ends at the cursor, each with its description and kind."""

    word: str
    choices: tuple[tuple[str, str, str], ...]


def find_choices(site: Site, text: str, offset: int) -> DataChoices | None:
    """Return the choices at an offset of a data file."""
    start = find_line_start(text, offset)
    line, path = text[start:offset], _find_key_path(text, start, offset)
    if match := _EXTENDS.search(line):
        return DataChoices(match["word"], tuple(_iter_platforms(site)))
    if match := _IDS.search(line):
        return DataChoices(match["word"] if match["word"] is not None else match["other"], tuple(_iter_ids(site)))
    if match := _STEPS.search(line):
        return DataChoices(match["word"], tuple(_iter_steps(site, path)))
    return _find_entry_choices(site, line, path)


def _find_entry_choices(site: Site, line: str, path: list[str]) -> DataChoices | None:
    """Return the choices for an entry at a path of keys; None if none apply."""
    key = path[-1] if path else ""
    if path[:1] == ["groups"] and (match := _GROUP.search(line) or _ITEM.search(line)):
        return DataChoices(match["word"], tuple(_iter_platforms(site)))
    if path[:1] == ["tables"] and path[2:3] == ["rows"] and (match := _CELL.search(line)):
        table = site.model.tables.get(path[1])
        words = table.values.get(match["column"], ()) if table else ()
        return DataChoices(
            match["word"], tuple((strip_origins(word), "a word of the column", "value") for word in words)
        )
    if key in ("on", "not-on") and (match := _ALONE.search(line)):
        return DataChoices(match["word"], tuple(_iter_ids(site)))
    item = _ITEM.search(line)
    return _find_item_choices(site, item["word"], path) if item else None


def _find_item_choices(site: Site, word: str, path: list[str]) -> DataChoices | None:
    """Return the choices for a list item at a path of keys; None if none apply."""
    key = path[-1] if path else ""
    if key in ("only", "platforms") and len(path) > 1:
        return DataChoices(word, tuple(_iter_ids(site)))
    return (
        DataChoices(word, tuple(_iter_steps(site, path))) if key == "steps" and "on" in path and len(path) > 3 else None
    )


def _find_key_path(text: str, start: int, offset: int) -> list[str]:
    """Return the keys around the line that begins at `start`, outermost first."""
    line = text[start:offset]
    depth, keys = len(line) - len(line.lstrip(" ")), list[str]()
    for line_above in reversed(text[:start].splitlines()):
        match = _KEY.match(line_above)
        indent = len(match["indent"]) if match else 0
        if match and match["dash"] and indent < depth:
            depth = indent
        elif match and (indent < depth or (indent == depth and line.lstrip().startswith("-") and not keys)):
            keys.insert(0, match["key"])
            depth = indent
        if not depth and keys:
            break
    return keys


def _iter_platforms(site: Site) -> Iterator[tuple[str, str, str]]:
    yield from ((id_, strip_origins(platform.name), "platform") for id_, platform in site.model.platforms.items())


def _iter_ids(site: Site) -> Iterator[tuple[str, str, str]]:
    yield from _iter_platforms(site)
    yield from ((id_, f"a group: {', '.join(members)}", "platform") for id_, members in site.model.groups.items())


def _iter_steps(site: Site, path: list[str]) -> Iterator[tuple[str, str, str]]:
    if len(path) > 1 and (tutorial := site.model.tutorials.get(path[1])):
        yield from ((step, f"a step of `{tutorial.id}`", "step") for step in tutorial.steps)
