"""Regular expressions that are compiled on first use.

A run on one page uses a fifth of those in the modules that it loads; compiling the others took a sixth of its time.
"""

from __future__ import annotations

import re
from typing import Any, cast

MAX_REPEATS = 3  # Unlimited repeats of a pattern that is not ours; seven vocabularies of Vale, 2026-11: two at most


class _Pattern:
    """A lazy `re.Pattern`. From its first use on, its attributes are the pattern's own, and as fast."""

    __slots__ = (
        "_arguments",
        *"findall finditer flags fullmatch groupindex groups match pattern search split sub subn".split(),
    )

    def __init__(self, pattern: str, flags: int) -> None:
        self._arguments = pattern, flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(*self._arguments)
        for attribute in self.__slots__[1:]:
            setattr(self, attribute, getattr(compiled, attribute))
        return getattr(compiled, name)


def compile(pattern: str, flags: int = 0) -> re.Pattern[str]:  # noqa: A001 - as in `re`
    """Return a pattern like `re.compile`, compiled later: for top-level patterns; a test compiles them all.

    The result is not a `re.Pattern` to `re` itself: call its methods, not `re.sub(pattern, …)`.
    """
    return cast("re.Pattern[str]", _Pattern(pattern, flags))
