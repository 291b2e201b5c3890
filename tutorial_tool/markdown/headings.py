"""Page sections: the ids and numbers of headings, written into the text where the tool numbers them."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from tutorial_tool.core import lazy_re, traced
from tutorial_tool.core.traced import Traced, strip_origins
from tutorial_tool.markdown.ast import Inline
from tutorial_tool.markdown.document import MASK, Document, Heading, Link

_BLANK_SIGNS = " \t\n\r\f\v"
_BLANKS = lazy_re.compile(f"[{_BLANK_SIGNS}]+")
"""White space that Markdown collapses; no-break spaces stay, and most ids drop them."""
SECTION_LEVEL = 2  # The level of the sections of a step, which get a number; the title is above


class Section(NamedTuple):
    """A heading with its id; `number` is the visible number ("4.1"), or "" if it has none."""

    id: str
    number: str
    title: Traced
    level: int


def extract_words(inlines: Iterable[Inline]) -> str:
    """Return the heading text used for its id: code counts, images and tags do not, macros are unknown."""
    return " ".join(_BLANKS.split("".join(_iter_texts(inlines)).strip(_BLANK_SIGNS)))


def _iter_texts(inlines: Iterable[Inline]) -> Iterator[str]:
    for node in inlines:
        if node.kind in ("text", "escape", "code"):
            yield strip_origins(node.text)
        elif node.kind == "break":
            yield " "
        elif node.kind == "macro":
            yield MASK
        elif node.kind in ("emphasis", "link", "autolink"):
            yield from _iter_texts(node.children)


def find_title_heading(document: Document) -> Heading | None:
    """Return the level-1 heading, which is the title where the front matter has none."""
    return next((heading for heading in document.headings if heading.level == 1), None)


def get_title(document: Document) -> str:
    """Return the text of the title heading, including code, or ""."""
    heading = find_title_heading(document)
    return extract_words(heading.text.block.inlines) if heading else ""


def build_slug(text: str) -> str:
    """Build an id from heading text: lowercase letters and digits of any script, joined by hyphens.

    An apostrophe inside a word is dropped, as site generators do: `isn't` becomes `isnt`.
    """
    text = re.sub(r"(?<=\w)['’](?=\w)", "", unicodedata.normalize("NFC", strip_origins(text)).lower())
    return re.sub(r"[^\w]+", "-", text).strip("-_") or "section"


def read_sections(text: Traced, document: Document) -> tuple[Section, ...]:
    """Return the sections of a manually written page, with its ids and numbers as they are."""
    taken: dict[str, int] = {}
    out = []
    for heading in document.headings:
        number = heading.number or ""
        title = _extract_title(text, heading)
        id_ = heading.id or _find_free_id(
            build_python_markdown_slug(extract_words(heading.text.block.inlines)), taken, "_"
        )
        taken.setdefault(id_, 0)
        out.append(Section(id_, number.strip().rstrip("."), title, heading.level))
    return tuple(out)


def number_headings(
    text: Traced, document: Document, number: int | None, numbered: str, far: str = ""
) -> tuple[Traced, tuple[Section, ...]]:
    """Return the page with section numbers and heading ids, and its sections; no numbers for `number=None`.

    `number` is the step's. `numbered` is the text of a link to a step, with `{number}` in it, `far` that of a link to
    another tutorial: in the id of a heading with such a link, the link's target replaces this text.
    """
    link = _build_link_pattern(numbered, far)
    taken = {heading.id: 0 for heading in document.headings if heading.id}
    pieces: list[str] = []
    sections = []
    at = count = 0
    for heading in document.headings:
        count += heading.level == SECTION_LEVEL
        shown = f"{number}.{count}" if number is not None and heading.level == SECTION_LEVEL else ""
        id_ = heading.id or _find_free_id(build_slug(_get_stable_words(document, heading, link)), taken, "-")
        taken.setdefault(id_, 0)
        if shown:
            content = text[heading.content_start : heading.content_end]
            pieces += [text[at : heading.content_start], traced.trace_like(f"{shown} ", content)]
            at = heading.content_start
        if heading.id is None:
            end, value = _format_id(id_, text, heading)
            pieces += [text[at:end], value]
            at = end
        sections.append(Section(id_, shown, _extract_title(text, heading), heading.level))
    return traced.concatenate([*pieces, text[at:]]), tuple(sections)


def replace_title(
    text: Traced, document: Document, heading: Heading, title: Traced, numbered: str | None, far: str
) -> Traced:
    """Return the page with a new heading text, keeping the old text's id; `numbered=None` writes none."""
    pieces: list[str] = [text[: heading.content_start], title]
    at = heading.content_end
    if heading.id is None and numbered is not None:
        taken = {other.id: 0 for other in document.headings if other.id}
        id_ = _find_free_id(
            build_slug(_get_stable_words(document, heading, _build_link_pattern(numbered, far))), taken, "-"
        )
        end, value = _format_id(id_, text, heading)
        pieces += [text[at:end], value]
        at = end
    return traced.concatenate([*pieces, text[at:]])


