"""One word written two ways in the same documents: `diagramed` and `diagrammed`, `realtime` and `real time`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from tutorial_tool import variants
from tutorial_tool.config.settings import Config
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.grouping import group_by, group_pairs
from tutorial_tool.core.source import find_line_end, find_line_start
from tutorial_tool.markdown.document import CONTEXT
from tutorial_tool.rules import rule
from tutorial_tool.rules.base import FACTOR, HABIT
from tutorial_tool.rules.text._corpus import (
    NOT_AFTER,
    NOT_BEFORE,
    SURE,
    Corpus,
    Mention,
    get_corpus,
    get_small_words,
    is_history,
    iter_words,
)
from tutorial_tool.site import Page, PageFix, Site
from tutorial_tool.spelling import lists
from tutorial_tool.spelling.near_words import LONGEST
from tutorial_tool.spelling.regional import find_respellings, is_regional
from tutorial_tool.spelling.usage import Passage, Usage

_MIN_LETTERS, _MIN_PART_LETTERS = 7, 3  # Minimum letters of a word that is split in two, and of each part
"""Maximum letters of two dictionary words together: splitting longer words would take far too long."""
_CONTEXT_WORDS, _CONTEXT_CHARACTERS = 2, 40
"""Words on each side that identify copies of a text, and the characters in which to find them."""
_DOUBLED_L = lazy_re.compile(r"ll(ed|ing|er|ers|able)\b")  # Doubled in British English: `tunnelled`


class _Form(NamedTuple):
    """A spelling of a word, and its mentions.

    `is_known` if a dictionary has it; `is_safe` if it is so common that the fix needs no review; `respelt` if it is one
    word whose ending has two spellings.
    """

    text: str
    mentions: tuple[Mention, ...]
    uses: int
    is_known: bool
    is_safe: bool
    respelt: bool = False


_CAPITALS = lazy_re.compile(r"(?: (?:of|the|and|for|in))* [A-Z][a-z]+(?: [A-Z][a-z]+)*")
_BEHIND_COMMA = lazy_re.compile(r",[ \n]+$")
_SEPARATED = lazy_re.compile(r"[,:;.](?=\s|$)|\s(?:and|or)\s")
_IDENTIFIER = lazy_re.compile(r"\w+_\w+|\w+(?:\.\w+)+|[a-z]+[A-Z]\w*|\w+=\S*")
_PUT_RIGHT = lazy_re.compile(r"[\"'”’]?\s*(?:->|=>|→)")
_DESCRIBED = lazy_re.compile(r":| [-–—] ")
_QUOTES = frozenset("()[]\"'“”‘’*_")
_QUOTED = (('"', '"'), ("“", "”"), ("‘", "’"), ("(", ")"))
_SPELLING = lazy_re.compile(r"\b(?:spell(?:ing|ings|ed)|spelt|alias(?:es)?|British|American English)\b", re.IGNORECASE)


@rule("text", Severity.HINT, yields_to=("misspelling",))
def check(site: Site, config: Config) -> Iterator[Finding]:
    corpus = get_corpus(site)
    for usual, other in (*_find_respelled_forms(corpus), *_find_joined_forms(corpus)):
        for mentions, fix in () if _is_accepted(corpus, config, usual, other) else _iter_mentions(usual, other):
            severity = _get_severity(site, config, usual, mentions[0].page)
            if _is_uncertain(usual, other) and not _has_copies(site, config, mentions[0].page):
                fix, severity = fix and fix._replace(safe=False), Severity.HINT
            yield _build_finding(usual, mentions, fix, severity)


def _is_accepted(corpus: Corpus, config: Config, usual: _Form, other: _Form) -> bool:
    """Return whether a vocabulary, the glossary (see `mixed-term`), or code explains the other form."""
    if other.text in config.full_vocabulary or _is_british_term(corpus, usual, other):
        return True
    decided = {name.lower() for term, others in config.glossary for name in (term, *others)}
    if not decided.isdisjoint((usual.text.lower(), other.text.lower())):
        return True
    return usual.uses < SURE * other.uses and _is_code(corpus, usual, other)


def _is_uncertain(usual: _Form, other: _Form) -> bool:
    """Return whether the usual form is not more frequent, and either is right somewhere."""
    if usual.uses > other.uses:
        return False
    return not usual.respelt or _DOUBLED_L.search(usual.text + " " + other.text) is not None or is_regional(other.text)


def _has_copies(site: Site, config: Config, page: Page) -> bool:
    is_ours = site.is_project and not page.is_in_publisher_dialect
    return is_ours or any(page in step.pages.values() for step in variants.find_steps(site, config.variants))


def _get_severity(site: Site, config: Config, usual: _Form, page: Page) -> Severity:
    """Return the severity of the other form on a page.

    It is a warning only if copies of the page make one form right: otherwise, `customise` and `customize` both are.
    """
    is_certain = usual.respelt and not is_history(page) and _has_copies(site, config, page)
    return Severity.WARNING if is_certain else Severity.HINT


def _is_code(corpus: Corpus, usual: _Form, other: _Form) -> bool:
    """Return whether the word may be an identifier that prose does not mark up as code."""
    text = next((form.text for form in (usual, other) if " " not in form.text and " " in usual.text + other.text), None)
    return not corpus.identifiers.isdisjoint((text or other.text, f"{text or other.text}s"))


def _is_british_term(corpus: Corpus, usual: _Form, other: _Form) -> bool:
    """Return whether the usual form is an identifier, as `@behaviour` is, in another country's spelling."""
    is_british = (usual.text, other.text) in find_respellings(usual.text)
    return is_british and usual.text in corpus.identifiers and other.text not in corpus.identifiers


