"""The labels of controls that a page names: bold, where a sentence says what to do with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Document
from tutorial_tool.markdown.parser import Block, Inline

_VERBS = "click|double-click|right-click|tap|press|hit|choose|select|pick|open|toggle|check|uncheck|clear"
_DO = lazy_re.compile(rf"(?<![\w*-])(?P<verb>{_VERBS})(?:ing|s)?(?: on)?(?: the| your)?\s*$", re.IGNORECASE)
"""What stands before a control."""
_GO = lazy_re.compile(
    r"(?<![\w*-])(?:go|navigate|browse|head) to(?: the)?\s*$|(?<![\w*-])(?:from|in|under)(?: the)?\s*$", re.IGNORECASE
)
"""What stands before a path through menus."""
_NOUN = lazy_re.compile(
    r"\s+(?:button|menu item|menu option|menu|check ?box|radio button|drop-?down|toggle|tab)s?\b", re.IGNORECASE
)
"""What a control is called behind its label."""
_OWN_NOUN = lazy_re.compile(r" (?:button|tab|menu|check ?box|drop-?down)$")
_SIGN = r"\s*(?:[-=–—]{0,2}(?:>|&gt;)|[→›»])\s*"
_ARROW = lazy_re.compile(_SIGN)
_AND = lazy_re.compile(r"(?:\s*,)?\s+(?:and|or|then|and then)(?: the)?\s*$|\s*,\s*$")
_KEY = lazy_re.compile(
    r"(?:(?:ctrl|control|cmd|command|alt|option|opt|shift|win|windows|super|meta|fn|⌘|⌥|⇧|⌃)(?>\s*[-+ ]\s*\S+)*"
    r"|enter|return|esc|escape|tab|space|space ?bar|backspace|delete|del|insert|home|end|page ?(?:up|down)|f\d{1,2}"
    r"|(?:up|down|left|right)(?: arrow)?|arrow \w+|power|volume \w+|\W|\w)",
    re.IGNORECASE,
)
_CHORD = lazy_re.compile(r".*\w\s?\+\s?\w.*|[⌘⌥⇧⌃].*")
_NO_LABEL = lazy_re.compile(r"[\w.-]*[/\\@=<>`][^ ]*|--?\w.*|\w+[._]\w+\S*|\W*|.*[.!?] .*")
"""A path, an option, a name of code, a sentence."""
_LONGEST = 60
_BEFORE = 60  # Characters before a label that tell what it is


class Label(NamedTuple):
    """A label of a control and where it stands in the page, from 0."""

    text: str
    start: int
    end: int

    @property
    def bare(self) -> Label:
        """The label without what the control is called: `the **Browse tab**`."""
        text = _OWN_NOUN.sub("", self.text)
        return Label(text, self.start, self.start + len(text))


def labels(document: Document) -> Iterator[Label]:
    """The labels of controls, in the order of the page."""
    for block, _ in document.walk():
        for inlines in (block.inlines, *(cell.inlines for row in block.rows for cell in row)):
            if any(node.kind == "emphasis" for node in inlines):
                yield from _of_line(document, block, inlines)


def _of_line(document: Document, block: Block, inlines: Iterable[Inline]) -> Iterator[Label]:
    text, at, was_control = document.text, block.start, False
    strong = [node for node in inlines if _is_strong(text, node)]
    for index, node in enumerate(strong):
        before = text[max(at, node.start - _BEFORE) : node.start]
        following = strong[index + 1].start if index + 1 < len(strong) else node.end
        in_path = bool(_ARROW.search(text, node.start + 2, node.end - 2)) or bool(
            _ARROW.fullmatch(text, node.end, following) and following > node.end
        )
        verb = _DO.search(before)
        joined = was_control and (_ARROW.fullmatch(before) or _is_joined(before, text, node))
        named = _NOUN.match(text, node.end)
        was_control = bool(verb or joined or named or (in_path and _GO.search(before)))
        if was_control:
            pressed = verb is not None and verb["verb"].lower() in ("press", "hit")
            yield from (label for label in _split(document, node) if not _is_key(label.text, pressed=pressed))
        at = node.end


def _is_strong(text: str, node: Inline) -> bool:
    """Whether a part is bold and nothing but text."""
    if node.kind != "emphasis" or text[node.start : node.start + 2] not in ("**", "__"):
        return False
    return all(child.kind in ("text", "escape") for child in node.children) and node.end - node.start < 3 * _LONGEST


def _is_joined(before: str, text: str, node: Inline) -> bool:
    """Whether a label goes on with what the sentence does to the one before: `click **Save** and **Close**`."""
    return bool(_AND.fullmatch(before)) and text[node.start + 2 : node.start + 3].isupper()


def _split(document: Document, node: Inline) -> Iterator[Label]:
    """The labels of a bold part: the steps of a path, each by itself."""
    start, end = node.start + 2, node.end - 2
    at = start
    for arrow in [*_ARROW.finditer(document.text, start, end), None]:
        stop = arrow.start() if arrow else end
        raw = document.text[at:stop]
        label = raw.strip().rstrip(",;")
        if label and len(label) <= _LONGEST and not _NO_LABEL.fullmatch(label):
            first = at + len(raw) - len(raw.lstrip())
            yield Label(label, first, first + len(label))
        at = arrow.end() if arrow else end


def _is_key(text: str, *, pressed: bool) -> bool:
    """Whether it is a key of the keyboard: `Delete` is one where it is pressed, and a button where it is clicked."""
    return bool(_CHORD.fullmatch(text) or (pressed and _KEY.fullmatch(text)) or len(text) == 1)
