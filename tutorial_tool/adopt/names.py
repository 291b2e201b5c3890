"""What differs between platforms, by name: display names, labels, values and abilities, each learned once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count, zip_longest

from tutorial_tool import lazy_re
from tutorial_tool.adopt.topics import EMPTY
from tutorial_tool.adopt.words import Vector

LONGEST = 40
"""Characters of a value that is looked for elsewhere: longer ones are wording."""
NEAR = 2
"""Words beside a value from which it may get its name."""
SHORT_WORD = 4
"""Letters of a word that seldom tells what a text is about."""
_IN_IMAGE = lazy_re.compile(r"(?:!\[[^\]]*\]\(|src=[\"'])[^)\"'\s]*$")
_IN_LINK = lazy_re.compile(r"(?:\]\(|href=[\"'])[^)\"'\s]*$|^\s*\[[^\]]+\]:\s*\S*$")
_NAME = lazy_re.compile(r"[^\W_]+")
_WORDS = lazy_re.compile(r"[^\W\d_]{3,}")
_SHAPES = (
    ("version", lazy_re.compile(r"v?\d+(?:\.\w+)+")),
    ("method", lazy_re.compile(r"[\w.]+\(.*\)")),
    ("url", lazy_re.compile(r"https?://\S+")),
    ("file", lazy_re.compile(r"[\w./-]*[\w-]\.[A-Za-z]\w{0,9}")),
    ("package", lazy_re.compile(r"[\w.-]+[:/][\w.:/+-]+|@[\w-]+/[\w-]+")),
)
"""What the shape of all texts says about a value."""


@dataclass(frozen=True)
class Context:
    """Where a slot stands: the text of its line before and behind it, and what the section is about."""

    before: str = ""
    after: str = ""
    topic: str = ""
    step: str = ""

    @property
    def is_label(self) -> bool:
        """Whether the slot stands in bold, as what a product's screens say does."""
        return self.before.count("**") % 2 == 1 and "**" in self.after


@dataclass
class Names:
    """The names that were learned. All are filled while templates are written, and then become `platforms.yaml`."""

    platforms: tuple[str, ...]
    display: dict[str, str] = field(default_factory=dict)
    """What readers call a platform."""
    labels: dict[str, dict[str, str]] = field(default_factory=dict)
    values: dict[str, dict[str, str]] = field(default_factory=dict)
    abilities: dict[str, frozenset[str]] = field(default_factory=dict)
    uses: dict[str, list[tuple[frozenset[str], frozenset[str]]]] = field(default_factory=dict)
    """Where an ability is asked for, among which platforms, and which of them have it."""
    groups: dict[str, frozenset[str]] = field(default_factory=dict)
    recurring: set[Vector] = field(default_factory=set)
    parents: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The platforms that one extends: what they can, it can, too."""
    taken: set[str] = field(default_factory=set)
    """Names that must not be given: those of a project that stands already."""

    def known(self, vector: Vector) -> bool:
        """Whether a slot is a name of the platform, or a value that is used elsewhere, too."""
        return vector in self.recurring or self.is_name(vector)

    def is_name(self, vector: Vector) -> bool:
        """Whether all texts are ways to write their platform's name."""
        return len({text for _, text in vector}) > 1 and all(resembles(text, platform) for platform, text in vector)

    # What a slot prints

    def expression(self, vector: Vector, context: Context) -> str:
        """The Jinja expression that prints what a slot holds, on each of its platforms."""
        if all(text == platform for platform, text in vector):
            return "platform.id"
        if all(text == self.display.get(platform) for platform, text in vector):
            return "platform.name"
        if context.is_label:
            return f"platform.label('{self._key(self.labels, vector, _roles(context), '-')}')"
        for role, texts in self.labels.items():
            if len(vector) == len(texts) and _agree(texts, vector) and self.is_name(vector) and _has(texts, vector):
                return f"platform.label('{role}')"
        return f"platform.values.{self._key(self.values, vector, _value_keys(vector, context, self), '_')}"

    def _key(self, known: dict[str, dict[str, str]], vector: Vector, candidates: Iterable[str], separator: str) -> str:
        """The name under which these texts stand, or may: one that has them already, else the first that is free."""
        told = {text for _, text in vector}
        for key, texts in known.items():
            if len(told) > 1 and _has(texts, vector) and _agree(texts, vector):
                return key
        slugs = filter(None, (slug(candidate, separator) for candidate in candidates))
        for key in _numbered(slugs, separator):
            if key not in self.taken and _agree(known.get(key, {}), vector):
                known.setdefault(key, {}).update(vector)
                return key
        raise AssertionError("names do not end")

    # Which platforms have something

    def condition(self, have: frozenset[str], scope: frozenset[str], topics: Iterable[str]) -> str:
        """The test that tells, within a scope, the platforms that have something from those that do not."""
        rest = scope - have
        if self._inherited(have) & rest and not self._inherited(rest) & have:
            return f"not platform.can('{self._ability(rest, scope, (f'other {topic}' for topic in topics))}')"
        return f"platform.can('{self._ability(have, scope, topics)}')"

    def _inherited(self, platforms: frozenset[str]) -> frozenset[str]:
        return frozenset(platform for platform, parents in self.parents.items() if platforms & set(parents))

    def _ability(self, have: frozenset[str], scope: frozenset[str], topics: Iterable[str]) -> str:
        for name in _numbered(filter(None, map(slug, topics)), "-"):
            uses = [*self.uses.get(name, ()), (scope, have)]
            grown = self.abilities.get(name, frozenset()) | have
            if name not in {*self.taken, *self.platforms} and all(grown & where == wanted for where, wanted in uses):
                self.abilities[name], self.uses[name] = grown, uses
                return name
        raise AssertionError("names do not end")

    def group(self, platforms: frozenset[str]) -> str:
        """The group of some platforms."""
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


