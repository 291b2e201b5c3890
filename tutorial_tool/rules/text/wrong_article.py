"""`a` before a vowel's sound, and `an` before a consonant's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.document import MASK, LocatedText
from tutorial_tool.rules import rule
from tutorial_tool.rules.text._patterns import MODALS
from tutorial_tool.rules.text._sentences import classify_english, get_comments
from tutorial_tool.site import Page, PageFix
from tutorial_tool.spelling import lists, word_lists

_ARTICLE = lazy_re.compile(
    r"(?P<article>[Aa](?<![\w'’/.&+#@-][Aa])n?)[ \n]"
    rf"[\"“‘']?(?P<word>[A-Za-z0-9](?:[\w-]|['’](?=\w))*+|{MASK})(?![@\\(=])"
)
_NAME = lazy_re.compile(r"`+ ?(?P<name>(?P<first>[A-Z][a-z]+|[a-z]{2,}|[A-Z]{2,}(?!\w))\w*)[\w.()]* ?`")
"""A name in code, and its first word: `open` in `openSocket`."""
_SMALL = frozenset(
    "a an and any as at are am i if in is it its of on or us under until up our out over each either un une el".split()
)
"""Words before which `a` is a letter (`a or b`) or in another language (`a une`), or that are slips (`an it`)."""
_SAID_AN = frozenset("AEFHILMNORSX")  # Letters whose names start with a vowel sound
_EITHER = frozenset("FHLMNRSX")  # Letters with a different initial sound if the acronym is read as a word
_BE = lazy_re.compile(r"\b(?:be|been|is|are|was|were)\s+$")
_PREPOSITION = lazy_re.compile(r"\s+(?:to|by|in|with|on|from|for|as|at)\b|[.,;]")
_FOLLOWING = lazy_re.compile(r"[ \n]([a-z]{3,}[a-rt-z])s\b")
_OBJECT = lazy_re.compile(r"\s+(it|them|this|these|those|the|your|our|their|its|all)\b")
_SUBJECT = lazy_re.compile(
    r"(?:^|[.,;:!?]\s+|\b(?:if|when|that|so|and|where|then|because|once)\s+)(?:you|we|they)\s+$", re.IGNORECASE
)
"""A subject at the start of a sentence or clause."""
_LETTER = lazy_re.compile(r"(?<![\w'’.&+#@/-])[b-hj-z](?![\w'’&+#@/-]|\.\w)")
_WORD_BEFORE = lazy_re.compile(r"\b([A-Za-z]+)\s+$")
_PAIRS = {
    "drag": "drop", "copy": "paste", "cut": "paste", "plug": "play", "search": "replace", "find": "replace",
    "back": "forth", "up": "running", "point": "click", "request": "response", "read": "write",
}  # fmt: skip
"""Pairs of words that are usually joined by `and`."""
_SPELT = lazy_re.compile(
    r"[hn][bcdfghjklmpqrstvwxz]|m[bcdfghjklpqrstvwxz]|f[bcdfghjkmnpqstvwxz]|r[bcdfgjklmnpqrstvwxz]|l[bcdfghjkmnpqrstvwxz]|s[bdfgjxz]",
    re.IGNORECASE,
)
"""Starts no English word: the first letters are spelled out."""


@rule("text", Severity.WARNING, yields_to=("grammar",), english=True)
def check(page: Page) -> Iterator[Finding]:
    for prose in (*page.document.texts, *get_comments(page)):
        for match in _ARTICLE.finditer(prose):
            article, word = match["article"], match["word"]
            shown, spoken = _read_code(page, prose, match) if word == MASK else (word, word)
            right = get_article(spoken) if spoken and shown.lower() not in _SMALL else None
            if right is None or right == article.lower() or _is_letter(match):
                continue
            sentence = classify_english(page, prose, match, spoken)
            if sentence != "no":  # `Il y a un bouton`
                yield _report_article(page, prose, match, shown, right, is_sure=sentence == "surely")


def _read_code(page: Page, prose: LocatedText, match: re.Match[str]) -> tuple[str, str]:
    """Return the name in the code after an article, and the English word that it begins with; "" without one."""
    code = _NAME.match(page.plain, prose.locate(*match.span("word")).start)
    return (code["name"], code["first"]) if code and lists.is_known(code["first"].lower()) else ("", "")


def _report_article(
    page: Page, prose: LocatedText, match: re.Match[str], shown: str, right: str, *, is_sure: bool
) -> Finding:
    article, word = match["article"], match["word"]
    span = prose.locate(*match.span("article"))
    severity = None if is_sure or page.document.detected_language.code == "en" else Severity.HINT
    if meant := _find_shortened_word(prose, match):
        shortened = PageFix(f"write `{meant}`", ((*span, meant),), safe=False)
        return page.flag(span, f"`an {shown}` should read `{meant} {shown}`", fix=shortened, severity=severity)
    cased = right.capitalize() if article[0] == "A" else right
    is_word = is_sure and word.islower() and lists.is_known(word)
    is_safe = is_word and prose.kind != "comment" and not _may_be_superfluous(prose, match)
    edit = prose.build_edit(*match.span("article"), cased)
    fix = PageFix(f"replace with `{cased}`", (edit,), safe=is_safe) if edit else None
    return page.flag(span, f"`{article} {shown}` should read `{cased} {shown}`", fix=fix, severity=severity)


def _find_shortened_word(prose: LocatedText, match: re.Match[str]) -> str:
    """Return the word that `an` is missing a letter of: `can`, or `and`, as in `the page an point it to`."""
    word = match["word"]
    if match["article"] != "an" or not word.islower():
        return ""
    before = _WORD_BEFORE.search(prose, max(0, match.start() - 20), match.start())
    if word in MODALS or (before and _PAIRS.get(before[1].lower()) == word):
        return "and"
    if word in ("be", "have") or _SUBJECT.search(prose, max(0, match.start() - 30), match.start()):
        return "can"
    object_ = _OBJECT.match(prose, match.end())
    is_verb = any(word in word_lists.read_words(name) for name in ("verbs", "both"))
    return "and" if object_ and (is_verb or object_[1] in ("it", "them")) else ""


def _may_be_superfluous(prose: LocatedText, match: re.Match[str]) -> bool:
    """Return whether there should be no article, or another word.

    `can be a applied to`, `a adapters`, `an named tests`.
    """
    word = match["word"]
    following = _FOLLOWING.match(prose, match.end()) if match["article"] == "an" else None
    if following and lists.is_known(following[1]) and word not in word_lists.read_words("nouns"):
        return True  # before a plural, `an` may be a typo for `any`
    if (
        word.endswith("ed")
        and _BE.search(prose, max(0, match.start() - 300), match.start())
        and _PREPOSITION.match(prose, match.end())
    ):
        return True
    return word.endswith("s") and not word.endswith("ss") and lists.is_known(word[:-1])


def get_article(word: str) -> str | None:
    """Return the article that a word takes by its sound; None if pronunciation varies or is unknown."""
    if word[0].isdigit():
        return _get_article_for_number(word)
    head = re.split(r"[-’']|(?<=[A-Za-z])_|(?<=One)(?=[A-Z])", word)[0]
    whole, _ = _load_sounds()
    sound = whole.get(word.lower()) or whole.get(head.lower()) or _find_sound_of_start(word.lower())
    return {"consonant": "a", "vowel": "an"}.get(sound) if sound else _guess_article(head)


def _guess_article(head: str) -> str | None:
    if len(head) == 1:
        return "an" if head.upper() in _SAID_AN else "a"
    if head.isupper() and len(head) > lists.MAX_ABBREVIATION and lists.is_known(head.lower()):
        return get_article(head.lower())  # an UPDATE
    if head[1].isupper() or (head[1].isdigit() and head[0].isupper()):  # API, iOS, H2
        return _get_article_for_letters(head)
    if _has_two_sounds(head):
        return None
    if not re.search("[aeiouy]", head.lower()) or head[0] in "xX" or _SPELT.match(head):  # `html`, `Xcode`, `nbviewer`
        return None if head[0].upper() in _EITHER else "a"
    return "an" if head[0].lower() in "aeiou" else "a"


def _has_two_sounds(head: str) -> bool:
    """Return whether people pronounce letters or a word: `sha1sum`, `umd`, `Uvicorn`."""
    return (head.islower() and any(map(str.isdigit, head))) or (head[0] in "uU" and not lists.is_known(head.lower()))


def _get_article_for_number(word: str) -> str | None:
    digits = re.match(r"\d+", word)
    assert digits
    number = digits[0]
    if number in ("11", "18") or number[0] == "8":
        return "an"
    return None if number.startswith(("11", "18")) else "a"


def _get_article_for_letters(head: str) -> str | None:
    """Return the article for a word that begins with spelled-out letters, unless it may be read as a word."""
    first = head[0].upper()
    readable = head.isupper() and len(head) > 2 and re.search("[AEIOUY]", head[1:])
    if first in _EITHER and (readable or not (head.isupper() or head[0].islower() or head.rstrip("s").isupper())):
        return None
    return "an" if first in _SAID_AN else "a"


def _is_letter(match: re.Match[str]) -> bool:
    """Return whether the `A` is a name.

    `Vitamin A improves`, `plan A is`, `set a equal to b`, `a approximately equals b`.
    """
    if match["word"] == "equals" or (match["word"] == "equal" and match.string.startswith(" to", match.end())):
        return True
    if match["article"] == "a" and _LETTER.search(match.string):
        return True
    if match["article"] != "A":
        return False
    before = match.string[: match.start()].rstrip("\"“‘'(*_ \n\t-–—•")
    return bool(before) and before[-1] not in ".!?:;|"


@cache
def _load_sounds() -> tuple[Mapping[str, str], tuple[tuple[str, str], ...]]:
    """Load the sounds of whole words, and of word starts, longest first."""
    whole: dict[str, str] = {}
    for line in word_lists.read_lines("sounds"):
        sound, _, entries = line.partition(":")
        whole.update((entry, sound) for entry in entries.split())
    starts = [(entry[:-1], sound) for entry, sound in whole.items() if entry.endswith("+")]
    return whole, tuple(sorted(starts, key=lambda start: -len(start[0])))


@cache
def _find_sound_of_start(word: str) -> str | None:
    _, starts = _load_sounds()
    return next((sound for start, sound in starts if word.startswith(start)), None)
