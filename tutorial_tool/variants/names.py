"""The names of a step's variants: the slug in the path, and the names that the page uses.

The display name is not the slug (`apple` is iOS, `cpp` is C++): it is the form of the slug that the text uses, or what
the titles differ in.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain
from typing import NamedTuple

from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.core.scripts import Expression, squeeze_word
from tutorial_tool.spelling import lists
from tutorial_tool.variants import known_names, paths

_TITLE = lazy_re.compile(r"\A---[ \t]*\n(?:.*\n)*?title:[ \t]*(.+)")
_OTHER_TITLE = lazy_re.compile(
    r"\A(?:\+\+\+|\{)[ \t]*\n(?:(?!\+\+\+|\}).*\n)*?[ \t]*\"?title\"?[ \t]*[=:][ \t]*([\"'].+[\"']),?[ \t]*$",
    re.MULTILINE,
)
"""The title in TOML or JSON front matter."""
_HEADING = lazy_re.compile(r"^#{1,2}[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*(?:\{.*\})?$", re.MULTILINE)
_NOT_PROSE = lazy_re.compile(
    r"^([`~]{3,}).*?^\1|`[^`\n]*`|\]\([^)\n]*\)|<[^<>\n]*>|https?://\S+|^\s*(?:import|export) .*$",
    re.MULTILINE | re.DOTALL,
)
_WORDS = lazy_re.compile(r"\S+")
_QUOTES = lazy_re.compile('[`*"“”„«»]')
_MAX_NAME_WORDS = 4
_MIN_USES_OF_SLUG = 3  # Uses of the slug's word on a page of its own variant, for it to be the name
_MIN_SHARE_OF_LONGER = 0.6  # Share of a name's uses within one longer name, for the longer one to be the name
AFTER_ALL_LETTERS = "\U0010ffff"  # Sorts after any continuation of a word
_SPACES = lazy_re.compile("[-_ \u00a0\n]")


@dataclass(frozen=True)
class Variant:
    """One of the variants of a step. `words` are all names that a text may use for it, the longest first."""

    id: str
    name: str
    words: tuple[str, ...]
    ordinary: tuple[str, ...] = ()  # Those of `words` that are ordinary words on the other pages, in lower case
    longer: tuple[str, ...] = ()  # Names of other variants that contain one of these: `React Native`, for React
    texts: tuple[str, ...] = ()
    """Those of `words` that are labels and values of its data, and so may be words of any text."""

    def __getstate__(self) -> dict[str, object]:
        """Exclude the compiled expressions from what is stored: they are built from the rest."""
        return {name: vars(self)[name] for name in self.__dataclass_fields__}

    def may_occur_in(self, text: str) -> bool:
        """Return whether a text may contain one of its names in any form: a cheap check before searching."""
        lowered = text.lower()
        return not self._stems or not text.isascii() or any(stem in lowered for stem in self._stems)

    @cached_property
    def _stems(self) -> tuple[str, ...]:
        return tuple({re.split(r"[-_ \u00a0\n]", word)[0].lower() for word in self.words})

    @cached_property
    def pattern(self) -> Expression:
        """The pattern of its names, with a preceding article, in any case; not as part of a longer name."""
        return self._build_expression("".join(_build_exclusions(self.words, self.longer)))

    @cached_property
    def inner_pattern(self) -> Expression:
        """The pattern of its names, also as part of a longer one."""
        return self._build_expression("") if self.longer else self.pattern

    @cached_property
    def name_pattern(self) -> Expression:
        """The same as `pattern`, without labels and values of its data."""
        names = tuple(word for word in self.words if word not in self.texts)
        if self.texts:
            return self._build_expression("".join(_build_exclusions(names, self.longer)), names)
        return self.pattern

    def _build_expression(self, not_within: str, words: tuple[str, ...] = ()) -> Expression:
        ordinary = "|".join(map(re.escape, self.ordinary))
        not_ordinary = rf"(?!(?-i:{ordinary})(?![\w]))" if ordinary else ""
        names = rf"{not_ordinary}{not_within}(?:{_join_alternatives(words or self.words)})"
        return Expression(rf"(?<![\w-])(?:an?[ \n])?{names}(?![\w])", re.IGNORECASE)

    @cached_property
    def suffix_pattern(self) -> Expression:
        """The pattern of its names as the end of a longer one: `plugin-react`."""
        return Expression(rf"(?<=[A-Za-z0-9]-)(?:{_join_alternatives(self.words)})(?![\w])", re.IGNORECASE)


def _join_alternatives(words: Sequence[str]) -> str:
    patterns = (re.escape(word).replace(r"\ ", r"[ \n\u00a0_-]?").replace(r"\-", r"[ \n_-]?") for word in words)
    return "|".join(map(scripts.build_whole_word, words, patterns))


def _build_exclusions(words: Sequence[str], longer: Sequence[str]) -> Iterator[str]:
    """Yield lookarounds that keep an expression from matching words in longer names: in `Redis Cluster`.

    With a lower-case letter, `a Redis cluster` has the shorter name.
    """
    for name in longer:
        for word in words:
            match = re.search(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", name, re.IGNORECASE)
            before, after = (name[: match.start()], name[match.end() :]) if match else ("", "")
            is_spaced = " " in before + after
            if bool(before) is bool(after) or (is_spaced and any(map(str.islower, (before + after).split()))):
                continue
            adjacent = re.escape(before or after).replace(r"\ ", r"[ \n\u00a0]").replace(r"\-", "[-_]")
            adjacent = f"(?-i:{adjacent})" if is_spaced else adjacent
            yield f"(?<!{adjacent})" if before else rf"(?!{re.escape(word)}{adjacent}(?![\w]))"


def distinguish_variants(variants: Mapping[str, Variant]) -> Mapping[str, Variant]:
    """Return the variants, each with the names of others that contain its own."""
    return _distinguish_cached(tuple(variants.items()))


@lru_cache(1024)  # all steps of a tutorial need the same
def _distinguish_cached(variants: tuple[tuple[str, Variant], ...]) -> Mapping[str, Variant]:
    words = [(id_, word) for id_, variant in variants for word in variant.words]
    ends = sorted((end, index) for index, (_, word) in enumerate(words) for end in _get_ends(word))
    out = {}
    for id_, variant in variants:
        candidates = (words[index] for index in _find_beginning(ends, variant.words))
        other_words = (word for other, word in candidates if other != id_ and word not in variant.words)
        longer = tuple(word for word in other_words if variant.inner_pattern.search(word))
        out[id_] = replace(variant, longer=longer) if longer else variant
    return out


def _normalize_start(text: str) -> str:
    """Return the start of a name in the form that is found regardless of spacing."""
    return _SPACES.sub("", text[:80]).casefold()


def _get_ends(word: str) -> set[str]:
    """Return the suffixes of a word that a shorter name may start: all of them in non-Latin scripts."""
    return {_normalize_start(word[i:]) for i in range(len(word)) if not word.isascii() or not word[i - 1 : i].isalnum()}


def _find_beginning(ends: Sequence[tuple[str, int]], names: Sequence[str]) -> list[int]:
    """Return the indices of the words that may contain one of the names, in the order of the words."""
    starts = [_normalize_start(name[:40]) for name in names]
    spans = [(bisect_left(ends, (start, 0)), bisect_left(ends, (f"{start}{AFTER_ALL_LETTERS}", 0))) for start in starts]
    return sorted({number for first, last in spans for _, number in ends[first:last]})


def learn_variants(
    pages: Mapping[str, str], slugs: Mapping[str, str], spellings: Mapping[str, str]
) -> dict[str, Variant]:
    """Return the variants of a set of pages, by path.

    `pages` are their texts, `slugs` their names in paths, `spellings` how other sets spell a slug.
    """
    prose = {path: extract_prose(text) for path, text in pages.items()}
    titles = _find_title_remainders({path: find_title(text) for path, text in pages.items()}, prose)
    forms = {path: count_spellings(slugs[path], prose[path]) for path in pages}
    spelled = {path: _find_spelling(slugs[path], forms[path], prose[path], pages[path], spellings) for path in pages}
    evidence = _Evidence(slugs, spellings, prose, titles, forms, spelled, _find_longer_names(prose, spelled))
    stems = _strip_shared_words(slugs)
    out: dict[str, Variant] = {}
    taken = set[str]()
    for path, slug in slugs.items():
        name, known_as = _find_names(path, evidence)
        words = known_as.union(_iter_forms(slug), _iter_forms(stems[path]), {name}) - {""}
        if name in taken:
            name = spelled[path] if spelled[path] not in ("", name) else _format_slug(slug)
        taken.add(name)
        ordinary = _find_ordinary_forms(slug, name, path, prose)
        out[path] = Variant(slug, name, tuple(sorted(words, key=lambda word: (-len(word), word))), ordinary)
    return out


class _Evidence(NamedTuple):
    """What the pages of a set show of their variants' names, by path; `spellings` by slug, from other sets."""

    slugs: Mapping[str, str]
    spellings: Mapping[str, str]
    prose: Mapping[str, str]
    titles: Mapping[str, str]
    forms: Mapping[str, Counter[str]]
    spelled: Mapping[str, str]
    longer: Mapping[str, str]

    def is_own(self, name: str, slug: str) -> bool:
        """Return whether a name is not that of a variant with another slug."""
        return bool(name) and not any(_is_related(name, other) for other in self.slugs.values() if other != slug)


