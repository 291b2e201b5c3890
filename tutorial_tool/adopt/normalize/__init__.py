"""Remove what the tool computes: typed navigation, numbers, and markup that fixes can write.

Images without alt text get that of their step. A reference to a number becomes a call of `link()`; until the template
is written, private characters enclose its target.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path

from tutorial_tool import links, site
from tutorial_tool.adopt.base import COPIES, PAGES
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.normalize import anchors, navigation, step_links, typed_numbers
from tutorial_tool.adopt.words.pieces import MAX_VALUE_CHARACTERS
from tutorial_tool.config.settings import Config
from tutorial_tool.core.source import Source, Span, find_line_start
from tutorial_tool.core.time_budget import limit_time
from tutorial_tool.links.references import strip_query
from tutorial_tool.linter import engine, fixer
from tutorial_tool.linter.linted_site import LintedSite
from tutorial_tool.markdown.document import MASK
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.site import Page, Site


# Pages end in `.md` even if their copies do not: links among the copies are updated.
def find_link_edits(page: Page, read: Site, copies: Set[str]) -> Iterator[tuple[int, int, str]]:
    """Yield the edits that update a page's links to the pages of `copies`, which are paths of files."""
    for reference, target in links.get_addresses(read).get_links(page):
        path = target.page.source.path if target.page else ""
        suffix = posixpath.splitext(path)[1]
        if path not in copies or suffix not in COPIES or suffix == PAGES[0]:
            continue
        start = reference.place.start
        named = strip_query(page.source.text[start : reference.place.end])
        if named.endswith(suffix):
            end = start + len(named)
            yield end - len(suffix), end, PAGES[0]


FIXES = ("broken-list-numbering", "raw-html", "unescaped-angle")  # Rules whose fixes are applied


@dataclass(frozen=True)
class NormalizedSets:
    """The normalized sets; the steps with numbered titles or headings; and what was done, in words.

    `words` are strings of the data that print titles as they were typed.
    """

    sets: tuple[CopySet, ...]
    numbered: frozenset[tuple[str, str]]
    sectioned: frozenset[tuple[str, str]]
    notes: tuple[str, ...]
    words: Mapping[str, str] = field(default_factory=dict)


def normalize_sets(
    sets: Sequence[CopySet], root: Path, kept: Set[str] = frozenset(), steps: Set[str] = frozenset()
) -> NormalizedSets:
    """Normalize the sets.

    `kept` are anchors that other pages use, `steps` the paths of all pages of the tutorials, including those that stay
    copies.
    """
    copies = chain.from_iterable(copy_set.copies.values() for copy_set in sets)
    run = _Normalizer(root, {copy.source.path: copy.source.text for copy in copies})
    typed = navigation.find_typed(run.read(), sets, root, steps)
    run.apply_edits(
        {"typed links to the previous and next page: removed": lambda page, _: iter(typed[page.source.path].edits)}
    )
    places = [item for item in typed.values() if item.place is not None]
    run.counts["places among all steps (`Step 2 of 4`): a number in the title"] += len(places)
    run.apply_fixes()
    before = run.read()
    numbered, sectioned = typed_numbers.find_numbered_steps(before, sets)
    numbered |= navigation.find_counted_steps(sets, typed)
    counted_sets = [copy_set for copy_set in sets if (copy_set.tutorial, copy_set.step) in numbered]
    paths = _get_paths(counted_sets)
    run.apply_edits(
        {
            "typed numbers: computed": lambda page, read: typed_numbers.find_removals(
                page, read, is_numbered=page.source.path in paths
            )
        }
    )
    tutorials = {tutorial for tutorial, _ in sectioned}
    ids = _find_heading_ids(before, run.read(), [copy_set for copy_set in sets if copy_set.tutorial in tutorials], kept)
    targets = typed_numbers.find_targets(before, sets, ids)
    whole = _get_paths(copy_set for copy_set in counted_sets if copy_set.tutorial not in tutorials)
    requested = kept | anchors.find_fragments(run.texts.values())
    value = step_links.find_steps(before, sets, numbered, typed)
    notes = _format_notes(
        sets,
        (
            (page.source.path, f"{run.locate_original(page, at)}: ", f"{why}, and stays")
            for page in before.pages
            for at, why in (
                *typed_numbers.find_skipped(page, before, targets),
                *step_links.find_skipped(page, before, value),
            )
        ),
    )
    moved = {path: {old: new for old, new in own.values() if old != new} for path, own in ids.items()}
    run.apply_edits(
        {
            "anchors that links use: kept": lambda page, _: anchors.find_id_edits(
                page, ids.get(page.source.path, {}), kept
            ),
            "anchors of titles: kept": lambda page, _: (
                anchors.find_title_edit(page, requested) if page.source.path in whole else iter(())
            ),
            "references to typed numbers: links, or words if the target is not found": partial(
                typed_numbers.find_link_edits, result=targets
            ),
            "links that say the number of a step: computed": lambda page, read: step_links.find_link_edits(
                page, read, value
            ),
            "links to anchors without numbers: updated": lambda page, read: anchors.find_link_edits(page, read, moved),
            "images without alt text: that of their step": _find_alt_edits,
        }
    )
    adopted = frozenset(run.texts)
    run.apply_edits(
        {"links to pages that now end in .md: updated": lambda page, read: find_link_edits(page, read, adopted)}
    )
    counted = [f"{count} × {what}" for what, count in run.counts.items() if count]
    words = typed_numbers.find_title_strings(before, paths)
    updated = tuple(map(run.update_set, sets))
    return NormalizedSets(updated, numbered, sectioned, (*counted, *notes), words)


