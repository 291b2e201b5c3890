"""Labels of controls that the product's list of UI strings does not have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import NamedTuple

from tutorial_tool import variants
from tutorial_tool.config.settings import Config
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Fix, Related, Severity
from tutorial_tool.core.source import Edit, Span
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data.model.parts import Platform
from tutorial_tool.markdown.document import CONTEXT, Document
from tutorial_tool.markdown.parser import Block, Inline
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, PageFix, Site
from tutorial_tool.spelling import lists, ui_strings
from tutorial_tool.spelling.ui_strings import MAX_LABEL, SimilarString, Strings

# The labels of UI controls on a page: in bold, in a sentence that says what to do with them.


_VERBS = "click|double-click|right-click|tap|press|hit|choose|select|pick|open|toggle|check|uncheck|clear"
_DO = lazy_re.compile(rf"(?<![\w*-])(?P<verb>{_VERBS})(?:ing|s)?(?: on)?(?: the| your)?\s*$", re.IGNORECASE)
"""Precedes a control."""
_GO = lazy_re.compile(
    r"(?<![\w*-])(?:go|navigate|browse|head) to(?: the)?\s*$|(?<![\w*-])(?:from|in|under)(?: the)?\s*$", re.IGNORECASE
)
"""Precedes a menu path."""
_NOUN = lazy_re.compile(
    r"\s+(?:button|menu item|menu option|menu|check ?box|radio button|drop-?down|toggle|tab)s?\b", re.IGNORECASE
)
"""The type of control, after its label."""
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
"""A path, an option, an identifier, or a sentence."""


class Label(NamedTuple):
    """A label of a control and its span in the page (0-based)."""

    text: str
    start: int
    end: int

    @property
    def without_noun(self) -> Label:
        """The label without the noun for the control: `the **Browse tab**`."""
        text = _OWN_NOUN.sub("", self.text)
        return Label(text, self.start, self.start + len(text))


def find_labels(document: Document) -> Iterator[Label]:
    """Find the labels of controls, in the order of the page."""
    for block, _ in document.walk():
        for inlines in (block.inlines, *(cell.inlines for row in block.rows for cell in row)):
            if any(node.kind == "emphasis" for node in inlines):
                yield from _find_in_line(document, block, inlines)


def _find_in_line(document: Document, block: Block, inlines: Iterable[Inline]) -> Iterator[Label]:
    text, at, was_control = document.text, block.start, False
    strong = [node for node in inlines if _is_strong(text, node)]
    for index, node in enumerate(strong):
        before = text[max(at, node.start - CONTEXT) : node.start]
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
            yield from (label for label in _split_path(document, node) if not _is_key(label.text, pressed=pressed))
        at = node.end


def _is_strong(text: str, node: Inline) -> bool:
    """Return whether an inline is bold and contains only text."""
    if node.kind != "emphasis" or text[node.start : node.start + 2] not in ("**", "__"):
        return False
    return all(child.kind in ("text", "escape") for child in node.children) and node.end - node.start < 3 * MAX_LABEL


def _is_joined(before: str, text: str, node: Inline) -> bool:
    """Return whether a label continues the action of the previous one: `click **Save** and **Close**`."""
    return bool(_AND.fullmatch(before)) and text[node.start + 2 : node.start + 3].isupper()


def _split_path(document: Document, node: Inline) -> Iterator[Label]:
    """Split bold text into labels: each step of a path is one."""
    start, end = node.start + 2, node.end - 2
    at = start
    for arrow in [*_ARROW.finditer(document.text, start, end), None]:
        stop = arrow.start() if arrow else end
        raw = document.text[at:stop]
        label = raw.strip().rstrip(",;")
        if label and len(label) <= MAX_LABEL and not _NO_LABEL.fullmatch(label):
            first = at + len(raw) - len(raw.lstrip())
            yield Label(label, first, first + len(label))
        at = arrow.end() if arrow else end


def _is_key(text: str, *, pressed: bool) -> bool:
    """Return whether the text is a keyboard key: `Delete` is one if pressed, and a button if clicked."""
    return bool(_CHORD.fullmatch(text) or (pressed and _KEY.fullmatch(text)) or len(text) == 1)


_EMPHASIS = frozenset(
    "a all an and any both each either every first last more most neither new no none not one only or other same some "
    "that the these this those twice two your".split()
)
"""Words in bold for emphasis: `select **all** rows`."""
_WORD = lazy_re.compile(r"[^\W\d_]+")
_FEWEST, _SHARE = 3, 0.6
"""Minimum number and share of labels in a table's first column, for all its cells to count as labels."""


