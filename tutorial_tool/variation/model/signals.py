"""The reasons to believe that a difference is a mistake or is intended: each with a name and a strength."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING

from tutorial_tool import variants
from tutorial_tool.core import lazy_re
from tutorial_tool.core.scripts import MAX_TERM_WORDS, squeeze_word
from tutorial_tool.site import Page
from tutorial_tool.spelling import lists
from tutorial_tool.variants import Step, Variant
from tutorial_tool.variants.reference_pages import contains_word
from tutorial_tool.variation import MIN_SENTENCE_SIMILARITY
from tutorial_tool.variation.keys import MAX_FUNCTION_WORD
from tutorial_tool.variation.model.kinds import SMALL, Kind
from tutorial_tool.variation.model.weights import FACTS, WEIGHTS
from tutorial_tool.variation.paths import get_path_words
from tutorial_tool.variation.units import OWN

if TYPE_CHECKING:
    from tutorial_tool.variation.model.differences import Difference
    from tutorial_tool.variation.model.substitutions import TutorialCounts

_SPAN = lazy_re.compile(r"`[^`\n]+`")
_GETTER = lazy_re.compile(r"\b[gs]et(?=[A-Z])|\(\)")  # What one language adds to a name that another has as a property
_SYNTAX = lazy_re.compile(r"\A[.:$@]+|(?<=\w)[.:]+(?=\w)|\(\)\Z")  # Signs of a language: `:name`, `Type.name`, `name()`
_MAX_EDITS = 5  # Maximum number of differences between two texts; more do not count
_JOINING = frozenset(("and", "or"))  # Words that join a list of names: what runs on several platforms names them all
_NORMAL_SHARE = 0.3  # Normal share of slots in which a page differs from most others
_MIN_REPEATS = 3
"""Minimum texts of a variant with a word that no other variant has, for the word to be platform-specific."""
_MAX_OWN_NAME_TEXTS = 6  # Maximum texts of a tutorial with a variant's own name; more do not count


def is_foreign(step: Step, difference: Difference) -> bool:
    """Return whether a variant has only another variant's name where the expected text has none.

    The variant's own name does not count as one in the expected text, nor does that of the variant that has this text.
    """
    if difference.slot.kind in ("link", "image"):
        return _is_foreign_address(step, difference)
    words = _get_name_words(difference)
    names = get_foreign_names(step, difference.variant_id)
    whole = "".join(difference.actual)
    is_named = 0 < len(words) <= MAX_TERM_WORDS and all(squeeze_word(key) in names for key in words)
    is_named = is_named or any(name in names for name in (whole, squeeze_word(whole), squeeze_word("".join(words))))
    return is_named and not any(squeeze_word(key) in names for key in difference.expected)


def is_sibling_named(step: Step, difference: Difference) -> bool:
    """Return whether a foreign name is that of a variant with a page in this step: the text may be pasted from it."""
    names, words = get_foreign_names(step, difference.variant_id), _get_name_words(difference)
    forms = {"".join(difference.actual), squeeze_word("".join(words)), *map(squeeze_word, words)}
    return any(not step.pages.keys().isdisjoint(names.users.get(form, ())) for form in forms)


def _get_name_words(difference: Difference) -> list[str]:
    """Return the words that may be a name, such as `slack` where the text has `Slack's`."""
    return [key.removesuffix("'s") for key in difference.actual if key[0].isalnum() and key not in SMALL]


def _is_foreign_address(step: Step, difference: Difference) -> bool:
    """Return whether the difference in a URL is another variant's name as URLs have it: `win` for Windows."""
    typed = difference.whole_text.get_typed(*difference.span)
    paths = get_path_words(step)
    others = (path for name, path in paths.items() if name != difference.variant_id)
    return OWN in difference.expected and any(path.pattern.fullmatch(typed) for path in others)


@dataclass(frozen=True)
class ForeignNames:
    """The squeezed names of the other variants of a step and of its tutorial, without this one's names."""

    users: Mapping[str, set[str]]  # The variants that have each name
    variant: Variant

    def __contains__(self, word: str) -> bool:
        is_used = len(word) > 1 and bool(self.users.get(word, set()) - {self.variant.id})
        squeezed = squeeze_word(word)
        return is_used and not any(squeezed in squeeze_word(own) for own in (*self.variant.words, self.variant.id))


def get_foreign_names(step: Step, name: str) -> ForeignNames:
    """Return the names that are foreign to one of the variants of a step."""
    return ForeignNames(variants.get_cached(step, _index_name_users), step.variants[name])


def _index_name_users(step: Step) -> dict[str, set[str]]:
    users: dict[str, set[str]] = {}
    for id_, variant in step.all_variants.items():
        words = (variant.name, variant.id, *(word for word in variant.words if word not in variant.texts))
        signed = {word.lower() for word in variant.words if not word.isalnum()}
        for word in signed.union(map(squeeze_word, words)):
            users.setdefault(word, set()).add(id_)
    return users


