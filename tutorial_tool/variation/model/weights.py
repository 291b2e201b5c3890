"""The weight of each signal, in bits: whether a difference is a deviation, a hint, or platform-specific.

A difference is explained either as platform-specific, which costs bits for what nothing else supports, or as a mistake,
which costs bits by its kind: a letter, a number, a word. The score is what the second explanation saves. The weights
were set by hand on the labels that are not held out (`benchmarks/accuracy/labels`, November 2026).
"""

from __future__ import annotations

from collections.abc import Mapping

from tutorial_tool.variation.model.kinds import Kind

FACTS = frozenset(
    {
        Kind.FOREIGN,
        Kind.NUMBER,
        Kind.OPPOSITE,
        Kind.NEGATION,
        Kind.STATE,
        Kind.VALUE,
        Kind.SLIP,
        Kind.CODE_SLIP,
        Kind.CODE_NAME,
        Kind.DOUBLED,
    }
)
"""Kinds of differences that contradict each other, and so may be warnings."""
VARYING = FACTS - {Kind.FOREIGN, Kind.SLIP, Kind.CODE_SLIP, Kind.DOUBLED}
"""Facts in which the products of a family may differ, whatever most of them have."""
LOUD = 5.0  # Minimum score of a warning
WORTH_A_LOOK = 4.0  # Minimum score of a hint

WEIGHTS: Mapping[str, float] = {
    "kind: foreign": 7.0,
    "kind: number": 7.0,
    "kind: version": 1.0,
    "kind: opposite": 6.0,
    "kind: negation": 6.0,
    "kind: state": 6.0,
    "kind: value": 2.5,
    "kind: slip": 7.0,
    "kind: code slip": 6.0,
    "kind: doubled": 8.5,
    "kind: case": 3.0,
    "kind: spacing": 4.0,
    "kind: inflection": 4.0,
    "kind: small word": 3.5,
    "kind: word": 2.0,
    "kind: extra word": 2.0,
    "kind: missing word": 2.0,
    "kind: extra words": 1.0,
    "kind: missing words": 1.0,
    "kind: punctuation": 0.5,
    "kind: wording": 0.0,
    "kind: code name": -1.0,
    "kind: code": -2.0,
    "kind: name": -3.0,
    "kind: order": -99.0,
    "kind: synonym": -99.0,
    "slot: code": -3.0,
    "slot: link": -1.0,
    "slot: image": -1.0,
    "slot: meta": -1.0,
    "votes": 2.0,
    "two variants": -3.0,
    "two variants, fact": -0.9,
    "against": -2.5,
    "lacking, too": -3.75,
    "third": -6.0,
    "third, number": -18.0,
    "other edits": -0.8,
    "rewritten": -4.0,
    "page differs": -3.0,
    "substitution": -4.0,
    "own vocabulary": -5.0,
    "expected words elsewhere": 1.0,
    "own code has the expected name": 5.0,
    "own code agrees": -5.0,
    "no word": 3.0,
    "usual spelling": -5.0,
    "numbers vary": -3.0,
    "other cells of the row": -5.1,
    "column differs": -8.0,
    "names the row": -5.0,
    "no name expected": -4.0,
    "the same on both": -6.0,
    "names both variants": -6.0,
    "names several": -8.0,
    "own name elsewhere": 2.0,
    "a count in words": -8.0,
    "follows its own name": -8.0,
    "a number in code or an image": -4.0,
    "foreign name recurs": -2.0,
    "own code has the name": -3.0,
    "platform has the name": -8.0,
    "identifier": -2.0,
    "length": -1.5,
    "lacks: row": 5.3,
    "lacks: section": 2.5,
    "lacks: sentence": 2.0,
    "lacks: block": 1.5,
    "lacks: image": 1.0,
    "lacks: alt": -99.0,
    "other text instead": -2.0,
    "page is shorter": -8.0,
    "elsewhere on the page": -99.0,
    "names a platform": -3.0,
    "all differ": -4.0,
    "short": -2.0,
    "key is code": -3.8,
    "page uses the key": 4.0,
    "tables differ": -5.0,
    "a product of several": -3.5,
}


def compute_score(signals: Mapping[str, float]) -> float:
    """Return the score of a difference, in bits: the sum of its signals, each times its weight."""
    return sum(value * WEIGHTS[name] for name, value in signals.items())


def format_score(signals: Mapping[str, float]) -> str:
    """Return the score of a difference with the contribution of each signal, as `--why` shows it."""
    added = (f"{name} {value * WEIGHTS[name]:+.1f}" for name, value in signals.items())
    thresholds = f"a hint needs {WORTH_A_LOOK:g}, a warning {LOUD:g}"
    return f"score {compute_score(signals):.1f} ({thresholds}): {', '.join(added)}"