def _find_names(path: str, evidence: _Evidence) -> tuple[str, set[str]]:
    """Return the name of a page's variant, and its other names, including empty ones."""
    slug, spelled, prose = evidence.slugs[path], evidence.spelled[path], evidence.prose
    name_in_title, longer = evidence.titles.get(path, ""), evidence.longer.get(path, "")
    is_own = evidence.is_own(name_in_title, slug) and not (spelled and _is_extended(path, slug, evidence))
    count = evidence.forms[path].total() + (_MIN_USES_OF_SLUG if slug.lower() in evidence.spellings else 0)
    is_better = is_own and _is_better(name_in_title, spelled, count, prose[path])
    name = (name_in_title if is_better else spelled) or name_in_title
    known_as = {name, longer, spelled, name_in_title if is_own else ""}
    return (name if longer in name else longer) or _format_slug(slug), known_as


def _is_extended(path: str, slug: str, evidence: _Evidence) -> bool:
    """Return whether a title only adds to a known name: words that other titles have, too, or another name."""
    name, title = evidence.spelled[path], evidence.titles.get(path, "")
    name_words, title_words = set(name.split()), set(title.split())
    others = [text.split() for other, text in evidence.titles.items() if other != path]
    added = title_words - name_words
    is_shared = any(2 * sum(word in other for other in others) >= len(others) > 0 for word in added)
    is_known = name != title and name in title and name == known_names.get_name(slug)
    return is_known and (is_shared or not name_words <= title_words)


