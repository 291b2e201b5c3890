"""Name what differs between platforms: display names, labels, values, and features, each learned once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count

from tutorial_tool.adopt.names.naming import (
    MAX_LABEL_WORDS,
    SlotContext,
    build_slug,
    find_label_roles,
    find_recurring_keys,
    find_role_keys,
    find_significant_words,
    is_spelling_variant,
)
from tutorial_tool.adopt.names.renaming import Renames
from tutorial_tool.adopt.words.pieces import Vector, get_texts, is_fact, is_mostly_one, is_name, split_words
from tutorial_tool.core import lazy_re
from tutorial_tool.data.toggle_words import get_state
from tutorial_tool.markdown.table_format import TableStyle

_RESERVED = ("columns", *TableStyle._fields)  # Arguments of `table()`, by which a cell cannot refer to a value
_PRINTED_KEY = lazy_re.compile(r"platform\.(?:values\.|label\(')([\w-]+)")  # A value or label that a template prints
_NAMES = (("platform.name", str), ("platform.name | lower", str.lower), ("platform.name | upper", str.upper))
LANGUAGE = "code_language"  # Name of a value that is a fence's language


@dataclass
class Names:
    """The names of what differs: learned from copies, extended while templates are written, saved as data."""

    platforms: tuple[str, ...]
    display: dict[str, str] = field(default_factory=dict)  # Platform names as readers see them
    labels: dict[str, dict[str, str]] = field(default_factory=dict)
    values: dict[str, dict[str, str]] = field(default_factory=dict)
    features: dict[str, frozenset[str]] = field(default_factory=dict)
    uses: dict[str, list[tuple[frozenset[str], frozenset[str]]]] = field(default_factory=dict)
    """For each feature, the scopes in which it is tested, each with the platforms that have it."""
    groups: dict[str, frozenset[str]] = field(default_factory=dict)
    recurring: set[Vector] = field(default_factory=set)
    """Differences that occur more than once, and URLs with which others begin."""
    contexts: dict[str, list[str]] = field(default_factory=dict)  # Words around the first use of a key
    parents: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The platforms that each platform extends; it inherits their features."""
    existing_keys: frozenset[str] = frozenset()  # Labels and values of an existing project
    taken: set[str] = field(default_factory=set)  # Names that an existing project uses for something else
    renames: Renames = field(default_factory=Renames)

    def is_known(self, vector: Vector) -> bool:
        """Return whether a slot is a name of the platform, or a value that is also used elsewhere."""
        return vector in self.recurring or is_name(vector) or bool(self._find_name(vector))

    def _find_name(self, vector: Vector) -> str | None:
        """Return the expression that prints the platform's ID or display name; None for other texts."""
        if all(text == platform for platform, text in vector):
            return "platform.id"
        texts, names = get_texts(vector), [self.display.get(platform, platform) for platform, _ in vector]
        return next((tag for tag, change in _NAMES if texts == list(map(change, names))), None)

    def find_within(self, texts: Mapping[str, str]) -> list[Vector]:
        """Return the names and recurring values within the texts of platforms, the longest first."""
        first, text = next(iter(texts.items()))
        candidates = {fact for word in set(split_words(text)) for fact in self._by_word.get((first, word), ())}
        vectors = (tuple((platform, fact.get(platform, "")) for platform in texts) for fact in map(dict, candidates))
        varying = (fact for fact in vectors if len(set(get_texts(fact))) > 1)
        matches = {fact for fact in varying if all(value and value in texts[p] for p, value in fact)}
        return sorted(matches, key=lambda fact: (-sum(len(value) for _, value in fact), fact))

    @cached_property
    def _by_word(self) -> dict[tuple[str, str], list[Vector]]:
        """Names and recurring values, other than an ID with signs around it, by their longest word on each platform."""
        recurring = (fact for fact in self.recurring if is_fact(fact) and any(t.strip("/.-_") != p for p, t in fact))
        spellings = [tuple((p, self.display.get(p, p)) for p in self.platforms), tuple((p, p) for p in self.platforms)]
        out: dict[tuple[str, str], list[Vector]] = {}
        for fact in (*recurring, *spellings):
            for platform, text in fact:
                if words := split_words(text):
                    out.setdefault((platform, max(words, key=len)), []).append(fact)
        return out

    # Expressions for slots

    def build_expression(self, vector: Vector, context: SlotContext) -> str | None:
        """Build the Jinja expression that prints a slot on each of its platforms.

        Returns None for a difference without a name: one that does not recur, and whose context suggests none.
        """
        if name := self._find_name(vector):
            return name
        texts = get_texts(vector)
        if is_spelling_variant(vector, context) or not all(map(str.strip, texts)) or not any(map(split_words, texts)):
            return None
        if _is_label(vector, context):
            return f"platform.label('{self._pick_key(self.labels, vector, find_label_roles(vector, context), '-')}')"
        keys = self._find_keys(vector, context)
        if not keys and not (is_fact(vector) and self._find_key(self.values, vector)):
            return None
        keys += self._add_context(keys[0], context) if keys else ()
        return f"platform.values.{self._pick_key(self.values, vector, keys, '_')}"

    def _add_context(self, key: str, context: SlotContext) -> Iterator[str]:
        """Yield a key with words of its context that its first use did not have."""
        words = find_significant_words(f"{context.topic} {context.before}")
        if new := [word for word in words if word not in self.contexts.setdefault(key, words)]:
            yield " ".join([*new[:2], key])

    def has_name(self, vector: Vector, context: SlotContext) -> bool:
        """Return whether texts are the platform's name or a UI label, or their form or context suggests a name."""
        is_platform = is_name(vector) or bool(self._find_name(vector))
        return is_platform or _is_label(vector, context) or bool(self._find_keys(vector, context))

    def build_value_expression(self, vector: Vector, names: Iterable[str]) -> str:
        """Build the expression of a value with one of these names, or with its existing name."""
        return f"platform.values.{self._pick_key(self.values, vector, names, '_')}"

    def _find_keys(self, vector: Vector, context: SlotContext) -> list[str]:
        """Find names for texts, best first; none for the words of an image or title that are the same on most."""
        if context.is_alt_or_title and vector not in self.recurring and is_mostly_one(vector):
            return []
        keys = [key for key in find_role_keys(vector, context) if build_slug(key) and key.lower() not in self.platforms]
        keys = keys or list(find_recurring_keys(vector) if vector in self.recurring and not context.is_code else ())
        return ["short name", *keys] if self._is_short_name(vector, context) else keys

    def _is_short_name(self, vector: Vector, context: SlotContext) -> bool:
        """Return whether, in prose, each text is unique, and most are part of the platform's display name."""
        contained = sum(text in self.display.get(platform, "") for platform, text in vector)
        is_prose = not context.is_code and context.before[-1:] not in ("/", "-", "=")
        return is_prose and 2 * contained > len(vector) == len(set(get_texts(vector))) and not is_name(vector)

    def _pick_key(
        self, named: dict[str, dict[str, str]], vector: Vector, candidates: Iterable[str], separator: str
    ) -> str:
        """Return the key for these texts: one that has them already, else the first free candidate."""
        if key := self._find_key(named, vector):
            named[key].update(vector)
            return key
        slugs = filter(None, (build_slug(candidate, separator) for candidate in candidates))
        section = "labels" if named is self.labels else "values"
        for key in (self.renames.get_new_name(section, key) for key in _iter_numbered(slugs, separator)):
            if key not in self.taken and _is_consistent(named.get(key, {}), vector):
                named.setdefault(key, {}).update(vector)
                return key
        raise AssertionError("names do not end")

    def _find_key(self, named: Mapping[str, Mapping[str, str]], vector: Vector) -> str | None:
        """Return the key that has these texts already, or can have them for more platforms."""
        matches = (key for key, texts in named.items() if _is_consistent(texts, vector))
        ids = {platform for platform, _ in vector}
        matches = (key for key in matches if ids <= named[key].keys() or self._can_extend(key, named[key], vector))
        return next(matches, None) if len(set(get_texts(vector))) > 1 else None

    def _can_extend(self, key: str, texts: Mapping[str, str], vector: Vector) -> bool:
        """Return whether a value extends to more platforms: several texts agree, and none is a state word."""
        shared = {text for platform, text in vector if platform in texts}
        is_specific = is_fact(vector) and not any(get_state(text) for _, text in vector)
        return key not in self.existing_keys and len(shared) > 1 and is_specific

    @property
    def facts(self) -> dict[str, dict[str, str]]:
        """The values that may be the text of a cell, and that `table()` can refer to by name.

        The language of a fence is not included: a synonym may be used elsewhere.
        """
        return {
            key: texts for key, texts in self.values.items() if not key.startswith(LANGUAGE) and key not in _RESERVED
        }

    def remove_unused(self, templates: Iterable[str]) -> None:
        """Remove the values and labels that no template prints, except for the project's existing ones."""
        printed = {result for text in templates for result in _PRINTED_KEY.findall(text)}
        for named in (self.labels, self.values):
            for key in [key for key in named if key not in printed and key not in self.existing_keys]:
                del named[key]

    # Conditions on platforms

    def build_condition(self, platforms: frozenset[str], scope: frozenset[str], topics: Iterable[str]) -> str:
        """Build the test of a feature that, within a scope, only these platforms have; `topics` suggest its name."""
        others = scope - platforms
        if self._find_children(platforms) & others and not self._find_children(others) & platforms:
            return f"not platform.can('{self._pick_feature(others, scope, (f'other {topic}' for topic in topics))}')"
        return f"platform.can('{self._pick_feature(platforms, scope, topics)}')"

    def _find_children(self, platforms: frozenset[str]) -> frozenset[str]:
        return frozenset(platform for platform, parents in self.parents.items() if platforms & set(parents))

    def _pick_feature(self, platforms: frozenset[str], scope: frozenset[str], topics: Iterable[str]) -> str:
        numbered = _iter_numbered(filter(None, map(build_slug, topics)), "-")
        for name in (self.renames.get_new_name("features", name) for name in numbered):
            uses = [*self.uses.get(name, ()), (scope, platforms)]
            extended = self.features.get(name, frozenset()) | platforms
            if name not in {*self.taken, *self.platforms} and all(extended & other == having for other, having in uses):
                self.features[name], self.uses[name] = extended, uses
                return name
        raise AssertionError("names do not end")

    def ensure_group(self, platforms: frozenset[str]) -> str:
        """Return the group of platforms, adding it if necessary."""
        if len(platforms) == 1:
            return next(iter(platforms))
        ordered = [platform for platform in self.platforms if platform in platforms]
        for name, members in self.groups.items():
            if members == platforms:
                return name
        name = "-and-".join(ordered) if len(ordered) <= 3 else f"{ordered[0]}-and-{len(ordered) - 1}-others"
        while name in self.groups or name in self.platforms:
            name += "-too"
        self.groups[name] = platforms
        return name


def _is_consistent(texts: Mapping[str, str], vector: Vector) -> bool:
    return all(texts.get(platform, text) == text for platform, text in vector)


def _is_label(vector: Vector, context: SlotContext) -> bool:
    return context.is_bold and all(len(split_words(text)) <= MAX_LABEL_WORDS for _, text in vector)


def _iter_numbered(names: Iterable[str], separator: str) -> Iterator[str]:
    """Yield the names, then the first of them with numbers appended."""
    first = None
    for name in names:
        first = first or name
        yield name
    yield from (f"{first or 'text'}{separator}{number}" for number in count(2))
