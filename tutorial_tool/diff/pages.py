"""Find the changes between two versions of a page: sections, sentences, tables, images, code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tutorial_tool import data, variation
from tutorial_tool.core import lazy_re, scripts, traced
from tutorial_tool.core.source import Span
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data.model import Model
from tutorial_tool.diff import PageChange, front_matter, link_updates, markup, tables
from tutorial_tool.diff.link_updates import is_link_update
from tutorial_tool.diff.words import find_first_difference
from tutorial_tool.markdown import headings
from tutorial_tool.site import Layout, Page, Site
from tutorial_tool.variants import Step, Variant
from tutorial_tool.variation import Section, SectionRow, Unit
from tutorial_tool.variation.multi_alignment import find_changed_runs
from tutorial_tool.variation.units import include_emphasis

_NOBODY = Variant("", "", ("\ue001",))  # A variant without names: nothing is masked, because a changed name is a change
_BLANKS = lazy_re.compile(r"\s+")


def find_changes(old: Page, new: Page, moved: Mapping[str, str] | None = None) -> list[PageChange]:
    """Return the changes between two versions of a page, in the order of the new one.

    `moved` are the pages whose paths changed: a link that follows one of them is no change.
    """
    if old.encode_file() == new.encode_file() and old.title == new.title:
        return []
    metadata_changes, anchors = list(front_matter.find_changes(old, new)), _find_lost_anchors(old, new)
    old, new = _strip_title(old, new), _strip_title(new, old)
    alignment = variation.get_alignment(_build_step(old, new))
    changes = [*metadata_changes, *_find_moved_sections(alignment.sections, new)]
    for row in alignment.sections:
        changes += _find_section_changes(row, old, new)
    changes += anchors
    changes = _merge_moved(changes)
    unexplained = markup.has_unexplained_change(changes, old, new)
    moved = moved or {}
    changes = [change for change in changes if not is_link_update(change, old, new, moved)]
    changes = list(link_updates.merge_renumbered(changes, old, new, moved))
    return [*changes, markup.build_change(old, new)] if unexplained else changes


def _strip_title(page: Page, other: Page) -> Page:
    """Return the page without its title heading, if the other has the title in its front matter instead."""
    heading = headings.find_title_heading(page.document)
    is_alone = headings.find_title_heading(other.document) is None and data.parse_metadata(other.plain).get("title")
    if heading is None or not is_alone or data.parse_metadata(page.plain).get("title"):
        return page
    return replace(page, text=traced.concatenate([page.text[: heading.start], page.text[heading.end :]]))


def align_parts(old: Page, new: Page) -> Iterator[tuple[str, str | None, str | None]]:
    """Yield the aligned parts of both pages: kind, and the text on each side, or None."""
    alignment = variation.get_alignment(_build_step(old, new))
    for row in alignment.sections:
        heads = {name: section.heading for name, section in row.sections.items() if section.heading}
        yield from _iter_pairs([heads] if heads else [], old, new)
        yield from _iter_pairs(row.rows, old, new)


def _iter_pairs(
    rows: Iterable[Mapping[str, Unit]], old: Page, new: Page
) -> Iterator[tuple[str, str | None, str | None]]:
    for row in rows:
        was, is_ = row.get("old"), row.get("new")
        kind = next(iter(row.values())).kind
        yield kind, _get_raw_text(was, old) if was else None, _get_raw_text(is_, new) if is_ else None


def _build_step(old: Page, new: Page) -> Step:
    """Build a step whose variants are the two versions, so that they can be aligned."""
    return Step("", "", {"old": old, "new": new}, {"old": _NOBODY, "new": _NOBODY}, Site(Layout(Path()), Model()))


# Sections


def _find_heading_change(left: Section, right: Section, old: Page, new: Page) -> Iterator[PageChange]:
    """Yield the change of the text or the level of a section's heading, if there is one."""
    was, is_ = left.heading, right.heading
    if was is None or is_ is None:
        return
    get_text = _get_heading if old.generated and new.generated else _get_raw_text
    before, after = get_text(was, old), get_text(is_, new)
    if before != after:
        source, tag = _find_cause(new, is_.place.start, is_.place.end, before)
        yield PageChange("heading", "changed", before, after, source=source, tag=tag)
    elif left.level != right.level:
        was_level, is_level = (f"{'#' * section.level} {after}" for section in (left, right))
        yield PageChange("heading", "changed", was_level, is_level, source=_locate(new, is_))


def _find_section_changes(row: SectionRow, old: Page, new: Page) -> list[PageChange]:
    sections = row.sections
    if "new" not in sections:
        return [_build_section_change(sections["old"], old, "removed")]
    if "old" not in sections:
        return [_build_section_change(sections["new"], new, "added")]
    out = list(_find_heading_change(sections["old"], sections["new"], old, new))
    title = _get_title(sections["new"], new)
    for units in row.rows:
        out += _find_unit_changes(units, title, old, new)
    return out


def _build_section_change(section: Section, page: Page, how: str) -> PageChange:
    """Build the change for a section that only one side has."""
    parts = [_get_raw_text(unit, page) for unit in section.units]
    head = _get_heading(section.heading, page) if section.heading else ""
    first = section.heading or (section.units[0] if section.units else None)
    place = _locate(page, first) if first else page.source.span(0)
    text = "\n\n".join(filter(None, [f"{'#' * section.level} {head}".strip() if head else "", *parts]))
    if how == "added":
        return PageChange("section", how, "", text, about=head, source=place)
    return PageChange("section", how, text, "", about=head, before=place)


