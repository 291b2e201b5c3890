"""Takes out of copies what the tool computes: navigation typed by hand, numbers, and markup that fixes can write.

Pictures without an alt text get that of the step that they show. A reference to a number becomes a call of `link()`;
until the template is written, private characters stand around its target.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from urllib.parse import unquote

from tutorial_tool import addresses, fix, lazy_re, linter, site
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.modernise import anchors, typed_numbers
from tutorial_tool.adopt.template import tables
from tutorial_tool.config import Config
from tutorial_tool.document import MASK, Range
from tutorial_tool.harm import Linted
from tutorial_tool.parser import Dialect
from tutorial_tool.rules._neighbours import Neighbour, typed
from tutorial_tool.site import Page, Site

FIXES = ("restarted-list", "raw-html", "unescaped-angle", "blank-after-front-matter")
"""Rules whose fixes are made."""
_PAGES = (".md", ".mdx", ".markdown", "/index.md", "/index.mdx", "/README.md", "/_index.md")
"""What an address may leave out of the path of a page."""
LONGEST_ALT = 160
"""Characters of an alt text: of a longer sentence, only the words up to here."""
_DIRECTIONS = frozenset("next previous prev back forward up then before after step page section chapter".split())
"""Words that stand beside links to the pages before and after, and say nothing else."""
_KEY = lazy_re.compile(r"[\w-]+:[^\n]*\n")
_ARROW = lazy_re.compile(r"\[\s*(?:[←⬅«‹]\s*[^\[\]]*|[^\[\]]*[→➡»›]\ufe0f?\s*)\]\([^()]*\)")
"""A link whose words an arrow stands before or behind."""
_TAGS = lazy_re.compile(r"</?[A-Za-z][^>]*>|&\w+;|<<|>>")


@dataclass(frozen=True)
class Modern:
    """The sets after it; the steps whose titles had a number, and those whose headings had; what was done, in words."""

    sets: tuple[CopySet, ...]
    numbered: frozenset[tuple[str, str]]
    sectioned: frozenset[tuple[str, str]]
    notes: tuple[str, ...]


def modernised(
    sets: Sequence[CopySet], root: Path, kept: Set[str] = frozenset(), steps: Set[str] = frozenset()
) -> Modern:
    """The sets, written as the tool wants them. `kept` are anchors that others ask for, `steps` the paths of all pages
    of the tutorials, those that stay copies, too."""
    run = _Run(root, {copy.source.path: copy.source.text for one in sets for copy in one.copies.values()})
    run.each({"previous and next typed by hand: taken out": partial(_without_navigation, root, steps)})
    run.fixed()
    before = run.read()
    numbered, sectioned = typed_numbers.steps(before, sets)
    run.each({"typed numbers: computed": typed_numbers.taken_out})
    tutorials = {tutorial for tutorial, _ in sectioned}
    ids = _ids(before, run.read(), [one for one in sets if one.tutorial in tutorials], kept)
    targets = typed_numbers.targets(before, sets, ids)
    notes = [note for page in before.pages for note in typed_numbers.unknown(page, before, targets)]
    moved = {path: {old: new for old, new in own.values() if old != new} for path, own in ids.items()}
    run.each(
        {
            "anchors that others ask for: kept": lambda page, _: anchors.stated(
                page, ids.get(page.source.path, {}), kept
            ),
            "references to typed numbers: links, or words where they lead nowhere": partial(_linked, targets),
            "links to anchors without numbers: led there": lambda page, read: anchors.led(page, read, moved),
            "pictures without an alt text: that of their step": _with_alt,
        }
    )
    counted = [f"{count} × {what}" for what, count in run.counts.items() if count]
    return Modern(tuple(run.changed(one) for one in sets), numbered, sectioned, (*counted, *notes))


def _ids(before: Site, after: Site, sets: Iterable[CopySet], kept: Set[str]) -> dict[str, anchors.Ids]:
    """The ids that the headings of sets had and get, by the paths of their pages."""
    had, get = ({page.source.path: page for page in read.pages} for read in (before, after))
    paths = [copy.source.path for one in sets for copy in one.copies.values()]
    return {path: anchors.of_headings(had[path], get[path], kept) for path in paths}


def _linked(targets: typed_numbers.Targets, page: Page, read: Site) -> Edits:
    return typed_numbers.linked(page, read, targets)


Edits = Iterator[tuple[int, int, str]]


class _Run:
    """The texts of all copies, changed one thing at a time."""

    def __init__(self, root: Path, texts: dict[str, str]) -> None:
        self.root, self.texts = root, texts
        self.counts: Counter[str] = Counter()
        self.pages: dict[str, Page] = {}

    def read(self, overlay: Mapping[str, str] | None = None) -> Site:
        texts = {**self.texts, **(overlay or {})}
        read = site.plain([self.root / path for path in texts], self.root, texts, dialect=Dialect.PYTHON_MARKDOWN)
        for page in read.pages:
            before = self.pages.get(page.path)
            if before is not None and before.source.text == page.source.text:
                vars(page)["document"] = before.document  # parsing is what takes long here
            self.pages[page.path] = page
        return read

    def each(self, kinds: Mapping[str, Callable[[Page, Site], Edits]]) -> None:
        """Makes the edits of every page, of each kind; of two at one place, the first."""
        read = self.read()
        for page in read.pages:
            made: list[tuple[int, int, str]] = []
            for what, edits_of in kinds.items():
                for edit in sorted(set(edits_of(page, read))):
                    if all(edit[1] <= start or end <= edit[0] for start, end, _ in made):
                        made.append(edit)
                        self.counts[what] += 1
            text = page.source.text
            for start, end, new in sorted(made, reverse=True):
                text = text[:start] + new + text[end:]
            self.texts[page.source.path] = text

    def fixed(self) -> None:
        """Makes the fixes of rules about markup."""
        config = Config(self.root, select=FIXES)

        def load(overlay: Mapping[str, str]) -> Linted:
            read = self.read(overlay)
            return Linted(read, linter.run(read, config))

        result = fix.rounds(load, unsafe=True)
        for path, change in result.changes.items():
            self.texts[path] = change.after.text
        for rule, count in result.counts.items():
            self.counts[f"{rule}: fixed"] += count

    def changed(self, one: CopySet) -> CopySet:
        copies = {
            platform: replace(copy, source=copy.source.with_text(tables.tidied(self.texts[copy.source.path])))
            for platform, copy in one.copies.items()
        }
        return replace(one, copies=copies)


# Navigation


def _without_navigation(root: Path, steps: Set[str], page: Page, read: Site) -> Edits:
    """Whole blocks that hold links to the pages before and after, and nothing else.

    A page that is there and no step follows from no order: links to it stay.
    """
    text, front = page.source.text, page.document.front_matter
    body = front.body if front else 0
    found = (one for one in typed(page, addresses.of(read)) if not _leads_elsewhere(root, steps, page, one))
    links = [one.link for one in found]
    links += [place for place in _arrows(page, read, body) if place not in links]
    for start, end in {_block(text, link, body) for link in links if link.start >= body}:
        rest = text[start:end]
        for link in sorted(links, reverse=True):
            if start <= link.start and link.end <= end:
                rest = rest[: link.start - start] + rest[link.end - start :]
        if all(word.lower() in _DIRECTIONS for word in re.findall(r"\w+", _TAGS.sub("", rest))):
            yield start, end, ""
    for link in links:
        line = text.rfind("\n", 0, link.start) + 1, text.find("\n", link.end) + 1
        if link.start < body and _KEY.fullmatch(text, *line):
            yield *line, ""


def _leads_elsewhere(root: Path, steps: Set[str], page: Page, neighbour: Neighbour) -> bool:
    """Whether a link leads to a page that is there, and is no step of a tutorial."""
    href = page.source.text[neighbour.place.start : neighbour.place.end]
    path = unquote(re.split(r"[#?]", href.strip("\"'<>"))[0])
    folder = "" if path.startswith("/") else posixpath.dirname(page.source.path)
    stem = posixpath.normpath(posixpath.join(folder, path.lstrip("/")))
    files = (stem, *(f"{stem}{suffix}" for suffix in _PAGES))
    there = {file for file in files if not file.startswith("..") and (root / file).is_file()}
    return bool(there) and there.isdisjoint(steps)


def _arrows(page: Page, read: Site, body: int) -> Iterator[Range]:
    """Links to other pages with an arrow before or behind their words, if they are the page's first or last block."""
    text, known = page.source.text, addresses.of(read)
    for link in page.document.links:
        start, end = _block(text, Range(link.start, link.end), body)
        is_alone = text[start:end].strip() == text[link.start : link.end]
        is_at_end = not text[end:].strip() or not text[body:start].strip()
        if is_alone and is_at_end and _ARROW.fullmatch(text, link.start, link.end):
            target = known.of_link(page, link).page
            if target is not None and target is not page:
                yield Range(link.start, link.end)


