"""How two texts of copies differ, word by word, and whether that is what their platforms need."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA, Indel

from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.markdown.document import MASK
from tutorial_tool.site import Page
from tutorial_tool.variants import Step, Variant
from tutorial_tool.variation.units import OWN, masked

_SMALL = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBERS = {word: str(value) for value, word in enumerate(_SMALL.split(), 1)} | {
    word: str(value) for value, word in zip(range(20, 100, 10), _TENS.split(), strict=True)
}
"""Numbers in words, and the same in figures."""
_WORD = lazy_re.compile(r"\d{1,3}(?:,\d{3})+(?![\d,]*\d)|[\w\ue000\ufffc][\w\ue000\ufffc'’.+#/-]*(?<![.'’/-])")
_PART = lazy_re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")  # The words of a word, as a document counts them
_CAPITALISED = lazy_re.compile(r"\b[A-Z][a-z]+\b")
_NAME = lazy_re.compile(r"[A-Z]|[a-z]\d|\d[a-z]|[_+#/]|\w\.\w")
"""What a word has that is a name or an identifier, and no word of the language."""
_BESIDE_OWN = lazy_re.compile(r"\W{1,2}(?:(?:of|for|in|on|the|to|from|by|a)\W)?\ue000")
_RIGHT_BEFORE_OWN = lazy_re.compile(r"\W{1,2}\ue000")
_BOXES = ("[ ]", "[x]", "[X]")  # What an item of a task list begins with
_AFTER_OWN = lazy_re.compile(r"\ue000(?:['’]?s?\W{1,2}(?:versions?\W)?|\W?[の的]\W?)$")
"""A word beside the platform's name belongs to it: the Azure portal, the Google Cloud console."""
_VERSION = lazy_re.compile(r"v?\d+(?:\.\d+)+")
_BEFORE_NUMBER = lazy_re.compile(r"[^\W\d_]{2}(?=\d+$)")  # How a name ends before its number: `Vue3`
_LISTED = lazy_re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z]+)*")
_LIST = lazy_re.compile(r"(?:[A-Z][a-z]+(?: [A-Z][a-z]+)*(?:,? and |,? or |, ))+[A-Z][a-z]+(?: [A-Z][a-z]+)*")
"""Names that are listed in a sentence."""
_ITEMS = 2  # Names of a list, at most, of which each may be a platform's own
_AMOUNTS = lazy_re.compile(r"\d+[a-z]{1,3}")
"""A number with letters behind it, as `5xx`, `30s` and `2nd`: no name where several copies have it."""
_DENIES = lazy_re.compile(r"\b(?:not|no|never|cannot)\b|n't\b", re.IGNORECASE)
_DENIAL = 2  # Words of the longest stretch that does no more than deny
_DENIED = lazy_re.compile(r"\b(?:do|does|did)(?: not|n't) (?P<verb>[a-z]+)", re.IGNORECASE)
"""A denial of what one word says else: `does not continue` for `continues`."""
_ABLE = frozenset(
    "accept allow apply come contain enable exist expose expect have implement include know let mean need offer provide"
    " recognize require return run support understand use work".split()
)
"""What one platform does and another one does not, as a rule: it has a thing, or is able to."""
_HAS = (*_ABLE, "available", "compatible", "integrate")
_SCALES = (
    "ms msec millisecond|s sec second|min minute|h hr hour|d day|wk week|month|yr year",
    "b byte|kb kib kilobyte|mb mib megabyte|gb gib gigabyte|tb tib terabyte",
    "hz|khz|mhz|ghz",
    "kbps|mbps|gbps",
)
_UNITS = {
    word: (scale, size)
    for scale, message in enumerate(_SCALES)
    for size, words in enumerate(message.split("|"))
    for word in words.split()
}
"""What a unit measures, and which of the units of its scale it is."""
_AMOUNT = lazy_re.compile(r"(?:(?P<number>\d[\d.,]*)[ \u00a0]?)?(?P<unit>[A-Za-z]+)")
_TERM = 2  # How often a page uses a word that is its platform's own, and that other pages do not use
_TERM_WORDS, _TERM_LETTERS = 2, 5  # The most words of a term, and the fewest letters of one of them
NO_TERMS = frozenset(
    "about above after again always another before below cannot could every first later least might never nothing often"
    " other shall should still their there these those twice until where which while without would".split()
)
"""Words of all texts, which are nobody's own however seldom another page says them."""
_RETYPED = 90
"""How alike the letters of two names are, in percent, that are one, spelled in two ways: stack traces, Stacktraces."""
_TERMS = 2  # In how many places a sentence differs that has another term: one that differs in more is rewritten


