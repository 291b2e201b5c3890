"""Pictures that are there, and that no browser shows: empty files, and pages that were saved under their names."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from posixpath import join, splitext
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.links import Addresses, Reference
from tutorial_tool.site import Page

_DRAWN = frozenset((".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg"))
_EMPTY = "is empty"
_LARGEST = 64_000
"""Bytes of a file that may be a page that says what went wrong."""
_START = 200
"""Bytes in which a page says what it is."""
_PAGE = lazy_re.compile(r"(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html[\s>])", re.IGNORECASE)


def unread(of: Addresses) -> Iterator[tuple[Page, Reference, str]]:
    """Each such picture with the first page that shows it, and what is wrong with the file.

    Where most are empty, somebody took the pictures out, and nothing is said of them.
    """
    shown: dict[str, tuple[Page, Reference]] = {}
    for page in of.site.pages:
        for reference, target in of.links(page):
            if reference.is_image and target.kind == "file" and splitext(target.path)[1].lower() in _DRAWN:
                shown.setdefault(target.path, (page, reference))
    seen: dict[str, _Seen] = of.site.known.setdefault(unread, {})
    wrong = {path: told for path in shown if (told := _wrong(join(of.docs, path), seen))}
    has_pictures = 2 * sum(told == _EMPTY for told in wrong.values()) < len(shown)
    for path, told in wrong.items():
        if told != _EMPTY or has_pictures:
            yield *shown[path], told


class _Seen(NamedTuple):
    """A file as it was when somebody looked into it: when it was changed, its size in bytes, and what is wrong."""

    changed: int
    size: int
    told: str


def _wrong(file: str, seen: dict[str, _Seen]) -> str:
    """What keeps a file from being shown."""
    try:
        known = os.stat(file)  # noqa: PTH116 - asked for every picture of a site
        if not stat.S_ISREG(known.st_mode) or known.st_size > _LARGEST:
            return ""
        before = seen.get(file)
        if before is None or before[:2] != (known.st_mtime_ns, known.st_size):
            with open(file, "rb") as read:  # noqa: PTH123
                before = seen[file] = _Seen(known.st_mtime_ns, known.st_size, _told(read.read(_START)))
    except OSError:
        return ""
    return before.told


def _told(start: bytes) -> str:
    if not start:
        return _EMPTY
    is_page = _PAGE.match(start.decode("latin-1"))
    return "is a web page that was saved as an image" if is_page else ""
