"""Report a repeated word: `the the`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.document import CONTEXT, LocatedText
from tutorial_tool.rules import rule
from tutorial_tool.rules.text._corpus import starts_sentence
from tutorial_tool.rules.text._sentences import classify_english, get_comments
from tutorial_tool.site import Page, PageFix
from tutorial_tool.spelling import lists

_TWICE = lazy_re.compile(r"(?<![\w'’/&.$@#\\+=<-])([^\W\d_]{1,30})(\s{1,9})(\1)(?![\w'’/&-]|[.:]\w)", re.IGNORECASE)
_CERTAIN = frozenset("the a an of and or our your their its be been has we they as".split())
"""Words that are never repeated on purpose, so that one can be deleted without a review."""
_SLIPS = frozenset("you it then he she this these those when if with is are was be can will not".split())
"""Other words that are never repeated on purpose, even at the start of a sentence."""
_FINE = frozenset(
    "that had her do so very really far long much many more no yes now there ha bye bla blah log tick revert"
    " something beep boom knock ping tap win zoom".split()
)
"""Words that may be repeated: `had had`, `very very`."""
_PARTICLES = frozenset("in on up out off over to for with from by at through".split())
_ADVERBS = frozenset("in on up out off over by through".split())  # Those that may belong to the preceding verb
_PHRASAL = lazy_re.compile(
    r"\b(?:(?:log|sign|plug|opt|check|turn|switch|fill|zoom|lock|type|built|rel|back)\w*"
    r"|(?:scal|fad|mov|com|go|pass|step)(?:e?s?|e?d|p?ed|p?ing))(?:\s+\w+)?\s+$",
    re.IGNORECASE,
)
"""`Sign in in the browser`, `turn it on on the device`, `scale in in the evening`."""
_RELATIVE = lazy_re.compile(
    r"\b(?:that|which|who|what|whatever|whoever|whose)((?:\s+[\w'’]+){1,5})?\s+$", re.IGNORECASE
)
"""A relative clause, or a clause that is itself a subject."""
_AS = lazy_re.compile(
    r"\b(?:used|treated|known|considered|defined|regarded|serves?|acts?|passed|given|shown|such|stored|displayed|same)\s+$",
    re.IGNORECASE,
)
"""Words that may require `as` before a repeated article: `used an an index`."""
_TO = lazy_re.compile(
    r"\b(?:go|goes|going|went|refer|refers|referring|due|according|back|prior|navigat\w+|thanks|belongs?|belonging"
    r"|similar|equal|listen\w*|(?:in|with) (?:addition|respect|regards?|relation)|contrary|relative|proportional)\s+$",
    re.IGNORECASE,
)
_OF = lazy_re.compile(r"\bthe (?:use|rest)\s+$", re.IGNORECASE)  # Requires `to` or `of`
_NAMED = lazy_re.compile(r" [A-Z][a-z]")
_MARKUP = frozenset("*_~\"“”'[](")


@rule("text", Severity.WARNING, english=True)
def check(page: Page) -> Iterator[Finding]:
    text = page.plain
    for prose in (*page.document.texts, *get_comments(page)):
        words = prose.lower().split()
        after = words[1:]
        if not (any(map(str.startswith, after, words)) or any(map(str.endswith, words, after))):
            continue
        for match in _TWICE.finditer(prose):
            first, second = prose.locate(match.start(1), match.end(1)), prose.locate(match.start(3), match.end(3))
            is_marked = _is_word_marked(text, first) or _is_word_marked(text, second)
            is_fine = _is_intended(match, text[first[1] : second[0]], is_marked) or _ends_clause(match)
            if not (is_fine or _may_be_code(page, prose, match) or _may_be_foreign(page, prose, match)):
                span, fix = (first[0], second[1]), _build_fix(text, match[3], first[1], second)
                if wanted := _find_expected_word(prose, match):
                    fix = PageFix(f"write `{wanted} {match[3]}`", ((*first, wanted),), safe=False)
                yield page.flag(span, f"repeated word `{match[3]}`", fix=fix)


def _may_be_code(page: Page, prose: LocatedText, match: re.Match[str]) -> bool:
    """Return whether the page's code has the two words, or a comment may be code: `import import`, `set to to+1`."""
    if prose.kind != "comment":
        return _is_in_code(page, match[0])
    return match[3] not in _CERTAIN | _SLIPS | _PARTICLES or match.string[match.end() :][:1] not in ("", " ", "\n", ".")