def _iter_mentions(usual: _Form, other: _Form) -> Iterator[tuple[list[Mention], PageFix | None]]:
    """Yield each page's mentions with their fix; all mentions at once if many pages share the habit."""
    by_page = group_by(other.mentions, lambda mention: mention.page)
    if len(by_page) > HABIT:
        yield list(other.mentions), None
        return
    for mentions in by_page.values():
        edits = tuple(filter(None, (mention.build_edit(_apply_case(usual.text, mention.text)) for mention in mentions)))
        title = f"write `{_apply_case(usual.text, mentions[0].text)}`"
        is_complete = len(edits) == len(mentions)
        yield mentions, PageFix(title, edits, _is_safe(usual, other, mentions)) if is_complete else None


def _is_safe(usual: _Form, other: _Form, mentions: Sequence[Mention]) -> bool:
    """Return whether the fix of a page's mentions needs no review: none may be a label, or the page a record."""
    if not usual.is_safe or is_history(mentions[0].page):
        return False
    return all(mention.text.islower() for mention in mentions) and _is_alone(usual, other, mentions)


def _is_alone(usual: _Form, other: _Form, mentions: Sequence[Mention]) -> bool:
    """Return whether a page is consistent once some mentions are rewritten.

    It has no other form of a word with two endings, and no link text with such a form names its target.
    """
    page, text = mentions[0].page, mentions[0].page.plain
    differs = next((at for at, pair in enumerate(zip(usual.text, other.text, strict=False)) if len({*pair}) > 1), 0)
    begin, forms = other.text[: differs + 1].lower(), {mention.text.lower() for mention in mentions}
    if any(word.startswith(begin) and word not in forms for word in iter_words(page)):
        return False
    target = re.compile(rf"\]\([^()\n]*{re.escape(other.text)}", re.IGNORECASE)
    starts = (mention.span[0] for mention in mentions)
    return not any(target.search(text, find_line_start(text, at), find_line_end(text, at)) for at in starts)


def _build_finding(usual: _Form, mentions: list[Mention], fix: PageFix | None, severity: Severity) -> Finding:
    first, example = mentions[0], usual.mentions[0]
    message = f"inconsistent spelling: `{first.text}` here, `{_apply_case(usual.text, first.text)}` elsewhere"
    again = [(mention.page, mention.span, f"also `{mention.text}`") for mention in mentions[1:]]
    more = f", and in {usual.uses - 1} more places" if usual.uses > 1 else ""
    related = [(example.page, example.span, f"`{example.text}`{more}")]
    return first.page.flag(first.span, message, fix=fix, related=related, again=again, severity=severity)


def _apply_case(form: str, like: str) -> str:
    """Return the usual form with the case of the one that it replaces."""
    if " " in like and like[like.index(" ") + 1].isupper() and " " not in form:
        return form.capitalize()
    return form[:1].upper() + form[1:] if like[:1].isupper() else form