def _get_paths(sets: Iterable[CopySet]) -> set[str]:
    return {copy.source.path for copy_set in sets for copy in copy_set.copies.values()}


def _format_notes(sets: Iterable[CopySet], reported: Iterable[tuple[str, str, str]]) -> list[str]:
    """Format notes on copies, one for all copies of a step, naming the other platforms concerned."""
    homes = {copy.source.path: (copy_set, platform) for copy_set in sets for platform, copy in copy_set.copies.items()}
    often: Counter[tuple[str, str]] = Counter()
    alike: dict[tuple[CopySet, str, int], tuple[str, list[str]]] = {}
    for path, place, text in reported:
        (item, platform), times = homes[path], often[path, text]
        alike.setdefault((item, text, times), (place, []))[1].append(platform)
        often[path, text] += 1
    return [
        f"{place}{text}" + (f" (also on {', '.join(others)})" if others else "")
        for (_, text, _), (place, (_, *others)) in alike.items()
    ]


def _find_heading_ids(before: Site, after: Site, sets: Iterable[CopySet], kept: Set[str]) -> dict[str, anchors.Ids]:
    """Return the old and new IDs of the headings of sets, by the paths of their pages."""
    had, get = ({page.source.path: page for page in read.pages} for read in (before, after))
    return {path: anchors.pair_heading_ids(had[path], get[path], kept) for path in _get_paths(sets)}


Edits = Iterator[tuple[int, int, str]]


class _Normalizer:
    """The texts of all copies, changed step by step."""

    def __init__(self, root: Path, texts: dict[str, str]) -> None:
        self.root, self.texts = root, texts
        self.given = dict(texts)
        self.counts: Counter[str] = Counter()
        self.pages: dict[str, Page] = {}

    def read(self, overlay: Mapping[str, str] | None = None) -> Site:
        texts = {**self.texts, **(overlay or {})}
        read = site.load_plain([self.root / path for path in texts], self.root, texts, dialect=Dialect.PYTHON_MARKDOWN)
        for page in read.pages:
            before = self.pages.get(page.path)
            if before is not None and before.source.text == page.source.text:
                vars(page)["document"] = before.document  # parsing is the slow part
            self.pages[page.path] = page
        return read

    def apply_edits(self, kinds: Mapping[str, Callable[[Page, Site], Edits]]) -> None:
        """Apply the edits of each kind to every page; where two overlap, the first is applied."""
        read = self.read()
        for page in read.pages:
            made: list[tuple[int, int, str]] = []
            for what, edits_of in kinds.items():
                with limit_time(f"--normalize on `{page.source.path}`"):
                    expected = sorted(set(edits_of(page, read)))
                for edit in expected:
                    if all(edit[1] <= start or end <= edit[0] for start, end, _ in made):
                        made.append(edit)
                        self.counts[what] += 1
            text = page.source.text
            for start, end, new in sorted(made, reverse=True):
                text = text[:start] + new + text[end:]
            self.texts[page.source.path] = text

    def apply_fixes(self) -> None:
        """Apply the fixes of the rules in `FIXES`, including the unsafe ones."""
        config = Config(self.root, select=FIXES)

        def load(overlay: Mapping[str, str]) -> LintedSite:
            read = self.read(overlay)
            return LintedSite(read, engine.run(read, config))

        result = fixer.run_rounds(load, unsafe=True)
        for path, change in result.changes.items():
            self.texts[path] = change.after.text
        for rule, count in result.counts.items():
            self.counts[f"{rule}: fixed"] += count

    def locate_original(self, page: Page, offset: int) -> Span:
        """Return the location in the original copy: on the same occurrence of the same line."""
        text, given = page.source.text, Source(page.source.path, self.given[page.source.path])
        start = find_line_start(text, offset)
        line = text[start:].partition("\n")[0]
        times = text[:start].split("\n").count(line) - (not line)
        same = [at for at in range(1, given.line_count + 1) if given.get_line_text(at) == line]
        if times < len(same):
            return given.span(given.get_line_start(same[times]) + offset - start)
        return page.source.span(offset)

    def update_set(self, copy_set: CopySet) -> CopySet:
        copies = {
            platform: replace(copy, source=copy.source.replace_text(self.texts[copy.source.path]))
            for platform, copy in copy_set.copies.items()
        }
        return replace(copy_set, copies=copies)


# Images


def _find_alt_edits(page: Page, _read: Site) -> Edits:
    prose = [item for item in page.document.get_prose() if item.kind in ("paragraph", "item", "heading")]
    for image in page.document.images:
        if image.alt == "" and image.kind != "html" and image.alt_place is not None:
            before = [item for item in prose if item.locate(0, len(item)).start < image.start]
            if before and (words := _build_alt(before[-1])):
                yield *image.alt_place, words


def _build_alt(prose: str) -> str:
    """Return the first sentence of a text, as alt text."""
    text = " ".join(prose.replace(MASK, " ").split())
    sentence = re.split(r"(?<=[.!?:])\s", text)[0].rstrip(".:!")
    is_short = len(sentence) <= MAX_VALUE_CHARACTERS
    short = sentence if is_short else sentence[:MAX_VALUE_CHARACTERS].rpartition(" ")[0] + "…"
    return re.sub(r"[\[\]]", "", short)
