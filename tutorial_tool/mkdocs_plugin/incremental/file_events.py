"""Makes MkDocs' server use file events of the system instead of polling twice a second."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from mkdocs.livereload import LiveReloadServer
from watchdog.events import FileModifiedEvent, FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch

from tutorial_tool.fs.watch import SETTLE_SECONDS

_CHANGES = ("created", "deleted", "modified", "moved")
_SILENT = frozenset(
    "9p afs cifs davfs drvfs fuse fuseblk lustre nfs nfs4 prl_fs smb3 smbfs vboxsf virtiofs vmhgfs".split()
)
"""File systems whose files other machines may change without an event."""


def use_system_events(server: LiveReloadServer) -> bool:
    """Let a server that has not started yet use system events. False if these would miss changes."""
    paths = list(server._watched_paths)
    if not all(map(_is_reporting_changes, paths)):
        return False
    observer = _Observer(Observer())
    try:
        refs = {path: observer.schedule(_build_handler(server), path) for path in paths}
        observer.start()
    except OSError:  # more folders than the system can watch
        observer.stop()
        return False
    server._watch_refs.clear()
    server._watch_refs.update(refs)
    server.observer = observer  # type: ignore[assignment]
    server.build_delay = SETTLE_SECONDS
    return True


def _build_handler(server: LiveReloadServer) -> FileSystemEventHandler:
    handler = FileSystemEventHandler()

    def request_rebuild(event: FileSystemEvent) -> None:
        if event.is_directory and event.event_type == "modified":
            return
        with server._rebuild_cond:
            server._want_rebuild = True
            server._rebuild_cond.notify_all()

    handler.on_any_event = request_rebuild  # type: ignore[method-assign]
    return handler


class _Watch(NamedTuple):
    folder: ObservedWatch
    handler: FileSystemEventHandler


class _Observer:
    """The observer interface of the server. A file is watched by its folder, as editors replace files."""

    def __init__(self, observer: BaseObserver) -> None:
        self.observer = observer
        self.started = False

    def schedule(self, handler: FileSystemEventHandler, path: str, recursive: bool = True) -> _Watch:
        alone = not Path(path).is_dir()
        folder = str(Path(path).parent) if alone else path
        filtered = _EventFilter(handler, path if alone else None)
        watch = self.observer.schedule(filtered, folder, recursive=recursive and not alone)
        if not alone:
            _follow_folder(self.observer, filtered, watch)
        return _Watch(watch, filtered)

    def unschedule(self, watch: _Watch) -> None:
        self.observer.remove_handler_for_watch(watch.handler, watch.folder)

    def start(self) -> None:
        if not self.started:
            self.started = True
            self.observer.start()

    def stop(self) -> None:
        if self.started:
            self.observer.stop()

    def join(self) -> None:
        if self.started:
            self.observer.join()


class _EventFilter(FileSystemEventHandler):
    """Passes on the events that change something; only those of one file, if one is given."""

    def __init__(self, handler: FileSystemEventHandler, path: str | None) -> None:
        self.handler, self.path = handler, path

    def on_any_event(self, event: FileSystemEvent) -> None:
        paths = (os.fsdecode(event.src_path), os.fsdecode(event.dest_path or b""))
        if event.event_type in _CHANGES and (self.path is None or self.path in paths):
            self.handler.dispatch(event)


def _follow_folder(observer: BaseObserver, changed: FileSystemEventHandler, watch: ObservedWatch) -> None:
    """Watch a folder again when it comes back, as when git switches branches."""
    handler = FileSystemEventHandler()

    def watch_again(event: FileSystemEvent) -> None:
        if event.event_type in ("created", "deleted", "moved") and watch.path in (event.src_path, event.dest_path):
            with suppress(KeyError):
                observer.unschedule(watch)
            with suppress(OSError):  # it may be gone
                observer.schedule(changed, watch.path, recursive=watch.is_recursive)
            changed.dispatch(FileModifiedEvent(watch.path))  # MkDocs ignores the events of folders

    handler.on_any_event = watch_again  # type: ignore[method-assign]
    observer.schedule(handler, str(Path(watch.path).parent))


def _is_reporting_changes(path: str) -> bool:
    """Return whether the system reports all changes below a path."""
    if not sys.platform.startswith("linux"):
        return True
    best, kind = "", ""
    try:
        mounts = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return True
    for line in mounts.splitlines():
        _, place, text, *_ = line.split(" ")
        if len(place) >= len(best) and Path(path).is_relative_to(place.replace("\\040", " ")):
            best, kind = place, text
    return kind.split(".")[0] not in _SILENT
