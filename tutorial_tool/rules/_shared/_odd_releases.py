"""Versions in code of one copy that are others than those of all other copies: for `drifted-code`."""

from __future__ import annotations

import re

from tutorial_tool.core import lazy_re
from tutorial_tool.variation.slots import Difference

_RELEASE = lazy_re.compile(r"(?<![\w.])v?\d+(?:\.\d+)+(?![\w.])")
_NAME = lazy_re.compile(r"[^\W\d_]{3,}")
_LONG = len("3.8.2")
_DOTS = 3
"""Those of an address such as `10.0.0.1`, which is no version."""


def release_apart(code: str, usual: str) -> Difference | None:
    """The only version in which two pieces of code differ, and what stands there in the other one."""
    mine, theirs = (list(_RELEASE.finditer(text)) for text in (code, usual))
    pairs = [(one, two[0]) for one, two in zip(mine, theirs, strict=False) if one[0] != two[0]]
    if len(mine) != len(theirs) or len(pairs) != 1:
        return None
    ((one, two),) = pairs
    return Difference(one[0], one.start(), two)


def is_another_release(code: tuple[str, str], usual: str, page: str, *, many: bool) -> bool:
    """Whether code differs in a version alone, which its page says once: `acme 3.2.0`, where others say `acme 3.4.1`.

    `code` is its text and its shape, `usual` the shape of the others. Unless `many` say so, the figures must be turned
    round, or the page have the version of the others behind the same name.
    """
    text, shape = code
    found = [_RELEASE.findall(each) for each in (shape, usual)]
    bare = {_RELEASE.sub("", each) for each in (shape, usual)}
    if len(bare) > 1 or any(len(each) != 1 or each[0].count(".") == _DOTS for each in found):
        return False
    (mine,), (theirs,) = found
    if _RELEASE.findall(page).count(mine) > 1:
        return False
    is_turned = sorted(mine) == sorted(theirs) and len(mine) >= _LONG
    return many or is_turned or _is_said_of_one(text, theirs, page)


def _is_said_of_one(code: str, version: str, page: str) -> bool:
    """Whether a page has a version behind one of the names in a piece of code: `Acme 4.2.0`, and `acme-cli==`."""
    said = re.finditer(rf"(?<!\w)([^\W\d_]+)[\W_]{{1,3}}(?:version )?{re.escape(version)}(?![\w.])", page)
    names = {name.lower() for name in _NAME.findall(code)}
    return any(each[1].lower() in names for each in said)
