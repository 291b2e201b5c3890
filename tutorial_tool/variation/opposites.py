"""Words with opposite meanings, such as `least` and `most`."""

from __future__ import annotations

from tutorial_tool.data.toggle_words import load_states

_PAIRS = (
    "most least|more less|more fewer|maximum minimum|max min|highest lowest|higher lower|largest smallest"
    "|larger smaller|longest shortest|longer shorter|newest oldest|newer older|later earlier|latest earliest"
    "|first last|before after|above below|over under|start end|start stop|open close|show hide|lock unlock"
    "|allow deny|allow block|accept reject|include exclude|add remove|install uninstall|enable disable"
    "|increase decrease|increases decreases|connect disconnect|required optional|public private|internal external"
    "|input output|upload download|import export|send receive|inside outside|within outside|same different"
    "|safe unsafe|with without"
)
_OPPOSED = frozenset(
    pair for both in _PAIRS.split("|") for text, other in [both.split()] for pair in ((text, other), (other, text))
)


def are_opposed(word: str, other: str) -> bool:
    """Return whether two words in lower case are opposites, or two states of one kind, one of them on."""
    states = load_states()
    if word in states and other in states:
        return states[word].kind == states[other].kind and states[word].on != states[other].on
    return (word, other) in _OPPOSED