@rule("text", Severity.WARNING, yields_to=("misspelling",), needs="ui-strings")
def check(site: Site, config: Config) -> Iterator[Finding]:
    if not config.screen_strings:
        return
    strings_of = cache(partial(ui_strings.select_for_platform, config.screen_strings))
    platforms = {page: name for step in variants.find_steps(site, config.variants) for name, page in step.pages.items()}
    for page in site.pages:
        platform = page.platform or platforms.get(page) or _find_path_platform(page.path, config.screen_strings)
        strings = strings_of(platform)
        if len(strings) and page.may_be_english:
            for label in (*find_labels(page.document), *_find_setting_labels(page, strings)):
                yield from _report_label(page, label, strings)
    for declared in site.model.platforms.values():
        yield from _report_data_labels(declared, strings_of(declared.id))


def _find_path_platform(path: str, names: Iterable[str]) -> str | None:
    """Return the only one of some platforms that a path names: `docs/ios/start.md`, `start.ios.md`."""
    parts = set(re.split(r"[/._]", path.lower()))
    named = [name for name in names if name.lower() in parts]
    return named[0] if len(named) == 1 else None


def _report_label(page: Page, label: Label, strings: Strings) -> Iterator[Finding]:
    if label.text in strings or label.without_noun.text in strings:
        return
    if strings.find_similar(label.text) is None and strings.find_similar(label.without_noun.text) is not None:
        label = label.without_noun
    span, meant = (label.start, label.end), strings.find_similar(label.text)
    if _is_stressed(label.text, meant):
        return
    if meant is None:
        yield page.flag(span, f"label `{label.text}` is not a UI string", severity=Severity.HINT)
        return
    fix = PageFix(f"write `{meant.text}`", ((*span, meant.text),), safe=meant.kind == "case")
    severity = None if _is_slip(label.text, meant) else Severity.HINT
    yield page.flag(
        span,
        _format_message(label.text, meant),
        fix=None if meant.kind == "far" else fix,
        related=_build_related(meant),
        severity=severity,
    )


def _is_stressed(text: str, intended: SimilarString | None) -> bool:
    """Return whether a lowercase text may be a word of the sentence, and no label."""
    if not text[:1].islower():
        return False
    return intended is None or text in _EMPHASIS or (intended.kind != "case" and lists.is_known(text))


def _is_slip(text: str, intended: SimilarString) -> bool:
    """Return whether a label can only be a mistake: `Rules` and `Roles`, two words, may both be labels."""
    if intended.kind == "case" or _normalize_label(text) == _normalize_label(intended.text):
        return True
    if intended.kind == "far":
        return False
    other = set(_WORD.findall(intended.text.lower()))
    return any(
        not (word.isupper() or lists.is_known(word.lower()))
        for word in _WORD.findall(text)
        if word.lower() not in other
    )


def _normalize_label(text: str) -> str:
    """Normalize a label by removing what people omit or add: spaces, hyphens, articles, a plural `s`."""
    return re.sub(r"\b(?:an?|the)\b|s\b|[\s-]", "", text.lower())


def _format_message(text: str, intended: SimilarString) -> str:
    if intended.kind == "case":
        return f"label `{text}` is `{intended.text}` in the product"
    if intended.kind == "far":
        return f"label `{text}` is not a UI string; the closest is `{intended.text}`"
    return f"label `{text}` is not a UI string; did you mean `{intended.text}`?"


def _build_related(intended: SimilarString) -> tuple[Related, ...]:
    return (Related(intended.span, "the product's own text"),) if intended.span.end > intended.span.start else ()


def _find_setting_labels(page: Page, strings: Strings) -> Iterator[Label]:
    """Find the cells of a table's first column to check as labels, if most of them are UI strings."""
    for table in page.document.tables:
        cells = [row[0].text for row in table.rows if row and row[0].text.strip()]
        known_count = sum(cell in strings for cell in cells)
        if known_count >= _FEWEST and known_count >= _SHARE * len(cells):
            for cell in cells:
                text = cell.strip()
                start = cell.index(text)
                yield Label(text, *cell.locate(start, start + len(text)))


def _report_data_labels(platform: Platform, strings: Strings) -> Iterator[Finding]:
    """Report the data's names for a platform in the UI that are not UI strings."""
    for label in platform.labels.values() if len(strings) else ():
        text, run = strip_origins(label), label.runs[0] if label.runs else None
        if run is None or run.span is None or text in strings:
            continue
        finding = Finding("", Severity.HINT, f"label `{text}` is not a UI string", run.span, (platform.id,))
        if meant := strings.find_similar(text):
            severity = Severity.OFF if _is_slip(text, meant) else Severity.HINT
            fix = _build_fix(run.span, text, meant)
            finding = replace(
                finding, message=_format_message(text, meant), related=_build_related(meant), fix=fix, severity=severity
            )
        yield finding


def _build_fix(span: Span, text: str, intended: SimilarString) -> Fix | None:
    if span.text != text or intended.kind == "far":
        return None
    return Fix(f"write `{intended.text}`", (Edit(span, intended.text),), intended.kind == "case")
