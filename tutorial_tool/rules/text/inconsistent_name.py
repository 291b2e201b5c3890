"""A name that is cased in two ways: `GitHub` and `Github`, `Sample app` and `sample app`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterator, Mapping
from functools import partial
from itertools import chain

from tutorial_tool import variants
from tutorial_tool.cache.results import Results
from tutorial_tool.config.settings import Config
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.grouping import group_by, group_pairs
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared import _names_in_copies
from tutorial_tool.rules.base import FACTOR, HABIT
from tutorial_tool.rules.text._corpus import SURE, Corpus, Mention, Word, get_corpus, get_small_words, is_history
from tutorial_tool.rules.text._patterns import THIRD_PERSONS
from tutorial_tool.site import Page, PageFix, Site
from tutorial_tool.spelling import lists, word_lists
from tutorial_tool.spelling.proper_names import get_fixed_spellings, get_lowercase_names
from tutorial_tool.spelling.usage import Passage


def is_mixed_case_name(form: str) -> bool:
    """Return whether a form of a name with one correct spelling is neither all lowercase nor all uppercase."""
    return form.lower() in get_fixed_spellings() and not (form.islower() or form.isupper())


def report_misspelled_names(corpus: Corpus, allowed: Container[str], results: Results) -> Iterator[Finding]:
    """Yield a finding for each page and wrong form of a name; forms in a vocabulary are allowed."""
    usage = corpus.usage
    wrong = {
        form: name
        for lower, name in get_fixed_spellings().items()
        for form in usage.forms_by_lowercase.get(lower, ())
        if form != name and form not in allowed and is_mixed_case_name(form)
    }
    for form, passages in usage.find_passages(wrong).items() if wrong else ():
        mentions = corpus.find_mentions(Word(form), passages)
        wrong_uses = (mention for mention in mentions if not _is_excused(mention, wrong[form], results))
        for in_page in group_by(wrong_uses, lambda mention: mention.page).values():
            yield _build_finding(in_page, wrong[form])


def _is_excused(mention: Mention, name: str, results: Results) -> bool:
    return is_history(mention.page) or _is_quoted(mention) or _may_be_intended(mention, name, results)


def _is_quoted(mention: Mention) -> bool:
    """Return whether the form is quoted, as custom names and values are."""
    start, end = mention.span
    text = mention.page.document.text
    return text[max(start - 1, 0) : start] in ('"', "“", "'") and text[end : end + 1] in ('"', "”", "'")


def _may_be_intended(mention: Mention, name: str, results: Results) -> bool:
    """Return whether the name is capitalized at the start of a sentence, or is in the page's code."""
    form = mention.text
    if form[1:] == name[1:] and mention.starts_sentence:
        return True
    page = mention.page
    return results.get(lambda: _is_in_code(page, form), "in code", form, page.digest, page.dialect)


def _is_in_code(page: Page, form: str) -> bool:
    return any(form in page.plain[start:end] for start, end in page.document.code_spans)


def _sort_mentions(mentions: list[Mention]) -> list[Mention]:
    """Sort mentions by path, so that the first does not depend on whether a page is rendered."""
    return sorted(mentions, key=lambda mention: (mention.page.path.split("/"), mention.span))


def _build_finding(mentions: list[Mention], name: str) -> Finding:
    first, *others = _sort_mentions(mentions)
    edits = tuple(edit for mention in mentions if (edit := mention.build_edit(name)))
    fix = PageFix(f"write `{name}`", edits, safe=False) if edits else None
    again = [(mention.page, mention.span, f"also `{mention.text}`") for mention in others]
    message = f"`{first.text}` should read `{name}`"
    return first.page.flag(first.span, message, again=again, severity=Severity.WARNING, fix=fix)


