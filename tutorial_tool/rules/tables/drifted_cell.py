"""A description in a table that differs from that of the other copies for no reason of its platform."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from rapidfuzz.distance import OSA, Indel

from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.core.diagnostics import Finding, Related, Severity
from tutorial_tool.data.toggle_words import folded, state_of
from tutorial_tool.markdown.document import MASK, TableCell
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._copies import (
    each_its_own,
    intended,
    is_one,
    judged,
    lone,
    meant,
    mended,
    named,
    quoted,
    reasoned,
    told,
)
from tutorial_tool.rules._shared._turned import Pair, few_words, mistyped, put, turned
from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.rules.tables._empty_cells import empty_cell, empty_cells
from tutorial_tool.rules.tables._renamed_rows import (
    Renamed,
    Styled,
    are_in_styles,
    bare,
    in_another_style,
    in_the_style_of,
    is_rewritten,
    renumbered,
)
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variation import Unit, masked
from tutorial_tool.variation.copied_values import goes_on, is_otherwise, is_short, tell_other_units
from tutorial_tool.variation.tables import Copy, all_keys, cells, groups, is_pasted, shared_columns, values
from tutorial_tool.variation.wording import differing, plain_words, platform_needs

_KEYS = 3
"""Keys that all copies type alike, at least, where one that is typed otherwise is a slip."""
_LIKE = 0.8
"""How alike two names are that are one, mistyped."""
_NO_LETTER = lazy_re.compile(r"[\W_]+")
_WORDS = 4
"""Words of a description, at least; fewer are a value."""
_OWN = 2
"""Cells of a row that are each platform's own, at least, where both differ."""
_Place = tuple[Page, tuple[int, int], str]
"""A related place, and what stands there."""


@rule("tables", Severity.HINT)
def check(step: Step, found: Findings) -> Iterator[Finding]:
    for copies in groups(step):
        titles = shared_columns(copies)
        yield from _renamed(step, copies)
        yield from (_numbered(step, copies, row) for row in renumbered(step, copies))
        yield from (empty_cell(step, copies, each) for each in empty_cells(step, copies) if not each.is_value)
        for key in all_keys(copies):
            rows = [values(copies, key, title) if at else cells(copies, key, title) for at, title in enumerate(titles)]
            yield from _in_row([drift for row in rows if len(row) > 1 and (drift := _drift(step, copies, row, found))])
    yield from (_styled(step, *key) for key in in_another_style(step))


class _Drift(NamedTuple):
    """What is found of a cell: that it is called otherwise, contradicts, or has a few or all in other words. `tie`:
    nobody is odd."""

    finding: Finding
    kind: Literal["name", "contradiction", "few words", "other words"]
    tie: bool


def _in_row(drifts: Sequence[_Drift]) -> Iterator[Finding]:
    """What is found of a row: descriptions in other words are one finding.

    Where nobody is odd, several cells in other words, or a few, tell another thing: an own cause, an own remedy.
    """
    own = [drift for drift in drifts if drift.tie and drift.kind in ("few words", "other words")]
    drifts = [drift for drift in drifts if len(own) < _OWN or drift not in own]
    rewritten = [drift.finding for drift in drifts if drift.kind == "other words"]
    for drift in drifts:
        if drift.kind != "other words":
            yield drift.finding
        elif drift.finding is rewritten[0]:
            more = tuple(Related(other.span, "differs, too") for other in rewritten[1:])
            yield replace(drift.finding, related=(*drift.finding.related, *more))


