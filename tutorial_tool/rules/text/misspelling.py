"""Words that are misspelt: known slips, and words close to one that these documents use often."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from string import ascii_lowercase

from tutorial_tool.config.settings import Config
from tutorial_tool.core import language, lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.traced import plain
from tutorial_tool.data.toggle_words import states
from tutorial_tool.markdown.document import Placed
from tutorial_tool.rules import rule
from tutorial_tool.rules.text._corpus import NOT_AFTER, NOT_BEFORE, Corpus, corpus, is_history
from tutorial_tool.site import Page, PageFix, Site, page_facts
from tutorial_tool.spelling import lists, near, proper
from tutorial_tool.spelling.speller import Misspelling, Speller
from tutorial_tool.spelling.usage import tokens

_ABLE = lazy_re.compile(r"(?:eable|(?<=(.))\1able)$")
_OTHERS = proper.AUTONYMS.difference("Afrikaans English Esperanto Filipino Indonesia Tagalog".split())
"""What languages are called that have another name in English."""
_MARK = lazy_re.compile(r"[^\w\s'’-]")
_AROUND = 2
"""Words beside another one in a phrase of another language."""
_ADJECTIVES = lazy_re.compile(r"(?:[ai]ble|al|ic|ive|ary|ant|ent)s$")
"""How adjectives end that are used as nouns: `enumerables`, `criticals`."""
_SHORT = 5
"""Letters of a word that code rarely has by chance."""
_SHORT_NAME = 8
"""Letters of a name that may be near to a word by chance."""
_IN_KEY = lazy_re.compile(r"\w\.\w+\[(?:[^\[\]\s]*,)?$")
_KEY_ENDS = lazy_re.compile(r"(?:,[^\[\]\s]*)?\]")
"""What stands around a word in the brackets of an identifier."""
_LIBRARY = lazy_re.compile(r"(?:js|py|db|ctl|[a-z]q)$")
"""How names of programs end."""
_TWO_CAPITALS = lazy_re.compile(r"[A-Z]{2}[a-z]{1,20}")
_CAPITALISED = lazy_re.compile(r"(?<![\w'’-])[A-Z][\w'’-]*[ \n]+\Z")
_NEAR = 40
"""Characters before a word in which the one before it stands."""
_WINDOW = 2000
"""Characters before and behind a word that tell what it is. 41 trees, 2026-11: 11 of 76,474 paragraphs are longer."""
_COMMONER = 100
"""How much more often another word must stand in English, to be as likely meant as one that a list tells."""
_BRIEF = 4
"""Letters of a slip that may be for any word that is as common: `thah`."""
_ENDING, _OFTEN = 3, 10
"""Letters at the end of a slip that may be another word's, and how often these texts use that one at least."""
_SHORTEST = 3
"""Letters of such a word that is no plural, as `IDs` is, when everybody uses it."""
_EVERYWHERE, _COMMON = 1_000_000_000, 5_000_000
"""How often a word of three letters, and a longer one, must be counted in English."""
_OF_PANDAS = lazy_re.compile(r"class=\"dataframe\"|<tr style=\"text-align: right;\">")
"""What only a program writes in a table."""
_PREFIXES = "EIMOUVX"
"""Letters that stand before a word: `EMail`, `IFrame`, `XRay`."""
_TOLD = lazy_re.compile(r"[\"'”’]?\s*(?:->|=>|→)")
"""What follows a slip that is told, with what it should read."""
_OPEN, _CLOSE = "\"“‘'", "\"”’'"
_TELLS = lazy_re.compile(r"\b(?:spelling|spelt|typos?\b|misspel|mistyp)", re.IGNORECASE)
_CHANGES = lazy_re.compile(r"\b(?:spelling|spelt|typos?\b|misspel|mistyp|renam|correct|fix)", re.IGNORECASE)
"""What a text says that tells of a slip which was put right; the second also where the word stands in quotes."""
_AUTHOR = lazy_re.compile(r"\([^()\d]{0,60}$")
_AUTHOR_ENDS = lazy_re.compile(r"[^()\n\d]{0,60}\)[\s.]*(?:\ufffc|\[|#|$)")
"""How an item of a list of changes ends: with the name of who made it."""
_IMPORTED = lazy_re.compile(r"\bfrom\s+$")
_BEFORE = lazy_re.compile(r"([A-Za-z']+)\s+$")
_AFTER = lazy_re.compile(r"\s+([A-Za-z']+)")


@rule("text", Severity.WARNING)
def check(site: Site, config: Config) -> Iterator[Finding]:
    read = corpus(site)
    for found in Speller(config.vocabulary_of_all.with_entries(_names(site))).misspelt(read.usage):
        if not _may_be_meant(found, read):
            yield _finding(read.pages[found.page], found, read)
    yield from _two_capitals(read, config)


