"""Numbers in words, and units."""

from __future__ import annotations

_SMALL = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBERS = {word: str(value) for value, word in enumerate(_SMALL.split(), 1)} | {
    word: str(value) for value, word in zip(range(20, 100, 10), _TENS.split(), strict=True)
}
"""Number words and their digits."""
_MEASURING_UNITS = frozenset(
    """ms msec millisecond s sec second min minute h hr hour d day wk week month yr year
    b byte kb kib kilobyte mb mib megabyte gb gib gigabyte tb tib terabyte hz khz mhz ghz kbps mbps gbps""".split()
)


def is_measuring_unit(word: str) -> bool:
    """Return whether a word is a unit of time, memory or the like."""
    return word.lower() in _MEASURING_UNITS or word.lower().removesuffix("s") in _MEASURING_UNITS
