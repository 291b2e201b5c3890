"""Links and pictures that follow what they lead to, when that got another path."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

from tutorial_tool import lazy_re
from tutorial_tool.difference import Change
from tutorial_tool.site import Page

_LINK = lazy_re.compile(r"\]\((?![a-z]+:|/|#)([^)#\s]+)((?:#[^)\s]*)?)\)")
"""A link to a file, and its anchor."""


def follows(change: Change, old: Page, new: Page, moved: Mapping[str, str]) -> bool:
    """Whether a text differs in addresses only, and leads where it led."""
    if change.how != "changed" or change.kind not in ("sentence", "heading", "image", "row"):
        return False
    if change.kind == "image":
        names = [{figure.path: figure.name for figure in page.figures} for page in (old, new)]
        drawn = [
            names[i].get(_target(page, text)) for i, (page, text) in enumerate(((old, change.old), (new, change.new)))
        ]
        return drawn[0] is not None and drawn[0] == drawn[1]
    told = change.cells or (("", change.old, change.new),)
    return all(_led(was, old, moved) == _led(is_, new, {}) for _, was, is_ in told)


def _led(text: str, page: Page, moved: Mapping[str, str]) -> str:
    """A text with the paths that its links lead to, as those are called now."""

    def path(found: re.Match[str]) -> str:
        target = _target(page, found[1])
        return f"]({moved.get(target, target)}{found[2]})"

    return _LINK.sub(path, text)


def _target(page: Page, src: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(page.path), src))