def _drift(step: Step, copies: Mapping[str, Copy], row: Mapping[str, TableCell], found: Findings) -> _Drift | None:
    texts = {name: plain_words(masked(cell.text, step.variants[name])) for name, cell in row.items()}
    are_keys = all(copies[name].is_key(cell) for name, cell in row.items())
    are_sentences = all(cell.text.strip().endswith(".") and " " in cell.text.strip() for cell in row.values())
    is_value = not (are_keys or are_sentences) and min(map(scripts.count, texts.values())) < _WORDS
    if len(set(texts.values())) < 2 or (is_value and not _is_cut(texts)):
        return None
    places = {name: (cell.start, cell.end) for name, cell in row.items()}
    typed = {name: mended(step.pages[name], places[name], cell.text, found) for name, cell in row.items()}
    texts = {name: plain_words(masked(text, step.variants[name])) for name, text in typed.items()}
    if len(set(texts.values())) < 2 or each_its_own(texts) or (are_keys and are_in_styles(typed.values())):
        return None
    verdict = judged(step, texts, places, found)
    name, other = verdict.odd[0], verdict.usual[0]
    agreed = len(verdict.agreeing(texts, other)) > 1
    if (verdict.tie and len(row) > 3) or not _is_drift(step, copies[name], row, name, other, agreed=agreed):
        return None
    if intended(step, step.pages[name], places[name]) or meant(step, places) or is_one(step, places, name, other):
        return None
    mine, theirs = ((id_, copies[id_].unit(row[id_])) for id_ in (name, other))
    both = (texts[name], texts[other])
    is_reason = is_otherwise(*both) or goes_on(*both) or tell_other_units(*both)
    if told(step, mine, theirs, found) or (is_reason and _says_why(copies, row, name, other)):
        return None
    pair = Pair(mine[1], other, theirs[1], verdict, verdict.agreeing(texts, other))
    related = [(step.pages[id_], places[id_], "differs, too") for id_ in verdict.odd[1:]]
    if are_keys:
        return _Drift(_in_other_words(step, name, "this row is called", pair, related), "name", tie=False)
    tie = verdict.tie and not step.pages[name].generated
    if not step.pages[name].generated:
        if turn := turned(step, name, pair) or mistyped(step, name, pair):
            turn = replace(turn, severity=Severity.WARNING) if verdict.strong else turn
            return _Drift(turn, "few words" if _says_another_thing(step, name, pair) else "contradiction", tie)
        if finding := _in_few_words(step, name, pair, related):
            return _Drift(finding, "few words", tie)
    what = f"`{_key(copies[name], row[name])}` is described in other words:"
    return _Drift(_in_other_words(step, name, what, pair, related), "other words", tie)


def _in_other_words(step: Step, name: str, what: str, pair: Pair, related: Sequence[_Place]) -> Finding:
    """What is found of a cell that is another one as a whole: of `what`, in the words of the message."""
    page, place = step.pages[name], pair.unit.place
    text = quoted(pair.theirs.text, pair.unit.text)
    message = f"{what} {text} on {named(step, pair.agreeing)}{reasoned(step, page, place, pair.verdict)}"
    there = (step.pages[pair.other], pair.theirs.place, f"the description on {step.variants[pair.other].name}")
    severity = Severity.WARNING if pair.verdict.strong else None
    return page.flag(place, message, related=[there, *related], severity=severity)


def _in_few_words(step: Step, name: str, pair: Pair, related: Sequence[_Place]) -> Finding | None:
    """What is found of a description that differs in few words, at their place; None of others."""
    page, severity = step.pages[name], Severity.WARNING if pair.verdict.strong else None
    few = few_words(step, name, pair, 0)
    if few is None or any(map(_has_code, (pair.unit, pair.theirs), few)):
        return None
    place, message = put(step, name, pair, *few)
    there = (step.pages[pair.other], pair.theirs.place, f"what {step.variants[pair.other].name} says")
    return page.flag(place, message, related=[there, *related], severity=severity)


def _says_another_thing(step: Step, name: str, pair: Pair) -> bool:
    """Whether one description denies, and the other one says a thing of its own: `not readable`, `open`."""
    few = few_words(step, name, pair, 0)
    said = [unit.text[slice(*place)] for unit, place in zip((pair.unit, pair.theirs), few or (), strict=False)]
    are_words = bool(said) and all(said) and not any(map(str.isdigit, "".join(said)))
    return are_words and max(map(scripts.count, said)) > 1


def _has_code(unit: Unit, place: tuple[int, int]) -> bool:
    return MASK in unit.text[slice(*place)]


def _says_why(copies: Mapping[str, Copy], row: Mapping[str, TableCell], name: str, other: str) -> bool:
    """Whether the values beside two descriptions say different things, which these then explain."""
    (key,) = (key for key, at in copies[name].keys.items() if row[name] in copies[name].table.rows[at])
    pairs = ([copies[id_].cell(key, title) for id_ in (name, other)] for title in shared_columns(copies)[1:])
    texts = ({folded(cell.text) for cell in pair if cell} for pair in pairs if row[name] not in pair)
    return any(len(said) == 2 and all(map(is_short, said)) and not _is_one_state(said) for said in texts)


def _is_one_state(said: Iterable[str]) -> bool:
    """Whether words tell one state, such as `Check` and `Enabled`."""
    told = {state and state.on for state in map(state_of, said)}
    return len(told) == 1 and None not in told


