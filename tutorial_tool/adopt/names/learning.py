"""Learn from differences between copies: display names of platforms, and recurring differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from tutorial_tool.adopt.names import Names
from tutorial_tool.adopt.words.facts import NOTHING, Facts, is_in_texts
from tutorial_tool.adopt.words.pieces import (
    LONGEST,
    Vector,
    is_fact,
    is_name,
    is_significant,
    lower_first,
    normalize_name,
    split_core,
    split_words,
)


def learn(
    known: Names, platforms: Iterable[str], value: Callable[[Facts], Iterable[Vector]], display: Mapping[str, str]
) -> Names:
    """Learn names from the slots of all sets.

    `value` returns the slots, given known facts; `display` are names known from elsewhere. The names of platforms are
    found first: `Go 1.22` and `Rust 1.75` are a name and a version.
    """
    known.platforms = tuple(dict.fromkeys((*known.platforms, *platforms)))
    counts = Counter(value(NOTHING))
    _name_platforms(known, counts, display)
    known.recurring = {vector for vector in counts if is_name(vector)}
    _clear_indexes(known)
    known.recurring |= set(_find_recurring(Counter(value(known))))
    _clear_indexes(known)
    return known


def _clear_indexes(known: Names) -> None:
    """Clear indexes that were built before more recurring vectors were found."""
    for result in ("_homes", "_by_word"):
        vars(known).pop(result, None)


def _name_platforms(known: Names, counts: Counter[Vector], display: Mapping[str, str]) -> None:
    """Find the display names of the platforms."""
    shown = dict(_find_display_names(known.platforms, counts, display))
    guessed = set(known.platforms) - shown.keys() - known.display.keys()
    for platform in known.platforms:
        reported = [name for name in (shown.get(platform), display.get(platform), platform) if name]
        is_other = normalize_name(reported[0]) != normalize_name(platform)
        usual = next((name for name in reported if name != name.lower()), max(reported[0], platform, key=len))
        known.display.setdefault(platform, reported[0] if is_other else usual)
    if any(name != name.lower() for name in known.display.values()):
        lower = [platform for platform in guessed if known.display[platform] == known.display[platform].lower()]
        known.display |= {platform: known.display[platform].capitalize() for platform in lower}
    _deduplicate_names(known.display, guessed | shown.keys(), display)


def _deduplicate_names(names: dict[str, str], new: Collection[str], display: Mapping[str, str]) -> None:
    """Give new platforms unique names, derived from their IDs, where they would equal others."""
    for platform in sorted(names, key=lambda platform: normalize_name(names[platform]) == normalize_name(platform)):
        others = {name for other, name in names.items() if other != platform}
        if platform in new and names[platform] in others:
            value = (display.get(platform, ""), platform.replace("-", " ").replace("_", " ").title(), platform)
            names[platform] = next(name for name in value if name and name not in others)


def _is_short(vector: Vector) -> bool:
    return all(text and len(text) <= LONGEST and "\n" not in text for _, text in vector)


def _find_recurring(counts: Counter[Vector]) -> Iterator[Vector]:
    """Yield recurring differences: identical, capitalized, or as the beginning of URLs."""
    for vector, times in counts.items():
        if times > 1 and _is_short(vector):
            yield vector
        if (begun := lower_first(vector)) != vector and begun in counts:
            yield from (vector, begun)
        if (inner := split_core(vector, inside=True)[1]) != vector and inner in counts and is_significant(inner):
            yield inner
    cores = Counter(split_core(vector)[1] for vector in counts)
    yield from (core for core, times in cores.items() if times > 1 and (core in counts or "://" in core[0][1]))
    yield from _find_contained(counts)


def _find_contained(counts: Iterable[Vector]) -> Iterator[Vector]:
    """Yield differences that are a whole slot in one place and part of a longer one in another."""
    by_word: dict[tuple[str, str], list[Vector]] = {}
    for vector in counts:
        platform, text = vector[0]
        is_short = all(len(text) <= LONGEST for _, text in vector)
        if is_short and is_fact(vector) and (matches := split_words(text)):
            by_word.setdefault((platform, max(matches, key=len)), []).append(vector)
    for vector in counts:
        platform, text = vector[0]
        near = (inner for word in set(split_words(text)) for inner in by_word.get((platform, word), ()))
        yield from (inner for inner in near if inner != vector and is_in_texts(inner, dict(vector)))


def _find_display_names(
    platforms: tuple[str, ...], counts: Counter[Vector], display: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield the display names: IDs as the copies spell them, preferably with capitals."""
    best: dict[str, Counter[str]] = {platform: Counter() for platform in platforms}
    often: dict[str, Counter[str]] = {platform: Counter() for platform in platforms}
    for vector, times in counts.items():
        as_written = any(text != text.lower() for _, text in vector)
        if as_written and is_name(vector):
            for platform, text in vector:
                often[platform][text] += times
                best[platform][text] += times * (100 if normalize_name(text) == normalize_name(platform) else 1)
    for platform, texts in best.items():
        capital = {text: count for text, count in texts.items() if any(map(str.isupper, text))}
        if texts:
            name = max(capital or texts, key=lambda text: texts[text])
            yield platform, _prefer_known_name(name, display.get(platform, ""), often[platform])


def _prefer_known_name(name: str, known: str, often: Counter[str]) -> str:
    """Return the known name if it extends the found one and is more frequent, or differs only in case.

    For example, `Lamp 2` extends `Lamp`.
    """
    is_longer = known.startswith(f"{name} ") and often[known] > often[name]
    return known if is_longer or known.lower() == name.lower() else name
