"""Learn from differences between copies: display names of platforms, and recurring differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from tutorial_tool.adopt.names import Names
from tutorial_tool.adopt.words.facts import Facts, is_in_texts
from tutorial_tool.adopt.words.pieces import (
    MAX_NAME_CHARACTERS,
    Vector,
    get_texts,
    is_name,
    is_significant,
    normalize_name,
    split_core,
    split_words,
)


def learn(
    names: Names, platforms: Iterable[str], find: Callable[[Facts | None], Iterable[Vector]], display: Mapping[str, str]
) -> Names:
    """Learn names from the slots of all sets.

    `find` returns the slots, given known facts; `display` are names known from elsewhere. The names of platforms are
    found first: `Go 1.22` and `Rust 1.75` are a name and a version.
    """
    names.platforms = tuple(dict.fromkeys((*names.platforms, *platforms)))
    counts = Counter(find(None))
    _name_platforms(names, counts, display)
    names.recurring = {vector for vector in counts if is_name(vector)}
    vars(names).pop("_by_word", None)
    names.recurring |= set(_find_recurring(Counter(find(names))))
    vars(names).pop("_by_word", None)
    return names


def _name_platforms(names: Names, counts: Counter[Vector], display: Mapping[str, str]) -> None:
    """Find the display names of the platforms."""
    spellings = dict(_find_display_names(names.platforms, counts, display))
    guessed = set(names.platforms) - spellings.keys() - names.display.keys()
    for platform in names.platforms:
        candidates = [name for name in (spellings.get(platform), display.get(platform), platform) if name]
        is_other = normalize_name(candidates[0]) != normalize_name(platform)
        default = next((name for name in candidates if name != name.lower()), max(candidates[0], platform, key=len))
        names.display.setdefault(platform, candidates[0] if is_other else default)
    if any(name != name.lower() for name in names.display.values()):
        names.display |= {p: names.display[p].capitalize() for p in guessed if names.display[p].islower()}
    _deduplicate_names(names.display, guessed | spellings.keys(), display)


def _deduplicate_names(names: dict[str, str], new: Collection[str], display: Mapping[str, str]) -> None:
    """Give new platforms unique names, derived from their IDs, where they would equal others."""
    for platform in sorted(names, key=lambda platform: normalize_name(names[platform]) == normalize_name(platform)):
        others = {name for other, name in names.items() if other != platform}
        if platform in new and names[platform] in others:
            candidates = (display.get(platform, ""), platform.replace("-", " ").replace("_", " ").title(), platform)
            names[platform] = next(name for name in candidates if name and name not in others)


def _find_recurring(counts: Counter[Vector]) -> Iterator[Vector]:
    """Yield recurring differences: identical, or as the beginning of URLs."""
    for vector, times in counts.items():
        is_short = all(
            len(text) <= MAX_NAME_CHARACTERS and split_words(text) and "\n" not in text for _, text in vector
        )
        if times > 1 and is_short:
            yield vector
        if (inner := split_core(vector, inside=True)[1]) != vector and inner in counts and is_significant(inner):
            yield inner
    cores = Counter(split_core(vector)[1] for vector in counts)
    yield from (core for core, times in cores.items() if times > 1 and (core in counts or "://" in core[0][1]))
    yield from _find_contained(counts)


def _find_contained(counts: Iterable[Vector]) -> Iterator[Vector]:
    """Yield differences that are a whole slot in one place and part of a longer one in another."""
    short = {vector for vector in counts if max(map(len, get_texts(vector))) <= MAX_NAME_CHARACTERS}
    whole = Names((), recurring=short)
    for vector in counts:
        candidates = short.difference([vector]).intersection(whole.find_within(dict(vector)))
        yield from (inner for inner in candidates if is_in_texts(inner, dict(vector)))


def _find_display_names(
    platforms: tuple[str, ...], counts: Counter[Vector], display: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield the display names: IDs as the copies spell them, preferably with capitals."""
    scores: dict[str, Counter[str]] = {platform: Counter() for platform in platforms}
    frequencies: dict[str, Counter[str]] = {platform: Counter() for platform in platforms}
    for vector, times in counts.items():
        has_capitals = any(text != text.lower() for _, text in vector)
        if has_capitals and is_name(vector):
            for platform, text in vector:
                frequencies[platform][text] += times
                scores[platform][text] += times * (100 if normalize_name(text) == normalize_name(platform) else 1)
    for platform, texts in scores.items():
        capitalized = {text: count for text, count in texts.items() if any(map(str.isupper, text))}
        if texts:
            name = max(capitalized or texts, key=lambda text: texts[text])
            yield platform, _prefer_known_name(name, display.get(platform, ""), frequencies[platform])


def _prefer_known_name(name: str, known: str, frequencies: Counter[str]) -> str:
    """Return the known name if it extends the found one and is more frequent, or differs only in case."""
    is_longer = known.startswith(f"{name} ") and frequencies[known] > frequencies[name]
    return known if is_longer or known.lower() == name.lower() else name