def _block(text: str, link: Range, body: int) -> tuple[int, int]:
    """The lines around a link up to the next blank ones, and the blank ones that then stand twice."""
    blank = text.rfind("\n\n", body, link.start)
    start = blank + 2 if blank >= 0 else body
    end = text.find("\n\n", link.end)
    if end < 0:
        before = len(text[:start].rstrip("\n"))
        return (before + 1 if before > body else start), len(text)
    return start, end + 2


# Pictures


def _with_alt(page: Page, _read: Site) -> Edits:
    prose = [one for one in page.document.prose() if one.kind in ("paragraph", "item", "heading")]
    for image in page.document.images:
        if image.alt == "" and image.kind != "html" and image.alt_place is not None:
            before = [one for one in prose if one.at(0, len(one)).start < image.start]
            if before and (words := _alt(before[-1])):
                yield *image.alt_place, words


def _alt(prose: str) -> str:
    """The first sentence of a text, as an alt text."""
    text = " ".join(prose.replace(MASK, " ").split())
    sentence = re.split(r"(?<=[.!?:])\s", text)[0].rstrip(".:!")
    short = sentence if len(sentence) <= LONGEST_ALT else sentence[:LONGEST_ALT].rpartition(" ")[0] + "…"
    return re.sub(r"[\[\]]", "", short)
