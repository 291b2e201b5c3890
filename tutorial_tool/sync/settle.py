"""What one variant says on a line, for its siblings: how a deviation is settled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tutorial_tool.core import lazy_re
from tutorial_tool.sync.carry import Carried, Carrier, LeftOut
from tutorial_tool.sync.edits import find_edits
from tutorial_tool.variants import Step
from tutorial_tool.variation.model.exchange import Exchange, learn_exchange
from tutorial_tool.variation.model.slots import Slot, build_slots

_KINDS = ("heading", "sentence", "cell", "code", "meta")
"""Slots that hold the others: images and links are in a sentence or a cell."""
_CLOSING = lazy_re.compile(r"(?:\]\([^()\n]*\)|[*_`]+)+")


def settle_line(step: Step, name: str, line: int, sibling: str) -> Sequence[Carried | LeftOut]:
    """What makes a sibling say what a variant says on a line, from 1; nothing where it does so already."""
    source = step.pages[name].source
    start, end = source.line_start(line), source.line_end(line)
    slots = [slot for slot in build_slots(step) if slot.kind in _KINDS and _is_on(slot, name, start, end)]
    exchange = learn_exchange(step, name, sibling)
    shared = [slot for slot in slots if sibling in slot.texts]
    if shared:
        return tuple(_replace(step, exchange, shared, line - 1))
    return tuple(_add_line(step, exchange, line - 1))


def _is_on(slot: Slot, name: str, start: int, end: int) -> bool:
    text = slot.texts.get(name)
    return text is not None and text.start < end and text.end > start


def _replace(step: Step, exchange: Exchange, slots: Iterable[Slot], line: int) -> Iterator[Carried]:
    sibling = exchange.target.id
    text = step.pages[sibling].source.text
    edits = {}
    for slot in slots:
        replacement, typed = exchange.translate(slot.texts[exchange.source.id].typed), slot.texts[sibling].typed
        start, end = slot.texts[sibling].start, slot.texts[sibling].end
        if (closing := _CLOSING.match(text, end)) and closing[0] in replacement and closing[0] not in typed:
            end = closing.end()  # of a sentence without its period, markup at its end is no part
        if replacement.split() != typed.split() and _open_brackets(replacement) == _open_brackets(text[start:end]):
            edits[start, end] = replacement
    edited, at = text, len(text)
    for (start, end), replacement in sorted(edits.items(), reverse=True):
        if end <= at:
            edited, at = edited[:start] + replacement + edited[end:], start
    lines = edited.split("\n")
    for edit in find_edits(text.split("\n"), lines):
        yield Carried(edit.start, edit.end, tuple(lines[edit.new_start : edit.new_end]), line)


def _open_brackets(text: str) -> tuple[int, int]:
    return text.count("[") - text.count("]"), text.count("(") - text.count(")")


def _add_line(step: Step, exchange: Exchange, line: int) -> Iterator[Carried | LeftOut]:
    """A line that the sibling lacks, as if it had just been written."""
    new = step.pages[exchange.source.id].source.text.split("\n")
    old = [*new[:line], *new[line + 1 :]]
    other = step.pages[exchange.target.id].source.text.split("\n")
    yield from Carrier(old, new, other, exchange).carry()
