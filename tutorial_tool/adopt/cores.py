"""What differs in a whole thing, and what is the same before and behind it."""

from __future__ import annotations

from tutorial_tool import lazy_re
from tutorial_tool.adopt.pieces import Vector

_EDGE = lazy_re.compile(r"\b(?=\w)|(?<=\w)\b")


def core_of(vector: Vector) -> tuple[str, Vector, str]:
    """What differs in whole things, and the parts before and behind it that are the same on all platforms.

    A URL keeps its beginning: what is the same are the last parts of its path.
    """
    texts = [text for _, text in vector]
    shortest = min(texts, key=len)
    start = 0
    if all("://" in text for text in texts):
        ends = [at for at in range(shortest.index("://") + len("://"), len(shortest)) if shortest[at] in "/?#"]
    else:
        starts = [match.start() for match in _EDGE.finditer(shortest)]
        start = max((at for at in starts if all(text.startswith(shortest[:at]) for text in texts)), default=0)
        ends = [at for at in starts if at > start]
    same = (shortest[at:] for at in ends if all(text.endswith(shortest[at:]) for text in texts))
    tail = next(same, "")
    core = tuple((platform, text[start : len(text) - len(tail)]) for platform, text in vector)
    return (shortest[:start], core, tail) if all(text for _, text in core) else ("", vector, "")