def _find_expected_word(prose: LocatedText, match: re.Match[str]) -> str:
    """Return the preposition that the first article may replace: `used an an index`, `go the the folder`."""
    near = max(0, match.start() - CONTEXT)
    if match[3] in ("a", "an") and _AS.search(prose, near, match.start()):
        return "as"
    if match[3] == "the" and _TO.search(prose, near, match.start()):
        return "to"
    return "of" if match[3] == "the" and _OF.search(prose, near, match.start()) else ""


def _may_be_foreign(page: Page, prose: LocatedText, match: re.Match[str]) -> bool:
    """Return whether the repeated word may not be English, on a page with too few words to tell."""
    is_clear = page.document.detected_language.is_clear
    return not is_clear and classify_english(page, prose, match, match[3]) == "no"


def _is_intended(match: re.Match[str], between: str, marked: bool) -> bool:
    """Return whether the repetition may be intended.

    `between` is the source between the words; `marked`: one or both are marked up.
    """
    word = match[3].lower()
    return (
        word in _FINE
        or marked
        or _is_in_columns(match, between)
        or re.match(rf"\s+{match[3]}\b", match.string[match.end() :][:40], re.IGNORECASE) is not None  # an exclamation
        or (word in _ADVERBS and _PHRASAL.search(match.string[: match.start()]) is not None)
        or _is_cased_name(match, word)
        or _is_split_by_markup(word, between)
    )


def _is_cased_name(match: re.Match[str], word: str) -> bool:
    """Return whether the capitals indicate a name: `CR CR LF`, `Open Open Source`, `Events events`, `Shop A a list`."""
    first, second = match[1], match[3]
    if first == second == first.upper() and 1 < len(first) <= lists.MAX_ABBREVIATION and word not in _CERTAIN:
        return True
    if first.istitle() and second.istitle() and match.start() and _NAMED.match(match.string, match.end()):
        return True
    begins = word in _CERTAIN | _SLIPS | _PARTICLES and first.istitle() and second.islower()
    is_letter = word == "a" and not starts_sentence(match.string, match.start())
    return first != second and (is_letter or not begins)


def _is_split_by_markup(word: str, between: str) -> bool:
    """Return whether markup separates two words that may be adjacent: `click **Connect to** to start`."""
    if word in _PARTICLES:
        return bool(between.strip())
    return word not in _CERTAIN and bool(between.strip() if word in _SLIPS else between.strip(" "))


def _ends_clause(match: re.Match[str]) -> bool:
    """Return whether a clause may end with the first of two verbs.

    `a row that fails fails the job`, `what it is is known`.
    """
    word = match[1]
    if (
        word != match[3]
        or not (word.endswith(("s", "ed")) or word in ("do", "can", "will", "are"))
        or word in ("as", "this", "its", "us")
    ):
        return False
    clause = _RELATIVE.search(match.string, max(0, match.start() - CONTEXT), match.start())
    return clause is not None and (bool(clause[1]) or word.lower() not in _SLIPS | _CERTAIN)


def _is_in_code(page: Page, words: str) -> bool:
    """Return whether code on the page has the same two words: a command's name, as `lamp list list`."""
    phrase = " ".join(words.split())
    return any(phrase in page.plain[block.start : block.end] for block in page.document.code_blocks)


def _is_in_columns(match: re.Match[str], between: str) -> bool:
    """Return whether several spaces separate the words: columns of plain text."""
    is_wide = "\n" not in between and (len(match[2]) > 1 or "\t" in between)
    return is_wide and match[3].lower() not in (_CERTAIN | _SLIPS) - {"a"}


def _is_word_marked(text: str, span: tuple[int, int]) -> bool:
    """Return whether a word alone is emphasized or quoted: `the **to** to address`."""
    around = text[max(span[0] - 1, 0) : span[0]], text[span[1] : span[1] + 1]
    return all(sign in _MARKUP for sign in around if sign) and "" not in around


def _build_fix(text: str, word: str, end: int, second: tuple[int, int]) -> PageFix | None:
    """Build a fix that deletes the second word, if only whitespace separates the two."""
    between = text[end : second[0]]
    if between.strip():
        return None
    line_goes_on = "\n" in between and text[second[1] : second[1] + 1] == " "
    span = (second[0], second[1] + 1) if line_goes_on else (end, second[1])
    return PageFix(f"delete the second `{word}`", ((*span, ""),), safe=word in _CERTAIN)
