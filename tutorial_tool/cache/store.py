"""Persistent values by a key of their inputs, in one file of the user's cache folder.

A key contains no absolute path and no time, so that checkouts in different folders share values. Each value is signed
with the user's own key: a file placed there by somebody else is not read. Two programs may use the file at once, and
one may be killed at any moment.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tutorial_tool import cache
from tutorial_tool.cache import MAX_VALUE_BYTES, WAIT_SECONDS, blake2b, inputs

if TYPE_CHECKING:
    from sqlite3 import Connection

NAME = "store-1.sqlite3"  # Increment when the table changes
MAX_BYTES = 400_000_000
"""Maximum bytes of all values; the least recently used are removed. 60 trees as large as the largest tried."""
_DAY = 24 * 60 * 60
_MAX_UNUSED_DAYS = 30


def digest_key(*parts: object) -> bytes:
    """Return the key of the parts, each of which has a `repr` that is the same in another program."""
    return blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def read(keys: Collection[bytes]) -> dict[bytes, bytes]:
    """Return the values stored under the keys. Errors of the file are ignored."""
    out: dict[bytes, bytes] = {}
    file = get_path()
    if file is None or not file.exists() or (secret := _get_secret(file)) is None:
        return out
    with _ignore_errors(file), closing(_connect(file)) as connection:
        today = int(time.time()) // _DAY
        stale: list[tuple[int, bytes]] = []
        for batch in _split_batches(keys, connection):
            placeholders = ",".join("?" * len(batch))
            query = f"SELECT key, used, value FROM items WHERE key IN ({placeholders})"  # noqa: S608
            for key, used, value in connection.execute(query, batch):
                if value[: cache.DIGEST_BYTES] == _compute_signature(secret, key, value[cache.DIGEST_BYTES :]):
                    out[key] = value[cache.DIGEST_BYTES :]
                    stale += [(today, key)] if used != today else []
        with connection:
            connection.executemany("UPDATE items SET used = ? WHERE key = ?", stale)
    return out


def write(items: Mapping[bytes, bytes]) -> None:
    """Store values by key, except too large ones; none if another program blocks the file for too long."""
    file = get_path()
    if not items or file is None or (secret := _get_secret(file)) is None:
        return
    with _ignore_errors(file), closing(_connect(file)) as connection:
        today = int(time.time()) // _DAY
        rows = (
            (key, today, _compute_signature(secret, key, value) + value)
            for key, value in items.items()
            if len(value) <= MAX_VALUE_BYTES
        )
        with connection:
            connection.executemany("REPLACE INTO items (key, used, value) VALUES (?, ?, ?)", rows)
            _make_room(connection, today)


def _make_room(connection: Connection, today: int) -> None:
    connection.execute("DELETE FROM items WHERE used < ?", (today - _MAX_UNUSED_DAYS,))
    (total,) = connection.execute("SELECT coalesce(sum(length(value)), 0) FROM items").fetchone()
    if total <= MAX_BYTES:
        return
    for row, size in connection.execute("SELECT rowid, length(value) FROM items ORDER BY used, rowid").fetchall():
        connection.execute("DELETE FROM items WHERE rowid = ?", (row,))
        total -= size
        if total <= MAX_BYTES:
            return


def get_path() -> Path | None:
    """Return the path of the file, which need not exist; None if this user has no cache folder."""
    base = cache.get_folder()
    return Path(base, NAME) if base else None


@contextmanager
def _ignore_errors(file: Path) -> Iterator[None]:
    """Exit the block at the first problem with the file. Delete a file that is no database."""
    import sqlite3

    try:
        yield
    except sqlite3.OperationalError:
        return  # another process writes, or the disk is full
    except sqlite3.DatabaseError:
        with suppress(OSError):
            file.unlink()


def _connect(file: Path) -> Connection:
    import sqlite3  # slow to load

    connection = sqlite3.connect(file, timeout=WAIT_SECONDS)
    connection.execute("PRAGMA synchronous = OFF")  # a lost value is computed again
    connection.execute("CREATE TABLE IF NOT EXISTS items (key BLOB PRIMARY KEY, used INTEGER, value BLOB)")
    return connection


def _get_secret(file: Path) -> bytes | None:
    with suppress(OSError):
        return inputs.get_key(file.parent)
    return None


def _split_batches(keys: Iterable[bytes], connection: Connection) -> Iterator[list[bytes]]:
    import sqlite3

    remaining, most = list(keys), connection.getlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER)
    yield from (remaining[start : start + most] for start in range(0, len(remaining), most))


def _compute_signature(secret: bytes, key: bytes, value: bytes) -> bytes:
    return blake2b(key + value, key=secret, digest_size=cache.DIGEST_BYTES).digest()
