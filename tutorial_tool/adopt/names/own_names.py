"""Mask the names of a text's platform, to compare and exchange texts of several platforms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tutorial_tool.adopt.names import Names
from tutorial_tool.adopt.names.naming import build_slug
from tutorial_tool.adopt.words.pieces import MIN_FACT_CHARACTERS, compile_whole_words
from tutorial_tool.core import lazy_re
from tutorial_tool.core.scripts import Expression
from tutorial_tool.data.toggle_words import get_state

KEYS = ("name", "id")  # Attributes of a platform in templates: `platform.name`, `platform.id`


@dataclass(frozen=True)
class PlatformNames:
    """The texts of platforms, a mapping for each of `keys`: display names, IDs, and then values."""

    name_maps: tuple[Mapping[str, str], ...]
    keys: tuple[str, ...] = KEYS
    facts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Values recognized only as the whole text of a cell: a number is the same fact only when alone."""

    @classmethod
    def build(cls, platforms: Iterable[str], names: Names) -> PlatformNames:
        platforms = tuple(platforms)
        display = {platform: names.display.get(platform, platform) for platform in platforms}
        return cls((display, {platform: platform for platform in platforms}))

    def add_values(self, names: Names) -> PlatformNames:
        """Return these names and the values that all of these platforms have: distinctive ones, and facts."""
        platforms = self.name_maps[0].keys()
        shared = {key: dict(texts) for key, texts in names.facts.items() if platforms <= texts.keys()}
        distinctive = {
            key: {platform: texts[platform] for platform in platforms}
            for key, texts in shared.items()
            if key not in KEYS and all(_WORD.search(texts[p]) and get_state(texts[p]) is None for p in platforms)
        }  # distinctive enough to have the same meaning in any cell
        facts = {key: texts for key, texts in shared.items() if key not in distinctive}
        return PlatformNames((*self.name_maps[: len(KEYS)], *distinctive.values()), (*KEYS, *distinctive), facts)

    def find_fact(self, texts: Mapping[str, str], about: str) -> str | None:
        """Return the placeholder of a value that equals these texts on each platform, possibly as code.

        State words and short texts may be equal by chance, and count only if the value is named after what they are
        `about`.
        """
        bare = {platform: text.strip("`") for platform, text in texts.items()}
        marks = {text.partition(bare[platform])[0] for platform, text in texts.items() if bare[platform]}
        words = set(build_slug(about).split("-"))
        for key, values in self.facts.items():
            if len(set(bare.values())) > 1 and len(marks) == 1 and all(values[p] == text for p, text in bare.items()):
                is_chance = any(len(text) < MIN_FACT_CHARACTERS or get_state(text) for text in bare.values())
                if not is_chance or words & set(key.split("_")):
                    mark = next(iter(marks))
                    return f"{mark}{{{key}}}{mark[::-1]}"
        return None

    def mask_names(self, text: str, platform: str) -> str:
        """Replace each of the platform's names by a private character."""
        names, numbers = self._patterns[platform]
        return names.sub(lambda match: chr(_FIRST + numbers[match[0]]), text)

    def insert_placeholders(self, text: str, platform: str) -> str:
        """Replace a platform's names by `{name}` and `{id}`, unless the text contains these literally."""
        if any(f"{{{key}}}" in text for key in self.keys):
            return text
        return _MASK.sub(lambda match: f"{{{self.keys[ord(match[0]) - _FIRST]}}}", self.mask_names(text, platform))

    def fill_placeholders(self, text: str, platform: str) -> str:
        """Replace the placeholders of a text by the names of a platform."""
        for key, texts in (*zip(self.keys, self.name_maps, strict=True), *self.facts.items()):
            text = text.replace(f"{{{key}}}", texts[platform])
        return text

    @cached_property
    def _patterns(self) -> dict[str, tuple[Expression, dict[str, int]]]:
        out = {}
        for platform in self.name_maps[0]:
            numbers = {names[platform]: number for number, names in reversed(list(enumerate(self.name_maps)))}
            out[platform] = compile_whole_words(numbers), numbers
        return out


_SIGNS = "\ue100-\uefff"  # Private-use characters that replace names in masked texts, in the order of the keys
_FIRST = ord(_SIGNS[0])
_MASK = lazy_re.compile(f"[{_SIGNS}]")
_WORD = lazy_re.compile(r"[^\W\d_]{3}")