def measure_signals(learned: TutorialCounts, difference: Difference, kind: Kind) -> dict[str, float]:
    """Return the signals of a difference, by name; `weights.py` has their weights."""
    slot, name = difference.slot, difference.variant_id
    signals = {
        f"kind: {kind}": 1.0,
        f"slot: {slot.kind}": 1.0,
        **_measure_votes(difference, kind),
        "other edits": float(min(difference.edits, _MAX_EDITS)),
        "rewritten": float(difference.similarity < MIN_SENTENCE_SIMILARITY and kind not in FACTS),
        "page differs": learned.answer("share apart", name, _NORMAL_SHARE) if kind not in FACTS else 0.0,
        "substitution": log2(1 + learned.count_support(difference)),
        "no name expected": float(kind is Kind.FOREIGN and not difference.expects_own_name),
        "length": log2(max(len(difference.actual), len(difference.expected), 1)),
    }
    signals.update(_measure_value(learned, difference, kind))
    if kind in (Kind.FOREIGN, Kind.NEGATION):  # not platform words, however often a page has them
        del signals["substitution"]
    if kind is Kind.FOREIGN:
        if difference.expects_own_name:
            del signals["length"]
        if slot.kind not in ("link", "image"):  # links and images are decided by whether the target exists
            signals.update(_measure_name_signals(learned, difference))
    else:
        signals.update(_measure_word_signals(learned, difference))
        signals.update(_measure_spelling_signals(difference, kind))
        if kind is Kind.SLIP:
            signals["usual spelling"] = _measure_usual_spelling(learned, difference)
    if kind in (Kind.CODE_NAME, Kind.CODE_SLIP, Kind.CASE):
        signals.update(_measure_own_code_signals(difference))
        if signals.get("own code has the expected name"):  # then it is not the platform's own name
            del signals["identifier"]
    return {
        signal: value
        for signal, value in signals.items()
        if value and (signal in WEIGHTS or not signal.startswith(("kind: ", "slot: ")))
    }


def _measure_votes(difference: Difference, kind: Kind) -> dict[str, float]:
    """Measure how many variants have the expected text, this one's, or a third."""
    others = len(difference.slot.texts) - 1
    is_link = difference.slot.kind in ("link", "image")
    return {
        "votes": log2(difference.votes),
        "two variants, fact" if kind in FACTS else "two variants": float(others == 1),
        "against": log2(1 + difference.against),
        "third, number" if kind is Kind.NUMBER else "third": 0.0 if is_link else difference.third / others,
    }


def _measure_value(learned: TutorialCounts, difference: Difference, kind: Kind) -> dict[str, float]:
    """Measure what suggests a value that is only its row's name, or a platform-specific number."""
    if kind is Kind.VALUE:
        label = squeeze_word(difference.slot.label)
        texts = (squeeze_word("".join(words)) for words in (difference.actual_typed, difference.expected_typed))
        return {"names the row": float(bool(label) and label in texts)}
    if kind is not Kind.NUMBER:
        return {}
    key, (start, end) = difference.whole_text.key, difference.span
    is_last = end == len(key) or not key[end].isalnum() or key[end] in SMALL
    is_version = is_last and key[max(start - 1, 0) : start] == (OWN,)
    return {
        "numbers vary": learned.answer("number variation"),
        "a number in code or an image": float(difference.slot.kind in ("code", "alt", "image")),
        "follows its own name": float(is_version),
        "a count in words": float(any(map(str.isalpha, difference.actual_typed))),
    }


def _measure_name_signals(learned: TutorialCounts, difference: Difference) -> dict[str, float]:
    """Measure what justifies another variant's name: the page is about that one too, or compares both."""
    name = difference.variant_id
    names = _get_name_words(difference)
    is_code = not names  # marked as code in the text: says nothing about other code
    names = names or [squeeze_word(key) for key in difference.actual]
    is_shared = " ".join(difference.actual_typed) == " ".join(difference.expected_typed)
    least = min(learned.count_texts_here(name, key) for key in names)
    here = max(least, learned.count_texts_here(name, squeeze_word("".join(names))))
    page, is_text = difference.slot.texts[name].page, difference.slot.kind != "code"
    own_texts = learned.count_texts(name, OWN, most=_MAX_OWN_NAME_TEXTS)
    is_word = " ".join(difference.actual_typed).islower() and not difference.whole_text.variant.name.islower()
    return {
        "own code has the name": float(
            is_text
            and all(_contains_name(page.get_cached(_get_code if is_code else _get_all_code), key) for key in names)
        ),
        "the same on both": float(is_shared),
        "names several": float(
            (len(names) > 1 and not _JOINING.isdisjoint(difference.actual)) or _is_listed(difference)
        ),
        "names both variants": float(_is_about_both(difference)),
        "own name elsewhere": (is_shared and not is_word) * log2(1 + own_texts),
        "foreign name recurs": log2(max(1, here)),
        "platform has the name": learned.answer("share elsewhere", name, tuple(names)),
    }


