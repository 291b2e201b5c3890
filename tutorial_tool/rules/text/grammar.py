"""Slips that an exact pattern tells: `the your`, `allows you forward`, `can used`, `to login`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.document import MASK, LocatedText
from tutorial_tool.rules import rule
from tutorial_tool.rules.text._corpus import starts_sentence
from tutorial_tool.rules.text._patterns import MODALS, NAME, NEEDS, NOUN_VERBS, SLIPS, START, TABLES, Slip
from tutorial_tool.rules.text._sentences import get_comments
from tutorial_tool.site import Page, PageFix

_NOUN_BEFORE = lazy_re.compile(r"\b(?:the|an?|your|this|that|each|every|no|of|all)\s+$", re.IGNORECASE)
"""Precedes `can` and `will` as nouns, and `allowed users`."""
_EMPHASIS = lazy_re.compile(r"\s(?:[*_]|<(?:em|i|b|strong)>)")
_CONDITION = lazy_re.compile(
    r"\b(?:if|when|whenever|where|wherever|once|unless|until|while|because|since|as)\b[^.,;:!?\n]*$", re.IGNORECASE
)
"""An unfinished subordinate clause, which a main clause follows."""
_CONTRACTION = lazy_re.compile(r"[a-z][’']")
_MAYBE_PARTICIPLE = lazy_re.compile(r"[ \n][a-z]+(?:ing|ed)\b")
"""May continue a contraction that looks wrong: for `it's values added`, the fix needs an author's decision."""
_WORD = lazy_re.compile(r"[^\W\d_]+")
_CODE = lazy_re.compile(r"(`+)[^`\n]+\1")
_OPENING = lazy_re.compile(
    r"(?:the|this|these|you|your|to|in|if|we|it|for|when|while|please|after|before|once|with|as|at|on|by|there) [a-z]+ "
    r"[\s\S]{20,}[.:!?]\Z"
)
"""A paragraph of whole sentences that starts with a lowercase letter."""
_CLOSED = lazy_re.compile(r"#{1,6}[ ].*|\w.*[.!?]")
"""A heading, or the last line of a paragraph that ends with its sentence."""
_PRONOUN = lazy_re.compile(r" (?:it|them)\b")  # Between the two words of such a verb: `set it up`


@rule("text", Severity.WARNING, english=True)
def check(page: Page) -> Iterator[Finding]:
    proses: tuple[LocatedText, ...] = (*page.document.texts, *(get_comments(page) or ()))
    findings = (_report_slips(page, prose, SLIPS[slip]) for prose in proses for slip in _find_slips(str(prose)))
    yield from _remove_overlapping([*chain.from_iterable(findings), *_find_lowercase_openings(page)])


def _find_lowercase_openings(page: Page) -> Iterator[Finding]:
    """Find paragraphs whose first sentence starts with a lowercase letter, and which continue no other text."""
    for prose in page.document.texts:
        if prose[:1].islower() and prose.kind in ("paragraph", "quote") and _OPENING.match(prose):
            *_, line = page.plain[: prose.block.start].rstrip("> \t\n").rpartition("\n")
            if _CLOSED.fullmatch(line):
                word, capital = prose.split()[0], prose[0].upper()
                edit = prose.build_edit(0, 1, capital)
                fix = PageFix(f"write `{capital}`", (edit,), safe=False) if edit else None
                message = f"`{word}`: a sentence starts with a capital letter"
                yield page.flag(prose.locate(0, len(word)), message, fix=fix)


@lru_cache(2_000)  # variants and versions repeat texts
def _find_slips(text: str) -> tuple[int, ...]:
    """Return the numbers of the patterns that match a text."""
    return tuple(slip for slip in sorted(_find_candidates(text.lower())) if SLIPS[slip].pattern.search(text))


def _find_candidates(text: str) -> set[int]:
    """Return the numbers of the patterns that need letters of a lowercase text."""
    by_word, by_start, signs, by_sign, slips = NEEDS
    numbers: set[int] = set()
    needs: list[str] = []
    last = ""
    for word in (*_WORD.findall(text), ""):
        if last in by_word:
            followers, phrases = by_word[last]
            if word in followers:
                numbers.update(followers[word])
            needs += (*phrases.get(word[:1], ()), *phrases.get("", ()))
        needs += by_start.get(word[:START], ())
        last = word
    for sign in signs.finditer(text):
        needs += (*by_sign.get(text[sign.start() : sign.start() + 3], ()), *by_sign.get(sign[0], ()))
    return numbers.union(*(slips[need] for need in needs if need in text))


