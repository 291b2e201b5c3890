"""Blocks of code and files in the language of another platform: for the rule `foreign-name`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Range
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variation import Alignment, Unit, slots
from tutorial_tool.variation.slots import Said

_LANGUAGE = lazy_re.compile(r"[ \t>]*(?:`{3,}|~{3,})[ \t]*\{?\.?(?P<language>[A-Za-z][\w+#-]*)")
_BLOCKS = 2
"""Blocks of code in its own language that a page has, at least."""
_KIN = tuple(
    frozenset(names.split())
    for names in (
        "js jsx mjs javascript ts tsx typescript vue svelte html",
        "c h cc cpp c++ cxx hpp objc obj-c objective-c objectivec swift",
        "java kotlin kt kts groovy gradle scala",
        "cs csharp c# fs fsharp f# vb vbnet",
        "sh bash zsh shell console shell-session powershell ps1 bat cmd text txt plaintext json yaml yml toml xml http",
    )
)
"""Languages that one platform may have beside each other."""
_NOBODYS = _KIN[-1]
"""Languages of shells, and forms of data: what each platform may have, and no platform is written in."""
_FILE = lazy_re.compile(r"[\w./-]*\w\.(?P<ending>[a-z]{1,5})")


class ForeignFile(NamedTuple):
    """A file that readers of `name` are told of, in the language of `other`; `own` is the language of the page."""

    name: str
    other: str
    text: str
    own: str
    place: Range


class ForeignCode(NamedTuple):
    """A block on the page of `name`: in the language of `other`, and with its text. `own` is the page's language."""

    name: str
    other: str
    language: str
    own: str
    place: Range


def foreign_code(step: Step, alignment: Alignment) -> Iterator[ForeignCode]:
    """The blocks that are those of another copy, where the page has another language, and that copy never has it.

    A third copy must have a language of its own, too; of two copies, the page must have its own more often.
    """
    rows = list(alignment.rows("code"))
    counts = {name: Counter(languages(page)) for name, page in step.pages.items()} if rows else {}
    for row in rows:
        yield from _labelled(step, row, counts)
        for name, unit in row.items():
            same = [other for other, theirs in row.items() if other != name and theirs.text == unit.text]
            place = _language(step, name, unit)
            if len(same) == 1 and place is not None and not step.pages[name].generated:
                language = step.pages[name].plain[slice(*place)].lower()
                if language in _NOBODYS and language not in {word.lower() for word in step.variants[same[0]].words}:
                    continue
                own = _usual(counts[name], counts[same[0]], language, len(row))
                if own and (len(row) == 2 or _differ(counts, row, name, language)):
                    yield ForeignCode(name, same[0], language, own, place)


def foreign_files(step: Step) -> Iterator[ForeignFile]:
    """The files that only one other copy tells of in that place, in its language, which is not that of the page.

    A third copy must tell of a file in its own language there.
    """
    for slot in slots.of(step).every if len(step.pages) > 2 else ():
        endings = {name: found["ending"] for name, said in slot.items() if (found := _ending(said))}
        for name, ending in endings.items():
            same = [other for other in slot if other != name and slot[other].text == slot[name].text]
            third = any(each != ending for each in endings.values())
            if len(same) == 1 and third and list(endings.values()).count(ending) == 2:
                own, theirs = (_below(step.pages[id_], slot[id_].place) for id_ in (name, same[0]))
                is_other = own and own not in _NOBODYS and own not in _called(ending)
                if is_other and theirs in _called(ending) and not step.pages[name].generated:
                    yield ForeignFile(name, same[0], slot[name].text, own, slot[name].place)


def _below(page: Page, place: Range) -> str:
    """The language of the first block behind a place, "" for none."""
    block = next((block for block in page.document.code_blocks if block.start >= place.end), None)
    match = _LANGUAGE.match(page.plain, block.start) if block else None
    return match["language"].lower() if match else ""


def _ending(said: Said) -> re.Match[str] | None:
    """The name of a file of a language, if code is one."""
    found = _FILE.fullmatch(said.text) if said.kind in ("code", "label") else None
    return found if found and _called(found["ending"]) else None


@cache
def _called(ending: str) -> frozenset[str]:
    """What languages are called whose files have an ending; the names are Pygments'. Shells and data have none."""
    from pygments.lexers import get_all_lexers  # slow to load, and few steps ask

    found = (aliases for _, aliases, patterns, _ in get_all_lexers(plugins=False) if f"*.{ending}" in patterns)
    names = frozenset(chain.from_iterable(found))
    return frozenset() if names & _NOBODYS else names


def _labelled(step: Step, row: Mapping[str, Unit], counts: Mapping[str, Counter[str]]) -> Iterator[ForeignCode]:
    """A block with code of its own whose fence says the language of another copy, where all others say theirs."""
    places = {name: place for name, unit in row.items() if (place := _language(step, name, unit))}
    said = {name: step.pages[name].plain[slice(*place)].lower() for name, place in places.items()}
    if len(row) < 3 or len(said) < len(row) or len(set(said.values())) != len(row) - 1:
        return
    for name, language in said.items():
        if language in _NOBODYS:
            continue
        other = next((id_ for id_ in said if id_ != name and said[id_] == language), "")
        others = [id_ for id_ in said if id_ != name]
        own = [each for each in counts[name] if not any(counts[id_][each] for id_ in others)]
        is_each = all(not counts[id_][said[one]] for one in others for id_ in others if id_ != one)
        kin = any({language, *own} <= names for names in _KIN)
        if (
            other
            and is_each
            and not kin
            and len(own) == 1
            and counts[name][language] == 1
            and not step.pages[name].generated
        ):
            if row[name].text != row[other].text:
                yield ForeignCode(name, other, language, own[0], places[name])
            return


def _usual(counts: Counter[str], theirs: Counter[str], language: str, copies: int) -> str:
    """The language of most of a page's blocks, and of none of the other page's, most of which are in `language`.

    "" where there are few, or the page has two blocks in `language`.
    """
    least = _BLOCKS + (copies == 2)
    own = [each for each, count in counts.items() if count >= least and not theirs[each]]
    if counts[language] != 1 or theirs[language] < _BLOCKS or theirs[language] < max(theirs.values()) or len(own) != 1:
        return ""
    others = sum(count for each, count in counts.items() if not theirs[each])
    return own[0] if counts[own[0]] == others else ""


def _differ(counts: Mapping[str, Counter[str]], row: Mapping[str, Unit], name: str, language: str) -> bool:
    """Whether a third copy has a language of its own: where all have one, it is nobody's."""
    return any(other != name and not counts[other][language] for other in row)


def languages(page: Page) -> Iterator[str]:
    """The languages of the blocks of code of a page, as their fences name them."""
    for block in page.document.code_blocks:
        if match := _LANGUAGE.match(page.plain, block.start):
            yield match["language"].lower()


def _language(step: Step, name: str, unit: Unit) -> Range | None:
    """Where the language of a block stands."""
    match = _LANGUAGE.match(step.pages[name].plain, unit.place.start)
    return Range(*match.span("language")) if match else None