_ACRONYMS = frozenset(
    """
    api aws cdn cli cpu css csv dns gcp gif gpu gui html http ide jpeg json jwt mfa otp pdf png rpc rss saml sdk sms sql
    sso ssl svg tls uri url usb uuid vpn xml yaml
    """.split()
)
"""Words that have no other meaning in lowercase text. 100 trees, 2026-11: about 150 of 160 read are slips."""
_CAPITALS = lazy_re.compile(r"(?<=[a-z,] )[A-Z][A-Za-z]+ [A-Za-z]{3,}\b")
_CAPITAL_AFTER = lazy_re.compile(r"\s[A-Z]")
_CAPITAL_BEFORE = lazy_re.compile(r"\b[A-Z][\w'’-]*\s$")
_SMALL_FIRST = lazy_re.compile(r"[a-z]{1,8}[A-Z]{2,}|[a-z][A-Z][a-z]+(?:[A-Z]{2})?")
"""Names that start with a lowercase letter: `macOS`, `eBay`, `iPadOS`."""
_FOLDER = lazy_re.compile(r"(?:,? (?:and|or) [\w.-]+)?\s(?:sub)?(?:folder|director(?:y|ies)\b)")
_BEFORE = frozenset(("", *" \n("))
_MARKUP = frozenset('*_"”`]’')
_NO_NAMES = frozenset(THIRD_PERSONS).difference(f"{noun}s" for noun in word_lists.read_words("nouns"))
"""Verbs: no name starts or ends with one, and a subject precedes it: `proxy runs`."""
_RUNNING = ("paragraph", "item")
_Forms = dict[str, list[Mention]]
_Holding = Mapping[str, list[Passage]]  # The passages with each form
_Group = Callable[[Corpus, _Holding], _Forms]


@rule("text", Severity.HINT, yields_to=("misspelling", "inconsistent-spelling", "unknown-ui-label"))
def check(site: Site, config: Config) -> Iterator[Finding]:
    corpus, vocabulary = get_corpus(site), config.full_vocabulary.exact
    labels = {
        label for p in site.model.platforms.values() for label in map(strip_origins, (p.name, *p.labels.values()))
    }
    reported: set[tuple[Page, int]] = set()
    yield from report_misspelled_names(corpus, vocabulary, site.results)
    for group, holding in (*_find_words(corpus), *_find_phrases(corpus)):
        forms = _group_if_slips(corpus, labels, group, holding)
        for usual, other, is_sure in _find_slips(corpus, forms, labels):
            if other in vocabulary:
                continue
            kinds = ("heading", "cell", "meta", *_RUNNING) if is_sure else _RUNNING
            new = [mention for mention in forms[other] if mention.prose.kind in kinds and not is_history(mention.page)]
            new = [mention for mention in new if (mention.page, mention.span[0]) not in reported]
            word_starts = 0, *(space.end() for space in re.finditer(" ", other))
            reported.update((mention.page, mention.span[0] + offset) for mention in new for offset in word_starts)
            yield from _report_mentions(usual, forms[usual], new, Severity.WARNING if is_sure else None)
    for step in variants.find_steps(site, config.variants):
        yield from variants.get_cached(step, _names_in_copies.report_inconsistent_names)


def _group_if_slips(corpus: Corpus, labels: Collection[str], group: _Group, holding: _Holding) -> _Forms:
    """Group the mentions of a name if there are slips, which a later run knows from the pages with the name."""
    read: list[object] = [(form, form in corpus.identifiers) for form in holding]
    for passage in chain.from_iterable(holding.values()):
        pages = (corpus.pages[words] for words, _ in corpus.usage.iter_places(passage))
        read.append([(page.digest, page.dialect.value) for page in pages])
    has_slips = corpus.usage.results.get(
        lambda: any(_find_slips(corpus, group(corpus, holding), labels)), group.__name__, sorted(labels), read
    )
    return group(corpus, holding) if has_slips else {}


def _find_slips(corpus: Corpus, forms: _Forms, labels: Collection[str]) -> Iterator[tuple[str, str, bool]]:
    """Yield the usual form of a name, one that is a mistake for it, and whether that is certain."""
    usual = max(forms, default="", key=lambda form: (form in labels, _count_uses(forms[form])))
    for other, mentions in forms.items():
        if other == usual or is_mixed_case_name(other):
            continue
        times = FACTOR if _is_lowercased(usual, other) else SURE
        is_sure = _count_uses(forms[usual]) >= times * _count_uses(mentions) and _is_same_name(usual, other)
        is_slip = (is_sure and _is_lowercased(usual, other)) or _is_slip(corpus, forms, usual, other)
        if is_slip or _is_declared(labels, usual, other):
            yield usual, other, is_sure or any(label in usual and label not in other for label in labels)


def _is_slip(corpus: Corpus, forms: _Forms, usual: str, other: str) -> bool:
    """Return whether a form is rare compared with the usual one, and not a separate word."""
    is_few = _count_uses(forms[usual]) >= FACTOR * _count_uses(forms[other])
    is_name = _has_one_right_form(usual, other) or _is_capitalized_name(corpus, usual, other)
    return (is_few and is_name) or _is_outlier(corpus, forms, usual, other)


