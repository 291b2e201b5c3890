"""The parts of a page that are matched with its copies: sections with sentences, images, code and tables."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING

from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.data import Mapping, Node, Scalar, Sequence, forms
from tutorial_tool.markdown.document import Document, Heading, Image, Link, Prose, Range, Table
from tutorial_tool.site import Page

if TYPE_CHECKING:
    from tutorial_tool.variants import Variant

_EMPHASIS = "*_~`"
OWN = "\ue000"  # Replaces a variant's own name in a text that is compared
_END = r"(?<=[.!?])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z\d\ufffc])"
_SENTENCE = lazy_re.compile(_END)
_UNSPACED_SENTENCE = lazy_re.compile(
    _END + r"|(?<=[。！？])\s*(?=[^\s。！？」』）】”’)\]])"  # no space follows
    r"|(?<=[\uac00-\ud7a3][.!?])\s+(?=\S)"  # Korean has no capitals
)
_NOT_AN_END = lazy_re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|No|Fig|incl|resp)|(?:^|\s)\w)\.\s*$")
_NOTE = lazy_re.compile(r"\[![A-Za-z]+\][^\n]*\n|\*\*[^\W\d_]+:?\*\*:?[ \t]*\\?\n")
"""The first line of GitHub alerts, and of notes typed in the same way: `[!WARNING]`, `**Warning**`."""
PARTICLE = r"(?:[은는이가을를와과]|으?로|이?란|이?나)(?!\w)"
"""Korean particles after the platform's name: they depend on its last sound, so they are platform-specific."""
_PARTICLE = lazy_re.compile(OWN + PARTICLE)
_NUMBER = lazy_re.compile(
    r"(?:(?:step|part|section)\s+)?\d+(?:\.\d+)*(?:[-.]?(?:a|b|rc|alpha|beta|dev|post|pre)[-.]?\d*)?[.):]?\s+",
    re.IGNORECASE,
)
"""The number of a heading: of a step, a section or a release."""


@dataclass(frozen=True, eq=False)
class Unit:
    """One part of a page. `kind` is heading, sentence, alt, image, code or table; `place` is its span.

    `text` is the visible text, `masked` the same with the variant's own names and typed numbers of headings masked.
    """

    kind: str
    text: str
    masked: str
    place: Range
    prose: Prose | None = None
    offset: int = 0  # Offset of the text in `prose`
    is_first: bool = True  # Whether it is the first sentence of its paragraph or item
    links: tuple[Link, ...] = ()
    image: Image | None = None
    table: Table | None = None

    def locate(self, start: int, end: int) -> Range:
        """Return the span of a part of the text."""
        return self.prose.locate(self.offset + start, self.offset + end) if self.prose is not None else self.place


@dataclass(eq=False)
class Section:
    """A heading with what follows it; the first section of a page may have none."""

    heading: Unit | None
    level: int
    units: list[Unit] = field(default_factory=list)

    @cached_property
    def key(self) -> str:
        return self.heading.masked.lower() if self.heading else ""

    @cached_property
    def texts(self) -> frozenset[str]:
        """The texts of its sentences, or else its other units, with the variant's names masked."""
        units = [unit for unit in self.units if unit.kind == "sentence"]
        return frozenset(unit.masked.lower() for unit in units or self.units)


def mask_own_names(text: str, variant: Variant) -> str:
    """Return a text with its variant's own names and their articles masked, and white space collapsed."""
    text = " ".join(text.split())
    if not variant.may_occur_in(text):
        return text
    text = variant.pattern.sub(OWN, text).strip()
    text = variant.suffix_pattern.sub(OWN, text) if "-" in text else text
    return text if text.isascii() else _PARTICLE.sub(OWN, text)


