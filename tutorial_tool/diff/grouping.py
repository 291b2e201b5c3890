"""Group changes shared by platforms, and describe what the other platforms of the step have."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from tutorial_tool.diff import GroupedChange, PageChange, PagePair
from tutorial_tool.diff.words import split_pieces
from tutorial_tool.site import Page
from tutorial_tool.variants import Variant

NAME_PLACEHOLDER = "\ue000"  # Placeholder for a platform's own name in compared texts


_NAMED_KINDS = ("row", "figure", "picture", "meta", "section")  # Kinds of changes that name what they are about

_UNIQUE_KINDS = ("page", "address", "number", "title", "description", "order", "markup", "references")
"""Kinds of changes that occur at most once on a page."""


@dataclass(frozen=True)
class VariantNames:
    """The names of a platform on both sides."""

    old: Variant | None
    new: Variant | None

    def build_key(self, change: PageChange) -> tuple[object, ...]:
        """Return a key that is equal for the same change on several platforms: texts with names masked."""
        mask = _mask_path if change.kind == "address" else _mask_names
        old, new = mask(change.old, self.old), mask(change.new, self.new)
        cells = tuple((title, _mask_names(a, self.old), _mask_names(b, self.new)) for title, a, b in change.cells)
        if (old == new and change.old != change.new) or self._is_renamed(change.old, change.new):
            old, new = mask(change.old, self._shared_variant), mask(change.new, self._shared_variant)
        if change.cells and (
            all(a == b for _, a, b in cells) or any(self._is_renamed(*both) for _, *both in change.cells)
        ):
            shared = self._shared_variant
            cells = tuple((title, _mask_names(a, shared), _mask_names(b, shared)) for title, a, b in change.cells)
        about = _mask_names(change.about, self.new or self.old)
        if change.kind == "page":
            about = _mask_path(about, self.new or self.old)
        return change.kind, change.how, old, new, about, cells

    def _is_renamed(self, old: str, new: str) -> bool:
        """Return whether one of the names in a text changed, whatever else did."""
        sides = ((self.old, old), (self.new, new))
        values = [set(variant.pattern.findall(text)) if variant else set() for variant, text in sides]
        return all(values) and values[0] != values[1]

    @cached_property
    def _shared_variant(self) -> Variant | None:
        """The variant with only the names that it has on both sides."""
        if self.old is None or self.new is None:
            return None
        words = tuple(word for word in self.new.words if word in self.old.words)
        return replace(self.new, words=words) if words else None


def _mask_names(text: str, variant: Variant | None) -> str:
    return variant.pattern.sub(NAME_PLACEHOLDER, text) if variant is not None else text


def _mask_path(path: str, variant: Variant | None) -> str:
    """Return a path with the platform's ID masked, as in `upgrade-linux`."""
    platform_id = re.escape(variant.id) if variant is not None else ""
    return re.sub(rf"(?<![^\W_]){platform_id}(?![^\W_])", NAME_PLACEHOLDER, path) if platform_id else path


def group_changes(
    changes: Mapping[str, Iterable[PageChange]], names: Mapping[str, VariantNames], pairs: Mapping[str, PagePair]
) -> list[GroupedChange]:
    """Group the changes of a step's pages by platform, in the order of their positions on the pages."""
    grouped: dict[tuple[object, ...], dict[str, PageChange]] = {}
    positions: dict[tuple[object, ...], float] = {}
    key_by_words: dict[tuple[object, ...], tuple[object, ...]] = {}
    for id_, page_changes in changes.items():
        counts: Counter[tuple[object, ...]] = Counter()
        for index, change in enumerate(page_changes):
            key = names[id_].build_key(change)
            if words := _get_changed_words(change):
                key = key_by_words.setdefault(words, key)
            counts[key] += 1  # a repeated text on a page is reported each time
            grouped.setdefault((*key, counts[key]), {})[id_] = change
            positions.setdefault((*key, counts[key]), index)
    changes_of = {id_: {key: group[id_] for key, group in grouped.items() if id_ in group} for id_ in pairs}
    result = []
    for key in sorted(grouped, key=lambda key: positions[key]):
        group = grouped[key]
        first_id, first = next(iter(group.items()))
        old_text = _mask_names(first.old, names[first_id].old)
        instead = {
            id_: _describe_alternative(key, old_text, names[id_], pairs[id_], changes_of[id_])
            for id_ in pairs
            if id_ not in group
        }
        result.append(_build_group(group, names, instead))
    return result