def _sort_forms(first: _Form, second: _Form) -> tuple[_Form, _Form] | None:
    """Return the usual form and the other; None if neither is usual.

    The usual one is far more frequent, or else the only one in a dictionary.
    """
    usual, other = sorted((first, second), key=lambda form: -form.uses)
    is_usual = usual.uses >= FACTOR * other.uses
    if is_usual and usual.uses == FACTOR and not (usual.respelt or usual.is_known):
        return None  # a new or joined word: `webhook`, `eventhandling`
    if first.is_known is second.is_known or (is_usual and usual.uses > FACTOR):
        return (usual, other) if usual.uses >= FACTOR * other.uses else None
    known, unknown = (first, second) if first.is_known else (second, first)
    return None if known.respelt and known.uses < unknown.uses else (known, unknown)  # regional variants


# Words with two spellings of their ending


def _find_respelled_forms(corpus: Corpus) -> Iterator[tuple[_Form, _Form]]:
    usage, lowered = corpus.usage, corpus.usage.forms_by_lowercase
    words = [
        word
        for word in usage.filter_lowercase(find_respellings)
        if any(other in lowered for _, other in find_respellings(word))
    ]
    pairs = [(a, b) for word in usage.sort_words(words) for a, b in find_respellings(word) if b in lowered]
    holding = usage.find_passages({form for pair in pairs for word in pair for form in lowered[word]})
    for first, second in pairs:
        forms = [_build_word_form(corpus, holding, word) for word in (first, second)]
        if all(form.mentions for form in forms) and (ordered := _sort_forms(*forms)):
            yield ordered


def _build_word_form(corpus: Corpus, holding: Mapping[str, list[Passage]], word: str) -> _Form:
    pattern = re.compile(NOT_BEFORE + f"(?:{'|'.join(sorted(corpus.usage.forms_by_lowercase[word]))})" + NOT_AFTER)
    form = _build_form(
        corpus, word, pattern, [passage for form in corpus.usage.list_forms(word) for passage in holding[form]]
    )
    mentions = tuple(mention for mention in form.mentions if not mention.text.isupper())
    return form._replace(mentions=mentions, uses=_count_uses(mentions), respelt=True)


def _build_form(corpus: Corpus, word: str, pattern: re.Pattern[str], passages: Iterable[Passage]) -> _Form:
    matches = list(dict.fromkeys(passages))
    mentions = _remove_titles([mention for mention in corpus.find_mentions(pattern, matches) if not _is_name(mention)])
    count = _count_uses(mentions)
    if " " in word:
        return _Form(word, mentions, count, True, is_safe=False)  # before a noun, `real-time` may be correct
    return _Form(word, mentions, count, lists.is_known(word), lists.is_known(word))


def _remove_titles(mentions: list[Mention]) -> tuple[Mention, ...]:
    """Remove the mentions of a name of several words that occurs more than once: `Sceptre of Fire`."""
    names = [_get_title(mention) for mention in mentions]
    times = Counter(names)
    return tuple(mention for mention, name in zip(mentions, names, strict=True) if not name or times[name] == 1)


def _get_title(mention: Mention) -> str:
    """Return the capitalized words that begin at a mention, if there are several."""
    text, (start, end) = mention.prose, mention.match.span()
    match = _CAPITALS.match(text, end) if mention.text[:1].isupper() and text.kind not in ("heading", "cell") else None
    return text[start : match.end()] if match else ""


def _count_uses(mentions: Iterable[Mention]) -> int:
    """Count how often a form was written: identical text in copies counts once."""
    return len({_get_context(str(mention.prose), *mention.match.span()) for mention in mentions})


def _get_context(text: str, start: int, end: int) -> tuple[str, ...]:
    before = text[max(start - _CONTEXT_CHARACTERS, 0) : start].lower().split(" ")
    after = text[end : end + _CONTEXT_CHARACTERS].lower().split(" ")
    return (*before[-_CONTEXT_WORDS - 1 :], "", *after[: _CONTEXT_WORDS + 1])


def _is_name(mention: Mention) -> bool:
    """Return whether the word is a name: capitalized in mid-sentence, between colons, or described by a list.

    A word that the text mentions and does not use counts, too.
    """
    text, (start, end) = mention.prose, mention.match.span()
    if (
        text[start - 1 : start] == ":" == text[end : end + 1]
        or _is_quoted(mention, start, end)
        or _is_key(text, start, end)
    ):
        return True
    if start == 0 and text.kind == "item" and _DESCRIBED.match(text, end) and not lists.is_known(mention.text):
        return True  # `- driveletter - finds one`: a described item is a name
    is_alone = text.kind == "cell" and text.strip() == mention.text and not lists.is_known(mention.text)
    if is_alone and _is_first_cell(mention):
        return True
    return mention.text[:1].isupper() and text.kind in ("paragraph", "item") and not mention.starts_sentence


