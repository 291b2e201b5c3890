"""Render a difference as text for a terminal, wrapped to its width."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import click

from tutorial_tool.core.diagnostics import MAX_LISTED
from tutorial_tool.diff import Difference, PageChange, StepDifference
from tutorial_tool.diff.descriptions import describe_change, describe_platforms, format_locations, list_texts, summarize
from tutorial_tool.diff.words import WordPiece, split_pieces
from tutorial_tool.reporters.safe_text import MIN_WIDTH, make_visible, measure_width


@dataclass(frozen=True)
class TerminalStyle:
    """The terminal's width in columns, and whether to use colors."""

    columns: int = 100
    color: bool = False


def render(difference: Difference, look: TerminalStyle) -> str:
    """Render the changes by step, then the summary."""
    lines = [line for step in difference.changed_steps for line in (*_render_step(difference, step, look), "")]
    lines += [_apply_style(f"Problem: {problem}", "problem", look) for problem in difference.problems]
    lines += [f"Note: {make_visible(note)}." for note in difference.notes]
    lines.append(f"{make_visible(difference.old)} → {make_visible(difference.new)}: {summarize(difference)}")
    return "\n".join([*lines, ""])


def _render_step(difference: Difference, step: StepDifference, look: TerminalStyle) -> Iterator[str]:
    yield _apply_style(step.name, "step", look)
    for folded in step.changes:
        yield from _wrap_pieces([WordPiece("what", describe_change(folded.change))], "  ", look)
        yield from _render_texts(folded.change, look)
        about = " · ".join(filter(None, [describe_platforms(step, folded), format_locations(difference, folded)]))
        yield from _wrap_pieces([WordPiece("about", about)], "      ", look) if about else ()


def _render_texts(change: PageChange, look: TerminalStyle) -> Iterator[str]:
    for label, old, new in list_texts(change):
        head = f"{label}: " if label else ""
        if not old or not new:
            yield from _render_one_side(head + (old or new), "-" if old else "+", look)
            continue
        if "\n" in old or "\n" in new:
            old_lines, new_lines = old.split("\n"), new.split("\n")
            yield from _render_one_side("\n".join(line for line in old_lines if line not in new_lines), "-", look)
            yield from _render_one_side("\n".join(line for line in new_lines if line not in old_lines), "+", look)
            continue
        all_pieces = split_pieces(old, new)
        for sign, side in (("-", "old"), ("+", "new")):
            pieces = [piece for piece in all_pieces if piece.how in ("same", side)]
            yield from _wrap_pieces([WordPiece("same", head), *pieces], f"    {sign} ", look, mark=side)


def _render_one_side(text: str, sign: str, look: TerminalStyle) -> Iterator[str]:
    lines = [line for line in text.split("\n") if line.strip()]
    for line in lines[:MAX_LISTED]:
        yield from _wrap_pieces([WordPiece("old" if sign == "-" else "new", line)], f"    {sign} ", look)
    if len(lines) > MAX_LISTED:
        yield f"    {sign} … {len(lines) - MAX_LISTED} more lines"


def _wrap_pieces(matches: Iterable[WordPiece], indent: str, look: TerminalStyle, *, mark: str = "") -> Iterator[str]:
    """Wrap pieces into lines. Without colors, pieces of the kind `mark` are put into brackets."""
    columns = max(look.columns, MIN_WIDTH)
    line, used, blank = indent, len(indent), " " * len(indent)
    for word in _split_words(matches, mark if not look.color else ""):
        size = sum(measure_width(piece.text) for piece in word)
        if used > len(indent):
            if used + 1 + size > columns:
                yield line.rstrip()
                line, used = blank, len(blank)
            else:
                line, used = line + " ", used + 1
        line += "".join(_apply_style(piece.text, piece.how, look) for piece in word)
        used += size
    yield line.rstrip()


_STYLES: dict[str, dict[str, Any]] = {
    "old": {"fg": "red", "strikethrough": True},
    "new": {"fg": "green"},
    "step": {"bold": True, "underline": True},
    "what": {"bold": True},
    "about": {"dim": True},
    "problem": {"fg": "yellow"},
}


def _split_words(matches: Iterable[WordPiece], mark: str) -> Iterator[list[WordPiece]]:
    """Yield the parts between spaces: a word, or adjacent parts of several pieces."""
    word: list[WordPiece] = []
    for piece in matches:
        text = make_visible(piece.text)
        for index, part in enumerate((_put_into_brackets(text) if piece.how == mark else text).split(" ")):
            if index and word:
                yield word
                word = []
            word += [WordPiece(piece.how, part)] if part else []
    if word:
        yield word


def _put_into_brackets(text: str) -> str:
    inside = text.strip()
    return text.replace(inside, f"⟦{inside}⟧", 1) if inside else text


def _apply_style(text: str, how: str, look: TerminalStyle) -> str:
    text = make_visible(text)
    return click.style(text, **_STYLES[how]) if look.color and text and how in _STYLES else text
