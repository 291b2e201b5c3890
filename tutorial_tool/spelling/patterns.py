"""Regular expressions that others write into word lists, matched in a time that no expression can blow up.

Python's `re` tries one way after another, and `(a+)+b` has more ways than anybody can wait for. Here an expression is
a machine of states that are all followed at once (K. Thompson, "Regular Expression Search Algorithm", 1968): a match
costs the letters of the text times the states. What needs memory of the text, such as `\\1` and `(?=…)`, is refused.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

_MOST = 2_000  # States of one expression, with all repetitions written out
_DEEPEST = 40  # Groups in each other
_KEPT = 2_000  # Steps of one expression that are remembered
_LONGEST = 120  # Characters of a text that a match is looked for in
_SETS: dict[str, Callable[[str], bool]] = {"d": str.isdecimal, "w": lambda c: c.isalnum() or c == "_", "s": str.isspace}
_NAMED = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v"}
_WORD = frozenset("_'’")

Test = Callable[[str], bool]


class Malformed(ValueError):
    """An expression that cannot be used: why, and where in it (characters, from 0)."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


class _Edge(NamedTuple):
    """A way to another state: over a character that passes the test, or over nothing. It `breaks` a word in two."""

    to: int
    test: Test | None = None
    breaks: bool = False


@dataclass(frozen=True, eq=False)
class Pattern:
    """An expression that was read. It begins in state 0 and ends in `last`."""

    text: str
    edges: tuple[tuple[_Edge, ...], ...]
    last: int
    _steps: dict[tuple[frozenset[int], str], frozenset[int]] = field(default_factory=dict, init=False, repr=False)
    """What has been followed before: texts repeat their words, and a step is looked up then."""

    def has(self, word: str) -> bool:
        """Whether it fits a word, or a word of one with several: `Kotlin( Multiplatform)?` fits `Multiplatform`."""
        states = self._inner if len(word) <= _LONGEST else frozenset()
        for character in word:
            states = self._after(states, character)
            if not states:
                return False
        return self.last in states or any(edge.breaks for state in states for edge in self.edges[state])

    def longest(self, text: str, start: int) -> int | None:
        """Where its longest match at `start` ends."""
        result, states = None, self._first
        for at in range(start, min(len(text), start + _LONGEST) + 1):
            if self.last in states:
                result = at
            if not states or at == len(text):
                break
            states = self._after(states, text[at])
        return result

    def may_begin(self, character: str) -> bool:
        """Whether a match can begin with a character: most places of a text need no further look."""
        return self.last in self._first or bool(self._after(self._first, character))

    @cached_property
    def _first(self) -> frozenset[int]:
        return self._closed({0})

    @cached_property
    def _inner(self) -> frozenset[int]:
        """Where a word may begin: at the start, or behind what breaks words."""
        return self._closed({0, *(edge.to for edges in self.edges for edge in edges if edge.breaks)})

    def _after(self, states: frozenset[int], character: str) -> frozenset[int]:
        """The states behind a character."""
        step = states, character
        if step not in self._steps:
            if len(self._steps) >= _KEPT:
                self._steps.clear()
            tested = (edge for state in states for edge in self.edges[state] if edge.test)
            self._steps[step] = self._closed({edge.to for edge in tested if edge.test and edge.test(character)})
        return self._steps[step]

    def _closed(self, states: set[int]) -> frozenset[int]:
        """The states with all that nothing leads to."""
        todo = list(states)
        while todo:
            for edge in self.edges[todo.pop()]:
                if edge.test is None and edge.to not in states:
                    states.add(edge.to)
                    todo.append(edge.to)
        return frozenset(states)


def compiled(text: str) -> Pattern:
    """Read an expression. Raises Malformed."""
    return _Reader(text).read()


class _Part(NamedTuple):
    """A piece of the machine that is still to be written: called with its first state, it returns its last."""

    write: Callable[[int], int]


