"""The words for each variant in the URLs of pages and images: `ios`, or `win` where the text has Windows."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tutorial_tool import variants
from tutorial_tool.core import lazy_re
from tutorial_tool.core.grouping import group_by
from tutorial_tool.variants import Step, Variant
from tutorial_tool.variants.names import AFTER_ALL_LETTERS
from tutorial_tool.variants.paths import strip_common_tokens
from tutorial_tool.variation.units import OWN

_HOST = lazy_re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//[^/?#]*", re.IGNORECASE)
_MIN_URLS = 2  # Minimum URLs that contain a word which names a variant


@dataclass(frozen=True)
class PathWords:
    """The words of a variant in URLs."""

    words: tuple[str, ...]
    longer: tuple[str, ...] = ()  # Words of other variants that begin with one of these: `react-native`, for `react`

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern of these as words of a path, not as the start of a longer one.

        For example, in `/ios/`, `ios-screens` and `step.ios.png`.
        """
        no_longer = rf"(?!(?:{_join_alternatives(self.longer)})(?![A-Za-z]))" if self.longer else ""
        words = _join_alternatives(self.words) or "(?!)"
        return re.compile(rf"(?<![A-Za-z0-9]){no_longer}(?:{words})(?![A-Za-z])", re.IGNORECASE)

    def mask_words(self, address: str) -> str:
        """Return a URL with the variant's own words masked."""
        return self.pattern.sub(OWN, address)


def _join_alternatives(words: Iterable[str]) -> str:
    return "|".join(re.escape(word).replace(r"\-", "[-_ ]?") for word in words)


def get_path_words(step: Step) -> Mapping[str, PathWords]:
    """Return the words of each variant of a step in URLs."""
    return variants.get_cached(step, _learn_paths)


def _learn_paths(step: Step) -> dict[str, PathWords]:
    values = {name: _build_forms(variant) for name, variant in (*step.variants.items(), *step.sibling_variants.items())}
    counts = _find_differing_words(step)
    everywhere = _find_common_words(step)
    for name, words in counts.items():
        for word, count in words.items():
            taken = any(word in values[other] for other in values)
            is_most_frequent = all(count > counts[other][word] for other in counts if other != name)
            if count >= _MIN_URLS and is_most_frequent and not taken and not word.isdigit() and word not in everywhere:
                values[name].add(word)
    longest_first = {name: sorted(words, key=lambda word: (-len(word), word)) for name, words in values.items()}
    known_words = sorted({word for words in longest_first.values() for word in words})
    return {
        name: PathWords(tuple(words), tuple(_iter_longer_words(words, known_words)))
        for name, words in longest_first.items()
    }


def _iter_longer_words(words: Sequence[str], known_words: Sequence[str]) -> Iterator[str]:
    for start in (f"{word}-" for word in words):
        longer = known_words[bisect_left(known_words, start) : bisect_left(known_words, f"{start}{AFTER_ALL_LETTERS}")]
        yield from (word for word in longer if word not in words)


def _find_common_words(step: Step) -> set[str]:
    """Return the words that every variant has in several URLs, such as a product's name."""
    urls = ({*_iter_urls(step, name)} for name in step.pages)
    values = (Counter(part for address in own for part in set(address.split("/"))) for own in urls)
    return set.intersection(*({part for part, count in item.items() if count > 1} for item in values))


def _build_forms(variant: Variant) -> set[str]:
    forms = {re.sub(r"[\s_./-]+", "-", word.lower()).strip("-") for word in (variant.id, *variant.words)}
    return {form for form in forms if len(form) > 1}


def _find_differing_words(step: Step) -> dict[str, Counter[str]]:
    """Return the words in each variant's URLs for which otherwise equal URLs of others have another."""
    addresses = {name: sorted(set(_iter_urls(step, name))) for name in step.pages}
    pairs = ((name, address) for name, values in addresses.items() for address in values)
    by_name = group_by(pairs, lambda pair: posixpath.basename(pair[1].rstrip("/")))
    out: dict[str, set[tuple[str, str]]] = {name: set() for name in addresses}
    for alike in by_name.values():
        for name, address in alike:
            for other, right in alike:
                if other != name and (word := _find_single_word(address, right)):
                    out[name].add((word, address))
    return {name: Counter(word for word, _ in matches) for name, matches in out.items()}


def _iter_urls(step: Step, name: str) -> Iterable[str]:
    document = step.pages[name].document
    for address in (*(image.src for image in document.images), *(link.href for link in document.links)):
        path = _HOST.sub("", address).split("#")[0]  # which is no evidence of a platform
        if "/" in path.strip("/"):
            yield path


def _find_single_word(left: str, right: str) -> str | None:
    """Return the word in which two URLs differ, if it is a single one, in a folder."""
    a, b = left.rstrip("/").split("/"), right.rstrip("/").split("/")
    if len(a) != len(b) or a[-1] != b[-1]:
        return None
    places = [i for i in range(len(a)) if a[i] != b[i]]
    return strip_common_tokens(a[places[0]], b[places[0]])[0].lower() if len(places) == 1 else None
