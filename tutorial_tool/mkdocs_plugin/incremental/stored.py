"""A build that would be the same as the last one: its files are there, or come from this user's cache.

What a build looked at is noted as Python tells it (PEP 578), with the folders of pages and templates as wholes. The
entry is signed with a key that only this user has: a folder that comes with somebody's change cannot say what is built.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

from mkdocs.commands import build as theirs
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.utils import get_build_date

from tutorial_tool import cache
from tutorial_tool.cache import Input, inputs
from tutorial_tool.fs import files as disk
from tutorial_tool.mkdocs_plugin.incremental.known import unknown_code

log = logging.getLogger("mkdocs.plugins.tutorial")

FORM = "tutorial-tool build 2"
LARGEST = 200_000_000
"""Bytes of a site of which a copy is kept; a larger one is known only as long as it stands where it was built."""
COPY = ".copy"  # The end of the name of a file that holds all files of a site: hundreds of small ones take longer
SITES = 8  # Sites that are kept, the newest
_PROGRAMS = {"git", "typos"}  # Programs of which it is known what they depend on
_AROUND = "around"  # The kind of the folder that the site stands in

Saved = dict[str, Any]


class Watch(inputs.Heard, logging.Handler):
    """What a build looks at, and what it says."""

    def __init__(self) -> None:
        inputs.Heard.__init__(self)
        logging.Handler.__init__(self)
        self.started = time.time_ns()
        self.said: list[tuple[str, int, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append((record.name, record.levelno, record.getMessage()))


def once() -> None:
    """The next build of MkDocs is one of ours: it looks whether there is something to build."""
    whole = theirs.build

    def build(config: MkDocsConfig, *, dirty: bool = False, **options: Any) -> None:
        theirs.build = whole
        if dirty or unknown_code(config):
            whole(config, dirty=dirty, **options)
        else:
            built(config, lambda: whole(config, **options))

    theirs.build = build


def built(config: MkDocsConfig, build: Callable[[], None]) -> None:
    """Build a site, or find that it is built."""
    base = cache.folder()
    place = Path(base, "sites", _name(config)) if base else None
    if place is not None and _again(place, config):
        return
    watch = Watch()
    logger = logging.getLogger("mkdocs")
    inputs.begin(watch)
    logger.addHandler(watch)
    try:
        build()
    finally:
        inputs.end()
        logger.removeHandler(watch)
    if place is not None:
        try:
            _keep(place, config, watch)
        except (OSError, ValueError) as error:
            log.debug("The next build builds the whole site: %s", error)


def _name(config: MkDocsConfig) -> str:
    """Tells apart the builds of a configuration, as it is called, on a day, with a set of packages."""
    level = logging.getLogger("mkdocs").getEffectiveLevel()
    value = (FORM, sys.version, sys.path, get_build_date(), os.environ.get("SOURCE_DATE_EPOCH"), level, Path.cwd())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        given = config.user_configs  # with what the command line says; a release of MkDocs without it is not known
    whole = repr((value, config.config_file_path, config.site_dir, config.strict, given, _environment()))
    return blake2b(whole.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def _environment() -> list[tuple[str, str]]:
    """The variables of the environment: a configuration may name each of them."""
    passing = ("_", "OLDPWD", "SHLVL", "PWD", "COLUMNS", "LINES", "PYTEST_CURRENT_TEST")
    return sorted((name, value) for name, value in os.environ.items() if name not in passing)


# Again


def _again(place: Path, config: MkDocsConfig) -> bool:
    """Whether the site is that of the last build; its files are put back where they are missing."""
    try:
        saved = _read(place)
        if saved is None or not all(_is_same(Input(*item), Path(config.site_dir)) for item in saved["inputs"]):
            return False
        standing = _standing(Path(config.site_dir))
        if any(standing.get(path) != seen for path, (seen, *_) in saved["files"].items()):
            if not _put_back(place, Path(config.site_dir), saved):
                return False
            now = _standing(Path(config.site_dir))
            saved["files"] = {path: (now[path], *place_) for path, (_, *place_) in saved["files"].items()}
            _write(place, saved)
        elif standing.keys() != saved["files"].keys():
            return False
    except (OSError, ValueError, KeyError, TypeError):
        return False
    for name, level, message in saved["said"]:
        logging.getLogger(name).log(level, "%s", message)
    log.info("Nothing changed since this site was built: %s", config.site_dir)
    return True


def _is_same(was: Input, site: Path) -> bool:
    if was.kind == _AROUND:
        return was.digest == _beside(was.path, site)
    return cache.current(was) is not None


def _beside(folder: str, site: Path) -> str:
    """The names in a folder of which the site is one: that one comes and goes."""
    with os.scandir(folder) as entries:
        names = sorted(f"{entry.name}/{entry.is_dir()}" for entry in entries if entry.path != str(site))
    return _digest("\n".join(names).encode("utf-8", "surrogateescape"))


def _standing(site: Path) -> dict[str, str]:
    """All files of a site, and what tells that they are the same. Hidden ones at its top are not of a build."""
    out = {}
    for folder, names, files in os.walk(site):
        top = Path(folder) == site
        names[:] = [name for name in names if not (top and name.startswith("."))]
        for name in files:
            if not (top and name.startswith(".")):
                path = os.path.join(folder, name)
                out[os.path.relpath(path, site)] = cache.seen_in(os.stat(path))
    return out


def _put_back(place: Path, site: Path, saved: Saved) -> bool:
    """Write the files of a site from its copy, if the copy is whole."""
    copy = place.with_suffix(COPY).read_bytes() if saved["copy"] else b""
    if not saved["copy"] or _digest(copy) != saved["copy"]:
        return False
    for entry in os.scandir(site) if site.is_dir() else ():
        if not entry.name.startswith("."):
            shutil.rmtree(entry.path) if entry.is_dir(follow_symlinks=False) else os.unlink(entry.path)
    folders: set[str] = set()
    for path, (_, start, end) in saved["files"].items():
        target = os.path.join(site, path)
        if (folder := os.path.dirname(target)) not in folders:
            os.makedirs(folder, exist_ok=True)
            folders.add(folder)
        with open(target, "wb") as file:
            file.write(copy[start:end])
    return True


# Keeping


def _keep(place: Path, config: MkDocsConfig, watch: Watch) -> None:
    """Keep what a build looked at, said and wrote. Raises ValueError where that cannot be told."""
    programs = {Path(program).stem for program in watch.programs}
    if not programs <= _PROGRAMS:
        raise ValueError("what another program depends on, nobody knows")
    site = Path(config.site_dir)
    paths = dict.fromkeys(_paths(config, watch, programs))
    seen = [_input(path, site, watch.started) for path in paths]
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    values = [
        item for item in watch.said if not item[2].startswith(("Documentation built", "Building doc", "Cleaning"))
    ]
    entry = [[item.kind, item.seen, item.digest, item.path] for item in seen]
    _write(place, {"inputs": entry, "said": values, **_copied(site, place.with_suffix(COPY))})
    _sweep(place.parent)


def _copied(site: Path, copy: Path) -> Saved:
    """What tells the files of a site, each with its place in a copy of all; a site that is too large has no copy."""
    standing = _standing(site)
    if sum(int(seen.split()[2]) for seen in standing.values()) > LARGEST:
        return {"files": {path: (seen, 0, 0) for path, seen in standing.items()}, "copy": ""}
    whole, result = bytearray(), {}
    for path, seen in standing.items():
        start = len(whole)
        whole += (site / path).read_bytes()
        result[path] = (seen, start, len(whole))
    disk.write_made({copy: bytes(whole)}, root=copy.parent)
    return {"files": result, "copy": _digest(whole)}


def _input(path: str, site: Path, started: int) -> Input:
    """A path as it is, and was when the build began. Raises ValueError where it changed meanwhile."""
    if path == str(site.parent):
        return Input(_AROUND, "", _beside(path, site), path)
    return inputs.taken(path, started)


def _paths(config: MkDocsConfig, watch: Watch, programs: set[str]) -> Iterator[str]:
    """All that a build depends on. What is installed is told by the names in the folders of packages."""
    site, busy = os.path.abspath(config.site_dir), tempfile.gettempdir()
    passed = (site, cache.folder() or site)
    yield from inputs.program()
    for path in map(os.path.abspath, (*watch.opened, *watch.listed)):
        if path != busy and inputs.is_recorded(path, passed):
            yield path
            if os.path.isfile(path) and os.path.dirname(path) != busy and not inputs.is_in(path, [inputs.OWN]):
                yield os.path.dirname(path)
    yield from inputs.above(Path(config.config_file_path or "mkdocs.yml").absolute().parent)
    for folder in (config.docs_dir, config.theme.custom_dir):
        for below, names, _ in os.walk(folder) if folder else ():
            names.sort()
            yield os.path.abspath(below)
    if "git" in programs:
        yield from inputs.of_git(Path(config.config_file_path or "mkdocs.yml").absolute().parent)


def _digest(data: bytes | bytearray) -> str:
    return blake2b(data, digest_size=16).hexdigest()


def _read(place: Path) -> Saved | None:
    """An entry as it was written by this user."""
    secret, data = cache.key(str(place.parent.parent)), place.read_bytes()
    if secret is None or data[:32] != cache.signed(secret, FORM.encode() + data[32:]):
        return None
    saved = json.loads(data[32:])
    return saved if isinstance(saved, dict) else None


def _write(place: Path, saved: Saved) -> None:
    secret = inputs.key(place.parent.parent)
    if secret is not None:
        data = json.dumps(saved).encode()
        disk.write(place, cache.signed(secret, FORM.encode() + data) + data, root=place.parent)


def _sweep(folder: Path) -> None:
    """Forget the oldest sites."""
    entries = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    kept = {path.stem for path in [path for path in entries if not path.suffix][:SITES]}
    for path in entries:
        if path.stem not in kept:
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink()
