"""Store the word lists for fast lookup: hash tables in a cache file, mapped into memory."""

from __future__ import annotations

import contextlib
import mmap
import sys
import time
import zlib
from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from tutorial_tool import cache
from tutorial_tool.cache import MAX_REMEMBERED, blake2b
from tutorial_tool.core.diagnostics import InvalidInput
from tutorial_tool.fs import files

FORMAT_VERSION = 2  # Version of the file format; files with another one are ignored
OLD_SECONDS = 30 * 24 * 3600.0  # Age at which caches of other versions are deleted
_MAGIC = b"tutwords"
_HEADER = len(_MAGIC) + 3 * 8


@dataclass(frozen=True, slots=True)
class Table:
    """A map of strings to numbers, as an open-addressing hash table of 64-bit digests.

    The strings themselves are not kept: with some 10⁵ of them, the probability that another string has the digest of
    one is 10⁻¹⁴. 0 is the value of a missing string.
    """

    keys: memoryview[int]
    values: memoryview[float]
    _read: dict[str, float] = field(default_factory=dict, repr=False)

    def __getitem__(self, text: str) -> float:
        if (value := self._read.get(text)) is not None:
            return value
        if len(self._read) >= MAX_REMEMBERED:
            self._read.clear()
        value = self._read[text] = self.look_up(text)
        return value

    def look_up(self, text: str) -> float:
        """Return the number without caching it: most of many strings that are tried are missing."""
        keys, key = self.keys, _digest(text)
        mask = len(keys) - 1
        slot = key & mask
        while (there := keys[slot]) != key:
            if not there:
                return 0.0
            slot = (slot + 1) & mask
        return float(self.values[slot])


class Tables(NamedTuple):
    """The tables of `words`, and of `pairs` (two words joined by a space), as `lists.read` returns them."""

    words: Table
    pairs: Table


def _digest(text: str) -> int:
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, sys.byteorder) or 1


def load(key: str, build: Callable[[], tuple[Mapping[str, float], Mapping[str, float]]]) -> Tables:
    """Return the tables from the cache, or build them and, if possible, cache them under this key.

    `key` identifies what the tables are built from. Nothing is raised if the cache cannot be read or written.
    """
    base = cache.get_folder()
    path = Path(base, f"words-{FORMAT_VERSION}-{sys.byteorder}-{key}.bin") if base else None
    if path and (mapped := _map_file(path)):
        return mapped
    data = _pack_tables(*build())
    if path:
        _save_file(path, data)
    tables = _parse_tables(memoryview(data))
    assert tables
    return tables


def _map_file(path: Path) -> Tables | None:
    try:
        with path.open("rb") as file:
            return _parse_tables(memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)))
    except (OSError, ValueError):  # missing or empty
        return None


def _save_file(path: Path, data: bytes) -> None:
    """Write the file; delete old ones of other versions."""
    with contextlib.suppress(OSError, InvalidInput):
        files.write(path, data, root=path.parent)
        for other in path.parent.glob("words-*.bin"):
            if time.time() - other.stat().st_mtime > OLD_SECONDS:  # a newer one may belong to another installation
                other.unlink()


def _pack_tables(words: Mapping[str, float], pairs: Mapping[str, float]) -> bytes:
    """Return the file's bytes: a header with the numbers of slots and a checksum, and each table's arrays.

    The arrays are the keys and the values.
    """
    tables = [_build_table(words), _build_table(pairs)]
    body = b"".join(part.tobytes() for table in tables for part in table)
    return _MAGIC + array("Q", [*(len(keys) for keys, _ in tables), zlib.crc32(body)]).tobytes() + body


def _build_table(numbers: Mapping[str, float]) -> tuple[array[int], array[float]]:
    size = 1 << (len(numbers) * 3 // 2).bit_length()
    keys, values, mask = array("Q", bytes(8 * size)), array("f", bytes(4 * size)), size - 1
    for text, number in numbers.items():
        key = _digest(text)
        slot = key & mask
        while keys[slot]:
            slot = (slot + 1) & mask
        keys[slot], values[slot] = key, number
    return keys, values


def _parse_tables(data: memoryview) -> Tables | None:
    """Return the tables in a file's bytes; None if they are not as `_pack_tables` writes them.

    A disk may have lost a part.
    """
    if data[: len(_MAGIC)] != _MAGIC or len(data) < _HEADER:
        return None
    words, pairs, checksum = data[len(_MAGIC) : _HEADER].cast("Q")
    if len(data) != _HEADER + 12 * (words + pairs) or zlib.crc32(data[_HEADER:]) != checksum:  # 3 ms for 9 MB
        return None
    start, tables = _HEADER, []
    for size in (words, pairs):
        middle, end = start + 8 * size, start + 12 * size
        tables.append(Table(data[start:middle].cast("Q"), data[middle:end].cast("f")))
        start = end
    return Tables(*tables)