def names_a_platform(step: Step, text: str) -> bool:
    """Whether a text calls any of the variants by a name."""
    return any(variant.pattern.search(text) for variant in step.variants.values())


@lru_cache(4096)
def distinct(own: Variant, other: Variant) -> bool:
    """Whether no name of the one stands in a name of the other, as `React` does in `React Native`, `Vue` in `Vue3`, and
    `Push` in `pushToken`."""
    words = (re.sub(r"(?<=[a-z])[A-Z]", r" \g<0>", word) if word[:1].islower() else word for word in own.words)
    return not any(other.within.search(_BEFORE_NUMBER.sub(r"\g<0> ", word)) for word in words)


_MARK = str.maketrans("’‘“”\u00a0，、。：；！？（）", "''\"\" ,,.:;!?()")


def differing(left: str, right: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where two texts differ, word by word: (start, end) of characters in each. Marks alone are no difference."""
    a, b = (list(scripts.finditer(_WORD, text)) for text in (left, right))
    reported = [[word[0].lower().translate(_MARK) for word in words] for words in (a, b)]
    equal = [op for op in Indel.opcodes(*reported) if op.tag == "equal"]
    ends = [(0, 0), *((op.src_end, op.dest_end) for op in equal)]
    starts = [*((op.src_start, op.dest_start) for op in equal), (len(a), len(b))]
    return [
        (_stretch(a, left_end, left_start), _stretch(b, right_end, right_start))
        for (left_end, right_end), (left_start, right_start) in zip(ends, starts, strict=True)
        if left_end < left_start or right_end < right_start
    ]


def _stretch(words: Sequence[re.Match[str]], start: int, end: int) -> tuple[int, int]:
    if start < end:
        return words[start].start(), words[end - 1].end()
    at = words[start].start() if start < len(words) else (words[-1].end() if words else 0)
    return at, at


def uncapitalised(text: str) -> str:
    """A title as a sentence would have it: capitals at the begin of its words say nothing of names."""
    return _CAPITALISED.sub(lambda match: match[0].lower(), text)


def platform_needs(
    step: Step,
    left: tuple[str, str],
    right: tuple[str, str],
    terms: Callable[[Iterable[bool]], bool] | None = any,
    *,
    agreed: bool = False,
) -> bool:
    """Whether two masked texts differ in what a platform has of its own: names, code, identifiers, terms.

    Each text is given with its variant before it. A name that the other page uses somewhere, too, is nobody's own.
    `terms` tells whether any or all of two terms that answer to each other must be a platform's own; None for no terms.
    `agreed` says that several variants say just what one of them does: then versions, and words that only stand in one
    phrase with the platform's name, are nobody's own.
    """
    (name, actual), (other, expected) = left, right
    if step.pages[name].lang == "de":  # where every noun has a capital, capitals say nothing of names
        actual, expected = uncapitalised(actual), uncapitalised(expected)
    pairs = differing(actual, expected)
    value = " ".join(
        text[slice(*place)] for pair in pairs for text, place in zip((actual, expected), pair, strict=True)
    )
    if names_a_platform(step, value):
        actual, expected = (without_names(step, text, OWN) for text in (actual, expected))
        pairs = [pair for pair in differing(actual, expected) if not _is_name(actual, expected, *pair)]
        if not pairs:
            return True
    terms = terms if len(pairs) <= _TERMS else None
    own = [_is_needed(step, (name, actual), (other, expected), pair, terms, agreed=agreed) for pair in pairs]
    stretches = [(actual[slice(*place)], expected[slice(*place_there)]) for place, place_there in pairs]
    numbers = [all(map(_is_number, stretch)) or other_units(*stretch) for stretch in stretches]
    return any(own) and not any(number and not own_text for number, own_text in zip(numbers, own, strict=True))


def _is_needed(
    step: Step,
    left: tuple[str, str],
    right: tuple[str, str],
    pair: tuple[tuple[int, int], tuple[int, int]],
    terms: Callable[[Iterable[bool]], bool] | None,
    *,
    agreed: bool,
) -> bool:
    """Whether one of the differences of two texts is what a platform has of its own."""
    (name, actual), (other, expected) = left, right
    stretch = actual[slice(*pair[0])], expected[slice(*pair[1])]
    here, there = word_counts(step.pages[name]), word_counts(step.pages[other])
    if is_retyped(*stretch) or other_units(*stretch) or _is_slip(*stretch, here):
        return False
    if agreed and (all(map(_VERSION.fullmatch, stretch)) or _contradict(*stretch)):
        return False
    if agreed and lacks_one_of_a_list(actual, expected):
        return False
    if actual.count(MASK) != expected.count(MASK) and any(MASK in text for text in stretch):
        return True
    if _is_own(actual, *pair[0], there, agreed=agreed) or _is_own(expected, *pair[1], here, agreed=agreed):
        return True
    return terms is not None and terms(
        (_is_term(step, stretch[0], name, other), _is_term(step, stretch[1], other, name))
    )


def without_names(step: Step, text: str, stand_in: str = "") -> str:
    """A text with the names of all variants taken out, or something in their place."""
    for variant in step.variants.values():
        text = variant.pattern.sub(stand_in, text) if variant.may_be_in(text) else text
    return text.replace(OWN, stand_in)


def _is_name(left: str, right: str, place: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two stretches differ in a platform's name alone, which one has and the other has not."""
    return not (left[slice(*place)] + right[slice(*other)]).replace(OWN, "").strip()


def denies(left: str, right: str) -> bool:
    """Whether one of two stretches denies, and does no more than that."""
    texts = left.translate(_MARK).lower(), right.translate(_MARK).lower()
    matches = [bool(_DENIES.search(text)) for text in texts]
    if matches[0] == matches[1]:
        return False
    if max(scripts.count(left), scripts.count(right)) <= _DENIAL:
        return True
    denial = _DENIED.fullmatch(texts[matches.index(True)])
    return denial is not None and _is_form(texts[matches.index(False)], denial["verb"])


def _contradict(left: str, right: str) -> bool:
    """Whether one of two stretches denies what the other says to happen: not what a platform has, or is able to do."""
    if not denies(left, right):
        return False
    matches = (_DENIED.fullmatch(text.translate(_MARK)) for text in (left, right))
    return any(denial and denial["verb"].lower() not in _ABLE for denial in matches)


def _is_form(word: str, verb: str) -> bool:
    """Whether a word is a verb as it stands after `it`, or in the past."""
    stem = verb.removesuffix("e").removesuffix("y")
    return word.startswith(stem) and word[len(stem) :] in ("", "e", "es", "ed", "s", "y", "ies", "ied")


def is_unit(word: str) -> bool:
    """Whether a word is a unit of time, memory or the like."""
    return word.lower() in _UNITS or word.lower().removesuffix("s") in _UNITS


def other_units(left: str, right: str) -> bool:
    """Whether two stretches are units of one kind, perhaps after one number, and not the same: `512 MB`, `512 GB`."""
    first, second = (_AMOUNT.fullmatch(text.strip()) for text in (left, right))
    if first is None or second is None or first["number"] != second["number"]:
        return False
    units = [
        _UNITS.get(word) or _UNITS.get(word.removesuffix("s"))
        for word in (first["unit"].lower(), second["unit"].lower())
    ]
    return units[0] is not None and units[1] is not None and units[0] != units[1] and units[0][0] == units[1][0]


def lacks_one_of_a_list(left: str, right: str) -> bool:
    """Whether a text lacks one of the names that another one lists, or has another one in its place, and is the same
    else: `Germany and Italy` for `Germany, Austria and Italy`. What is supported or available may be a platform's."""
    pairs = differing(left, right)
    if len(pairs) != 1 or any(_is_form(word, verb) for word in right.lower().split() for verb in _HAS):
        return False
    ((here, there),) = pairs
    name, usual = left[slice(*here)], right[slice(*there)]
    if not _LISTED.fullmatch(usual) or not (not name or _LISTED.fullmatch(name)):
        return False
    lists = (match for match in _LIST.finditer(right) if match.start() <= there[0] < there[1] <= match.end())
    items = _LISTED.findall(result[0]) if (result := next(lists, None)) else []
    return len(items) > _ITEMS and all(item in left for item in items if item != usual)


def is_retyped(left: str, right: str) -> bool:
    """Whether two names are one, spelled in two ways. Numbers in them say that they are two."""
    first, second = ("".join(filter(str.isalpha, text.lower())) for text in (left, right))
    long = min(len(first), len(second)) >= _TERM_LETTERS
    return long and fuzz.ratio(first, second) >= _RETYPED and not any(map(str.isdigit, left + right))


def _is_slip(left: str, right: str, here: Counter[str]) -> bool:
    """Whether a name that stands on a page once is a letter off from another one, which stands there, too."""
    first, second = left.lower(), right.lower()
    if min(len(first), len(second)) < _TERM_LETTERS or not (first.isalpha() and second.isalpha()):
        return False
    return OSA.distance(first, second) == 1 and here[first] == 1 and here[second] > 0


def _is_number(text: str) -> bool:
    return text.isdigit() or text.lower() in NUMBERS


def word_counts(page: Page) -> Counter[str]:
    """How often a page has each word, in lower case."""
    return page.kept(_count_words)


def _count_words(page: Page) -> Counter[str]:
    return Counter(word[0] for prose in page.document.prose() for word in scripts.finditer(_PART, prose.lower()))


def _is_own(text: str, start: int, end: int, elsewhere: Counter[str], *, agreed: bool = False) -> bool:
    """Whether a stretch of a text stands beside the platform's name, or has a name that the other page never has."""
    beside = _RIGHT_BEFORE_OWN if agreed else _BESIDE_OWN
    for word in scripts.finditer(_WORD, text, start, end):
        if OWN in word[0] or beside.match(text, word.end()) or _AFTER_OWN.search(text, 0, word.start()):
            return True
        before = text[: word.start()].rstrip(" \"'“‘([")
        begins = not before or before[-1] in ".!?:" or before in _BOXES
        parts = [part[0] for part in scripts.finditer(_PART, word[0].lower())]
        if agreed and _AMOUNTS.fullmatch(word[0]):
            continue
        if _NAME.search(word[0][1:] if begins else word[0]) and not all(part in elsewhere for part in parts or [""]):
            return True
    return False


def has_own_name(step: Step, name: str, text: str, others: Iterable[str], *, agreed: bool = False) -> bool:
    """Whether a text of a variant has a name that none of the other pages has. `agreed` if several variants say it."""
    words = {word for other in others for word in word_counts(step.pages[other])}
    message = masked(text, step.variants[name])
    if step.pages[name].lang == "de":  # where every noun has a capital
        message = uncapitalised(message)
    return _is_own(message, 0, len(message), Counter(words), agreed=agreed)


def _prose(page: Page) -> str:
    return "\n".join(page.document.prose())


def _is_term(step: Step, text: str, name: str, other: str) -> bool:
    """Whether a word or two, or any text in a script without blanks, is a term that one variant's page uses and the
    other's never does."""
    here, elsewhere = word_counts(step.pages[name]), word_counts(step.pages[other])
    parts = [part[0] for part in scripts.finditer(_PART, text.lower())]
    words = [part for part in parts if part not in NUMBERS and part not in NO_TERMS and len(part) >= _TERM_LETTERS]
    if len(parts) <= _TERM_WORDS and any(here[word] >= _TERM and word not in elsewhere for word in words):
        return True
    if not scripts.is_in(text) or len(text) < 2:
        return False
    return step.pages[name].kept(_prose).count(text) >= _TERM and text not in step.pages[other].kept(_prose)