def _is_first_cell(mention: Mention) -> bool:
    """Return whether a mention's cell begins its row: a table describes things by their names."""
    page, begin = mention.page.plain, mention.prose.start
    return not page[find_line_start(page, begin) : begin].strip(" \t|>")


def _is_key(text: str, start: int, end: int) -> bool:
    """Return whether a word is one of several between commas, and another of them is an identifier."""
    if text[end : end + 1] != "," and not _BEHIND_COMMA.search(text, max(0, start - 3), start):
        return False
    low, high = max(0, start - CONTEXT), end + CONTEXT
    items = [item.strip() for item in _SEPARATED.split(text[low:high])]
    return text[start:end] in items and any(map(_IDENTIFIER.fullmatch, items))


def _is_quoted(mention: Mention, start: int, end: int) -> bool:
    """Return whether a text is about a spelling, and the word alone is in quotes, brackets, or emphasis."""
    text, page, (begin, behind) = mention.prose, mention.page.plain, mention.span
    around = text[max(start - 1, 0) : start], text[end : end + 1]
    if around in _QUOTED or _PUT_RIGHT.match(text, end):  # `occuring -> occurring`
        return True
    marks = page[begin - 1 : begin], page[behind : behind + 1]
    is_alone = any(all(both) and all(sign in _QUOTES for sign in both) for both in (around, marks))
    return is_alone and _SPELLING.search(text) is not None


# Words written as one or as two


def _find_joined_forms(corpus: Corpus) -> Iterator[tuple[_Form, _Form]]:
    passages_of = _find_joined_pairs(corpus.usage)
    wholes = corpus.usage.find_passages({form for a, b in passages_of for form in _get_cased_forms(corpus, a + b)})
    for first, second in passages_of:
        passages = [passage for form in _get_cased_forms(corpus, first + second) for passage in wholes[form]]
        joined = _build_form(corpus, first + second, _compile_pattern(first, second, ""), passages)
        separate = _build_form(
            corpus, f"{first} {second}", _compile_pattern(first, second, "[ \n]"), passages_of[first, second]
        )
        is_plain = any(mention.text.islower() for mention in joined.mentions)
        if is_plain and separate.mentions and (ordered := _sort_forms(joined, separate)):
            yield ordered


def _find_joined_pairs(usage: Usage) -> dict[tuple[str, str], list[Passage]]:
    """Find pairs of words that also occur as one word, in lowercase, with the passages of the pairs."""
    requested = {pair for word in usage.filter_written(_split_word) for pair in _split_word(word)}
    return group_pairs(
        ((first, second.removesuffix("s")), passage) for (first, second), passage in usage.find_pairs(requested)
    )


@cache
def _split_word(word: str) -> tuple[tuple[str, str], ...]:
    """Split a lowercase word into the two words that it may be written as, with and without a plural `s`."""
    if not _MIN_LETTERS <= len(word) <= LONGEST or not (word.isascii() and word.isalpha() and word.islower()):
        return ()
    singular = word.removesuffix("s")
    wholes = dict.fromkeys((word, singular, f"{singular}s"))
    new = [whole for whole in wholes if not lists.is_known(whole.removesuffix("s"))]  # not in a dictionary as one word
    pairs = ((whole[:at], whole[at:]) for whole in new for at in range(_MIN_PART_LETTERS, len(whole)))
    return tuple((first, second) for first, second in pairs if _may_be_one(first, second.removesuffix("s")))


def _get_cased_forms(corpus: Corpus, word: str) -> list[str]:
    """Return the forms of a word and its plural; inner capitals are skipped as identifiers."""
    forms = [form for number in (word, f"{word}s") for form in corpus.usage.list_forms(number)]
    return [form for form in forms if form[1:].islower()]


def _compile_pattern(first: str, second: str, gap: str) -> re.Pattern[str]:
    inner = f"[{second[0]}{second[0].upper()}]{second[1:]}" if gap else second
    start = f"[{first[0]}{first[0].upper()}]{first[1:]}"
    return re.compile(rf"{NOT_BEFORE}{start}{gap}{inner}(?=s?(?![A-Za-z]))(?!s?(?:[\w/@=\\{{+~(-]|[.:]\w|://))")


def _may_be_one(first: str, second: str) -> bool:
    """Return whether two words may be written as one: neither is a function word or prefix."""
    if min(len(first), len(second)) < _MIN_PART_LETTERS or not get_small_words().isdisjoint((first, second)):
        return False
    return lists.is_known(first) and lists.is_known(second)
