"""Misspelled words: known misspellings, and words close to one that these documents use often."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from string import ascii_lowercase

from tutorial_tool.config.settings import Config
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.markdown.document import CONTEXT, LocatedText
from tutorial_tool.rules import rule
from tutorial_tool.rules.text._corpus import SURE, Corpus, Word, get_corpus, is_history, starts_sentence
from tutorial_tool.rules.text._misspelling.intended_words import is_intended
from tutorial_tool.site import Page, PageFix, Site
from tutorial_tool.spelling import lists, software_terms
from tutorial_tool.spelling.near_words import MIN_SLIP, FrequentWords, is_slip
from tutorial_tool.spelling.speller import COMMON, MIN_RATIO, MOST_COMMON, Misspelling, Speller
from tutorial_tool.spelling.usage import Passage

_TWO_CAPITALS = lazy_re.compile(r"[A-Z]{2}[a-z]{1,20}")
_CAPITALISED = lazy_re.compile(r"(?<![\w'’-])[A-Z][\w'’-]*[ \n]+\Z")
_MAX_BRIEF_LETTERS, _MIN_START_LETTERS = 4, 5
"""Maximum letters of a slip for any equally frequent word: `thah`; minimum of a start that identifies a word."""
_ENDING_LETTERS, _MIN_USES = 3, 10
"""Final letters of a slip that may belong to another word, and the minimum uses of that word in the corpus."""
_PREFIXES = "EIMOUVX"  # Prefix letters: `EMail`, `IFrame`, `XRay`
_BEFORE = lazy_re.compile(r"([A-Za-z']+)\s+$")
_AFTER = lazy_re.compile(r"\s+([A-Za-z']+)")


@rule("text", Severity.WARNING)
def check(site: Site, config: Config) -> Iterator[Finding]:
    corpus = get_corpus(site)
    for misspelling in Speller(config.full_vocabulary.add_entries(_iter_names(site))).find_misspellings(corpus.usage):
        if not is_intended(misspelling, corpus):
            yield _build_finding(corpus.pages[misspelling.page], misspelling, corpus)
    slips = {**_find_name_slips(corpus), **_find_two_capitals(corpus)}
    words = [word for word in slips if word not in config.full_vocabulary]
    for word, passages in corpus.usage.find_passages(words).items() if words else ():
        yield from _report_capitals(corpus, word, slips[word], passages)


def _report_capitals(corpus: Corpus, word: str, good: str, passages: Iterable[Passage]) -> Iterator[Finding]:
    is_shift_slip = word.capitalize() == good
    for mention in corpus.find_mentions(Word(word), passages):
        before = max(0, mention.match.start() - CONTEXT), mention.match.start()
        if is_shift_slip and _CAPITALISED.search(mention.prose, *before):
            continue  # `Bourne-Again SHell`: its letters form an acronym
        edit = mention.build_edit(good)
        fix = PageFix(f"replace with `{good}`", (edit,), safe=is_shift_slip) if edit else None
        yield mention.page.flag(mention.span, f"`{word}` should read `{good}`", fix=fix)


def _find_two_capitals(corpus: Corpus) -> dict[str, str]:
    """Find words with two initial capitals, since Shift was held for too long, with the right ones: `THe`, `FAce`."""
    words = corpus.usage.filter_written(_has_two_capitals)
    return {word: word.capitalize() for word in words if _is_shift_slip(word, corpus)}


def _find_name_slips(corpus: Corpus) -> dict[str, str]:
    """Find names with inner capitals that are a slip for a far more frequent one, or for one in a page's code.

    For example, `JetSteam`, for `JetStream`.
    """
    counts = {word: corpus.usage.counts[word] for word in corpus.usage.filter_written(_has_inner_capital)}
    in_code = dict.fromkeys(filter(_has_inner_capital, corpus.identifiers), 0)
    names = FrequentWords(in_code | {word: count for word, count in counts.items() if count >= SURE})
    rare = (word for word, count in counts.items() if count < 3 and word not in in_code)
    unknown = (word for word in sorted(rare) if not software_terms.contains_word(word.lower()))
    pairs = ((word, *nearest) for word in unknown for nearest in names.find_nearest(word, 1)[::-1])
    near = ((word, good, uses) for word, good, _, uses in pairs if _is_name_slip(word, good))
    return {word: good for word, good, uses in near if uses >= SURE * counts[word] or _is_beside(corpus, word, good)}


def _is_beside(corpus: Corpus, word: str, name: str) -> bool:
    """Return whether the code of a page with a word has a name."""
    passages = chain.from_iterable(corpus.usage.find_passages([word]).values())
    return any(name in page.identifiers for passage in passages for page, _ in passage.holders)


def _has_inner_capital(word: str) -> bool:
    return word.isascii() and word.isalpha() and len(word) >= MIN_SLIP and not (word[1:].islower() or word.isupper())


def _is_name_slip(word: str, other: str) -> bool:
    return sum(map(str.isupper, word)) == sum(map(str.isupper, other)) and is_slip(word.lower(), other.lower())


def _has_two_capitals(word: str) -> bool:
    return _TWO_CAPITALS.fullmatch(word) is not None


def _is_shift_slip(word: str, corpus: Corpus) -> bool:
    """Return whether a word is common except for its second capital, and no name, nor `EMail` or `IFrame`."""
    common, usage = word.lower(), corpus.usage
    if word in corpus.identifiers or usage.counts[word] > 1 or (word[0] in _PREFIXES and lists.is_known(common[1:])):
        return False
    least = MOST_COMMON if len(word) < lists.MAX_ABBREVIATION else COMMON
    return (
        lists.get_frequency(common) >= least
        and lists.is_known(common)
        and usage.counts[word.capitalize()] + usage.counts[common] > 1
    )


def _iter_names(site: Site) -> Iterator[str]:
    """Yield the names of platforms in the data and in the product's UI, and the data's state words."""
    for platform in site.model.platforms.values():
        yield from (strip_origins(name) for name in (platform.name, *platform.labels.values()))
    yield from site.model.states
    for table in site.model.tables.values():
        yield from (strip_origins(word) for words in table.values.values() for word in words)


def _build_finding(page: Page, misspelling: Misspelling, corpus: Corpus) -> Finding:
    """Build a finding. Its fix is safe if the correction is certain and the word no name, as `Pengwin`."""
    assert isinstance(misspelling.text, LocatedText)
    span = misspelling.text.locate(misspelling.start, misspelling.end)
    (word, candidates, certain), tier = misspelling.suggestion, misspelling.tier
    if not certain and (sibling := _find_sibling(misspelling, corpus)):
        candidates, certain = (sibling, *(other for other in candidates if other != sibling)), True
    best = candidates[0]
    others = f" (or {' or '.join(f'`{other}`' for other in candidates[1:3])})" if candidates[1:] and not certain else ""
    is_old = _is_of_others(page, tier)
    folded = word.lower(), best.lower()
    is_doubted = _may_be_commoner_word(*folded) or _may_be_local_word(*folded, corpus)
    is_safe = certain and word.islower() and not (is_old or is_doubted or _may_be_of_name(misspelling))
    fix = PageFix(f"replace with `{best}`", ((*span, best),), safe=is_safe)
    severity = Severity.HINT if is_old or tier.startswith("2e") else None
    return page.flag(span, f"`{word}` should read `{best}`{others}", fix=fix, severity=severity)


def _may_be_of_name(misspelling: Misspelling) -> bool:
    """Return whether a capitalized word in mid-sentence precedes the word: `the Spring initializr`."""
    text, start = misspelling.text, misspelling.start
    before = _CAPITALISED.search(text, max(0, start - CONTEXT), start)
    return before is not None and not starts_sentence(text, before.start())


def _is_of_others(page: Page, tier: str) -> bool:
    """Return whether words may be names of people in a changelog."""
    return is_history(page) and not tier.startswith("1")


def _may_be_commoner_word(word: str, best: str) -> bool:
    """Return whether changing one letter yields a far more common word: `their` and `thief` for `theif`."""
    if not best.isalpha():
        return False  # several words, or a word with an apostrophe
    factor = MIN_RATIO if len(word) > _MAX_BRIEF_LETTERS or len(best) != len(word) else 1
    least = max(factor * lists.get_frequency(best), COMMON)
    others = (f"{word[:at]}{letter}{word[at + 1 :]}" for at in range(len(word)) for letter in ascii_lowercase)
    return any(lists.get_frequency(other) > least for other in others if other != best)


def _may_be_local_word(word: str, best: str, corpus: Corpus) -> bool:
    """Return whether the texts often use a word with the same start, and never the correction.

    `property` for `propertion`.
    """
    begin, folded = word[:-_ENDING_LETTERS], corpus.usage.lowercase_counts
    if len(begin) < _MIN_START_LETTERS or best.startswith(begin) or best in folded:
        return False
    return any(other.startswith(begin) and uses >= _MIN_USES for other, uses in folded.items())


def _find_sibling(misspelling: Misspelling, corpus: Corpus) -> str | None:
    """Return the only one of several corrections that another text has between the same two words."""
    before = _BEFORE.search(misspelling.text, max(0, misspelling.start - CONTEXT), misspelling.start)
    after = _AFTER.match(misspelling.text, misspelling.end)
    if not before or not after:
        return None
    siblings = []
    for word in misspelling.suggestion.candidates:
        phrase = re.compile(rf"\b{before[1]}\s+{word}\s+{after[1]}\b", re.IGNORECASE)
        forms = corpus.usage.forms_by_lowercase.get(word.lower(), ())
        if any(phrase.search(p.text) for holding in corpus.usage.find_passages(forms).values() for p in holding):
            siblings.append(word)
    return siblings[0] if len(siblings) == 1 else None