def _is_listed(difference: Difference) -> bool:
    """Return whether another variant's name is next to the difference, joined by a word: `iOS and Android`."""
    key, (start, end) = difference.whole_text.key, difference.span
    others = (text.variant for id_, text in difference.slot.texts.items() if id_ != difference.variant_id)
    names = _squeeze_names(others)
    pairs = (key[end : end + 2], key[max(start - 2, 0) : start][::-1])
    return any(pair[:1] and pair[0] in _JOINING and squeeze_word(pair[-1]) in names for pair in pairs)


def _squeeze_names(named: Iterable[Variant]) -> set[str]:
    return {squeeze_word(name) for variant in named for name in (variant.name, variant.id)}


def _is_about_both(difference: Difference) -> bool:
    """Return whether a text may be about two variants, judged by where both texts name their variant.

    It has its own variant's name more often than the other text has its own besides the difference; or it has it, and
    the other text names this variant, too.
    """
    text, other = difference.whole_text, difference.reference_text
    called = _squeeze_names([text.variant])
    remaining = other.key.count(OWN) - difference.expected.count(OWN)
    return text.key.count(OWN) > remaining or (
        OWN in text.key and any(squeeze_word(key) in called for key in other.key)
    )


def _measure_word_signals(learned: TutorialCounts, difference: Difference) -> dict[str, float]:
    """Measure how words are used elsewhere: own words that no sibling uses, and expected ones in own texts."""
    name, others = difference.variant_id, [other for other in difference.slot.texts if other != difference.variant_id]
    sides = (difference.actual, difference.expected)
    actual, expected = ([key for key in keys if key[0].isalnum() and key not in SMALL] for keys in sides)
    out = {}
    if actual:
        is_usual = all(learned.count_texts(name, key, most=_MIN_REPEATS) == _MIN_REPEATS for key in actual)
        is_shared = is_usual and any(learned.count_texts(other, key, most=1) for other in others for key in actual)
        out["own vocabulary"] = float(is_usual and not is_shared)
    if expected:
        out["expected words elsewhere"] = float(all(learned.count_texts(name, key, most=1) for key in expected))
    return out


def _measure_usual_spelling(learned: TutorialCounts, difference: Difference) -> float:
    """Measure how much more often than the expected word all variants have this one; 0 if less often."""
    sides = (difference.actual, difference.expected)
    counts = (sum(learned.count_texts(name, key) for name in difference.slot.texts for key in keys) for keys in sides)
    actual, expected = (log2(1 + count) for count in counts)
    return max(0.0, actual - expected)


def _measure_own_code_signals(difference: Difference) -> dict[str, float]:
    """Measure whether the page's own code has what its text has in code, or what the others have.

    Only a name that no other word has by accident counts, and only where it is not part of the text.
    """
    if len(difference.actual_typed) != 1 or len(difference.expected_typed) != 1 or difference.actual[0][0] != "`":
        return {}
    code = difference.whole_text.page.get_cached(_get_code)
    actual, expected = (typed[0].strip("`") for typed in (difference.actual_typed, difference.expected_typed))
    is_own = contains_word(code, actual)
    is_other = expected not in actual and _GETTER.sub("", actual).lower() != _GETTER.sub("", expected).lower()
    is_expected = not is_own and is_other and is_identifier(expected) and contains_word(code, expected)
    is_same = _SYNTAX.sub("", actual) == _SYNTAX.sub("", expected)
    return {
        "own code has the expected name": float(is_expected),
        "own code agrees": float(is_own),
        "the same on both": float(is_same),
    }


def _get_code(page: Page) -> str:
    return "\n".join(block.text for block in page.document.code_blocks)


def _get_all_code(page: Page) -> str:
    return "\n".join((_get_code(page), *_SPAN.findall(page.plain)))


def _contains_name(code: str, name: str) -> bool:
    """Return whether code has a name, alone or between other characters: `text2vec-openai` has OpenAI's."""
    return re.search(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", code, re.IGNORECASE) is not None


def _measure_spelling_signals(difference: Difference, kind: Kind) -> dict[str, float]:
    """Measure the signals of the form of the words."""
    typed, expected = difference.actual_typed, difference.expected_typed
    out = {"identifier": float(any(map(is_identifier, (*typed, *expected))))}
    if difference.slot.kind not in ("code", "link", "image") and expected and all(map(_is_known, expected)):
        is_unknown = any(len(word) > MAX_FUNCTION_WORD and word.islower() and not _is_known(word) for word in typed)
        out["no word"] = float(is_unknown and kind is not Kind.VALUE)  # a type, such as `bool`, is no misspelling
    return out


def _is_known(word: str) -> bool:
    return not word.isalpha() or lists.is_known(word)


def is_identifier(word: str) -> bool:
    """Return whether a word looks like a name in code: inner capitals, underscores, digits among letters."""
    return (
        any(map(str.isupper, word[1:])) or "_" in word or (any(map(str.isdigit, word)) and any(map(str.isalpha, word)))
    )
