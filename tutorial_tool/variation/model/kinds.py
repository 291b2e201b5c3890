"""The kind of a difference: a number, a negation, a typo, another platform's name, other words."""

from __future__ import annotations

import calendar
import re
from enum import StrEnum
from typing import TYPE_CHECKING

from tutorial_tool.core import lazy_re
from tutorial_tool.core.scripts import MAX_TERM_WORDS, squeeze_word
from tutorial_tool.data.toggle_words import get_state
from tutorial_tool.spelling import lists
from tutorial_tool.variation.keys import has_wrong_letter
from tutorial_tool.variation.model.alignment import TokenKeys
from tutorial_tool.variation.opposites import are_opposed
from tutorial_tool.variation.units import OWN

if TYPE_CHECKING:
    from tutorial_tool.variation.model.differences import Difference

SMALL = frozenset(
    "a the of to in on at by for with from and or is are was be been it its this that these those your you we our us"
    " will can may as if then there here have has had do does into onto so when which who not"
    "".split()
)
NEGATIONS = frozenset("not no never without cannot nor neither unless disabled".split())
_AUXILIARIES = frozenset("do does did is are was were be will would can could should must has have had need".split())
_MONTHS = frozenset(map(str.lower, (*calendar.month_name[1:], *calendar.month_abbr[1:])))
_YEAR = lazy_re.compile(r"(?:19|20)\d\d")
_NUMBER = lazy_re.compile(r"\d[\d.,]*")
_VERSION = lazy_re.compile(r"\bversions?\b", re.IGNORECASE)
_RELEASE = lazy_re.compile(r"\d+\.\d+\.\d")


class Kind(StrEnum):
    """The kinds of differences, of a text from the expected one."""

    FOREIGN = "foreign"  # Another variant's name
    NAME = "name"  # One text has its variant's name where the other does not
    NUMBER = "number"  # Two numbers that contradict each other
    VERSION = "version"  # Two versions or years
    OPPOSITE = "opposite"  # `left` and `right`
    NEGATION = "negation"  # One text only negates the other
    STATE = "state"  # A table cell says `on`, the other `off`
    SYNONYM = "synonym"  # Two words for one state in table cells
    VALUE = "value"  # Two short table cells
    SLIP = "slip"  # A word with a wrong letter, in no dictionary
    CASE = "case"  # Only capitals differ
    SPACING = "spacing"  # Only spaces differ
    INFLECTION = "inflection"  # Two forms of one word
    SMALL_WORD = "small word"  # Two function words: `in` and `on`
    WORD = "word"  # Two other words
    EXTRA_WORD = "extra word"  # The text has a word more
    MISSING_WORD = "missing word"  # The text lacks a word
    EXTRA_WORDS = "extra words"
    MISSING_WORDS = "missing words"
    PUNCTUATION = "punctuation"  # Only punctuation differs
    CODE_SLIP = "code slip"  # A code span with a wrong letter
    CODE_NAME = "code name"  # Two code spans
    CODE = "code"  # Code where the other text has more or none
    DOUBLED = "doubled"  # A word is there twice
    ORDER = "order"  # A number or field that depends on the order of pages
    WORDING = "wording"  # Other words, of different number


def classify_difference(difference: Difference, foreign: bool) -> Kind:
    """Return the kind of a difference. `foreign`: the text here is a name of another variant."""
    actual, expected = difference.actual, difference.expected
    if foreign and (difference.expects_own_name or not _is_order(difference)):
        return Kind.FOREIGN
    if _is_order(difference):
        return Kind.ORDER
    if OWN in actual or OWN in expected:
        return Kind.NAME
    if [key.lower() for key in actual] == [key.lower() for key in expected]:
        return Kind.CASE
    if any(key[0] == "`" for key in (*actual, *expected)):
        return _classify_code(actual, expected)
    kind = _classify_cell(difference, actual, expected) if difference.slot.kind == "cell" else None
    if kind is not None:
        return kind
    if len(actual) == len(expected) == 1:
        return _classify_words(difference, actual[0], expected[0])
    return _classify_phrase(difference, actual, expected)


def _classify_cell(difference: Difference, actual: TokenKeys, expected: TokenKeys) -> Kind | None:
    """Return the kind if a whole cell differs; None if part of it does, or if it differs as any text."""
    state, expected_state = (get_state(text.get_typed()) for text in (difference.whole_text, difference.reference_text))
    if state and expected_state:  # in a script whose letters are tokens, the cells may have some in common
        return Kind.STATE if state.on != expected_state.on else Kind.SYNONYM
    if not actual or not expected or len(actual) != len(difference.whole_text.key):
        return None
    if squeeze_word("".join(difference.actual_typed)) == squeeze_word("".join(difference.expected_typed)):
        return Kind.CODE
    if _differ_in_numbers(actual, expected):
        is_version = _VERSION.search(f"{difference.slot.label} {difference.slot.column}") is not None
        return Kind.VERSION if is_version or all(map(_RELEASE.match, actual + expected)) else Kind.NUMBER
    return Kind.VALUE if max(len(actual), len(expected)) < 4 else None