def _find_spelling(slug: str, forms: Counter[str], prose: str, text: str, spellings: Mapping[str, str]) -> str:
    """Return a page's spelling of its slug.

    The well-known name, else the most frequent form in its text, else that of other sets, else that of its title.
    """
    own = _find_known_name(slug, forms, prose) or select_form(forms)
    return own or spellings.get(slug.lower(), "") or find_form(find_title(text), slug)


def _find_ordinary_forms(slug: str, name: str, path: str, prose: Mapping[str, str]) -> tuple[str, ...]:
    """Return the forms of a slug that other pages use as ordinary words; none for a name in lower case."""
    if name == name.lower():
        return ()
    others = [text for other, text in prose.items() if other != path]
    return tuple(word for word in dict.fromkeys(_iter_forms(slug)) if _is_ordinary(word, others))


def _find_known_name(slug: str, forms: Counter[str], prose: str) -> str:
    """Return the known name of a slug if its page uses it as often as the slug, or uses neither."""
    name = known_names.get_name(slug)
    if not name:
        return ""
    other_count = sum(number for form, number in forms.items() if form.lower() != name.lower())
    is_slug = name.replace(" ", "").lower() == squeeze_word(slug)
    return name if is_slug or count_uses(name, prose) >= other_count else ""


def find_form(title: str, slug: str) -> str:
    """Return the words of a title that equal a slug except for punctuation: `Next.js` for `nextjs`."""
    letters = squeeze_word(slug)
    words = _QUOTES.sub("", title).split() if letters and letters in squeeze_word(title) else []
    runs = (" ".join(words[start:end]) for start in range(len(words)) for end in range(start + 1, len(words) + 1))
    form = next((run for run in runs if squeeze_word(run) == letters and run != run.lower()), "")
    return form.strip("():,–—")


def _strip_shared_words(slugs: Mapping[str, str]) -> dict[str, str]:
    """Return the slugs without the last word that half of several share: `github_oauth` is `github`.

    "" for the others.
    """
    last_words = {path: paths.get_tokens(slug)[-1:] for path, slug in slugs.items()}
    counts = Counter(chain.from_iterable(last_words.values()))
    shared = {word for word, count in counts.items() if count > 1 and 2 * count >= len(slugs)}
    return {
        path: "-".join(paths.get_tokens(slug)[:-1]) if shared.issuperset(last_words[path]) and last_words[path] else ""
        for path, slug in slugs.items()
    }


def _is_ordinary(word: str, others: Sequence[str]) -> bool:
    """Return whether half of the other pages have a word in lower case within a sentence: `node`, `go`."""
    return word.islower() and 2 * sum(count_in_sentences(word, text)[0] > 0 for text in others) >= len(others) > 1