def _two_capitals(read: Corpus, config: Config) -> Iterator[Finding]:
    """Words whose second letter is a capital too, since a key was held for too long: `THe`, `FAce`."""
    words = [word for word in read.usage.written_so(_TWO_CAPITALS.fullmatch) if _is_held(word, read)]
    wanted = [word for word in words if word not in config.vocabulary_of_all]
    for word, passages in read.usage.having(wanted).items() if wanted else ():
        good = word.capitalize()
        for place in read.find(re.compile(NOT_BEFORE + word + NOT_AFTER), passages):
            if _CAPITALISED.search(place.prose, max(0, place.match.start() - _NEAR), place.match.start()):
                continue  # `Bourne-Again SHell`: its letters make an acronym
            edit = place.edit(good)
            fix = PageFix(f"replace with `{good}`", (edit,)) if edit else None
            yield place.page.flag(place.at, f"`{word}` should read `{good}`", fix=fix)


def _is_held(word: str, read: Corpus) -> bool:
    """Whether a word is a common one in all ways but its second letter, and no name, nor `EMail` or `IFrame`."""
    common, usage = word.lower(), read.usage
    if word in read.identifiers or usage.counts[word] > 1 or (word[0] in _PREFIXES and lists.known(common[1:])):
        return False
    least = _EVERYWHERE if len(word) == _SHORTEST else _COMMON
    return (
        lists.frequency(common) >= least
        and lists.known(common)
        and usage.counts[word.capitalize()] + usage.counts[common] > 1
    )


def _names(site: Site) -> Iterator[str]:
    """What the project's data calls its platforms, what the product's screens call them, and its words for states."""
    for platform in site.model.platforms.values():
        yield from (plain(name) for name in (platform.name, *platform.labels.values()))
    yield from (word for word in site.model.states if word not in states())
    for table in site.model.tables.values():
        yield from (plain(word) for words in table.values.values() for word in words)


def _may_be_meant(found: Misspelling, read: Corpus) -> bool:
    """Whether the word may be a name, a word of the code or a new word, so that it is better left alone."""
    word, best = found.suggestion.word, found.suggestion.candidates[0]
    nearby = _nearby(found)
    if _is_glued(found) or _is_in_a_foreign_row(found, read) or _is_printed(found, read):
        return True
    around = found.text[max(found.start - 1, 0) : found.start] + found.text[found.end : found.end + 1]
    if not (word.islower() or word.istitle()) or around == "::" or _is_named(nearby, read):  # `mParticle`, `:smiley:`
        return True
    if any(not form[1:].islower() and not form.isupper() for form in read.usage.lowered.get(word.lower(), ())):
        return True  # `commonjs`, where `CommonJS` stands too
    if best.lower() == word[:-1].lower() and _ADJECTIVES.search(word):
        return True
    if word.lower() in read.named or _is_acronym(nearby) or _is_in_named_language(nearby) or _is_of_a_program(nearby):
        return True
    if around == "][" or _TOLD.match(found.text, found.end) or _is_of_an_address(found, read):
        return True
    if _is_mentioned(nearby, read) or (word.istitle() and _is_emphasised(found, read)):
        return True
    if "T" in found.tier and not _is_in_a_title(found, read):
        return True
    if _is_accepted(word, best) or _is_only_link(found, read):
        return True  # `[localed](…)` in a table of services
    if found.tier.startswith("1"):
        in_code, is_capital = "K" in found.tier, "C" in found.tier
        return (in_code and (is_capital or word.istitle() or len(word) < _SHORT)) or (
            is_capital and best.lower() not in read.usage.lowered
        )
    if "C" in found.tier or "K" in found.tier or around == "()" or _LIBRARY.search(word) or _stands_alone(found):
        return True
    return found.tier == "2b" and word[0].lower() != best[0].lower()  # `ecommerce`, `webapp`


def _nearby(found: Misspelling) -> Misspelling:
    """A misspelling in what is around it: a long text would be read again for each of its words."""
    if len(found.text) <= 2 * _WINDOW:
        return found
    start = max(found.start - _WINDOW, 0)
    text = found.text[start : found.end + _WINDOW]
    return replace(found, text=text, start=found.start - start, end=found.end - start)


def _is_acronym(found: Misspelling) -> bool:
    """Whether a text has a word in capitals, too, that no list of slips has: `IPORT: the port is in iport mode`."""
    if found.tier.startswith("1") or found.text.isupper():
        return False
    return re.search(rf"\b{found.suggestion.word.upper()}\b", found.text) is not None


