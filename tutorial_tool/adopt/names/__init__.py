"""Name what differs between platforms: display names, labels, values, and features, each learned once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count

from tutorial_tool.adopt.names.naming import (
    SHORT_PHRASE,
    SlotContext,
    build_slug,
    find_label_roles,
    find_role_keys,
    find_usual_keys,
    find_value_parts,
    is_item_number,
    is_spelling_variant,
    is_stated_fact,
)
from tutorial_tool.adopt.names.renaming import Renames
from tutorial_tool.adopt.names.topics import EMPTY
from tutorial_tool.adopt.words.pieces import Vector, is_fact, is_name, lower_first, split_words
from tutorial_tool.core import lazy_re
from tutorial_tool.data.toggle_words import get_state
from tutorial_tool.markdown.table_format import TableStyle

_OF_TABLES = ("columns", *TableStyle._fields)  # Arguments of `table()`, which are not values
_USED = lazy_re.compile(r"platform\.(?:values\.|label\(')([\w-]+)")  # A value or label that a template prints
FEW = 2  # With at most this many platforms, different texts may be platform-specific, or one of them wrong
LANGUAGE = "code_language"  # Name of a value that is a fence's language


@dataclass
class Names:
    """The learned names, collected while templates are written, and then saved to `platforms.yaml`."""

    platforms: tuple[str, ...]
    display: dict[str, str] = field(default_factory=dict)  # Platform names as readers see them
    labels: dict[str, dict[str, str]] = field(default_factory=dict)
    values: dict[str, dict[str, str]] = field(default_factory=dict)
    features: dict[str, frozenset[str]] = field(default_factory=dict)
    uses: dict[str, list[tuple[frozenset[str], frozenset[str]]]] = field(default_factory=dict)
    """For each feature, the scopes in which it is tested, each with the platforms that have it."""
    groups: dict[str, frozenset[str]] = field(default_factory=dict)
    recurring: set[Vector] = field(default_factory=set)
    """Differences that occur more than once, and URLs that are the base of others."""
    row_names: dict[Vector, str] = field(
        default_factory=dict
    )  # Names of differences in tables, from the start of their rows
    parents: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The platforms that each platform extends; it inherits their features."""
    existing_keys: frozenset[str] = frozenset()  # Labels and values of an existing project
    taken: set[str] = field(default_factory=set)  # Names already taken by an existing project
    renames: Renames = field(default_factory=Renames)

    def is_known(self, vector: Vector) -> bool:
        """Return whether a slot is a name of the platform, or a value that is also used elsewhere."""
        return vector in self.recurring or is_name(vector) or self._is_display(vector) or self._is_part(vector)

    def _is_display(self, vector: Vector) -> bool:
        return all(text == self.display.get(platform) for platform, text in vector)

    def find_within(self, texts: Mapping[str, str]) -> list[Vector]:
        """Return the names and recurring values within the texts of platforms, the longest first."""
        first, text = next(iter(texts.items()))
        near = {fact for word in set(split_words(text)) for fact in self._by_word.get((first, word), ())}
        own = (tuple((platform, fact.get(platform, "")) for platform in texts) for fact in map(dict, near))
        matches = {
            fact
            for fact in own
            if len({value for _, value in fact}) > 1 and all(value and value in texts[p] for p, value in fact)
        }
        return sorted(matches, key=lambda fact: (-sum(len(value) for _, value in fact), fact))

    @cached_property
    def _by_word(self) -> dict[tuple[str, str], list[Vector]]:
        """Names and recurring values by their longest word on each platform."""
        value = filter(is_fact, self.recurring)
        names = [tuple((p, self.display.get(p, p)) for p in self.platforms), tuple((p, p) for p in self.platforms)]
        out: dict[tuple[str, str], list[Vector]] = {}
        for fact in (*value, *names):
            for platform, text in fact:
                if matches := split_words(text):
                    out.setdefault((platform, max(matches, key=len)), []).append(fact)
        return out

    def _is_part(self, vector: Vector) -> bool:
        """Return whether a slot of some platforms is part of a vector that recurs on more of them."""
        if len(vector) == len(self.platforms) or len({text for _, text in vector}) == 1:
            return False
        homes = [self._homes.get(pair, frozenset()) for pair in vector]
        return bool(frozenset.intersection(*homes)) if homes else False

    @cached_property
    def _homes(self) -> dict[tuple[str, str], frozenset[Vector]]:
        """The recurring vectors that contain a platform's text."""
        out: dict[tuple[str, str], set[Vector]] = {}
        for vector in self.recurring:
            for pair in vector:
                out.setdefault(pair, set()).add(vector)
        return {pair: frozenset(matches) for pair, matches in out.items()}

    # Expressions for slots

    def build_expression(self, vector: Vector, context: SlotContext) -> str | None:
        """Build the Jinja expression that prints a slot on each of its platforms.

        Returns None if no name fits its context and it does not recur, so that no platform is known to need it.
        """
        if all(text == platform for platform, text in vector):
            return "platform.id"
        if self._is_display(vector):
            return "platform.name"
        if (role := self._find_role(vector)) is not None:
            return f"platform.label('{role}')"
        if is_spelling_variant(vector, context) or not all(text.strip() for _, text in vector):
            return None
        if context.is_label:
            return f"platform.label('{self._pick_key(self.labels, vector, find_label_roles(vector, context), '-')}')"
        begun = lower_first(vector)
        if begun != vector and begun in self.recurring:
            return f"platform.values.{self._get_value_key(begun, context)}|capitalize"
        keys = self._find_keys(vector, context)
        return f"platform.values.{self._pick_key(self.values, vector, keys, '_')}" if keys else None

    def _find_role(self, vector: Vector) -> str | None:
        """Return the label that equals the name on all platforms."""
        own = (role for role, texts in self.labels.items() if texts == dict(vector))
        return next(own, None) if is_name(vector) else None

    def build_value_expression(self, vector: Vector, names: Iterable[str]) -> str:
        """Build the expression of a value with one of these names, or with its existing name."""
        return f"platform.values.{self._pick_key(self.values, vector, names, '_')}"

    def _get_value_key(self, vector: Vector, context: SlotContext) -> str:
        return self._pick_key(self.values, vector, self._find_keys(vector, context), "_")

    def _find_keys(self, vector: Vector, context: SlotContext) -> list[str]:
        called = (self.row_names[vector],) if vector in self.row_names else ()
        facts = (_is_unique_per_platform, is_stated_fact)
        needed = context.is_code or self.is_known(vector) or any(states(vector, context) for states in facts)
        usual = find_usual_keys(vector, context) if needed and not any(find_value_parts(vector, context)) else ()
        keys = [*called, *find_role_keys(vector, context), *usual]
        return ["short name", *keys] if keys and not called and self._is_short_name(vector, context) else keys

    def _is_short_name(self, vector: Vector, context: SlotContext) -> bool:
        """Return whether, in prose, each text is unique, and most are part of the platform's display name."""
        own = sum(text in self.display.get(platform, "") for platform, text in vector)
        is_prose = not context.is_code and context.before[-1:] not in ("/", "-", "=")
        return is_prose and 2 * own > len(vector) == len({text for _, text in vector}) and not is_name(vector)

    def _pick_key(
        self, known: dict[str, dict[str, str]], vector: Vector, candidates: Iterable[str], separator: str
    ) -> str:
        """Return the key for these texts: one that has them already, else the first free candidate."""
        reported = {text for _, text in vector}
        for key, texts in known.items():
            if (
                len(reported) > 1
                and _is_consistent(texts, vector)
                and (_has_all(texts, vector) or self._can_extend(key, texts, vector))
            ):
                texts.update(vector)
                return key
        slugs = filter(None, (build_slug(candidate, separator) for candidate in candidates))
        section = "labels" if known is self.labels else "values"
        for key in (self.renames.get_new_name(section, key) for key in _iter_numbered(slugs, separator)):
            if key not in self.taken and _is_consistent(known.get(key, {}), vector):
                known.setdefault(key, {}).update(vector)
                return key
        raise AssertionError("names do not end")

    def _can_extend(self, key: str, texts: Mapping[str, str], vector: Vector) -> bool:
        """Return whether a value extends to more platforms: several texts agree, and none is a state word."""
        shared = {text for platform, text in vector if platform in texts}
        telling = is_fact(vector) and not any(get_state(text) for _, text in vector)
        return key not in self.existing_keys and len(shared) > 1 and telling

    @property
    def facts(self) -> dict[str, dict[str, str]]:
        """The values that may be the text of a cell, and that `table()` can refer to by name.

        The language of a fence is not included: a synonym may be used elsewhere.
        """
        return {
            key: texts for key, texts in self.values.items() if not key.startswith(LANGUAGE) and key not in _OF_TABLES
        }

    def remove_unused(self, templates: Iterable[str]) -> None:
        """Remove the values and labels that no template prints, except for the project's existing ones."""
        used = {result for text in templates for result in _USED.findall(text)}
        for known in (self.labels, self.values):
            for key in [key for key in known if key not in used and key not in self.existing_keys]:
                del known[key]

    # Conditions on platforms

    def build_condition(self, have: frozenset[str], scope: frozenset[str], topics: Iterable[str]) -> str:
        """Build the test that distinguishes, within a scope, the platforms that have something."""
        rest = scope - have
        if self._find_children(have) & rest and not self._find_children(rest) & have:
            return f"not platform.can('{self._pick_feature(rest, scope, (f'other {topic}' for topic in topics))}')"
        return f"platform.can('{self._pick_feature(have, scope, topics)}')"

    def _find_children(self, platforms: frozenset[str]) -> frozenset[str]:
        return frozenset(platform for platform, parents in self.parents.items() if platforms & set(parents))

    def _pick_feature(self, have: frozenset[str], scope: frozenset[str], topics: Iterable[str]) -> str:
        numbered = _iter_numbered(filter(None, map(build_slug, topics)), "-")
        for name in (self.renames.get_new_name("features", name) for name in numbered):
            uses = [*self.uses.get(name, ()), (scope, have)]
            extended = self.features.get(name, frozenset()) | have
            if name not in {*self.taken, *self.platforms} and all(extended & where == wanted for where, wanted in uses):
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


def _has_all(texts: Mapping[str, str], vector: Vector) -> bool:
    return all(platform in texts for platform, _ in vector)


def _is_consistent(texts: Mapping[str, str], vector: Vector) -> bool:
    return all(texts.get(platform, text) == text for platform, text in vector)


def _is_unique_per_platform(vector: Vector, context: SlotContext) -> bool:
    """Return whether several platforms, more than `FEW`, each have a unique short phrase."""
    texts = {
        text for _, text in vector if len(words := text.lower().split()) <= SHORT_PHRASE and EMPTY.isdisjoint(words)
    }
    return FEW < len(vector) == len(texts) and not is_item_number(vector, context)


# New names


def _iter_numbered(names: Iterable[str], separator: str) -> Iterator[str]:
    """Yield the names, then the first of them with numbers appended."""
    first = None
    for name in names:
        first = first or name
        yield name
    yield from (f"{first or 'text'}{separator}{number}" for number in count(2))