def _is_better(name_in_title: str, spelled: str, uses_of_slug: int, prose: str) -> bool:
    """Return whether the title's name is better than the spelled slug: `apple` is rare on a page about iOS."""
    uses = len(Expression(rf"(?<![\w]){re.escape(name_in_title)}(?![\w])").findall(prose))
    if spelled and spelled in name_in_title:
        return uses > 0 and not any(map(str.islower, name_in_title.split()))
    return uses_of_slug < _MIN_USES_OF_SLUG or (spelled == spelled.lower() and uses >= 2)


def _find_longer_names(prose: Mapping[str, str], names: Mapping[str, str]) -> dict[str, str]:
    """Return the names that mostly occur with one more word, extended by it: `Apache Kafka`, `Acme Model 3`.

    Few other names have that word.
    """
    neighbors = {path: _count_neighbors(name, prose[path]) for path, name in names.items()}
    users = Counter(chain.from_iterable(counts for counts, _ in neighbors.values()))
    out = {}
    for path, (counts, total) in neighbors.items():
        for (side, word), count in counts.most_common(1):
            is_frequent = count >= max(_MIN_USES_OF_SLUG, _MIN_SHARE_OF_LONGER * total)
            if is_frequent and 2 * users[side, word] <= len(neighbors):
                out[path] = f"{word} {names[path]}" if side == "before" else f"{names[path]} {word}"
    return out


def _count_neighbors(name: str, prose: str) -> tuple[Counter[tuple[str, str]], int]:
    """Count the capitalized words before and after a name, numbers and letters after it, and its uses."""
    if not name or name == name.lower():
        return Counter(), 0
    word = r"[A-Z][\w]+"
    pattern = (
        rf"(?:(?<![.!?:] )\b({word}) )?(?<![\w]){re.escape(name)}(?![\w])(?:[ \n]({word}|[A-Z]|\d\w*)(?![\w-]|\.\d))?"
    )
    matches = Expression(pattern).findall(prose)
    counts = Counter(("before", before) for before, _ in matches if before)
    counts.update(("after", after) for _, after in matches if after)
    return counts, len(matches)


def extract_prose(text: str) -> str:
    """Return a text without its code, URLs and tags."""
    return _NOT_PROSE.sub(" ", text)


def _format_slug(slug: str) -> str:
    if len(slug) <= lists.MAX_ABBREVIATION and slug.isalpha() and slug.islower() and not lists.is_known(slug):
        return slug.upper()
    return slug if slug != slug.lower() else slug.replace("-", " ").replace("_", " ").strip().title()


def _iter_forms(slug: str) -> Iterator[str]:
    """Yield a slug as a text may write it; nothing for one so short that it may be any word."""
    if len(slug) > 1:
        yield slug
        yield " ".join(paths.get_tokens(slug))


def find_title(text: str) -> str:
    """Return the title of a page, from its front matter or its first heading."""
    match = _TITLE.match(text) or _OTHER_TITLE.match(text) or _HEADING.search(text)
    return match[1].strip().strip("\"'") if match else ""


def _find_title_remainders(titles: Mapping[str, str], prose: Mapping[str, str]) -> dict[str, str]:
    """Return each title without the words that all share at its start and end, if the rest may be a name.

    Empty if the titles share no such words.
    """
    split = scripts.RUN.finditer if any(map(scripts.allows_adjacent_names, titles.values())) else _WORDS.finditer
    words = {path: list(split(title)) for path, title in titles.items() if title}
    words_of_titles = [[word[0] for word in matches] for matches in words.values()]
    if len({tuple(matches) for matches in words_of_titles}) < 2:
        return {}
    start, end = _measure_shared_ends(words_of_titles)
    if not start and not end:
        return {}
    remainders = {path: _join_words(word[start : len(word) - end]).strip("():,–—- ") for path, word in words.items()}
    remainders = {path: _strip_kind(re.sub(r"[()]", "", text), prose[path]) for path, text in remainders.items()}
    return {path: text for path, text in remainders.items() if _may_be_name(text, list(remainders.values()))}


