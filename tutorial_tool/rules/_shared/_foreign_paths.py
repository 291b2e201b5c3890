"""Addresses that lead from one variant into another, or stand under another base than those of the copies."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tutorial_tool import variants
from tutorial_tool.markdown.document import Range
from tutorial_tool.variants import Step
from tutorial_tool.variation import OWN, own_paths
from tutorial_tool.variation.paths import without_host
from tutorial_tool.variation.wording import distinct

_HARDLY = 2
"""How many addresses of a page lead to a platform that it has no more to do with."""

_PUBLISHED = ("", "static", "public")
"""Folders, besides that of the pages, in which pictures stand at the addresses that pages show."""


class Address(NamedTuple):
    """An address in a page: what it says, where it stands, and the text that it stands with."""

    href: str
    place: Range
    role: str
    alone: bool = False
    """Whether it fills a line: a link to the page before or after."""
    folder: str = ""
    """The folder of its page, from which a relative address leads."""

    @property
    def path(self) -> str:
        """Where it leads within the site; of another host, the path there."""
        path = without_host(self.href)
        if path != self.href or not path or path[0] in "/#?{" or ":" in path.partition("/")[0]:
            return path
        return posixpath.normpath(posixpath.join(self.folder, path))


class Foreign(NamedTuple):
    """An address that names another variant. `own` are the variants whose address in that place names themselves.

    `start` and `end` are the characters of that name in the address, or of all of it where it stands in none.
    """

    name: str
    other: str
    address: Address
    start: int
    end: int
    own: tuple[str, ...]


def foreign(step: Step, addresses: Mapping[str, Sequence[Address]], *, files: bool = False) -> Iterator[Foreign]:
    """The addresses that name another variant where those of the other copies name their own.

    Of `files`, one of Halo is told on a page for Halo Mini, too, where that has a file of its own in its place.
    """
    answers = _Answers(step, addresses, files=files)
    for name, said in addresses.items():
        for address in said:
            if found := answers.other(name, address):
                yield found


class _Answers:
    """The addresses of all variants, as they answer to each other."""

    def __init__(self, step: Step, addresses: Mapping[str, Sequence[Address]], *, files: bool) -> None:
        self.step, self.addresses, self.files = step, addresses, files
        self.words = own_paths(step)
        self.shapes = {name: {self._shape(name, a.path) for a in said} for name, said in addresses.items()}
        self.roles = {
            name: {a.role.strip().lower(): self._shape(name, a.path) for a in said if a.role.strip()}
            for name, said in addresses.items()
        }

    def _shape(self, name: str, path: str) -> str:
        return self.words[name].masked(path)

    def other(self, name: str, address: Address) -> Foreign | None:
        """Which other variant an address leads to, if it is a slip."""
        path, query = self._parts(name, address.path)
        if self.words[name].pattern.search(path):
            return None
        known = {**self.step.variants, **self.step.kin}
        for other, variant in known.items():
            pattern = self.words[other].pattern
            if other == name or not pattern.search(path):
                continue
            if not distinct(known[name], variant) and not (self.files and self._has_its_own(name, other, path)):
                continue
            own = self._own(name, self._shape(other, path) + self._shape(name, query), address)
            if own and self._is_slip(name, other, own, address):
                host = len(address.href) - len(without_host(address.href))
                typed = pattern.search(address.href, host)
                start, end = typed.span() if typed else (0, len(address.href))
                return Foreign(name, other, address, start, end, own)
        return None

    def _parts(self, name: str, path: str) -> tuple[str, str]:
        """Where an address leads, and the query behind it that names its own variant: it tells where a reader came
        from."""
        where = path.find("?")
        is_own = where >= 0 and self.words[name].pattern.search(path, where) is not None
        return (path[:where], path[where:]) if is_own else (path, "")

    def _own(self, name: str, shape: str, address: Address) -> tuple[str, ...]:
        """The variants with an address of this shape, or with this text, that names themselves."""
        role = address.role.strip().lower()
        return tuple(
            id_
            for id_ in self.addresses
            if id_ != name and (shape in self.shapes[id_] or OWN in self.roles[id_].get(role, ""))
        )

    def _is_slip(self, name: str, other: str, own: tuple[str, ...], address: Address) -> bool:
        """Whether an address is a slip, and not meant: as many variants lead to their own as lead there.

        A text that names its own variant decides. Where only that other variant leads to its own, it is a slip if the
        page hardly leads there, but to itself beside it.
        """
        sayers = sum(any(a.href == address.href for a in said) for id_, said in self.addresses.items() if id_ != other)
        if self.files and own == (other,) and sayers > 1:
            return False  # a picture that several copies share, in the folder of one
        if self.step.variants[name].pattern.search(address.role):
            return True
        if own == (other,) and {**self.step.variants, **self.step.kin}[other].pattern.search(address.role):
            return False  # its text says where it leads
        is_here = without_host(address.href) == address.href
        if self.files and is_here and self._leaves_its_own(name, other, address.path):
            return True
        if (address.alone and is_here and own == (other,)) or self._has_counterpart(name, other, address):
            return True
        if sum(id_ != other for id_ in own) >= sayers:
            return True
        if not is_here:
            return False
        pattern = self.words[other].pattern
        there = sum(bool(pattern.search(a.path)) for a in self.addresses[name])
        folder = _folder(self._shape(other, address.path))
        return there <= _HARDLY and any(OWN in shape and _folder(shape) == folder for shape in self.shapes[name])

    def _has_its_own(self, name: str, other: str, path: str) -> bool:
        """Whether the file of another variant is there for this one, too, under its own name."""
        return bool(self._its_own(name, other, path))

    def _its_own(self, name: str, other: str, path: str) -> list[str]:
        """The files that a variant has under its own name, in place of another one's."""
        layout = self.step.site.layout
        here = [self.words[other].pattern.sub(word, path.lstrip("/")) for word in self.words[name].words]
        folders = [layout.root / folder for folder in (layout.docs, *_PUBLISHED)]
        return [each for each in here if any((folder / each).is_file() for folder in folders)]

    def _leaves_its_own(self, name: str, other: str, path: str) -> bool:
        """Whether no page of a variant shows the file that it has in place of another one's."""
        own = self._its_own(name, other, path)
        pages = [each.pages[name] for each in variants.of_these(self.step) if name in each.pages] if own else []
        return bool(own) and not any(file.rpartition("/")[2] in page.plain for file in own for page in pages)

    def _has_counterpart(self, name: str, other: str, address: Address) -> bool:
        """Whether the other variant leads to itself with these words, and this one has the page that answers to it."""
        role = address.role.strip().lower()
        if not role or OWN not in self.roles.get(other, {}).get(role, ""):
            return False
        path = address.path.partition("#")[0]
        paths = {page.path for page in self.step.site.pages}
        here = (self.words[other].pattern.sub(word, path) for word in self.words[name].words)
        return path in paths and any(each in paths for each in here)


def _folder(path: str) -> str:
    return path.rstrip("/").rpartition("/")[0]
