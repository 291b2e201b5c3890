"""A difference as text for a terminal, as wide as it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import click

from tutorial_tool.diff import Change, Difference, StepDifference
from tutorial_tool.diff.telling import summary, texts, what, where, who
from tutorial_tool.diff.words import Piece, pieces
from tutorial_tool.reporters.visible import LEAST, visible, width

_MOST_LINES = 12  # Lines of a text that only one side has which are shown


@dataclass(frozen=True)
class Look:
    """How to draw: columns of the terminal, and whether with colours."""

    columns: int = 100
    color: bool = False


def render(difference: Difference, look: Look) -> str:
    """The changes step by step, then what they come to."""
    lines = [line for step in difference.changed for line in (*_step(difference, step, look), "")]
    lines += [_styled(f"Problem: {problem}", "problem", look) for problem in difference.problems]
    lines += [f"Note: {visible(note)}." for note in difference.notes]
    lines.append(f"{visible(difference.old)} → {visible(difference.new)}: {summary(difference)}")
    return "\n".join([*lines, ""])


def _step(difference: Difference, step: StepDifference, look: Look) -> Iterator[str]:
    yield _styled(step.name, "step", look)
    for folded in step.changes:
        yield from _wrapped([Piece("what", what(folded.change))], "  ", look)
        yield from _texts(folded.change, look)
        about = " · ".join(filter(None, [who(step, folded), where(difference, folded)]))
        yield from _wrapped([Piece("about", about)], "      ", look) if about else ()


def _texts(change: Change, look: Look) -> Iterator[str]:
    for label, old, new in texts(change):
        head = f"{label}: " if label else ""
        if not old or not new:
            yield from _whole(head + (old or new), "-" if old else "+", look)
            continue
        if "\n" in old or "\n" in new:
            was, is_ = old.split("\n"), new.split("\n")
            yield from _whole("\n".join(line for line in was if line not in is_), "-", look)
            yield from _whole("\n".join(line for line in is_ if line not in was), "+", look)
            continue
        value = pieces(old, new)
        for sign, kept in (("-", "old"), ("+", "new")):
            shown = [piece for piece in value if piece.how in ("same", kept)]
            yield from _wrapped([Piece("same", head), *shown], f"    {sign} ", look, mark=kept)


def _whole(text: str, sign: str, look: Look) -> Iterator[str]:
    lines = [line for line in text.split("\n") if line.strip()]
    for line in lines[:_MOST_LINES]:
        yield from _wrapped([Piece("old" if sign == "-" else "new", line)], f"    {sign} ", look)
    if len(lines) > _MOST_LINES:
        yield f"    {sign} … {len(lines) - _MOST_LINES} more lines"


def _wrapped(matches: Iterable[Piece], indent: str, look: Look, *, mark: str = "") -> Iterator[str]:
    """Pieces as lines, broken at blanks. `mark`: without colours, brackets stand around the pieces of that kind."""
    columns = max(look.columns, LEAST)
    line, used, blank = indent, len(indent), " " * len(indent)
    for word in _words(matches, mark if not look.color else ""):
        size = sum(width(piece.text) for piece in word)
        if used > len(indent):
            if used + 1 + size > columns:
                yield line.rstrip()
                line, used = blank, len(blank)
            else:
                line, used = line + " ", used + 1
        line += "".join(_styled(piece.text, piece.how, look) for piece in word)
        used += size
    yield line.rstrip()


def _words(matches: Iterable[Piece], mark: str) -> Iterator[list[Piece]]:
    """What stands between blanks: a word, or parts of several pieces that touch each other."""
    word: list[Piece] = []
    for piece in matches:
        text = visible(piece.text)
        if mark and piece.how == mark and text.strip():
            inside = text.strip()
            text = text.replace(inside, f"⟦{inside}⟧", 1)
        for index, part in enumerate(text.split(" ")):
            if index and word:
                yield word
                word = []
            word += [Piece(piece.how, part)] if part else []
    if word:
        yield word


def _styled(text: str, how: str, look: Look) -> str:
    text = visible(text)
    if not look.color or not text:
        return text
    match how:
        case "old":
            return click.style(text, fg="red", strikethrough=True)
        case "new":
            return click.style(text, fg="green")
        case "step" | "what":
            return click.style(text, bold=True, underline=how == "step" or None)
        case "about":
            return click.style(text, dim=True)
        case "problem":
            return click.style(text, fg="yellow")
    return text
