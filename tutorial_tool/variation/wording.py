"""How two texts differ word by word, and what their numbers and units say."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rapidfuzz.distance import Indel

from tutorial_tool.core import lazy_re, scripts

_SMALL = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBERS = {word: str(value) for value, word in enumerate(_SMALL.split(), 1)} | {
    word: str(value) for value, word in zip(range(20, 100, 10), _TENS.split(), strict=True)
}
"""Numbers in words, and the same in figures."""
_WORD = lazy_re.compile(r"\d{1,3}(?:,\d{3})+(?![\d,]*\d)|[\w\ue000\ufffc][\w\ue000\ufffc'’.+#/-]*(?<![.'’/-])")
_SCALES = (
    "ms msec millisecond|s sec second|min minute|h hr hour|d day|wk week|month|yr year",
    "b byte|kb kib kilobyte|mb mib megabyte|gb gib gigabyte|tb tib terabyte",
    "hz|khz|mhz|ghz",
    "kbps|mbps|gbps",
)
_UNITS = {
    word: (scale, size)
    for scale, message in enumerate(_SCALES)
    for size, words in enumerate(message.split("|"))
    for word in words.split()
}
"""What a unit measures, and which of the units of its scale it is."""
_MARK = str.maketrans("’‘“”\u00a0，、。：；！？（）", "''\"\" ,,.:;!?()")


def differing(left: str, right: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where two texts differ, word by word: (start, end) of characters in each. Marks alone are no difference."""
    a, b = (list(scripts.finditer(_WORD, text)) for text in (left, right))
    reported = [[word[0].lower().translate(_MARK) for word in words] for words in (a, b)]
    equal = [op for op in Indel.opcodes(*reported) if op.tag == "equal"]
    ends = [(0, 0), *((op.src_end, op.dest_end) for op in equal)]
    starts = [*((op.src_start, op.dest_start) for op in equal), (len(a), len(b))]
    return [
        (_stretch(a, left_end, left_start), _stretch(b, right_end, right_start))
        for (left_end, right_end), (left_start, right_start) in zip(ends, starts, strict=True)
        if left_end < left_start or right_end < right_start
    ]


def _stretch(words: Sequence[re.Match[str]], start: int, end: int) -> tuple[int, int]:
    if start < end:
        return words[start].start(), words[end - 1].end()
    at = words[start].start() if start < len(words) else (words[-1].end() if words else 0)
    return at, at


def is_unit(word: str) -> bool:
    """Whether a word is a unit of time, memory or the like."""
    return word.lower() in _UNITS or word.lower().removesuffix("s") in _UNITS