def _is_in_named_language(found: Misspelling) -> bool:
    """Whether the words around name the language that they are in: `Versione in italiano`."""
    if found.suggestion.word in proper.AUTONYMS:
        return True
    before, after = _MARK.split(found.text[: found.start])[-1], _MARK.split(found.text[found.end :])[0]
    around = (*tokens(before)[-_AROUND:], found.suggestion.word, *tokens(after)[:_AROUND])
    return any(word.capitalize() in _OTHERS for word in around)


def _is_glued(found: Misspelling) -> bool:
    """Whether markup stands in a word, so that it may be two: `supporting<b>a variety</b>`."""
    assert isinstance(found.text, Placed)
    start, end = found.text.at(found.start, found.end)
    return end - start != found.end - found.start


def _is_in_a_foreign_row(found: Misspelling, read: Corpus) -> bool:
    """Whether the word stands in a row of a table whose words are of another language: `| Parametre | Açıklama |`."""
    assert isinstance(found.text, Placed)
    if found.text.kind != "cell":
        return False
    text, at = plain(read.pages[found.page].text), found.text.begin
    row = tokens(text[text.rfind("\n", 0, at) + 1 : (text.find("\n", at) + 1 or len(text) + 1) - 1])
    is_odd = any(not (word.isascii() or lists.known(word)) for word in row)
    return is_odd and not language.is_english(row)


def _is_printed(found: Misspelling, read: Corpus) -> bool:
    """Whether the word stands in a table that a notebook printed: its author cannot change the data."""
    assert isinstance(found.text, Placed)
    text, at = plain(read.pages[found.page].text), found.text.begin
    start = text.rfind("<table", 0, at) if found.text.kind == "html" else -1
    return start >= 0 and text.find("</table", start, at) < 0 and _OF_PANDAS.search(text, start, at) is not None


def _is_of_a_program(found: Misspelling) -> bool:
    """Whether a word is part of a key, as in `system.stat[memory,fre]`, or another one with a `d` behind it, as
    services are named: `systemd`, `httpd`."""
    if _IN_KEY.search(found.text, max(0, found.start - 300), found.start) and _KEY_ENDS.match(found.text, found.end):
        return True
    word = found.suggestion.word
    stem = word[:-1]
    is_other = any(other.lower() in (stem.lower(), f"{stem.lower()}s") for other in found.suggestion.candidates)
    return word.endswith("d") and not stem.endswith("e") and is_other


def _is_named(found: Misspelling, read: Corpus) -> bool:
    """Whether a word is what a program imports, or part of the name of who made a change."""
    text = found.text
    if _IMPORTED.search(text, max(0, found.start - 300), found.start) and text[found.end :].startswith(" import "):
        return True
    if not is_history(read.pages[found.page]):
        return False
    return bool(_AUTHOR.search(text, max(0, found.start - 300), found.start) and _AUTHOR_ENDS.match(text, found.end))


def _is_accepted(word: str, best: str) -> bool:
    """Whether a word only has another ending than most write: `writeable`, and `extendible`, which a list has."""
    if lists.listed(word) and word.endswith("ible") and best == f"{word[:-4]}able":
        return True
    return _ABLE.sub("able", word) == _ABLE.sub("able", best)


def _is_in_a_title(found: Misspelling, read: Corpus) -> bool:
    """Whether a word in a text of capitals is one of a heading or a picture, and what it may have to read is used."""
    assert isinstance(found.text, Placed)
    best = found.suggestion.candidates[0].lower()
    if found.text.kind not in ("heading", "alt") or best not in read.usage.lowered:
        return False
    return found.tier.startswith("1") or near.is_slip(found.suggestion.word.lower(), best)


def _is_mentioned(found: Misspelling, read: Corpus) -> bool:
    """Whether a text tells of the slip, beside the right word, or speaks of the word as such: `the "flate" format`."""
    word, best, text = found.suggestion.word, found.suggestion.candidates[0], found.text
    if _TELLS.search(text) and re.search(rf"\b{best}\b", text, re.IGNORECASE):
        return True
    is_quoted = text[max(found.start - 1, 0) : found.start] in tuple(_OPEN) and text[
        found.end : found.end + 1
    ] in tuple(_CLOSE)
    if is_quoted and (_CHANGES.search(text) or re.search(rf"[{_OPEN}]{best}[{_CLOSE}]", text, re.IGNORECASE)):
        return True
    return word.islower() and word in read.quoted


def _is_emphasised(found: Misspelling, read: Corpus) -> bool:
    """Whether the word is marked up by itself, as a name is: `*Darcula*`."""
    assert isinstance(found.text, Placed)
    start, end = found.text.at(found.start, found.end)
    text = plain(read.pages[found.page].text)
    return text[start - 1 : start] in ("*", "_") and text[end : end + 1] in ("*", "_")