def _find_moved_sections(rows: Sequence[SectionRow], new: Page) -> Iterator[PageChange]:
    """Yield the moved sections: the smallest set that explains the new order."""
    both = [row.sections for row in rows if len(row.sections) == 2 and row.sections["new"].heading]
    was = sorted(both, key=lambda sections: _get_start(sections["old"]))
    is_ = sorted(both, key=lambda sections: _get_start(sections["new"]))
    order = [was.index(sections) for sections in is_]
    was_before, is_before = [None, *was], [None, *is_]
    moved = (index for start, end, *_ in find_changed_runs(order, range(len(was))) for index in range(start, end))
    for index in moved:
        section = is_[index]["new"]
        before = _describe_position(was_before[order[index]], new)
        after = _describe_position(is_before[index], new)
        source = _locate(new, section.heading) if section.heading else None
        yield PageChange("section", "moved", before, after, about=_get_title(section, new), source=source)


def _describe_position(row: Mapping[str, Section] | None, new: Page) -> str:
    return f"after “{_get_title(row['new'], new)}”" if row is not None else "at the beginning"


def _get_start(section: Section) -> int:
    return section.heading.place.start if section.heading else section.units[0].place.start


def _get_title(section: Section, page: Page) -> str:
    return _get_heading(section.heading, page) if section.heading else ""


def _get_heading(unit: Unit, page: Page) -> str:
    """Return a heading's text, without its number if that is computed."""
    text = _get_raw_text(unit, page)
    numbers = [section.number for section in page.sections if section.number] if page.generated else []
    return next((text.removeprefix(f"{number} ") for number in numbers if text.startswith(f"{number} ")), text)


# Parts of a section


def _find_unit_changes(units: Mapping[str, Unit], section: str, old: Page, new: Page) -> Iterator[PageChange]:
    was, is_ = units.get("old"), units.get("new")
    if was is not None and is_ is not None:
        if was.table is not None and is_.table is not None:
            yield from tables.find_changes(was.table, is_.table, old, new, section)
            return
        before, after = _get_raw_text(was, old), _get_raw_text(is_, new)
        if before != after:
            source, tag = _find_cause(new, *_find_extent(is_, new), before)
            yield PageChange(is_.kind, "changed", before, after, section, source=source, tag=tag)
    elif is_ is not None:
        yield PageChange(is_.kind, "added", "", _get_raw_text(is_, new), section, source=_locate(new, is_))
    elif was is not None:
        yield PageChange(was.kind, "removed", _get_raw_text(was, old), "", section, before=_locate(old, was))


def _get_raw_text(unit: Unit, page: Page) -> str:
    """Return the Markdown of a part, with white space collapsed except in code and tables."""
    text = page.plain
    start, end = _find_extent(unit, page)
    if unit.kind == "code":
        return text[start:end].strip("\n")
    if unit.kind == "table":
        return "\n".join(line.strip() for line in text[start:end].strip().split("\n"))
    if unit.kind == "image":
        return unit.text
    return _BLANKS.sub(" ", text[start:end]).strip()


def _find_extent(unit: Unit, page: Page) -> tuple[int, int]:
    """Return the offsets of a part, with adjacent emphasis and the complete links at its ends."""
    start, end = unit.place
    if unit.kind in ("code", "table", "image"):
        return start, end
    text = page.plain
    start, end = include_emphasis(text, start, end)
    for link in page.document.links:
        if link.start < end and start < link.end:
            start, end = min(start, link.start), max(end, link.end)
    return include_emphasis(text, start, end)


def _locate(page: Page, unit: Unit) -> Span:
    return page.get_source_span(unit.place.start, unit.place.end)[0]


def _find_cause(page: Page, start: int, end: int, before: str) -> tuple[Span, Span | None]:
    """Return the source of the first word that differs, and the template tag that prints it, if any."""
    text = page.plain[start:end]
    offset = start + find_first_difference(before, text)
    via = page.find_origin(offset).via if offset < len(page.text) else ()
    tag = next((span for span in reversed(via) if span.path == page.source.path), via[-1] if via else None)
    return page.get_source_span(offset, min(offset + 1, end))[0], tag


def _find_lost_anchors(old: Page, new: Page) -> Iterator[PageChange]:
    """Yield the anchors of headings that no longer exist: links from elsewhere go to the top of the page."""
    was, is_ = (_get_anchored_sections(page, is_generated=old.generated or new.generated) for page in (old, new))
    if was and is_:
        anchors = {section.id for section in is_} | set(new.document.anchors)
        for section in was:
            if section.id not in anchors:
                yield PageChange("anchor", "removed", f"#{section.id}", "", about=strip_origins(section.title))


def _get_anchored_sections(page: Page, *, is_generated: bool) -> tuple[headings.Section, ...]:
    """Return the sections of a page; those of a hand-written one only if the other is generated."""
    return page.sections or (headings.read_sections(page.text, page.document) if is_generated else ())


def _merge_moved(matches: list[PageChange]) -> list[PageChange]:
    """Return the changes, merging a removal and an addition of the same text into a move."""
    gone = {c.old: c for c in matches if c.how == "removed" and c.kind in ("sentence", "code", "table", "alt")}
    out: list[PageChange] = []
    taken: set[str] = set()
    for change in matches:
        twin = gone.get(change.new) if change.how == "added" else None
        if (
            twin is not None
            and twin.kind == change.kind
            and change.new not in taken
            and len(change.new) >= scripts.DISTINCTIVE
        ):
            taken.add(change.new)
            out.append(replace(change, how="moved", old=change.new, about=twin.section))
        else:
            out.append(change)
    return [c for c in out if not (c.how == "removed" and c.old in taken and gone.get(c.old) is c)]