def learn(known: Names, platforms: Iterable[str], vectors: Iterable[Vector], display: Mapping[str, str]) -> Names:
    """Adds to names what slots of all sets tell. `display` are names that are known from elsewhere."""
    counts = Counter(vectors)
    known.platforms = tuple(dict.fromkeys((*known.platforms, *platforms)))
    known.recurring = {
        vector
        for vector, times in counts.items()
        if times > 1 and all(text and len(text) <= LONGEST and "\n" not in text for _, text in vector)
    }
    shown = dict(_display(known.platforms, counts))
    for platform in known.platforms:
        told = [name for name in (shown.get(platform), display.get(platform), platform) if name]
        known.display.setdefault(platform, next((name for name in told if name != name.lower()), told[0]))
    return known


def _display(platforms: tuple[str, ...], counts: Counter[Vector]) -> Iterator[tuple[str, str]]:
    """What platforms are called: their ids as people write them, in capitals rather than not, where most do so."""
    best: dict[str, Counter[str]] = {platform: Counter() for platform in platforms}
    for vector, times in counts.items():
        if len({text for _, text in vector}) > 1 and all(resembles(text, platform) for platform, text in vector):
            for platform, text in vector:
                best[platform][text] += times * (100 if _plain(text) == _plain(platform) else 1)
    for platform, texts in best.items():
        capital = {text: count for text, count in texts.items() if any(map(str.isupper, text))}
        if texts:
            yield platform, max(capital or texts, key=lambda text: texts[text])


def resembles(text: str, platform: str) -> bool:
    """Whether a text is a way to write a platform's id: `React Native`, `react_native`, or `JS Web` for `web`."""
    return _plain(text) == _plain(platform) or (
        text == text.strip() and len(text) <= LONGEST and _is_in(_NAME.findall(platform.lower()), text)
    )


def _is_in(words: list[str], text: str) -> bool:
    found = _NAME.findall(text.lower())
    return bool(words) and set(words) <= set(found) and len(found) <= len(words) + 2 and "/" not in text


def _plain(text: str) -> str:
    return "".join(_NAME.findall(text.lower()))


def _has(texts: Mapping[str, str], vector: Vector) -> bool:
    return all(platform in texts for platform, _ in vector)


def _agree(texts: Mapping[str, str], vector: Vector) -> bool:
    return all(texts.get(platform, text) == text for platform, text in vector)


# Names for what is new


def _numbered(names: Iterable[str], separator: str) -> Iterator[str]:
    """The names, and then the first of them with a number."""
    first = None
    for name in names:
        first = first or name
        yield name
    yield from (f"{first or 'text'}{separator}{number}" for number in count(2))


def slug(text: str, separator: str = "-") -> str:
    """A name of ASCII letters and digits: four words at most, from a letter to a telling word, or "" for none."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    while words and words[0][0].isdigit():
        words.pop(0)
    words = words[:4]
    while len(words) > 1 and words[-1] in EMPTY:
        words.pop()
    return separator.join(words)


def _roles(context: Context) -> Iterator[str]:
    """What a label in bold is the label of: `**JS Web** from the list of inputs` is an input's."""
    before, _, inside = context.before.rpartition("**")
    behind = _WORDS.findall(re.split(r"[.!?:;,]", context.after.partition("**")[2])[0])
    ahead = _WORDS.findall(re.split(r"[.!?:;]", before)[-1])
    if inside_words := _WORDS.findall(inside):
        yield inside_words[-1]
    elif behind:
        yield _singular(behind[-1])
    if len(ahead) > 1:
        yield ahead[-1]
    yield " ".join([*ahead[-1:], "label"])
    yield f"{context.topic} label"


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _value_keys(vector: Vector, context: Context, names: Names) -> Iterator[str]:
    """Names for a value, the best first."""
    texts = Counter(text for _, text in vector)
    common, times = texts.most_common(1)[0]
    if names.is_name(vector):
        nearest = next(_near(context), "")
        yield from (f"name in {nearest}" if nearest else "name in text", f"name in {context.topic}")
    if _IN_IMAGE.search(context.before):
        yield "image folder"
    elif _IN_LINK.search(context.before):
        yield "link base"
    yield from (shape for shape, pattern in _SHAPES if all(pattern.fullmatch(text) for text in texts))
    is_telling = common.islower() and not EMPTY.issuperset(common.split())
    if times > 1 and is_telling and re.fullmatch(r"[^\W\d_]+(?: [^\W\d_]+)?", common):
        yield common
    near = list(_near(context))
    yield from near
    yield from (f"{context.topic} {word}" for word in near)
    if not EMPTY.issuperset(common.lower().split()):
        yield common
    yield f"{context.topic} text"
    yield f"{context.step} text"
    yield "text"


def _near(context: Context) -> Iterator[str]:
    """Telling words beside a slot, in the same part of the sentence: the nearest first, and long ones rather."""
    behind = re.findall(r"[^\W\d_]+", re.split(r"[.,!?:;|\n]", context.after)[0])[:NEAR]
    before = re.findall(r"[^\W\d_]+", re.split(r"[.,!?:;|\n]", context.before)[-1])[-NEAR:]
    pairs = zip_longest(behind, reversed(before))
    nearest = [word for pair in pairs for word in pair if word and word.lower() not in EMPTY]
    yield from (word for word in nearest if len(word) > SHORT_WORD)
    yield from (word for word in nearest if len(word) > 2)
