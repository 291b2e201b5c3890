"""A row of a settings table whose copies say different things, and how much that weighs: for `conflicting-value`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.data.toggle_words import folded, state_of
from tutorial_tool.markdown.document import TableCell
from tutorial_tool.rules._shared._copies import Verdict, named, reasoned
from tutorial_tool.rules._shared._foreign_literals import foreign_literals
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variation import slots
from tutorial_tool.variation.copied_values import are_long
from tutorial_tool.variation.tables import Copy
from tutorial_tool.variation.wording import has_own_name, is_retyped, other_units

_FORMAT = lazy_re.compile(r"[A-Z][A-Z\d]+")
_SETTLED = 3
"""Other rows that all copies fill alike, at least, where values are no platform's own."""


class Column(NamedTuple):
    """The cells of one column of some copies, by the keys of their rows."""

    copies: Mapping[str, Copy]
    rows: Mapping[str, Mapping[str, TableCell]]

    def beside(self, key: str) -> tuple[int, int]:
        """Of the other rows that all copies have: in how many all say something else, and in how many one thing."""
        whole = [row for other, row in self.rows.items() if other != key and len(row) == len(self.copies)]
        said = [len({folded(self.copies[name].typed(cell)) for name, cell in row.items()}) for row in whole]
        return said.count(len(self.copies)), said.count(1)

    def is_of_each(self, key: str) -> bool:
        """Whether the table tells what each of several platforms has: more than a third of the rows differ on all."""
        own, same = self.beside(key)
        return len(self.copies) > 2 and own > same / 2

    def differs_elsewhere(self, key: str) -> bool:
        """Whether the copies that have another row have each its own value there: platforms differ in such a table."""
        rows = (row for other, row in self.rows.items() if other != key and len(row) > 1)
        return any(
            len({folded(self.copies[name].typed(cell)) for name, cell in row.items()}) == len(row) for row in rows
        )

    def has(self, typed: str, *, without: str) -> bool:
        """Whether another row has a value on one of the copies."""
        return any(
            self.copies[name].typed(cell) == typed
            for key, row in self.rows.items()
            for name, cell in row.items()
            if key != without
        )

    def is_settled(self, key: str) -> bool:
        """Whether all copies say one thing in each of several other rows: nothing here is a platform's own."""
        own, same = self.beside(key)
        whole = sum(len(row) == len(self.copies) for other, row in self.rows.items() if other != key)
        return not own and same == whole >= _SETTLED


class Clash(NamedTuple):
    """A row whose cells say different things: `texts` is what each of them means, and `typed` how it says that."""

    step: Step
    column: Column
    key: str
    row: Mapping[str, TableCell]
    texts: Mapping[str, str]
    verdict: Verdict

    @property
    def typed(self) -> dict[str, str]:
        return {name: self.column.copies[name].typed(self.row[name]) for name in self.texts}

    @property
    def is_of_three(self) -> bool:
        """Whether two copies agree, and a third one does not."""
        return len(self.verdict.usual) == 2 and len(self.verdict.odd) == 1

    def place(self, name: str) -> tuple[int, int]:
        return self.row[name].start, self.row[name].end

    def finding(self, severity: Severity | None) -> Finding:
        """The odd one, and what the others say."""
        typed, name, other = self.typed, self.verdict.odd[0], self.verdict.usual[0]
        agreeing = named(self.step, self.verdict.agreeing(self.texts, other))
        reason = reasoned(self.step, self.step.pages[name], self.place(name), self.verdict)
        shown = self.column.copies[name].shown(self.key)
        message = f"`{shown}` is `{typed[name]}` here and `{typed[other]}` on {agreeing}{reason}"
        related = [self._said(id_) for id_ in (*self.verdict.odd[1:], *self.verdict.usual[:1])]
        return self.step.pages[name].flag(self.place(name), message, related=related, severity=severity)

    def undecided(self) -> Finding:
        """Two that agree, where each may have its own, and a third one: nobody is told to be wrong."""
        typed, (name, other), third = self.typed, self.verdict.usual, self.verdict.odd[0]
        shown = self.column.copies[name].shown(self.key)
        message = f"`{shown}` is `{typed[name]}` here and on {named(self.step, [other])}, and `{typed[third]}` on "
        message += f"{named(self.step, [third])}: if each has its own, one of the two is wrong"
        related = [self._said(other), self._said(third)]
        return self.step.pages[name].flag(self.place(name), message, related=related, severity=Severity.HINT)

    def _said(self, name: str) -> tuple[Page, tuple[int, int], str]:
        return self.step.pages[name], self.place(name), f"`{self.typed[name]}` on {self.step.variants[name].name}"


def is_apart(clash: Clash) -> bool:
    """Whether the odd one differs so from another one in another place, too: it has its own value."""
    typed, name = clash.typed, clash.verdict.odd[0]
    others = clash.verdict.usual
    return any(slots.apart(clash.step, (name, typed[name]), (id_, typed[id_]), clash.place(name)) for id_ in others)


def is_foreign(clash: Clash) -> bool:
    """Whether one of those who agree is told to have the value of the other."""
    pages = {name: clash.place(name) for name in clash.verdict.usual}
    return any(
        found.name in pages and found.place[0] < pages[found.name][1] and pages[found.name][0] < found.place[1]
        for found in foreign_literals(clash.step)
    )


def weighed(clash: Clash) -> Finding | None:
    """The finding with as much weight as the evidence has, which may be none."""
    typed, verdict = clash.typed, clash.verdict
    name, other = verdict.odd[0], verdict.usual[0]
    mine, theirs = typed[name], typed[other]
    slipped = other_units(mine, theirs) or is_retyped(mine, theirs)
    if verdict.decided or slipped or clash.step.pages[name].generated:
        return clash.finding(None)
    of_each = clash.column.is_of_each(clash.key)
    words = clash.step.model.states
    if state_of(mine, words) and state_of(theirs, words):
        return clash.finding(Severity.HINT if of_each else None)
    is_own = has_own_name(clash.step, name, mine, verdict.usual)
    if verdict.tie:
        is_own = is_own or has_own_name(clash.step, other, theirs, [name]) or are_long(mine, theirs)
        return None if is_own else clash.finding(Severity.HINT)
    are_formats = clash.is_of_three and all(map(_FORMAT.fullmatch, (mine, theirs)))
    if are_formats and not clash.column.has(theirs, without=clash.key):
        return None  # `ASTC`, `BC7`: what two of three have is no rule for the third
    if not (of_each or is_own):
        return clash.finding(Severity.HINT if clash.column.differs_elsewhere(clash.key) else None)
    if clash.column.is_settled(clash.key):
        return clash.finding(Severity.HINT)
    return clash.undecided() if clash.is_of_three else clash.finding(Severity.HINT)
