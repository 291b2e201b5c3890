"""What a lead-in says of all the settings that stand below it: that they are on, or that they have to be."""

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
_DOWN = (
    r"(?:the following\b|(?:all|each|every one|both|none) of (?:the following|these|those)\b|all these\b|these\b"
    r"|(?:all|each|every|both)? ?(?:of )?(?:the )?(?:[\w-]+ ){1,3}"
    r"(?:below|in (?:the|this) (?:table|list)(?: below)?)\b)"
)
_SURE_WORDS = ("sure", "verify", "confirm", "check")
_DOWN_WORDS = ("following", "these", "those", "below", "table", "list")
_ORDERING = tuple(
    "enable disable activate turn switch set leave keep check tick deselect must should shall need has have".split()
)
"""One of which is in each text that the expressions find: a cheap look before searching."""
_FEW = r"(?: [\w-]+){0,4}?"
_CHECKED = lazy_re.compile(
    rf"{_SURE}(?P<what>[^.:;?!]*?)"
    rf"\b(?P<said>(?:(?:is|are|be) |to )?(?:all |both )?{_STATE}\b"
    r"(?! (?:or|and|only|if|when|unless|except|as|according)\b|/)"
    rf"|(?:is|are|be) (?:all |both )?{_BARE}(?=\s*(?:[:.]|$)))",
    re.IGNORECASE,
)
_DONE = lazy_re.compile(rf"{_SURE} you(?:['’]ve| have)? (?P<said>{_STATE}) (?P<what>{_DOWN}{_FEW})\s*:", re.IGNORECASE)
_OWED = lazy_re.compile(
    rf"(?P<what>{_DOWN}{_FEW}) (?:must|should|shall|(?:need|needs|has|have) to) (?P<no>not |never )?"
    rf"(?:all |both |always )?(?:be|stay|remain) (?:set to )?(?P<said>{_STATE}|{_BARE})\b",
    re.IGNORECASE,
)
_BEGIN = (
    r"(?:^\W*|[.!?]\s+|\b(?:please|now|then|also|must|should|(?:have|need|sure) to)\s)"
    r"(?P<no>(?:do not|don['’]t|never|not) )?"
)
_ORDERED = lazy_re.compile(
    rf"{_BEGIN}(?P<said>(?P<on>enable|activate|turn on|switch on)"
    rf"|(?P<off>disable|deactivate|uncheck|untick|deselect|turn off|switch off)) (?P<what>{_DOWN})",
    re.IGNORECASE,
)
_PUT = lazy_re.compile(
    rf"{_BEGIN}(?:turn|switch|set|leave|keep) (?P<what>{_DOWN}{_FEW}) "
    rf"(?P<said>(?:to )?(?:{_STATE}|{_BARE}))(?=\W*(?:$|[.:]))",
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
_CONDITION = lazy_re.compile(
    r"\b(?:if|when|while|depending|where|by default|currently|initially|usually|only|whose|that (?:is|are)|which|or"
    r"|instead)\b",
    re.IGNORECASE,
)
_SENTENCE = lazy_re.compile(r"[.!?]\s+\S")


class Claim(NamedTuple):
    """What is said of all, or of `none`: `word` at (start, end) of the text, so that all are `on`, or off.

    `orders` where a reader is told to make it so, and not to see that it is.
    """

    word: str
    on: bool
    none: bool
    start: int
    end: int
    orders: bool


def claims(prose: Prose) -> Iterator[Claim]:
    """What a text says of the state of all that follows it."""
    text = prose.lower()
    is_sure = any(word in text for word in _SURE_WORDS)
    is_order = any(word in text for word in _DOWN_WORDS) and any(word in text for word in (*_ORDERING, *_SURE_WORDS))
    if not (is_sure or is_order) or _HEDGE.search(prose):
        return
    checked = [
        _claim(match, orders=False, none=_NONE.search(match["what"]) is not None)
        for match in (_CHECKED.finditer(prose) if is_sure else ())
        if _POINTS_DOWN.search(match["what"]) and not _SOME.search(match["what"])
    ]
    yield from checked or (_orders(prose) if is_order else ())


def _orders(prose: Prose) -> Iterator[Claim]:
    """What the last sentence of a text tells a reader to do with all that follows it."""
    if not prose.rstrip().endswith((":", ".")) or _CONDITION.search(prose):
        return
    for pattern in (_DONE, _OWED, _ORDERED, _PUT):
        for match in pattern.finditer(prose):
            what = match["what"].lower()
            looks_back = "these" in what and not prose.rstrip().endswith(":")
            if not looks_back and not _SENTENCE.search(prose, match.end()):
                none = what.startswith("none") or bool(match.groupdict().get("no"))
                yield _claim(match, orders=True, none=none)


def _claim(match: re.Match[str], *, orders: bool, none: bool) -> Claim:
    groupdict = match.groupdict()
    word = next(groupdict[name] for name in ("on", "off", "bare_on", "bare_off") if groupdict.get(name))
    on = bool(groupdict["on"] or groupdict.get("bare_on"))
    return Claim(word, on is not none, none, *match.span("said"), orders)