def include_emphasis(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the offsets of a part of a text with the markers of emphasis and code next to it."""
    while start and text[start - 1] in _EMPHASIS:
        start -= 1
    while text[end : end + 1] and text[end] in _EMPHASIS:
        end += 1
    return start, end


def split_sections(page: Page, variant: Variant) -> list[Section]:
    """Return the sections of a page, in order."""
    document = page.document
    headings = {heading.start: heading for heading in document.headings}
    out = [Section(None, 0)]
    for unit, start in _iter_units(document, variant, headings):
        if unit.kind == "heading" and start in headings:
            out.append(Section(unit, headings[start].level))
        else:
            out[-1].units.append(unit)
    return [section for section in out if section.heading or section.units]


def _iter_units(document: Document, variant: Variant, headings: dict[int, Heading]) -> Iterator[tuple[Unit, int]]:
    """Yield all units with the start of their block, in the order of the page."""
    units = [*_iter_prose_units(document, variant, headings), *_iter_block_units(document, variant)]
    for _, start, unit in sorted(units, key=itemgetter(0)):
        yield unit, start


def _build_heading_unit(prose: Prose, variant: Variant) -> Unit:
    number = _NUMBER.match(prose)
    start = number.end() if number else 0
    return Unit("heading", prose[start:], mask_own_names(prose[start:], variant), prose.place, prose, start)


def _iter_prose_units(
    document: Document, variant: Variant, headings: dict[int, Heading]
) -> Iterator[tuple[int, int, Unit]]:
    """Yield headings, sentences and alt texts, by offset; with the start of a heading's block, else -1."""
    links = document.links
    starts = [link.start for link in links]
    for prose in document.get_prose():
        if prose.kind == "heading":
            heading = headings.get(prose.block.start)
            start = heading.start if heading else prose.place.start
            yield start, prose.block.start, _build_heading_unit(prose, variant)
        elif prose.kind == "alt":
            yield prose.place.start, -1, Unit("alt", str(prose), mask_own_names(prose, variant), prose.place, prose)
        elif prose.kind != "cell":
            first, last = prose.place.start, bisect_left(starts, prose.place.end)
            near = [link for link in links[:last] if first < link.end]
            opening = _find_opening(document.text, prose)
            for unit in _iter_sentences(prose, variant, near, opening):
                yield unit.place.start, -1, unit


def _iter_block_units(document: Document, variant: Variant) -> Iterator[tuple[int, int, Unit]]:
    """Yield images, code and tables, by offset."""
    for image in document.images:
        span = image.place or Range(image.start, image.end)
        yield image.start, -1, Unit("image", image.src, mask_own_names(image.src, variant), span, image=image)
    for code in document.code_blocks:
        span = Range(code.start, code.end)
        yield code.start, -1, Unit("code", code.text, mask_own_names(code.text, variant), span)
    for table in document.tables:
        text = " | ".join(cell.text.strip() for cell in table.header)
        span = Range(table.start, table.end)
        yield table.start, -1, Unit("table", text, mask_own_names(text, variant), span, table=table)


def _find_opening(text: str, prose: Prose) -> int:
    """Return where the first sentence starts: after a line that only gives the kind of admonition."""
    line = prose.find("\n") + 1
    return line if line and _NOTE.match(text, prose.place.start) else 0


def _iter_sentences(prose: Prose, variant: Variant, links: list[Link], opening: int) -> Iterator[Unit]:
    start = opening
    for end, following in _iter_sentence_ends(prose, opening):
        text = prose[start:end]
        low = start + len(text) - len(text.lstrip())
        high = start + len(text.rstrip())
        if low < high:
            place = prose.locate(low, high)
            inside = tuple(link for link in links if place.overlaps(link.start, link.end))
            text = str(prose[low:high])
            is_first = start == opening
            yield Unit("sentence", text, mask_own_names(text, variant), place, prose, low, is_first, inside)
        start = following


def _iter_sentence_ends(prose: Prose, start: int) -> Iterator[tuple[int, int]]:
    """Yield where sentences end and the next ones start."""
    for match in (_UNSPACED_SENTENCE if scripts.allows_adjacent_names(prose) else _SENTENCE).finditer(prose, start):
        if not _NOT_AN_END.search(prose, max(0, match.start() - 12), match.start()):
            yield match.start(), match.end()
    yield len(prose), len(prose)


def parse_front_matter(page: Page, variant: Variant) -> dict[str, Unit]:
    """Return the texts of a page's front matter by key; items of a list also by number."""
    front = page.document.front_matter
    if front is None or page.generated:
        return {}
    node = forms.load_front_matter(page.source, front)
    out: dict[str, Unit] = {}
    for key, scalar in _iter_scalars(node, "") if node is not None else ():
        text = scalar.plain
        span = Range(scalar.span.start, scalar.span.end)
        out[key] = Unit("meta", text, mask_own_names(text, variant), span)
    return out


def _iter_scalars(node: Node, key: str) -> Iterator[tuple[str, Scalar]]:
    if isinstance(node, Scalar):
        yield key, node
    elif isinstance(node, Mapping):
        for name, value in node.items:
            yield from _iter_scalars(value, f"{key}.{name.plain}")
    elif isinstance(node, Sequence):
        for number, item in enumerate(node.items):
            yield from _iter_scalars(item, f"{key}.{number}")
