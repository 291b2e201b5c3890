"""Words that say the opposite of each other, such as `least` and `most`."""

from __future__ import annotations

from tutorial_tool.data.toggle_words import states

_PAIRS = (
    "most least|more less|more fewer|maximum minimum|max min|highest lowest|higher lower|largest smallest"
    "|larger smaller|longest shortest|longer shorter|newest oldest|newer older|later earlier|latest earliest"
    "|first last|before after|above below|over under|start end|start stop|open close|show hide|lock unlock"
    "|allow deny|allow block|accept reject|include exclude|add remove|install uninstall|enable disable"
    "|increase decrease|increases decreases|connect disconnect|required optional|public private|internal external"
    "|input output|upload download|import export|send receive|inside outside|within outside|same different"
    "|safe unsafe|with without"
)
_ON_SCREENS = "up down|left right|top bottom"
"""What says where something is: each platform's screens may have it elsewhere."""


def _both_ways(pairs: str) -> frozenset[tuple[str, str]]:
    return frozenset(
        pair for both in pairs.split("|") for text, other in [both.split()] for pair in ((text, other), (other, text))
    )


_OPPOSED, _OPPOSITE_PLACES = _both_ways(_PAIRS), _both_ways(_ON_SCREENS)


def are_opposed(word: str, other: str) -> bool:
    """Whether two words in small letters say the opposite: two states of one kind, too, of which one is on."""
    known = states()
    if word in known and other in known:
        return known[word].kind == known[other].kind and known[word].on != known[other].on
    return (word, other) in _OPPOSED


def are_opposite_places(word: str, other: str) -> bool:
    """Whether two words in small letters name opposite places."""
    return (word, other) in _OPPOSITE_PLACES
