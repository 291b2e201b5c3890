"""What rules said of the pages of a tree, and what was noted of each, on disk for the next program.

A page of which all is as it was is neither parsed nor judged again: only what compares pages is done in each run. The
file is signed with a key that only this user has, as that of a whole run is, so that no stranger's is read.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path

from tutorial_tool import cache
from tutorial_tool.cache import blake2b, inputs
from tutorial_tool.config.settings import Config
from tutorial_tool.linter import rule_cache, serialization
from tutorial_tool.site import Page, Site
from tutorial_tool.variants import lasting

FORM = "tutorial-tool pages 2"
"""Counts up when what a file holds changes."""
FEWEST = 40
"""Pages of a tree that is worth a file: fewer are linted in the time that it takes to start."""
LARGEST = 400_000_000
"""Bytes of the longest file."""
FILES = 40
"""Files that are kept, the newest."""
ROOM = 600_000_000
"""Bytes of all that are kept beside a new one."""
_Written = tuple[str, str, bytes, bytes]
"""Of a page: its text's digest and its dialect; what was noted of it and said, and the same of its step, as bytes."""


@contextmanager
def kept(site: Site, config: Config, root: Path) -> Iterator[None]:
    """Lends a run what an earlier program knew of the pages of a plain tree, and keeps what this one learns."""
    place = None if len(site.pages) < FEWEST or site.is_project else _place(config, root)
    if place is None:
        yield
        return
    before, settings = _read(place), (config, site.is_project)
    pages = {page.path: page for page in site.pages}
    for page in site.pages:
        if written := before.get(page.path):
            _lend(page, written, pages, settings)
    yield
    after = {page.path: _written(page, before.get(page.path), settings) for page in site.pages}
    if after != before:
        with suppress(OSError):
            _write(place, after)


def _is_of(page: Page, written: _Written | None) -> bool:
    return written is not None and written[:2] == (page.digest, page.dialect.value)


def _lend(page: Page, written: _Written, pages: Mapping[str, Page], settings: tuple[object, ...]) -> None:
    if _is_of(page, written):
        serialization.lend(rule_cache.of_page(page, settings), page, written[2], pages)
    with suppress(KeyError):  # of a step with a page that is gone
        page.known.update(serialization.unpickled(written[3], pages) if written[3] else ())


def _written(page: Page, before: _Written | None, settings: tuple[object, ...]) -> _Written:
    own = before[2] if before is not None and _is_of(page, before) else page.kept(serialization.written, *settings)
    lent = {make: lasting.lent(page.known[make]) for make in (rule_cache.of_step, *lasting.makes) if make in page.known}
    of_step = {make: each for make, each in lent.items() if each is not None}
    return page.digest, page.dialect.value, own, serialization.pickled(of_step) if of_step else b""


# The file


def _place(config: Config, root: Path) -> Path | None:
    """Where the pages of a tree are kept, under one configuration and by one release; None where nothing can be."""
    base = cache.folder()
    if base is None:
        return None
    whole = repr((FORM, _program(), str(root.absolute()), _told(config), _told(config.vocabulary_of_all)))
    return Path(base, "pages", blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest())


def _told(value: object) -> object:
    """A setting, told so that the same one is told the same way by another program."""
    if is_dataclass(value):
        return [(each.name, _told(getattr(value, each.name))) for each in fields(value)]
    if isinstance(value, Mapping):
        return sorted((repr(_told(key)), _told(each)) for key, each in value.items())
    if isinstance(value, (set, frozenset)):
        return sorted(repr(_told(each)) for each in value)
    if isinstance(value, (list, tuple)):
        return [_told(each) for each in value]
    return value.name if isinstance(value, Enum) else repr(value)


def _program() -> object:
    """What tells this program from another release of it, and of what it uses.

    An installed one is told by the digests in its RECORD, so that a copy elsewhere is the same; else by its files.
    """
    own = Path(inputs.OWN)
    installed = sorted(path.name for path in own.parent.glob("*.dist-info"))
    records = list(own.parent.glob("tutorial_tool-*.dist-info/RECORD"))
    lines = records[0].read_text(encoding="utf-8").splitlines() if len(records) == 1 else []
    parts = sorted(line for line in lines if line.startswith("tutorial_tool/") and ".pyc," not in line)
    return sys.version, installed, parts or repr(list(_files(own)))


def _files(folder: Path) -> Iterator[tuple[str, int, int]]:
    for around, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            status = Path(around, name).stat()
            yield str(Path(around, name)), status.st_size, status.st_mtime_ns


def _read(place: Path) -> Mapping[str, _Written]:
    """What was kept of the pages, by path; nothing where no file is, or none that this user's program has written."""
    with suppress(OSError, EOFError, ValueError, TypeError):
        secret = cache.key(str(place.parents[1]))
        if secret and (data := cache.read(str(place), secret)) is not None:
            return marshal.loads(data)  # type: ignore[no-any-return]  # noqa: S302 - signed by this user
    return {}


def _write(place: Path, pages: Mapping[str, _Written]) -> None:
    """Write a file whole, or not at all. Raises OSError where there is no place for it."""
    secret, data = inputs.key(place.parents[1]), marshal.dumps(dict(pages))
    if secret is None or len(data) > LARGEST:
        return
    inputs.sweep(place.parent, FILES, ROOM)
    cache.write(str(place), data, secret)