class _Reader:
    """Reads by descent: alternatives, of sequences, of repeated atoms."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.depth, self.ignores_case = text, 0, 0, False
        self.edges: list[list[_Edge]] = [[]]

    def read(self) -> Pattern:
        part = self._alternatives()
        if self.at < len(self.text):
            raise Malformed("`)` closes nothing", self.at)
        last = part.write(0)
        return Pattern(self.text, tuple(map(tuple, self.edges)), last)

    def _state(self) -> int:
        if len(self.edges) >= _MOST:
            raise Malformed("is too large", 0)
        self.edges.append([])
        return len(self.edges) - 1

    def _next(self) -> str:
        return self.text[self.at : self.at + 1]

    def _take(self, sign: str) -> bool:
        if startswith := self.text.startswith(sign, self.at):
            self.at += len(sign)
        return startswith

    def _alternatives(self) -> _Part:
        parts = [self._sequence()]
        while self._take("|"):
            parts.append(self._sequence())
        if len(parts) == 1:
            return parts[0]

        def write(first: int) -> int:
            last = self._state()
            for part in parts:
                begin = self._state()
                self.edges[first].append(_Edge(begin))
                self.edges[part.write(begin)].append(_Edge(last))
            return last

        return _Part(write)

    def _sequence(self) -> _Part:
        parts: list[_Part] = []
        while self._next() not in ("", "|", ")"):
            parts.append(self._repeated(self._atom()))

        def write(first: int) -> int:
            for part in parts:
                first = part.write(first)
            return first

        return _Part(write)

    def _repeated(self, part: _Part) -> _Part:
        while (sign := self._next()) and sign in "*+?{":
            counts = self._counts()
            if counts is None:
                break
            part = self._times(part, *counts)
            self._take("?") or self._take("+")  # lazy or possessive: the same words
        return part

    def _counts(self) -> tuple[int, int | None] | None:
        """How often the atom before may stand; None where a brace is only a brace."""
        start, sign = self.at, self._next()
        self.at += 1
        if sign != "{":
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
        end = self.text.find("}", self.at)
        low, comma, high = self.text[self.at : max(end, self.at)].partition(",")
        if not (low.isdecimal() or (comma and not low)) or (high and not high.isdecimal()) or len(low + high) > 8:
            self.at = start
            return None
        self.at = end + 1
        least = int(low or 0)
        most = least if not comma else int(high) if high else None
        if most is not None and most < least:
            raise Malformed("`{` counts backwards", start)
        return least, most

    def _times(self, part: _Part, least: int, most: int | None) -> _Part:
        def write(first: int) -> int:
            for _ in range(least):
                first = self._apart(part.write(first))
            if most is None:
                return self._again(part, first)
            last = self._state()
            for _ in range(most - least):
                self.edges[first].append(_Edge(last))
                first = self._apart(part.write(first))
            self.edges[first].append(_Edge(last))
            return last

        return _Part(write)

    def _again(self, part: _Part, first: int) -> int:
        begin, last = self._state(), self._state()
        self.edges[first] += [_Edge(begin), _Edge(last)]
        self.edges[part.write(begin)] += [_Edge(begin), _Edge(last)]
        return last

    def _apart(self, state: int) -> int:
        """A new state behind one: repetitions of nothing stay countable."""
        new = self._state()
        self.edges[state].append(_Edge(new))
        return new

    # Atoms

    def _atom(self) -> _Part:
        start, sign = self.at, self._next()
        if sign in "*+?":
            raise Malformed(f"`{sign}` repeats nothing", start)
        self.at += 1
        match sign:
            case "(":
                return self._group(start)
            case "[":
                test = self._class(start)
                return self._character(test, breaks=(test(" ") or test("-")) and not any(map(test, "azAZ09")))
            case "\\":
                return self._escaped(start)
            case "^" | "$":
                return _Part(lambda first: first)
            case ".":
                return self._character(lambda c: c != "\n")
            case _:
                return self._literal(sign)

    def _group(self, start: int) -> _Part:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise Malformed("is nested too deeply", start)
        if self._take("?i)"):
            self.ignores_case = True
            self.depth -= 1
            return _Part(lambda first: first)
        before = self.ignores_case
        if self._take("?i:"):
            self.ignores_case = True
        elif self._take("?P<") or (
            self.text.startswith("?<", self.at) and self.text[self.at + 2 : self.at + 3] not in "=!"
        ):
            self.at = self.text.find(">", self.at) + 1 or len(self.text)
        elif self._next() == "?" and not (self._take("?:") or self._take("?>")):
            raise Malformed(f"`({self.text[self.at : self.at + 2]}…` is not understood here", start)
        part = self._alternatives()
        if not self._take(")"):
            raise Malformed("`(` is not closed", start)
        self.ignores_case = before
        self.depth -= 1
        return part

    def _literal(self, sign: str) -> _Part:
        breaks = not (sign.isalnum() or sign in _WORD)
        return self._character(lambda c: c == sign, breaks=breaks)

    def _character(self, test: Test, *, breaks: bool = False) -> _Part:
        if self.ignores_case:
            plain = test
            test = lambda c: plain(c.lower()) or plain(c.upper())  # noqa: E731 - the same test, looked at twice

        def write(first: int) -> int:
            last = self._state()
            self.edges[first].append(_Edge(last, test, breaks))
            return last

        return _Part(write)

    def _escaped(self, start: int) -> _Part:
        sign = self._next()
        if sign in ("b", "B", "A", "Z", "z"):
            self.at += 1
            return _Part(lambda first: first)
        if sign.isdecimal() or sign == "k":
            raise Malformed(f"`\\{sign}` is not understood here", start)
        if sign == "s":
            self.at += 1
            return self._character(str.isspace, breaks=True)
        escape = self._escape(start)
        return self._literal(escape) if isinstance(escape, str) else self._character(escape)

    def _escape(self, start: int) -> str | Test:
        """What stands behind a backslash: a character, or a set of them."""
        sign = self._next()
        self.at += 1
        if not sign:
            raise Malformed("`\\` is alone at the end", start)
        if sign in _SETS:
            return _SETS[sign]
        if sign.lower() in _SETS:
            inner = _SETS[sign.lower()]
            return lambda c: not inner(c)
        if sign in "pP":
            return self._category(start, wanted=sign == "p")
        if sign in "xu":
            return self._code(start, 2 if sign == "x" else 4)
        if sign.isalpha() and sign not in _NAMED:
            raise Malformed(f"`\\{sign}` is not understood here", start)
        return _NAMED.get(sign, sign)

    def _category(self, start: int, *, wanted: bool) -> Test:
        end = self.text.find("}", self.at)
        name = self.text[self.at + 1 : end] if self._next() == "{" and end > 0 else self._next()
        self.at = end + 1 if self._next() == "{" else self.at + 1
        if name[:1] not in tuple("LMNPSZC") or len(name) > 2:
            raise Malformed("only categories such as `\\p{Lu}` are understood here", start)
        return lambda c: unicodedata.category(c).startswith(name) is wanted

    def _code(self, start: int, digits: int) -> str:
        code = self.text[self.at : self.at + digits]
        try:
            self.at += digits
            return chr(int(code, 16))
        except ValueError:
            raise Malformed("a code should be of hexadecimal digits", start) from None

    def _class(self, start: int) -> Test:
        """`[…]`."""
        wanted = not self._take("^")
        tests: list[Test] = []
        first = True
        while first or self._next() != "]":
            if not self._next():
                raise Malformed("`[` is not closed", start)
            first = False
            tests.append(self._range(self._member()))
        self.at += 1
        return lambda c: any(test(c) for test in tests) is wanted

    def _member(self) -> str | Test:
        start = self.at
        if self._take("\\"):
            if self._take("b"):
                return "\b"
            return self._escape(start)
        if self.text.startswith("[:", start):
            raise Malformed("classes such as `[:alpha:]` are not understood here", start)
        self.at += 1
        return self.text[start]

    def _range(self, low: str | Test) -> Test:
        if not isinstance(low, str):
            return low
        if self._next() != "-" or self.text[self.at + 1 : self.at + 2] in ("]", ""):
            return lambda c: c == low
        start = self.at
        self.at += 1
        high = self._member()
        if not isinstance(high, str) or high < low:
            raise Malformed("the range is not one", start)
        return lambda c: low <= c <= high