def _is_declared(labels: Collection[str], usual: str, other: str) -> bool:
    """Return whether the data has a name, and the other form is not in it nor all lowercase."""
    return usual in labels and other not in labels and not other.islower()


def _report_mentions(
    usual: str, example: list[Mention], mentions: list[Mention], severity: Severity | None
) -> Iterator[Finding]:
    by_page = group_by(_sort_mentions(mentions), lambda mention: mention.page.path)
    for group in by_page.values() if len(by_page) <= HABIT else [_sort_mentions(mentions)]:
        first, *others = group
        count = _count_uses(example)
        message = f"inconsistent name: `{first.text}` here, `{usual}` " + (
            f"in {count} places" if count > 1 else "elsewhere"
        )
        again = [(mention.page, mention.span, f"also `{mention.text}`") for mention in others]
        related = [(example[0].page, example[0].span, f"`{usual}`")]
        yield first.page.flag(first.span, message, related=related, again=again, severity=severity)


def _count_uses(mentions: list[Mention]) -> int:
    """Count the mentions; a text that is repeated on several pages counts once."""
    return len({(mention.match.string, mention.match.start()) for mention in mentions})


def _has_one_right_form(usual: str, other: str) -> bool:
    """Return whether only one of the two can be right, and the other is no common noun or identifier."""
    if " " in usual:
        return True
    return (
        not usual[1:].islower()
        and other[1:].islower()
        and not (other[0].islower() and (lists.is_known(other) or usual.istitle()))
    )


def _is_capitalized_name(corpus: Corpus, usual: str, other: str) -> bool:
    """Return whether a name that begins in lowercase, as `macOS` does, is capitalized and not in the code."""
    is_same = usual[1:] == other[1:] and usual[0] == other[0].lower()
    return is_same and _SMALL_FIRST.fullmatch(usual) is not None and other not in corpus.identifiers


def _is_same_name(usual: str, other: str) -> bool:
    """Return whether two forms are surely one name: one word, or with one first word (`Lampkeeper Org`)."""
    head = usual.partition(" ")[0]
    return head == usual or (other.startswith(head) and head[0].isupper() and not head.isupper())


def _is_lowercased(usual: str, other: str) -> bool:
    """Return whether an acronym or name that the texts capitalize is lowercase: `the sdk`, `in github`."""
    lower = other.lower()
    if lower in _ACRONYMS:
        return usual.isupper() and other[1:].islower()
    return other.islower() and usual == get_lowercase_names().get(other)


def _is_outlier(corpus: Corpus, forms: _Forms, usual: str, other: str) -> bool:
    """Return whether a frequent name has other inner capitals once or twice: `MySql`, which no code has.

    A name without inner capitals must not be an ordinary word: `Vaultkeep`, once `VaultKeep`.
    """
    if " " in usual or usual[0] != other[0] or usual.isupper() or other.isupper() or other in corpus.identifiers:
        return False
    if other[1:].islower():
        return False
    if not usual[1:].islower():
        return _count_uses(forms[usual]) >= HABIT * _count_uses(forms[other])
    uses, other_uses = _count_uses(forms[usual]), _count_uses(forms[other])
    is_rare = len(forms[usual]) >= HABIT * len(forms[other]) and uses >= FACTOR * other_uses
    return is_rare and usual.istitle() and usual.lower() not in forms and not lists.is_known(usual.lower())


def _find_words(corpus: Corpus) -> Iterator[tuple[_Group, _Holding]]:
    """Find names of one word with inner capitals that are also written differently."""
    usage = corpus.usage
    words = {form.lower() for form in usage.filter_written(_has_capital_inside)}
    words |= (_ACRONYMS | get_lowercase_names().keys()) & usage.forms_by_lowercase.keys()
    expected = [
        word
        for word in words
        if len(usage.forms_by_lowercase[word]) > 1 and _may_be_word_name(word, usage.forms_by_lowercase[word])
    ]
    holding = usage.find_passages({form for word in expected for form in usage.forms_by_lowercase[word]})
    for word in usage.sort_words(expected):
        yield _group_running_mentions, {form: holding[form] for form in usage.list_forms(word)}


