"""Folders with a version of all pages each, as `docs/v1.0.x`, `docs/v1.1.x`, `docs/next`, whatever publishes them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from posixpath import join

from tutorial_tool.core import lazy_re
from tutorial_tool.links.disk import Disk
from tutorial_tool.links.tree import SEVERAL

_NUMBERED = lazy_re.compile(r"v?\d+(?:\.(?:\d+|x))+")


def find_old_versions(folder: str, disk: Disk) -> Iterator[str]:
    """Yield the numbered folders in a folder whose pages a newer version has, too.

    The newest version is a folder beside them without a number, or the folder that they are in, if it has most names of
    the last numbered one; else it is that.
    """
    folders = [name for name, is_folder in disk.list_entries(folder).items() if is_folder]
    numbered = sorted(filter(_NUMBERED.fullmatch, folders), key=lambda name: [*map(int, re.findall(r"\d+", name))])
    if len(numbered) < SEVERAL:
        return
    names = {name: disk.list_entries(join(folder, name)).keys() for name in folders}
    last = names[numbered[-1]]
    unnumbered = [disk.list_entries(folder).keys(), *(names[name] for name in folders if name not in numbered)]
    newest = next((others for others in unnumbered if _has_most(others, last)), None)
    for name in numbered if newest is not None else numbered[:-1]:
        if _has_most(last if newest is None else newest, names[name]):
            yield join(folder, name)


def _has_most(others: Collection[str], names: Collection[str]) -> bool:
    """Return whether a folder has most names that another one has."""
    return len({*others} & {*names}) >= max(SEVERAL, len(names) / 2)
