"""Learns from what differs between copies: what readers call the platforms, and which differences recur."""

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
    """Adds to names what slots of all sets tell. `told` gives these beside facts; `display` are names known elsewhere.

    What the platforms are called is found first: `Go 1.22` and `Rust 1.75` are a name and a version.
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
    """Names have more of what recurs now than when they looked at it."""
    for result in ("_homes", "_by_word"):
        vars(known).pop(result, None)


def _name_platforms(known: Names, counts: Counter[Vector], display: Mapping[str, str]) -> None:
    """What readers call the platforms."""
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
    """Other names for new platforms that would be called as another one is: as one reads their ids."""
    for platform in sorted(names, key=lambda platform: normalize_name(names[platform]) == normalize_name(platform)):
        others = {name for other, name in names.items() if other != platform}
        if platform in new and names[platform] in others:
            value = (display.get(platform, ""), platform.replace("-", " ").replace("_", " ").title(), platform)
            names[platform] = next(name for name in value if name and name not in others)


def _is_short(vector: Vector) -> bool:
    return all(text and len(text) <= LONGEST and "\n" not in text for _, text in vector)


def _find_recurring(counts: Counter[Vector]) -> Iterator[Vector]:
    """What differs in more than one place: as it stands, with a capital, or as what URLs begin with."""
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
    """What differs alone in one place, and stands with more around it in another."""
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
    """What platforms are called: their ids as people write them, in capitals rather than not, where most do so."""
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
    """A name as it is known where that goes on behind it and is said more often, `Lamp 2`, or has other capitals."""
    is_longer = known.startswith(f"{name} ") and often[known] > often[name]
    return known if is_longer or known.lower() == name.lower() else name