def _may_be_word_name(word: str, forms: Collection[str]) -> bool:
    if not (word.isascii() and word.isalpha()) or len(word) < 3:
        return False
    if word in _ACRONYMS or word in get_lowercase_names():
        return True
    if len(word) == 3:  # `IDs` is no name
        return any(map(_SMALL_FIRST.fullmatch, forms))
    return any(map(_has_capital_inside, forms))


def _has_capital_inside(form: str) -> bool:
    return not form[1:].islower() and not form.isupper()


def _find_phrases(corpus: Corpus) -> Iterator[tuple[_Group, _Holding]]:
    """Find names of two words: `Sample app`, if `sample app` or `Sample App` occurs, too."""
    counts = Counter(chain.from_iterable(corpus.usage.collect_facts(_find_capitalized).values()))
    often = {phrase.lower() for phrase, count in counts.items() if count >= HABIT}
    words = [(key, *key.split()) for key in often]
    pairs = {(first, second): key for key, first, second in words if _may_be_name(first, second)}
    passages = group_pairs((pairs[pair], passage) for pair, passage in corpus.usage.find_pairs(pairs))
    return ((_group_forms, {key: matches}) for key, matches in passages.items())


def _may_be_name(first: str, second: str) -> bool:
    """Return whether two lowercase words may be a name: no function word, adverb, verb or participle."""
    words = (first, second)
    return (
        get_small_words().isdisjoint(words)
        and _NO_NAMES.isdisjoint(words)
        and second not in ("instead", "based", "only")
        and not (first.endswith("ly") and second.endswith("ed"))
    )


def _find_capitalized(passage: Passage) -> list[str]:
    return _CAPITALS.findall(passage.text)


def _group_forms(corpus: Corpus, holding: _Holding) -> _Forms:
    """Group the mentions of a phrase by form, if the usual form is capitalized."""
    ((key, passages),) = holding.items()
    phrase = Word(key, in_any_case=True)
    if len({match[0] for passage in passages for match in passage.find_matches(phrase)}) < 2:
        return {}  # spelled one way, as almost all are
    out = group_by(filter(_is_whole_name, corpus.find_mentions(phrase, passages)), lambda mention: mention.text)
    return out if max(out, key=lambda form: _count_uses(out[form]), default="")[:1].isupper() else {}


def _is_whole_name(mention: Mention) -> bool:
    return not mention.text.isupper() and _is_in_running_text(mention) and not _is_part_of_name(mention)


def _is_part_of_name(mention: Mention) -> bool:
    """Return whether the two words are part of a longer name: `Customer Success Manager`."""
    start, end, text = *mention.match.span(), mention.prose
    return bool(_CAPITAL_AFTER.match(text, end) or _CAPITAL_BEFORE.search(text, max(start - 30, 0), start))


def _group_running_mentions(corpus: Corpus, holding: _Holding) -> _Forms:
    """Group the mentions in running text by the form of the word.

    If the usual form is capitalized, capitalized forms count anywhere: then the start of a sentence or a heading is not
    what capitalizes them.
    """
    out: _Forms = {}
    usual = max(holding, key=lambda form: len(holding[form]), default="")
    for form, passages in holding.items():
        anywhere, linked = form[0].isupper() and usual[0].isupper(), form.lower() in get_lowercase_names()
        is_running = partial(_is_in_running_text, anywhere=anywhere, linked=linked)
        if mentions := list(filter(is_running, corpus.find_mentions(Word(form), passages))):
            out[form] = mentions
    return out


def _is_in_running_text(mention: Mention, *, anywhere: bool = False, linked: bool = False) -> bool:
    """Return whether a mention is in running text: not marked up, quoted, or, unless `anywhere`, first.

    The first word of a sentence does not count unless `anywhere`. `linked`: it may start or end the text of a link that
    has more words.
    """
    if not anywhere and (mention.prose.kind not in _RUNNING or mention.starts_sentence):
        return False
    return "\n" not in mention.text and not _is_marked_up(mention, linked=linked) and not _is_folder(mention)


def _is_marked_up(mention: Mention, *, linked: bool) -> bool:
    start, end = mention.span
    text = mention.page.document.text
    before, after = text[max(start - 1, 0) : start], text[end : end + 1]
    if linked and (before == "[") != (after == "]"):
        before, after = before.strip("["), after.strip("]")
    return before not in _BEFORE or after in _MARKUP


def _is_folder(mention: Mention) -> bool:
    """Return whether a lowercase name is that of a folder: `your ios and android folders`."""
    return mention.text.islower() and _FOLDER.match(mention.page.document.text, mention.span[1]) is not None
