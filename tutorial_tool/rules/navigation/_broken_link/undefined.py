"""References and footnotes without a definition."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.core.source import find_line_start
from tutorial_tool.links import Addresses
from tutorial_tool.markdown.document import MASK, Document, Prose, Range
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules._shared import _footnotes
from tutorial_tool.rules.base import HABIT
from tutorial_tool.site import Page, page_facts
from tutorial_tool.site.fact_index import collect_facts

_REFERENCE = lazy_re.compile(r"(?<![\w\]])\[(?=[^\[\]\n]*[^\W\d_])([^\[\]\n]{2,200})\]\[([^\[\]\n]{0,200})\]")
_DEFINING = lazy_re.compile(r"^[ ]{0,3}\[([^\[\]\n]+)\]:[ \t]", re.MULTILINE)  # A reference definition
_DEFINING_ANYWHERE = (Dialect.HUGO, Dialect.PYTHON_MARKDOWN, Dialect.KRAMDOWN)
"""Dialects in which such a line is a definition even where CommonMark takes it for text: inside a shortcode, or right
after a paragraph."""
_OUTSIDE = frozenset(("autorefs", "mkdocstrings", "ezlinks", "roamlinks"))
"""MkDocs plugins with references that no page defines."""
_RANGES = lazy_re.compile(r"\^?(?:[A-Za-z0-9]-[A-Za-z0-9]|\\\w|[_.$^+*/-])+|[A-Z]+_[A-Z_]+")
"""Characters of a regular expression, or the name of a placeholder."""
_CALL = lazy_re.compile(r"\w+\([^()\s]*\)")
_TAG = lazy_re.compile(r"(?:[^\s\[\]]*[A-Z][^\s\[\]]*|[\d.]+)(?: [^\s\[\]]+){0,2}|[a-z]+(?:-[a-z]+)+")
_MARKS = lazy_re.compile(r"[0-9a-f]{7,40}|v?\d+(?:\.\d+)+\S*")
_ENDS = (". ", "! ", "? ", ") ")  # Of a sentence before tags
_AHEAD = lazy_re.compile(
    r"[ \t>]*+(?:[-*+]|\d+[.)])[ \t]+(?:[\w-]+:\*\*|\[[^\[\]\n]*+\](?:\([^()\n]*+\))?+|[^\w\n\[\]]|_)*+"
)
"""What may precede tags in an item: other tags, the scope of a change, and links to issues."""


def find_footnotes(addresses: Addresses, page: Page, notes: Iterable[_footnotes.Footnote]) -> Iterator[Finding]:
    """Find undefined and unused footnotes, unless definitions may be elsewhere."""
    if _may_be_defined_elsewhere(addresses, page):
        return
    for label, place, is_undefined in notes:
        if is_undefined:
            yield page.flag(place, f"footnote `{label}` is not defined, so it is rendered literally")
        else:
            yield page.flag(place, f"unused footnote `{label}`: few engines show it", severity=Severity.HINT)


def _may_be_defined_elsewhere(addresses: Addresses, page: Page) -> bool:
    """Return whether a build may include missing definitions, or the page itself is included elsewhere."""
    config = addresses.get_tree(page).config
    appended = config is not None and "auto_append" in config.text
    return appended or addresses.anchors.is_snippet(page) or addresses.anchors.has_included_text(page)


def find_undefined(addresses: Addresses) -> Iterator[Finding]:
    """Find undefined references, which Markdown renders literally.

    Some sites append definitions to each page, or know the ids of all headings; there, few pages have definitions of
    their own, and nothing is reported. A page that is linted without its siblings has to define most of its references.
    """
    labeled = {
        page: labels
        for page, labels in collect_facts(addresses.site, _find_labels).items()
        if not _may_be_undefined(addresses, page, labels)
    }
    count = sum(map(len, labeled.values()))
    if not count:
        return
    defined = sum(
        reference.kind == "definition"
        for page in addresses.site.pages
        for reference in addresses.pages.get_references(page)
    )
    is_certain = count <= max(HABIT if addresses.is_fully_loaded else 0, defined // 4)
    for page, labels in labeled.items():
        yield from _find_undefined_on(page, labels) if is_certain else ()


def _find_undefined_on(page: Page, labels: Iterable[tuple[Range, str]]) -> Iterator[Finding]:
    used = group_pairs((" ".join(label.lower().split()), (place, label)) for place, label in labels)
    for normalized, ((first, label), *others) in used.items():
        if normalized not in page.get_cached(_find_defined_labels):
            related = [(page, place, "here too") for place, _ in others]
            message = f"reference `{label}` is not defined, so it is rendered literally"
            yield page.flag(first, message, related=related)


def _may_be_undefined(addresses: Addresses, page: Page, labels: Iterable[tuple[Range, str]]) -> bool:
    """Return whether undefined references on a page are plausible."""
    if addresses.is_test_page(page) or addresses.get_tree(page).has_labels or _may_link_to_code(page, labels):
        return True
    return _may_be_defined_elsewhere(addresses, page) or not addresses.get_plugins(page).isdisjoint(_OUTSIDE)


def _may_link_to_code(page: Page, labels: Iterable[tuple[Range, str]]) -> bool:
    """Return whether a page without definitions has names in `[Lamp][]`, as dartdoc links them to code."""
    has_names = all(page.plain.endswith("][]", 0, place.end) and label[:1].isupper() for place, label in labels)
    return has_names and not _DEFINING.search(page.plain)


@page_facts.register
def _find_labels(page: Page) -> tuple[tuple[Range, str], ...]:
    """Return what looks like a reference in the text of a page, with its label."""
    return tuple(_iter_labels(page.document))


@page_facts.register
def _find_defined_labels(page: Page) -> frozenset[str]:
    """Return the labels of definitions that Markdown does not find in the source, but a build does.

    Their URL is a template tag; in Hugo and Python-Markdown, any line that starts like a definition counts.
    """
    text, is_any = page.plain, page.dialect in _DEFINING_ANYWHERE
    matches = (match for match in _DEFINING.finditer(text) if is_any or text.startswith(("{{", "{%"), match.end()))
    return frozenset(" ".join(match[1].lower().split()) for match in matches)


def _iter_labels(document: Document) -> Iterator[tuple[Range, str]]:
    for prose in document.get_prose() if "][" in document.text else ():
        for match in _REFERENCE.finditer(prose) if prose.kind not in ("alt", "html") else ():
            place, text, label = prose.locate(match), document.text, _find_label(match)
            if label and text[place.start] != "\\" and not _are_tags(text, prose, match):
                yield place, label


def _find_label(match: re.Match[str]) -> str:
    """Return the label in brackets: words, and not an index, as in `[i][i]`; "" if there is none."""
    label = match[2] or match[1]
    is_index = match[1] == match[2] and len(label.split()) == 1
    return label if MASK not in label and any(map(str.isalpha, label)) and not (is_index or _is_synopsis(match)) else ""


def _is_synopsis(match: re.Match[str]) -> bool:
    """Return whether brackets mark optional parts, or belong to a formula.

    Optional: `[host][,port]`, `[host][port][path]`, in quotes or a path. A formula: `->[+ heat][+ light]`.
    """
    if all(_RANGES.fullmatch(part) for part in match.groups() if part) or (match[2] and _CALL.fullmatch(match[2])):
        return True  # in a regular expression, `[A-Z][a-z]+`, or in a C# attribute
    is_longer = match.string.startswith("[", match.end()) or match.string.endswith(('"', "“", "/"), 0, match.start())
    return is_longer or any(part[:1] in (",", "|", " ", "+") for part in match.groups())


def _are_tags(text: str, prose: Prose, match: re.Match[str]) -> bool:
    """Return whether two words in brackets are tags, `[iOS][Android] Fix …`, or commits and versions."""
    if not match[2]:
        return False
    start = prose.locate(match).start
    if text[start - 1 : start] == "[" or all(map(_MARKS.fullmatch, match.groups())):
        return True  # in a link, which cannot contain another
    begins = bool(_AHEAD.fullmatch(text, find_line_start(text, start), start) and prose[match.end() :].strip())
    is_last = text[:start].endswith(_ENDS) and text.startswith("\n", start + len(match[0]))
    are_tags = (begins or is_last) and all(map(_TAG.fullmatch, match.groups()))
    return are_tags or _is_alone(text, re.escape(match[2]), begins=begins)


def _is_alone(text: str, label: str, *, begins: bool) -> bool:
    """Return whether a label is alone in brackets behind a sentence, or at the beginning of an item, if `begins`."""
    item = rf"|^[ \t]*(?:[-*+]|\d+[.)])[ \t]+\[{label}\][ \t]" if begins else ""
    return re.search(rf"(?m)[.!?)] \[{label}\]$" + item, text) is not None