def _build_group(
    group: Mapping[str, PageChange], names: Mapping[str, VariantNames], instead: Mapping[str, str]
) -> GroupedChange:
    """Build a group of equal changes by platform; `instead` describes what the other platforms have."""
    first = next(iter(group.values()))
    sections = {id_: _mask_names(change.section, names[id_].new) for id_, change in group.items()}
    sources = {id_: change.source or change.before for id_, change in group.items()}
    is_varied = any((c.old, c.new, c.cells) != (first.old, first.new, first.cells) for c in group.values())
    return GroupedChange(_strip_section_names(first, sections), tuple(group), sources, is_varied, instead)


def _get_changed_words(change: PageChange) -> tuple[object, ...]:
    """Return the location of a change and the changed words, or an empty tuple if they are unknown.

    With different words around them, such as a value of the platform, it is still the same change.
    """
    texts = (("", change.old, change.new), *change.cells)
    words = [(title, piece) for title, *both in texts for piece in split_pieces(*both) if piece.how != "same"]
    is_known = change.how == "changed" and change.source is not None and words
    return (change.kind, change.source, change.tag, change.about, *words) if is_known else ()


def _strip_section_names(change: PageChange, sections: Mapping[str, str]) -> PageChange:
    """Return the first platform's change, with differing platform names masked in the section heading."""
    masked = set(sections.values())
    are_same = len(sections) > 1 and len(masked) == 1 and NAME_PLACEHOLDER in next(iter(masked))
    return replace(change, section=masked.pop().replace(NAME_PLACEHOLDER, "…")) if are_same else change


def _describe_figure(name: object, page: Page) -> str:
    return "stays as it is" if any(figure.name == name for figure in page.figures) else "does not have it"


def _describe_alternative(
    key: tuple[object, ...],
    old_text: str,
    names: VariantNames,
    pair: PagePair,
    others: Mapping[tuple[object, ...], PageChange],
) -> str:
    """Describe what a platform without the change has.

    `old_text` is the old text of the change with platform names masked, `others` are the platform's changes by key.
    """
    kind, about = key[0], key[4]
    if pair.old is None:
        return "is new"
    if pair.new is None:
        return "is gone"
    changes_of_kind = {other: change for other, change in others.items() if other[0] == kind}
    if _has_different_change(key, old_text, names, changes_of_kind):
        return "changes differently"
    if kind == "figure":
        return _describe_figure(about, pair.new)
    if kind in _UNIQUE_KINDS:
        return "changes differently" if changes_of_kind else "stays as it is"
    return _describe_unchanged(key, pair.old, names)


def _has_different_change(
    key: tuple[object, ...], old_text: str, names: VariantNames, changes: Mapping[tuple[object, ...], PageChange]
) -> bool:
    """Return whether another change of the kind has the same subject, or replaces the same text."""
    kind, _how, old, _new, about, *_ = key
    if kind in _NAMED_KINDS and any(other[4] == about for other in changes):
        return True
    return bool(old) and any(o[2] == old or _mask_names(c.old, names.old) == old_text for o, c in changes.items())


def _describe_unchanged(key: tuple[object, ...], page_before: Page, names: VariantNames) -> str:
    """Describe whether an unchanged page has the subject of the change."""
    kind, how, old, _new, about, *_ = key
    page = _mask_names(" ".join(page_before.plain.split()), names.old)
    expected = about if kind == "row" else old
    if not expected:
        return "does not get it" if how == "added" else "stays as it is"
    return "stays as it is" if str(expected) in page else "does not have it"
