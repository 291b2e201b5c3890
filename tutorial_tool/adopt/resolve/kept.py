"""What only some copies have, told so that every word of it is true of the copies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.lines import Column
from tutorial_tool.adopt.resolve.differences import lines
from tutorial_tool.adopt.words import has_word
from tutorial_tool.core import lazy_re

LONGEST = 70  # Characters of a text that is told
_TAG = lazy_re.compile(r"</?[A-Za-z][^>]*>")


@dataclass(frozen=True)
class Part:
    """A text that some platforms have: how it begins, and where it stands first. `elsewhere` has the same text, too.

    Where it is not the same on all of these platforms, it is that of the first.
    """

    platforms: tuple[str, ...]
    text: str
    place: str
    elsewhere: Mapping[str, str]
    kind: str = "text"
    is_same: bool = True

    @property
    def told(self) -> str:
        return self.text if self.is_same else f"{self.text} or the like"


@dataclass(frozen=True)
class Kept:
    """What stands in one place of some copies: in some only, or, in words of their own, in all of them."""

    parts: tuple[Part, ...]

    def __str__(self) -> str:
        first, *others = self.parts
        if others:
            return f"{first.place}: " + ", ".join(
                f"{_and(part.platforms)}: '{part.text}'{'' if part.is_same else ' or the like'}" for part in self.parts
            )
        if first.elsewhere:
            places = ", ".join(f"{platform} ({place})" for platform, place in first.elsewhere.items())
            return f"{first.place}: here on {', '.join(first.platforms)}, elsewhere on {places}: {first.told}"
        return f"{first.place}: only on {', '.join(first.platforms)}: {first.told}"


def kept(copies: CopySet, columns: Sequence[Column]) -> Iterator[Kept]:
    """What only some copies have: one entry for each run of it between two texts that every copy has."""
    runs: dict[tuple[str, ...], Part] = {}
    for column, offsets in lines(columns, dict.fromkeys(copies.platforms, 0)):
        if not any(has_word(unit.text) for unit in column.values()):
            continue
        if len(column) < len(copies.copies):
            known = runs.get(tuple(column))
            if known is None or not _blanked(known.text).strip():  # a tag alone tells nothing
                runs[tuple(column)] = _part(copies, column, offsets)
        else:
            yield from _entries(copies, runs)
            runs = {}
    yield from _entries(copies, runs)


def _entries(copies: CopySet, runs: Mapping[tuple[str, ...], Part]) -> Iterator[Kept]:
    parts = tuple(runs.values())
    have = [platform for platforms in runs for platform in platforms]
    if sorted(have) == sorted(copies.platforms) and len({part.kind for part in parts}) == 1:
        yield Kept(parts)
    else:
        yield from (Kept((part,)) for part in parts)


def _part(copies: CopySet, column: Column, offsets: Mapping[str, int]) -> Part:
    first = next(iter(column))
    whole = column[first].text
    place = copies.copies[first].source.span(offsets[first])
    removesuffix = short(whole).removesuffix("…")
    elsewhere = {p: at for p in copies.platforms if p not in column and (at := _place_of(copies, p, removesuffix))}
    is_same = len({_words(unit.text) for unit in column.values()}) == 1
    return Part(tuple(column), short(whole), str(place), elsewhere, column[first].kind, is_same)


def _place_of(copies: CopySet, platform: str, message: str) -> str | None:
    """Where a copy has the same words, whatever space and tags are between them."""
    copy, pattern = copies.copies[platform], r"\s+".join(map(re.escape, message.split()))
    at = re.search(pattern, _blanked(copy.text)) or re.search(pattern, copy.text)
    return str(copy.source.span(at.start())) if at else None


def _blanked(text: str) -> str:
    """A text with spaces in the place of its tags."""
    return _TAG.sub(lambda tag: " " * len(tag[0]), text)


def _words(text: str) -> str:
    """A text on one line, without tags, where more than tags is in it."""
    return " ".join((_blanked(text).strip() or text).split())


def short(text: str) -> str:
    """How a text begins."""
    line = _words(text)
    return line if len(line) <= LONGEST else line[: LONGEST - 1].rstrip() + "…"


def _and(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
