"""Recognize links and images updated because their target has a new path or number."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from tutorial_tool.core import lazy_re
from tutorial_tool.diff import PageChange
from tutorial_tool.site import Page

_LINK = lazy_re.compile(r"\]\((?![a-z]+:|/|#)([^)#\s]+)((?:#[^)\s]*)?)\)")  # A link to a file, with its anchor


_REFERENCE = lazy_re.compile(r"\[([^\[\]\n]*\d[^\[\]\n]*)\](?=\([^()\s]+\))")
_DIGITS = lazy_re.compile(r"\d+")


def is_link_update(change: PageChange, old: Page, new: Page, moved: Mapping[str, str]) -> bool:
    """Return whether a text differs only in its URLs, and its link targets are the same."""
    if change.how != "changed" or change.kind not in ("sentence", "heading", "image", "row"):
        return False
    if change.kind == "image":
        name = _find_figure_name(old, change.old)
        return name is not None and name == _find_figure_name(new, change.new)
    texts = change.cells or (("", change.old, change.new),)
    return all(_resolve_links(was, old, moved) == _resolve_links(is_, new, {}) for _, was, is_ in texts)


def _find_figure_name(page: Page, src: str) -> str | None:
    path = _resolve_target(page, src)
    return next((figure.name for figure in page.figures if figure.path == path), None)


def _resolve_links(text: str, page: Page, moved: Mapping[str, str]) -> str:
    """Return a text with its link targets resolved to their current paths."""

    def replace_path(match: re.Match[str]) -> str:
        target = _resolve_target(page, match[1])
        return f"]({moved.get(target, target)}{match[2]})"

    return _LINK.sub(replace_path, text)


def _resolve_target(page: Page, src: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(page.path), src))


def merge_renumbered(
    changes: Iterable[PageChange], old: Page, new: Page, moved: Mapping[str, str]
) -> Iterator[PageChange]:
    """Yield the changes, merging references that only print the new number of their target."""
    remaining: list[PageChange] = []
    first: PageChange | None = None
    numbers: dict[tuple[str, str], int] = {}
    for change in changes:
        renumbered = _find_renumbered(change, old, new, moved)
        for pair in renumbered:
            numbers[pair] = numbers.get(pair, 0) + 1
        if not renumbered:
            remaining.append(change)
        elif first is None:
            first = change
            remaining.append(change)
    for change in remaining:
        if change is first:
            was, is_ = (", ".join(side) for side in zip(*numbers, strict=True))
            yield replace(change, kind="references", old=was, new=is_, section="", about=str(sum(numbers.values())))
        else:
            yield change


def _find_renumbered(change: PageChange, old: Page, new: Page, moved: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the old and new references of a text that differs only in their numbers; else none."""
    if (change.kind, change.how) != ("sentence", "changed") or not (old.generated and new.generated):
        return []
    if change.source is None or change.source.text[:1].isdigit():
        return []  # typed manually
    was, is_ = _resolve_links(change.old, old, moved), _resolve_links(change.new, new, {})
    if _REFERENCE.sub(_mask_number, was) != _REFERENCE.sub(_mask_number, is_):
        return []
    pairs = zip(_REFERENCE.findall(was), _REFERENCE.findall(is_), strict=True)
    return [(before, after) for before, after in pairs if before != after]


def _mask_number(match: re.Match[str]) -> str:
    return f"[{_DIGITS.sub('#', match[1])}]"