def _measure_shared_ends(titles: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Return how many words all titles have in common at the start, and how many at the end."""
    shortest = min(map(len, titles))
    start = next((i for i in range(shortest) if len({words[i] for words in titles}) > 1), shortest)
    remaining = shortest - start
    return start, next((i for i in range(remaining) if len({words[-1 - i] for words in titles}) > 1), remaining)


def _may_be_name(text: str, values: Sequence[str]) -> bool:
    """Return whether the unique part of a title may be a name: short, with a capital, in no other title."""
    if text.islower() or not any(map(str.isalpha, text)) or len(text.split()) > _MAX_NAME_WORDS:
        return False
    is_unique = [value.casefold() for value in values].count(text.casefold()) == 1
    return is_unique and (not scripts.has_unspaced_script(text) or scripts.may_be_name(text))


def _strip_kind(text: str, prose: str) -> str:
    """Return a name without the word of its kind, which a page mostly writes in lower case.

    For example, `Acme`, of the Acme provider.
    """
    name, _, kind = text.rpartition(" ")
    if not name or kind == kind.lower():
        return text
    return name if count_uses(f"{name} {kind.lower()}", prose) >= max(1, count_uses(text, prose)) else text


def _join_words(words: Sequence[re.Match[str]]) -> str:
    return " ".join(words[0].string[words[0].start() : words[-1].end()].split()) if words else ""


def count_spellings(slug: str, prose: str) -> Counter[str]:
    """Count how a text writes a slug: `iOS` for `ios`, `React Native` for `react-native`."""
    words = paths.get_tokens(slug)
    if not words or len("".join(words)) < 2 or words[0] not in prose.lower():
        return Counter()
    pattern = r"[-_ .\u00a0]?".join(map(re.escape, words))
    matches = Expression(rf"(?<![\w/.-])({pattern})(?![\w/-]|\.[\w]|[#+])", re.IGNORECASE).findall(prose)
    return Counter(" ".join(form.split()) for form in matches)


def find_occurrences(words: Sequence[str], text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of lower-case words in a text, in any case, joined by one character or none."""
    if not words:
        return
    lowered = text.lower()
    if len(lowered) != len(text):  # `İ` becomes two characters: offsets would be wrong
        lowered = text
    first, *other_words = words
    start = lowered.find(first)
    while start >= 0:
        end = start + len(first)
        for word in other_words:
            end += lowered[end : end + 1] in _BETWEEN_WORDS
            if not lowered.startswith(word, end):
                break
            end += len(word)
        else:
            yield start, end
        start = lowered.find(first, start + 1)


_BETWEEN_WORDS = frozenset("-_ .\u00a0")
_WITHIN = lazy_re.compile(r'[A-Za-z,;] [*_"“]{0,3}\Z')  # Text before a word within a sentence
_CALLED_OR_LONGER = lazy_re.compile(r"[\w/(-]|\.\w")  # Text after an identifier or a part of a longer word


def count_in_sentences(slug: str, prose: str) -> tuple[int, int]:
    """Count how often a slug is within a sentence as an ordinary word (`flags`, `install`), and as a name.

    An identifier is neither: `listUsers`, and `ListUsers` for a slug of two words.
    """
    words = paths.get_tokens(slug)
    spans = (span for span in find_occurrences(words, prose) if _WITHIN.search(prose, max(0, span[0] - 5), span[0]))
    matches = [prose[start:end] for start, end in spans if not _CALLED_OR_LONGER.match(prose, end)]
    as_name = sum(
        (form[0].isupper() and (len(words) == 1 or not form.isalnum())) or form[0].isdigit() for form in matches
    )
    return sum(form.islower() and not form[0].isdigit() for form in matches), as_name


def select_form(forms: Counter[str]) -> str:
    """Return the most frequent form of a name, with a capital if a fourth of the forms have one."""
    capitalized = Counter({form: count for form, count in forms.items() if form != form.lower()})
    chosen = capitalized if capitalized.total() * 4 >= forms.total() else forms
    return chosen.most_common(1)[0][0] if chosen else ""


def count_uses(name: str, prose: str) -> int:
    """Count how often a text has a name exactly as written."""
    return len(re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", prose)) if name in prose else 0


def select_majority_name(counts: Mapping[str, int]) -> str:
    """Return a platform's most frequent name; a longer one if most uses of that are part of it."""
    most_frequent = max(counts, key=lambda name: counts[name])
    min_uses = _MIN_SHARE_OF_LONGER * counts[most_frequent]
    longer = [name for name, count in counts.items() if most_frequent in name and count >= min_uses > 0]
    return max(longer, key=len, default=most_frequent)


def _is_related(name: str, slug: str) -> bool:
    """Return whether a name contains a slug or is part of it, comparing only letters and digits."""
    left, right = squeeze_word(name), squeeze_word(slug)
    return left in right or right in left


def has_letters_of(name: str, slug: str) -> bool:
    """Return whether a name has the letters of a slug in their order, as `Python via Java` has of `pythonjava`."""
    letters = iter(squeeze_word(name))
    return all(letter in letters for letter in squeeze_word(slug))