def _is_cut(texts: Mapping[str, str]) -> bool:
    """Whether one copy has no more than the first words of what all others have."""
    name, others = lone(texts)
    return bool(name) and scripts.count(texts[name]) > 1 and texts[others[0]].startswith(f"{texts[name]}. ")


def _is_drift(step: Step, copy: Copy, row: Mapping[str, TableCell], name: str, other: str, *, agreed: bool) -> bool:
    """Whether two descriptions differ for no reason of a platform; a pasted one is `repeated-description`'s."""
    mine, theirs = (masked(row[id_].text, step.variants[id_]) for id_ in (name, other))
    needs = platform_needs(step, (name, mine), (other, theirs), agreed=agreed)
    return not needs and bool(differing(mine, theirs)) and not is_pasted(copy, row[name])


def _renamed(step: Step, copies: Mapping[str, Copy]) -> Iterator[Finding]:
    """Keys in code that one of three copies or more types a letter or two off, or in other letters, where all type the
    other keys alike, or each as its language writes names."""
    typed = {
        key: {name: copy.shown(key) for name, copy in copies.items() if key in copy.keys} for key in all_keys(copies)
    }
    whole = {key: said for key, said in typed.items() if len(said) == len(copies)}
    words = {key: {name: bare(text) or text for name, text in said.items()} for key, said in whole.items()}
    off = [key for key, said in words.items() if len(set(said.values())) > 1]
    unlike = off or [key for key, said in whole.items() if len(set(said.values())) > 1]
    if len(unlike) != 1 or len(whole) <= _KEYS:
        return
    said = whole[unlike[0]]
    name, others = lone((words if off else whole)[unlike[0]])
    row = {id_: copy.key_cell(unlike[0]) for id_, copy in copies.items()}
    if not name or len({masked(row[id_].text, step.variants[id_]) for id_ in row}) > 1:
        return  # what is no code is compared as a text
    page, is_mixed = step.pages[name], len({said[id_] for id_ in others}) > 1
    mine, theirs = said[name], in_the_style_of(said[name], [said[id_] for id_ in others])
    shared = [next(iter(said.values())) for key, said in whole.items() if key != unlike[0]]
    if (
        not (_is_slip(mine, theirs, a_letter_off=is_mixed) or is_rewritten(mine, theirs, shared))
        or page.plain.count(page.plain[row[name].start : row[name].end].strip()) > 1
    ):
        return  # the page says so elsewhere, too
    place = row[name].start, row[name].end
    others = tuple(id_ for id_ in others if said[id_] == theirs)
    if not intended(step, page, place):
        message = f"this row is called `{theirs}` on {named(step, others)}"
        related = [(step.pages[others[0]], (row[others[0]].start, row[others[0]].end), f"`{theirs}` here")]
        yield page.flag(place, message, related=related)


def _numbered(step: Step, copies: Mapping[str, Copy], row: Renamed) -> Finding:
    there = row.others[0]
    theirs = copies[there].typed(row.usual)
    message = f"this row is called `{theirs}` on {named(step, row.others)}"
    related = [(step.pages[there], (row.usual.start, row.usual.end), f"`{theirs}` here")]
    return step.pages[row.name].flag((row.cell.start, row.cell.end), message, related=related)


def _styled(step: Step, key: Styled, copy: Copy) -> Finding:
    there = key.others[0]
    message = f"`{copy.typed(key.cell)}` is written as on {named(step, key.others)}; the other names in this table are "
    message += f"written as `{copy.typed(key.usual)}`"
    related = [(step.pages[there], (key.there.start, key.there.end), f"what {step.variants[there].name} calls it")]
    return copy.page.flag((key.cell.start, key.cell.end), message, related=related)


def _is_slip(mine: str, theirs: str, *, a_letter_off: bool) -> bool:
    """Whether two names differ in a few letters, or one alone, and not in how a language writes names: `api_key`,
    `apiKey`."""
    one, two = (_NO_LETTER.sub("", text).lower() for text in (mine, theirs))
    if a_letter_off:
        return OSA.distance(one, two) == 1
    return one != two and Indel.normalized_similarity(one, two) >= _LIKE


def _key(copy: Copy, cell: TableCell) -> str:
    return next(copy.shown(key) for key, number in copy.keys.items() if cell in copy.table.rows[number])
