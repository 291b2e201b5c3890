"""Addresses that lead from one variant into another, or stand under another base than those of the copies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tutorial_tool.align import OWN, own_paths
from tutorial_tool.align.paths import without_host
from tutorial_tool.align.wording import distinct
from tutorial_tool.document import Range
from tutorial_tool.variants import Step

_HARDLY = 2
"""How many addresses of a page lead to a platform that it has no more to do with."""


class Address(NamedTuple):
    """An address in a page: what it says, where it stands, and the text that it stands with."""

    href: str
    place: Range
    role: str
    alone: bool = False
    """Whether it fills a line: a link to the page before or after."""


class Foreign(NamedTuple):
    """An address that names another variant. `own` are the variants whose address in that place names themselves.

    `start` and `end` are the characters of that name in the address.
    """

    name: str
    other: str
    address: Address
    start: int
    end: int
    own: tuple[str, ...]


def foreign(step: Step, addresses: Mapping[str, Sequence[Address]]) -> Iterator[Foreign]:
    """The addresses that name another variant where those of the other copies name their own."""
    answers = _Answers(step, addresses)
    for name, said in addresses.items():
        for address in said:
            if found := answers.other(name, address):
                yield found


class _Answers:
    """The addresses of all variants, as they answer to each other."""

    def __init__(self, step: Step, addresses: Mapping[str, Sequence[Address]]) -> None:
        self.step, self.addresses = step, addresses
        self.words = own_paths(step)
        self.shapes = {name: {self._shape(name, a.href) for a in said} for name, said in addresses.items()}
        self.roles = {
            name: {a.role.strip().lower(): self._shape(name, a.href) for a in said if a.role.strip()}
            for name, said in addresses.items()
        }

    def _shape(self, name: str, href: str) -> str:
        return self.words[name].masked(without_host(href))

    def other(self, name: str, address: Address) -> Foreign | None:
        """Which other variant an address leads to, if it is a slip."""
        path = without_host(address.href)
        if self.words[name].pattern.search(path):
            return None
        variants = {**self.step.variants, **self.step.kin}
        for other, variant in variants.items():
            match = self.words[other].pattern.search(path) if other != name else None
            if match is None or not distinct(variants[name], variant):
                continue
            own = self._own(name, self._shape(other, address.href), address)
            if own and self._is_slip(name, other, own, address):
                start = len(address.href) - len(path) + match.start()
                return Foreign(name, other, address, start, start + len(match[0]), own)
        return None

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
        if self.step.variants[name].pattern.search(address.role):
            return True
        if own == (other,) and {**self.step.variants, **self.step.kin}[other].pattern.search(address.role):
            return False  # its text says where it leads
        if address.alone and own == (other,):
            return True
        sayers = sum(any(a.href == address.href for a in said) for id_, said in self.addresses.items() if id_ != other)
        if sum(id_ != other for id_ in own) >= sayers:
            return True
        if without_host(address.href) != address.href:
            return False
        pattern = self.words[other].pattern
        there = sum(bool(pattern.search(without_host(a.href))) for a in self.addresses[name])
        folder = _folder(self._shape(other, address.href))
        return there <= _HARDLY and any(OWN in shape and _folder(shape) == folder for shape in self.shapes[name])


def _folder(path: str) -> str:
    return path.rstrip("/").rpartition("/")[0]