def _is_only_link(found: Misspelling, read: Corpus) -> bool:
    """Whether a word in small letters is all that a link says, and names what is there: the link is all that a cell or
    item has, or leads to another site, and the word is short and no known slip."""
    assert isinstance(found.text, Placed)
    start, end = found.text.at(found.start, found.end)
    text = plain(read.pages[found.page].text)
    if text[start - 1 : start] != "[" or text[end : end + 2] != "](" or not found.suggestion.word.islower():
        return False
    is_name = not found.tier.startswith("1") and end - start <= _SHORT_NAME
    return found.text.strip() == found.suggestion.word or (is_name and text.startswith("http", end + 2))


def _stands_alone(found: Misspelling) -> bool:
    """Whether the word is all that a text says, as a name of a person or a program in a list does, or part of a cell
    whose words all have capitals, as `Italiano (Italia)`."""
    assert isinstance(found.text, Placed)
    if found.text.kind == "heading" and not found.tier.startswith(("2c", "2d", "2e")):
        return False
    return found.text.strip() == found.suggestion.word or (found.text.kind == "cell" and found.text.istitle())


def _is_of_an_address(found: Misspelling, read: Corpus) -> bool:
    """Whether an address of another site that the page has holds the word: that site, or what it has, is named so."""
    word = re.compile(rf"https?://(?:.*[^a-z])?{found.suggestion.word}(?![a-z])", re.IGNORECASE)
    return any(map(word.match, read.pages[found.page].kept(_elsewhere)))


@page_facts.of_english
def _elsewhere(page: Page) -> tuple[str, ...]:
    """The addresses of other sites that the page has."""
    return tuple(link.href for link in page.document.links if link.href[:4].lower() == "http")


def _finding(page: Page, found: Misspelling, read: Corpus) -> Finding:
    assert isinstance(found.text, Placed)
    place = found.text.at(found.start, found.end)
    candidates, certain = found.suggestion.candidates, found.suggestion.certain
    if not certain and (siblings := _said_elsewhere(found, read)):
        candidates, certain = (siblings, *(word for word in candidates if word != siblings)), True
    word, best = found.suggestion.word, candidates[0]
    others = f" (or {' or '.join(f'`{other}`' for other in candidates[1:3])})" if candidates[1:] and not certain else ""
    is_old = is_history(page) and not found.tier.startswith("1")  # names of people, and what a program wrote down
    is_doubted = _may_be_a_commoner(word.lower(), best.lower()) or _may_be_of_these(word.lower(), best.lower(), read)
    is_safe = certain and not is_old and not is_doubted
    fix = PageFix(f"replace with `{best}`", ((*place, best),), safe=is_safe)
    severity = Severity.HINT if is_old or found.tier.startswith(("3", "2e")) else None
    return page.flag(place, f"`{word}` should read `{best}`{others}", fix=fix, severity=severity)


def _may_be_a_commoner(word: str, best: str) -> bool:
    """Whether another letter in one place makes a word of a slip that is far more common: `their` and `thief` of
    `theif`."""
    if not best.isalpha():
        return False  # several words, or one with an apostrophe
    factor = _COMMONER if len(word) > _BRIEF or len(best) != len(word) else 1
    least = max(factor * lists.frequency(best), _COMMON)
    others = (f"{word[:at]}{letter}{word[at + 1 :]}" for at in range(len(word)) for letter in ascii_lowercase)
    return any(lists.frequency(other) > least for other in others if other != best)


def _may_be_of_these(word: str, best: str, read: Corpus) -> bool:
    """Whether these texts often use a word that begins as a slip does, and never what this is told to be: `property`
    for `propertion`."""
    begin, folded = word[:-_ENDING], read.usage.folded
    if len(begin) < _SHORT or best.startswith(begin) or best in folded:
        return False
    return any(other.startswith(begin) and uses >= _OFTEN for other, uses in folded.items())


def _said_elsewhere(found: Misspelling, read: Corpus) -> str | None:
    """The one of several corrections that another text has between the same two words: what a sibling says there."""
    before = _BEFORE.search(found.text, max(0, found.start - _NEAR), found.start)
    after = _AFTER.match(found.text, found.end)
    if not before or not after:
        return None
    said = []
    for word in found.suggestion.candidates:
        phrase = re.compile(rf"\b{before[1]}\s+{word}\s+{after[1]}\b", re.IGNORECASE)
        forms = read.usage.lowered.get(word.lower(), ())
        if any(phrase.search(p.text) for holding in read.usage.having(forms).values() for p in holding):
            said.append(word)
    return said[0] if len(said) == 1 else None
