"""Find the platform of each page by a configured path pattern, such as `docs/{step}-{platform}.md`.

Two names in one part of a path may be split in several ways: `get-started-ios` is `get` on `started-ios`, or
`get-started` on `ios`. The split is used whose names other pages have, too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice

_PLATFORM = "platform"
_MAX_SPLITS = 200  # Maximum ways to split one path that are tried
_Split = tuple[tuple[str, int, int], ...]  # The names of a pattern, each with its span in a path


def find_platform_spans(pattern: str, paths: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Return the span of the platform in each path of a pattern: the split whose names occur in many."""
    matches = {path: list(islice(_iter_splits(pattern, path), _MAX_SPLITS)) for path in paths}
    counts: Counter[tuple[str, str]] = Counter()
    for path, splits in matches.items():
        counts.update({(name, path[start:end]) for split in splits for name, start, end in split})

    def compute_weight(path: str, split: _Split) -> tuple[int, int]:
        uses = [counts[name, path[start:end]] for name, start, end in split]
        return min(uses), sum(uses)

    out = {}
    for path, splits in matches.items():
        split = max(splits, key=lambda candidate: compute_weight(path, candidate))
        out[path] = next((start, end) for name, start, end in split if name == _PLATFORM)
    return out


def _iter_splits(pattern: str, path: str) -> Iterator[_Split]:
    """Yield the ways in which a path may match a pattern, the shortest first names first."""
    names = list(compile_pattern(pattern).groupindex)
    for spans in _iter_spans(pattern, path, {}, names):
        yield tuple((name, *spans[name]) for name in names)


def _iter_spans(
    pattern: str, path: str, spans: dict[str, tuple[int, int]], names: Sequence[str]
) -> Iterator[dict[str, tuple[int, int]]]:
    if not names:
        yield spans
        return
    name, *later_names = names
    fixed = {text: path[slice(*span)] for text, span in spans.items()}
    match = _compile_with(pattern, tuple(fixed.items()), name, 1).fullmatch(path)
    while match is not None:
        span = match.span(name)
        yield from _iter_spans(pattern, path, {**spans, name: span}, later_names)
        match = _compile_with(pattern, tuple(fixed.items()), name, span[1] - span[0] + 1).fullmatch(path)


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Return a pattern as a regular expression: each `{name}` is a part of a path, or some of it."""
    return _compile_with(pattern, (), "", 1)


@cache
def _compile_with(
    pattern: str, fixed: tuple[tuple[str, str], ...], lengthened: str, min_length: int
) -> re.Pattern[str]:
    """Return the same, with some names fixed, and a minimum length for one."""
    out, seen_names, text_by_name = [], set(), dict(fixed)
    for text, name in re.findall(r"([^{}]+)|\{(\w+)\}", pattern):
        if text:
            out.append(re.escape(text).replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*"))
        elif name in seen_names:
            out.append(f"(?P={name})")
        else:
            shortest = min_length if name == lengthened else 1
            value = re.escape(text_by_name[name]) if name in text_by_name else f"[^/]{{{shortest},}}?"
            out.append(f"(?P<{name}>{value})")
            seen_names.add(name)
    return re.compile("".join(out))
