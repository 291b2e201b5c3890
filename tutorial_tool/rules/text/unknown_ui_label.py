"""Labels of controls that the product's list of UI strings does not have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, partial

from tutorial_tool import variants
from tutorial_tool.config.settings import Config
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Fix, Related, Severity
from tutorial_tool.core.source import Edit, Span
from tutorial_tool.core.traced import plain
from tutorial_tool.data.model.parts import Platform
from tutorial_tool.rules import rule
from tutorial_tool.rules.text._ui_labels import Label, labels
from tutorial_tool.site import Page, PageFix, Site
from tutorial_tool.spelling import lists, ui_strings
from tutorial_tool.spelling.ui_strings import Likeness, Strings

_EMPHASIS = frozenset(
    "a all an and any both each either every first last more most neither new no none not one only or other same some "
    "that the these this those twice two your".split()
)
"""Words that are bold to be stressed: `select **all** rows`."""
_WORD = lazy_re.compile(r"[^\W\d_]+")
_FEWEST, _SHARE = 3, 0.6
"""How many cells of a table's first column are labels at least, and which part of them, for all to be meant so."""


@rule("text", Severity.WARNING, yields_to=("misspelling",), needs="ui-strings")
def check(site: Site, config: Config) -> Iterator[Finding]:
    if not config.screens:
        return
    strings_of = cache(partial(ui_strings.by_platform, config.screens))
    platforms = {page: name for step in variants.of(site, config.variants) for name, page in step.pages.items()}
    for page in site.pages:
        platform = page.platform or platforms.get(page) or _in_path(page.path, config.screens)
        strings = strings_of(platform)
        if len(strings) and page.may_be_english:
            for label in (*labels(page.document), *_settings(page, strings)):
                yield from _of_page(page, label, strings)
    for declared in site.model.platforms.values():
        yield from _of_data(declared, strings_of(declared.id))


def _in_path(path: str, names: Iterable[str]) -> str | None:
    """The platform that a path names, where it names one of these: `docs/ios/start.md`, `start.ios.md`."""
    parts = set(re.split(r"[/._]", path.lower()))
    named = [name for name in names if name.lower() in parts]
    return named[0] if len(named) == 1 else None


def _of_page(page: Page, label: Label, strings: Strings) -> Iterator[Finding]:
    if label.text in strings or label.bare.text in strings:
        return
    if strings.like(label.text) is None and strings.like(label.bare.text) is not None:
        label = label.bare
    place, meant = (label.start, label.end), strings.like(label.text)
    if _is_stressed(label.text, meant):
        return
    if meant is None:
        yield page.flag(place, f"label `{label.text}` is not a UI string", severity=Severity.HINT)
        return
    mended = PageFix(f"write `{meant.text}`", ((*place, meant.text),), safe=meant.kind == "case")
    fix = None if meant.kind == "far" else mended
    severity = None if _is_slip(label.text, meant) else Severity.HINT
    yield page.flag(place, _message(label.text, meant), fix=fix, related=_related(meant), severity=severity)


def _is_stressed(text: str, meant: Likeness | None) -> bool:
    """Whether a text in lower case may be a word of the sentence, and no label."""
    if not text[:1].islower():
        return False
    return meant is None or text in _EMPHASIS or (meant.kind != "case" and lists.known(text))


def _is_slip(text: str, meant: Likeness) -> bool:
    """Whether a label can only be a slip for the string: two that are words, `Rules` and `Roles`, may both exist."""
    if meant.kind == "case" or _joined(text) == _joined(meant.text):
        return True
    if meant.kind == "far":
        return False
    other = set(_WORD.findall(meant.text.lower()))
    return any(
        not (word.isupper() or lists.known(word.lower())) for word in _WORD.findall(text) if word.lower() not in other
    )


def _joined(text: str) -> str:
    """A label without what people leave out or add: spaces, hyphens, articles, and the `s` of a plural."""
    return re.sub(r"\b(?:an?|the)\b|s\b|[\s-]", "", text.lower())


def _message(text: str, meant: Likeness) -> str:
    if meant.kind == "case":
        return f"label `{text}` is `{meant.text}` in the product"
    if meant.kind == "far":
        return f"label `{text}` is not a UI string; the closest is `{meant.text}`"
    return f"label `{text}` is not a UI string; did you mean `{meant.text}`?"


def _related(meant: Likeness) -> tuple[Related, ...]:
    return (Related(meant.span, "the product's own text"),) if meant.span.end > meant.span.start else ()


def _settings(page: Page, strings: Strings) -> Iterator[Label]:
    """The cells of a table's first column that are no labels, where most of the others are."""
    for table in page.document.tables:
        cells = [row[0].text for row in table.rows if row and row[0].text.strip()]
        known = sum(cell in strings for cell in cells)
        if known >= _FEWEST and known >= _SHARE * len(cells):
            for cell in cells:
                text = cell.strip()
                start = cell.index(text)
                yield Label(text, *cell.at(start, start + len(text)))


def _of_data(platform: Platform, strings: Strings) -> Iterator[Finding]:
    """What the product's screens call a platform, in the data."""
    for label in platform.labels.values() if len(strings) else ():
        text, run = plain(label), label.runs[0] if label.runs else None
        if run is None or run.span is None or text in strings:
            continue
        finding = Finding("", Severity.HINT, f"label `{text}` is not a UI string", run.span, (platform.id,))
        if meant := strings.like(text):
            severity = Severity.OFF if _is_slip(text, meant) else Severity.HINT
            fix = _fix(run.span, text, meant)
            finding = replace(
                finding, message=_message(text, meant), related=_related(meant), fix=fix, severity=severity
            )
        yield finding


def _fix(span: Span, text: str, meant: Likeness) -> Fix | None:
    if span.text != text or meant.kind == "far":
        return None
    return Fix(f"write `{meant.text}`", (Edit(span, meant.text),), meant.kind == "case")