def _are_versions(difference: Difference, actual: str, expected: str) -> bool:
    """Return whether two numbers are versions, or parts of a date: `1.2`, `version 3`, `2026`, `6 May`."""
    key, (start, end) = difference.whole_text.key, difference.span
    before, after = ("".join(keys).lower() for keys in (key[max(start - 1, 0) : start], key[end : end + 1]))
    is_version = "." in actual + expected or before in ("version", "v") or not _MONTHS.isdisjoint((before, after))
    return is_version or all(_YEAR.fullmatch(text) for text in (actual, expected))


def _differ_in_numbers(actual: TokenKeys, expected: TokenKeys) -> bool:
    pairs = [(left, right) for left, right in zip(actual, expected, strict=False) if left != right]
    return len(actual) == len(expected) and all(_are_numbers(left, right) for left, right in pairs)


def _are_numbers(actual: str, expected: str) -> bool:
    """Return whether both start with a number, but a different one: `5s` and `5` do not contradict."""
    left, right = _NUMBER.match(actual), _NUMBER.match(expected)
    return left is not None and right is not None and left[0] != right[0]


def _is_order(difference: Difference) -> bool:
    """Return whether a difference depends on the order of steps or pages.

    That is a front matter value of one word, or a number in a heading, at the start of an item, or after `step` or
    `section`.
    """
    words = (*difference.actual, *difference.expected)
    text, start = difference.whole_text, difference.span[0]
    if difference.slot.kind == "meta" and " " not in text.typed.strip("\"'"):
        return True
    if not any(key[0].isdigit() for key in words):
        return False
    before, behind = text.key[:start], text.key[difference.span[1] : difference.span[1] + 1]
    is_item = not any(map(str.isalnum, before)) and behind in ((".",), (")",), (":",))
    return difference.slot.kind == "heading" or is_item or before[-1:] in (("step",), ("section",))


def _classify_code(actual: TokenKeys, expected: TokenKeys) -> Kind:
    if len(actual) == len(expected) == 1 and actual[0][0] == expected[0][0] == "`":
        left, right = (key[1:].replace(f"{OWN}s", OWN).strip("?!()") for key in (actual[0], expected[0]))
        if min(len(left), len(right)) > 5 and has_wrong_letter(left, right) and not any(map(str.isdigit, left + right)):
            return Kind.CODE_SLIP
        return Kind.CODE_NAME
    return Kind.CODE


def _classify_words(difference: Difference, actual: str, expected: str) -> Kind:
    if _are_numbers(actual, expected):
        return Kind.VERSION if _are_versions(difference, actual, expected) else Kind.NUMBER
    low, other = actual.lower(), expected.lower()
    if are_opposed(low, other):
        return Kind.OPPOSITE
    if low.isalpha() and other.isalpha():
        if _has_wrong_letter(difference, low, other):
            is_form = not difference.whole_text.page.may_be_english and other.startswith(low[:-2])
            return Kind.INFLECTION if is_form or lists.is_known(low) else Kind.SLIP
        if stem_word(low) == stem_word(other):
            return Kind.INFLECTION
        return Kind.SMALL_WORD if low in SMALL and other in SMALL else Kind.WORD
    if not (actual[0].isalnum() or expected[0].isalnum()):
        return Kind.PUNCTUATION
    return Kind.WORD


def _has_wrong_letter(difference: Difference, actual: str, expected: str) -> bool:
    """Return whether a letter differs, other than a plural's, and no inner capital: `mName` is no slip for `name`."""
    pair = ("".join(word[1:] for word in typed) for typed in (difference.actual_typed, difference.expected_typed))
    left, right = (sum(map(str.isupper, text)) for text in pair)
    return left == right and f"{actual}s" != expected != actual.removesuffix("s") and has_wrong_letter(actual, expected)


def _classify_phrase(difference: Difference, actual: TokenKeys, expected: TokenKeys) -> Kind:
    words = [key for key in (*actual, *expected) if key[0].isalnum()]
    if not words:
        return Kind.PUNCTUATION
    if _is_negation(actual, expected):
        return Kind.NEGATION
    if "".join(actual).lower() == "".join(expected).lower():
        return Kind.SPACING
    if not expected and len(actual) == 1 and actual[0].isalpha():
        keys, (start, end) = difference.whole_text.key, difference.span
        if actual[0] in keys[max(start - 1, 0) : start] + keys[end : end + 1]:
            return Kind.DOUBLED
    if not actual:
        return Kind.MISSING_WORD if len(words) == 1 else Kind.MISSING_WORDS
    if not expected:
        return Kind.EXTRA_WORD if len(words) == 1 else Kind.EXTRA_WORDS
    return Kind.WORDING


def _is_negation(actual: TokenKeys, expected: TokenKeys) -> bool:
    """Return whether one of two short texts only negates the other."""
    is_short = max(len(actual), len(expected)) <= MAX_TERM_WORDS
    if not is_short or NEGATIONS.isdisjoint(actual) == NEGATIONS.isdisjoint(expected):
        return False
    return {*actual, *expected} <= NEGATIONS | _AUXILIARIES or len(set(actual) ^ set(expected)) == 1


def stem_word(word: str) -> str:
    """Return a word without the plural and without the ending of its form: cut off, not looked up."""
    singular = word.removesuffix("s")
    endings = ("ing", "ed", "ion", "ly", "er", "d", "e")
    return singular.removesuffix(next((end for end in endings if singular[3:].endswith(end)), ""))