def _format_id(id_: str, text: Traced, heading: Heading) -> tuple[int, str]:
    """Return where to insert a heading's id, and how it is written: it joins existing attributes."""
    if heading.attrs is None:
        return heading.content_end, f" {{: #{id_} }}"
    end = heading.attrs.start + 1 + (text[heading.attrs.start + 1] == ":")
    return end, f" #{id_}" if text[end] == " " else f" #{id_} "


def _build_link_pattern(numbered: str, far: str) -> re.Pattern[str]:
    near = re.escape(numbered).replace(re.escape("{number}"), r"[0-9][0-9.]*")
    into = re.escape(far).replace(re.escape("{step}"), near).replace(re.escape("{tutorial}"), ".+")
    return re.compile(f"{near}|{into}" if far else near)


def _get_stable_words(document: Document, heading: Heading, numbered: re.Pattern[str]) -> str:
    """Return heading text that is independent of step numbers: link targets replace numbered links."""
    removeprefix = extract_words(heading.text.block.inlines).removeprefix((heading.number or "").strip())
    for link in _find_links(document, heading):
        if numbered.fullmatch(link.text):
            path, _, anchor = link.href.partition("#")
            stem = posixpath.splitext(path.removesuffix("/index.md"))[0].rpartition("/")[2]
            removeprefix = removeprefix.replace(link.text, f"{stem} {anchor}", 1)
    return removeprefix


def _find_links(document: Document, heading: Heading) -> Sequence[Link]:
    if "](" not in document.text[heading.content_start : heading.content_end]:
        return ()
    first, last = (bisect_left(document.links, at, key=_start) for at in (heading.content_start, heading.content_end))
    return document.links[first:last]


_start = attrgetter("start")


def _extract_title(text: Traced, heading: Heading) -> Traced:
    """Return a heading's text without its number and markup; if it has code, as typed."""
    value = str(heading.text)[len(heading.number or "") :].strip()
    typed = text[heading.content_start : heading.attrs.start if heading.attrs else heading.content_end]
    if MASK in value and "](" not in typed:
        return traced.ensure_traced(typed[len(heading.number or "") :].strip())
    value = value.replace(MASK, "").strip()
    start = text.find(value, heading.content_start, heading.content_end)
    return traced.ensure_traced(text[start : start + len(value)] if start >= 0 else value)


def _find_free_id(id_: str, taken: dict[str, int], separator: str) -> str:
    """Return an id that is not taken yet. `taken` counts the attempts: a thousand headings may be equal."""
    candidate = id_
    while candidate in taken:
        taken[id_] += 1
        candidate = f"{id_}{separator}{taken[id_]}"
    return candidate


def build_python_markdown_slug(text: str) -> str:
    """Return the heading id of Python-Markdown's `toc` extension (its documented default `slugify`)."""
    text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", text).strip().lower())
