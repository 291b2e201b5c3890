"""Helpers of the rules about copies: which is the outlier and why, and whether a difference is intended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tutorial_tool.core import scripts
from tutorial_tool.core.diagnostics import MAX_QUOTED, join_series, shorten_text
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.core.source import count_common_start
from tutorial_tool.variants import Step
from tutorial_tool.variation.model.intentions import find_override

_MAX_LEAD = MAX_QUOTED // 3  # Characters quoted before the first differing word of two long texts


def find_unique_outlier(values: Mapping[str, Hashable]) -> tuple[str, tuple[str, ...]]:
    """Return the only one of at least three copies whose value differs, and the others; "" for none."""
    counts = Counter(values.values()).most_common()
    if len(values) < 3 or len(counts) != 2 or counts[1][1] != 1:
        return "", ()
    name = next(name for name, value in values.items() if value == counts[1][0])
    return name, tuple(other for other in values if other != name)


@dataclass(frozen=True)
class Verdict:
    """The outliers among some variants, and the ones that they differ from."""

    outliers: tuple[str, ...]
    majority: tuple[str, ...]
    tie: bool = False  # Whether there is no majority


def decide_outliers(step: Step, texts: Mapping[str, str], places: Mapping[str, tuple[int, int]]) -> Verdict:
    """Decide which variants are the outliers where texts differ.

    These are the texts of the minority. Without one, the verdict is a tie, with the texts that override the data as
    outliers, or else one of the groups.
    """
    groups = group_pairs((text, name) for name, text in texts.items())
    sides = sorted(groups.values(), key=len)
    if len(sides[-1]) > len(sides[-2]):
        return _build_verdict(sides[:-1], sides)
    overriding = [side for side in sides if all(find_override(step, step.pages[name], places[name]) for name in side)]
    outliers = overriding if 0 < len(overriding) < len(sides) else sides[:1]
    return _build_verdict(outliers, sides, tie=True)


def _build_verdict(outliers: Sequence[list[str]], sides: Sequence[list[str]], *, tie: bool = False) -> Verdict:
    majority = [name for side in sides if side not in outliers for name in side]
    return Verdict(tuple(name for side in outliers for name in side), tuple(majority), tie)


def format_variant_names(step: Step, variants: Iterable[str]) -> str:
    """List the names of variants in a sentence: `iOS, Web, and Android`. Of more than five, name three."""
    names = [step.variants[id_].name for id_ in step.variants if id_ in set(variants)]
    names = names if len(names) <= 5 else [*names[:3], f"{len(names) - 3} others"]
    return join_series(names)


def quote_text(text: str, compared_with: str = "") -> str:
    """Quote a text on one line; shorten a long one to its start, or to where `compared_with` first differs."""
    line, other = (" ".join(item.replace("\ufffc", "…").split()) for item in (text, compared_with))
    if len(line) <= MAX_QUOTED:
        return f"“{line}”"
    common = count_common_start(line, other)
    start = 0 if common < MAX_QUOTED - _MAX_LEAD else line.rfind(" ", 0, max(common - _MAX_LEAD, 0)) + 1
    if not start and common >= MAX_QUOTED - _MAX_LEAD and scripts.has_unspaced_script(line):
        start = common - _MAX_LEAD
    excerpt = shorten_text(f"{'…' * (start > 0)}{line[start:]}")
    return f"“{excerpt}”"
