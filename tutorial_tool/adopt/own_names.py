"""A text without its platform's own names, so that texts of several platforms can be compared and exchanged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from tutorial_tool import lazy_re
from tutorial_tool.adopt.names import Names

KEYS = ("name", "id")
"""What a platform is called in templates: `platform.name`, `platform.id`."""
_FIRST = 0xE100
"""Private characters from here on stand for names in masked texts, in the order of the keys."""


@dataclass(frozen=True)
class OwnNames:
    """What each platform is called, by key: `kinds[0]` are display names, `kinds[1]` ids, the rest values."""

    kinds: tuple[Mapping[str, str], ...]
    keys: tuple[str, ...] = KEYS

    @classmethod
    def of(cls, platforms: Iterable[str], names: Names) -> OwnNames:
        platforms = tuple(platforms)
        display = {platform: names.display.get(platform, platform) for platform in platforms}
        return cls((display, {platform: platform for platform in platforms}))

    def with_values(self, names: Names) -> OwnNames:
        """These names, and the values that all of these platforms have, and that are more than a letter or two."""
        platforms = self.kinds[0].keys()
        told = {
            key: {platform: texts[platform] for platform in platforms}
            for key, texts in names.values.items()
            if platforms <= texts.keys() and key not in KEYS and all(_WORD.search(texts[p]) for p in platforms)
        }
        return OwnNames((*self.kinds[: len(KEYS)], *told.values()), (*KEYS, *told))

    def masked(self, text: str, platform: str) -> str:
        """The text with a private character for each of its platform's names."""
        pattern, kinds = self._patterns[platform]
        return pattern.sub(lambda found: chr(_FIRST + kinds[found[0]]), text)

    def unmasked(self, text: str, platform: str) -> str:
        """A masked text with the names of a platform."""
        return _MASK.sub(lambda found: self.kinds[ord(found[0]) - _FIRST][platform], text)

    def masked_as_own(self, text: str) -> str:
        """The text with a private character for each name of any platform, as if each were its own."""
        kinds = {name: kind for kind, names in reversed(list(enumerate(self.kinds))) for name in names.values()}
        texts = "|".join(re.escape(name) for name in sorted(kinds, key=len, reverse=True))
        return re.sub(rf"(?<![\w])(?:{texts})(?![\w])", lambda found: chr(_FIRST + kinds[found[0]]), text)

    def keyed(self, text: str, platform: str) -> str:
        """The text with `{name}` and `{id}` for its platform's names, as far as it says neither itself."""
        if any(f"{{{key}}}" in text for key in self.keys):
            return text
        return _MASK.sub(lambda found: f"{{{self.keys[ord(found[0]) - _FIRST]}}}", self.masked(text, platform))

    def filled(self, text: str, platform: str) -> str:
        """A keyed text with the names of a platform."""
        for key, kind in zip(self.keys, self.kinds, strict=True):
            text = text.replace(f"{{{key}}}", kind[platform])
        return text

    @cached_property
    def _patterns(self) -> dict[str, tuple[re.Pattern[str], dict[str, int]]]:
        out = {}
        for platform in self.kinds[0]:
            own = {names[platform]: kind for kind, names in reversed(list(enumerate(self.kinds)))}
            texts = "|".join(re.escape(text) for text in sorted(own, key=len, reverse=True))
            out[platform] = re.compile(rf"(?<![\w])(?:{texts})(?![\w])"), own
        return out


_MASK = lazy_re.compile("[\ue100-\uefff]")
_WORD = lazy_re.compile(r"[^\W\d_]{3}")
