"""Whether a text is a way to write a platform's id."""

from __future__ import annotations

from tutorial_tool import lazy_re

LONGEST = 40
"""Characters of a name, and of a value that is looked for elsewhere: longer ones are wording."""
_NAME = lazy_re.compile(r"[^\W_]+")


def resembles(text: str, platform: str) -> bool:
    """Whether a text is a way to write a platform's id: `React Native`, `react_native`, or `JS Web` for `web`."""
    return plain(text) == plain(platform) or (
        text == text.strip() and len(text) <= LONGEST and _is_in(_NAME.findall(platform.lower()), text)
    )


def _is_in(words: list[str], text: str) -> bool:
    found = _NAME.findall(text.lower())
    return bool(words) and set(words) <= set(found) and len(found) <= len(words) + 2 and "/" not in text


def plain(text: str) -> str:
    """A name without what people write between its words, in small letters."""
    return "".join(_NAME.findall(text.lower()))
