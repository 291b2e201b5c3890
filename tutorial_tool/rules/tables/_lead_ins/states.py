"""What a lead-in claims about all settings below it: that they are on, or off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Prose

_STATE = (
    r"(?:(?P<on>enabled|checked|ticked|selected|activated|turned on|switched on)"
    r"|(?P<off>disabled|unchecked|unticked|deselected|deactivated|turned off|switched off))"
)
_PUT_ON = r"(?:(?:set|switched|turned) )?(?:to )?"
_BARE = rf"(?:{_PUT_ON}(?P<bare_on>on|active|allowed)|{_PUT_ON}(?P<bare_off>off|inactive|denied))"
_SURE = r"\b(?:make sure|ensure|verify|confirm|check|be sure)\b(?: that)?"
_SURE_WORDS = ("sure", "verify", "confirm", "check")
"""Each matching text has one of these: a fast check before searching."""
_GROUPS = {"on": True, "off": False, "bare_on": True, "bare_off": False}
_CHECKED = lazy_re.compile(
    rf"{_SURE}(?P<what>[^.:;?!]*?)"
    rf"\b(?P<said>(?:(?:is|are|be) |to )?(?:all |both )?{_STATE}\b"
    r"(?! (?:or|and|only|if|when|unless|except|as|according)\b|/)"
    rf"|(?:is|are|be) (?:all |both )?{_BARE}(?=\s*(?:[:.]|$)))",
    re.IGNORECASE,
)
_POINTS_DOWN = lazy_re.compile(
    r"\b(?:following|these|all|below|both)\b|\b(?:each|every)\b.*\bin (?:the|this) (?:table|list)\b", re.IGNORECASE
)
_NONE = lazy_re.compile(r"\b(?:none|neither|not|never|no)\b|n['’]t\b", re.IGNORECASE)
_SOME = lazy_re.compile(r"\b(?:any|one of|either|some|most|at least|whether|if|which|what)\b", re.IGNORECASE)
_HEDGE = lazy_re.compile(
    r"\b(?:unless|except|other than|as (?:shown|follows|described|listed|indicated)|according"
    r"|or (?:not|disabled|unchecked)"
    r"|recommended (?:setting|value)s?)\b",
    re.IGNORECASE,
)


class Claim(NamedTuple):
    """What a text claims of all entries that follow: by `word` at (start, end), all are `on`, or off.

    With `none`, the text denies the word of all of them, so that `on` is the opposite of its state.
    """

    word: str
    on: bool
    none: bool
    start: int
    end: int


def find_claims(prose: Prose) -> Iterator[Claim]:
    """Find what a text claims about the state of everything that follows it."""
    text = prose.lower()
    if not any(word in text for word in _SURE_WORDS) or _HEDGE.search(prose):
        return
    for match in _CHECKED.finditer(prose):
        if _POINTS_DOWN.search(match["what"]) and not _SOME.search(match["what"]):
            word, on = next((match[name], on) for name, on in _GROUPS.items() if match[name])
            none = _NONE.search(match["what"]) is not None
            yield Claim(word, on is not none, none, *match.span("said"))
