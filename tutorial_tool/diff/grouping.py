"""Group changes shared by platforms, and describe what the other platforms of the step have."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from tutorial_tool.core.traced import strip_origins
from tutorial_tool.diff import GroupedChange, PageChange, PagePair
from tutorial_tool.diff.words import split_pieces
from tutorial_tool.site import Page
from tutorial_tool.variants import Variant

OWN = "\ue000"  # Placeholder for a platform's own name in compared texts


_BY_NAME = ("row", "badge", "figure", "picture", "meta", "section")
"""Kinds of changes that name what they are about."""

_ONCE = ("page", "address", "number", "title", "description", "order", "markup", "references")
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
        cells = tuple(
            (title, _mask_names(was, self.old), _mask_names(is_, self.new)) for title, was, is_ in change.cells
        )
        if (old == new and change.old != change.new) or self._is_renamed(change.old, change.new):
            old, new = mask(change.old, self._shared_variant), mask(change.new, self._shared_variant)
        if change.cells and (
            all(was == is_ for _, was, is_ in cells) or any(self._is_renamed(*both) for _, *both in change.cells)
        ):
            cells = tuple(
                (title, _mask_names(was, self._shared_variant), _mask_names(is_, self._shared_variant))
                for title, was, is_ in change.cells
            )
        about = _mask_names(change.about, self.new or self.old)
        if change.kind == "page":
            about = _mask_path(about, self.new or self.old)
        return change.kind, change.how, old, new, about, cells

    def _is_renamed(self, old: str, new: str) -> bool:
        """Return whether one of the names in a text changed, whatever else did."""
        values = [
            set(variant.pattern.findall(text)) if variant else set()
            for variant, text in ((self.old, old), (self.new, new))
        ]
        return all(values) and values[0] != values[1]

    @cached_property
    def _shared_variant(self) -> Variant | None:
        """The variant with only the names that it has on both sides."""
        if self.old is None or self.new is None:
            return None
        words = tuple(word for word in self.new.words if word in self.old.words)
        return replace(self.new, words=words) if words else None


def _mask_names(text: str, variant: Variant | None) -> str:
    return variant.pattern.sub(OWN, text) if variant is not None else text


def _mask_path(path: str, variant: Variant | None) -> str:
    """Return a path with the platform's ID masked, as in `upgrade-linux`."""
    own = re.escape(variant.id) if variant is not None else ""
    return re.sub(rf"(?<![^\W_]){own}(?![^\W_])", OWN, path) if own else path


def group_changes(
    changes: Mapping[str, Iterable[PageChange]], names: Mapping[str, VariantNames], pairs: Mapping[str, PagePair]
) -> list[GroupedChange]:
    """Group the changes of a step's pages by platform, in the order of their positions on the pages."""
    matches: dict[tuple[object, ...], dict[str, PageChange]] = {}
    place: dict[tuple[object, ...], float] = {}
    alike: dict[tuple[object, ...], tuple[object, ...]] = {}
    for id_, reported in changes.items():
        seen: Counter[tuple[object, ...]] = Counter()
        for index, change in enumerate(reported):
            key = names[id_].build_key(change)
            if words := _get_changed_words(change):
                key = alike.setdefault(words, key)
            seen[key] += 1  # a repeated text on a page is reported each time
            matches.setdefault((*key, seen[key]), {})[id_] = change
            place.setdefault((*key, seen[key]), index)
    out = []
    for key in sorted(matches, key=lambda key: place[key]):
        having = matches[key]
        text, first = next(iter(having.items()))
        was = _mask_names(first.old, names[text].old)
        out.append(
            GroupedChange(
                _strip_section_names(
                    first, {id_: _mask_names(change.section, names[id_].new) for id_, change in having.items()}
                ),
                tuple(having),
                {id_: change.source or change.before for id_, change in having.items()},
                any((c.old, c.new, c.cells) != (first.old, first.new, first.cells) for c in having.values()),
                {
                    id_: _describe_alternative(
                        key, was, names[id_], pairs[id_], {k: v[id_] for k, v in matches.items() if id_ in v}
                    )
                    for id_ in pairs
                    if id_ not in having
                },
            )
        )
    return out


def _get_changed_words(change: PageChange) -> tuple[object, ...]:
    """Return the location of a change and the changed words, or an empty tuple if they are unknown.

    With different words around them, such as a value of the platform, it is still the same change.
    """
    texts = (("", change.old, change.new), *change.cells)
    words = [(title, piece) for title, *both in texts for piece in split_pieces(*both) if piece.how != "same"]
    is_told = change.how == "changed" and change.source is not None and words
    return (change.kind, change.source, change.tag, change.about, *words) if is_told else ()


def _strip_section_names(change: PageChange, sections: Mapping[str, str]) -> PageChange:
    """Return the first platform's change, with differing platform names masked in the section heading."""
    reported = set(sections.values())
    own = len(sections) > 1 and len(reported) == 1 and OWN in next(iter(reported))
    return replace(change, section=reported.pop().replace(OWN, "…")) if own else change


def _describe_alternative(
    key: tuple[object, ...],
    was: str,
    names: VariantNames,
    pair: PagePair,
    others: Mapping[tuple[object, ...], PageChange],
) -> str:
    """Describe what a platform without the change has.

    `was` is the old text of the change with platform names masked, `others` are the platform's changes by key.
    """
    kind, about = key[0], key[4]
    if pair.old is None:
        return "is new"
    if pair.new is None:
        return "is gone"
    of_kind = {other: change for other, change in others.items() if other[0] == kind}
    if _has_different_change(key, was, names, of_kind):
        return "changes differently"
    if kind == "figure":
        return "stays as it is" if any(figure.name == about for figure in pair.new.figures) else "does not have it"
    if kind in _ONCE:
        return "changes differently" if of_kind else "stays as it is"
    return _describe_unchanged(key, pair.old, names)


def _has_different_change(
    key: tuple[object, ...], was: str, names: VariantNames, of_kind: Mapping[tuple[object, ...], PageChange]
) -> bool:
    """Return whether another change of the kind has the same subject, or replaces the same text."""
    kind, _how, old, _new, about, *_ = key
    if kind in _BY_NAME and any(other[4] == about for other in of_kind):
        return True
    is_text = bool(old) and kind != "badge"
    return is_text and any(o[2] == old or _mask_names(c.old, names.old) == was for o, c in of_kind.items())


def _describe_unchanged(key: tuple[object, ...], page_before: Page, names: VariantNames) -> str:
    """Describe whether an unchanged page has the subject of the change."""
    kind, how, old, _new, about, *_ = key
    page = _mask_names(" ".join(strip_origins(page_before.text).split()), names.old)
    expected = about if kind in ("row", "badge") else old
    if not expected:
        return "does not get it" if how == "added" else "stays as it is"
    return "stays as it is" if str(expected) in page else "does not have it"