def _remove_overlapping(findings: list[Finding]) -> Iterator[Finding]:
    """Keep one finding where several patterns match: one with a fix, else the longest."""
    taken: dict[str, list[tuple[int, int]]] = {}
    for finding in sorted(findings, key=lambda finding: (finding.fix is None, -len(finding.span.text))):
        start, end = finding.span.start, finding.span.end
        spans = taken.setdefault(finding.span.source.path, [])
        at = bisect_right(spans, (start, end))  # ranges in `spans` never overlap, so two neighbors suffice
        around = spans[max(at - 1, 0) : at + 1]
        if not any(start < last and first < end for first, last in around):
            spans.insert(at, (start, end))
            yield finding


_LOWER = lazy_re.compile(
    r"\b(?!(?:and|for|from|into|the|with|your)\b)[a-z]{3,}\b"
)  # Excludes titles such as `Log In to All`


def _report_slips(page: Page, prose: LocatedText, slip: Slip) -> Iterator[Finding]:
    for match in slip.pattern.finditer(prose):
        before = prose[: match.start()]
        if _is_no_slip(page, prose, match, slip, before):
            continue
        if slip.better == "":
            yield _build_noun_finding(page, prose, match, slip)
        elif not (_NOUN_BEFORE.search(before) and _is_permission(*match.groups("")[:1])):
            yield _build_slip_finding(page, prose, match, slip)


def _is_permission(word: str = "") -> bool:
    return word in MODALS or word.startswith("allowed ")


def _is_no_slip(page: Page, prose: LocatedText, match: re.Match[str], slip: Slip, before: str) -> bool:
    """Return whether the context of a match shows that it is not a mistake."""
    is_first = starts_sentence(prose, match.start())
    return (
        any(word and word.lower() not in TABLES[name] for name, word in match.groupdict().items())
        or (match[0].startswith("A ") and not is_first)  # a name, as in `Company A the work`
        or (" " not in match[0] and page.plain[slice(*prose.locate(match))] != match[0])  # `lamp.<br>The`
        or (slip.first and not is_first)
        or _fails_flag(page, prose, match, slip.flags, before)
    )


def _fails_flag(page: Page, prose: LocatedText, match: re.Match[str], flags: frozenset[str], before: str) -> bool:
    """Return whether a match violates the flags of its pattern."""
    return (
        ("main" in flags and _CONDITION.search(before) is not None)
        or ("running" in flags and prose.kind != "paragraph")
        or ("exact" in flags and _CODE.sub(MASK, page.plain[slice(*prose.locate(match))]) != match[0])
        or ("unmarked" in flags and _EMPHASIS.search(page.plain, *prose.locate(match)) is not None)
    )


def _build_slip_finding(page: Page, prose: LocatedText, match: re.Match[str], slip: Slip) -> Finding:
    words = match.groupdict()
    template = NAME.sub(lambda name: TABLES[name[1]][words[name[1]].lower()], slip.better or "")
    better = match.expand(template)
    edit = prose.build_edit(*match.span(), better) if better else None
    message = slip.message.replace("{0}", match[0]).replace("{1}", better)
    safe = prose.kind != "comment" and not (
        _CONTRACTION.search(match[0]) and _MAYBE_PARTICIPLE.match(prose, match.end())
    )
    fix = PageFix(f"replace with `{better}`", (edit,), safe=safe) if edit else None
    return page.flag(prose.locate(match), message, fix=fix, severity=Severity.HINT if "hint" in slip.flags else None)


def _build_noun_finding(page: Page, prose: LocatedText, match: re.Match[str], slip: Slip) -> Finding:
    good = NOUN_VERBS[match[2].lower()]
    if match[2][0].isupper():
        rest = match.string[match.end() :]
        is_title = rest.lstrip()[:1].isupper() and not _LOWER.search(rest)
        good = good.title() if is_title else good.capitalize()
    message = slip.message.replace("{0}", match[2]).replace("{2}", match[2]).replace("{1}", good)
    edit = None if _PRONOUN.match(prose, match.end(2)) else prose.build_edit(*match.span(2), good)
    fix = PageFix(f"write `{good}`", (edit,), safe=prose.kind not in ("comment", "alt")) if edit else None
    return page.flag(prose.locate(match.start(2), match.end(2)), message, fix=fix)
