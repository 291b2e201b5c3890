"""Watch for saved files."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from watchdog import events
from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver
from watchdog.observers.polling import PollingObserver

SUFFIXES = (".md", ".markdown", ".mdx", ".txt", ".yaml", ".yml", ".toml", ".j2", ".po")
SETTLE_SECONDS = 0.03  # How long to wait for more changes: editors save in several steps, and several files at once
_CHANGES = (events.FileCreatedEvent, events.FileDeletedEvent, events.FileModifiedEvent, events.FileMovedEvent)
_ONLY: Any = {"event_filter": list(_CHANGES)} if "event_filter" in (BaseObserver.schedule.__kwdefaults__ or {}) else {}
"""The events to watch, if watchdog can filter them: otherwise each file that we read is an event, too."""


class SaveHandler(FileSystemEventHandler):
    """An event handler that records that a relevant file was changed."""

    def __init__(self, folders: Iterable[Path], ignored: Path | None = None) -> None:
        self.folders = tuple(folders)
        self.ignored = ignored
        self.happened = threading.Event()

    def on_any_event(self, event: FileSystemEvent) -> None:
        paths = [Path(str(path)) for path in (event.src_path, event.dest_path) if path]
        if isinstance(event, _CHANGES) and any(map(self._is_relevant, paths)):
            self.happened.set()

    def _is_relevant(self, path: Path) -> bool:
        below = next((path.relative_to(f) for f in self.folders if path.is_relative_to(f)), path)
        hidden = any(part.startswith(".") for part in below.parts)
        if self.ignored is not None and path.is_relative_to(self.ignored):
            return False
        return not hidden and (path.suffix.lower() in SUFFIXES or "templates" in path.parent.parts[-3:])

    def wait(self, is_over: Callable[[], bool] = lambda: False) -> bool:
        """Wait until something was saved, and nothing more for a moment.

        Returns False once `is_over()` is true.

        Raises: KeyboardInterrupt on Ctrl+C.
        """
        while not self.happened.wait(0.5):
            if is_over():
                return False
        while self.happened.is_set():
            self.happened.clear()
            self.happened.wait(SETTLE_SECONDS)
        return True


@contextmanager
def watch_folders(folders: Iterable[Path], ignored: Path | None = None) -> Iterator[SaveHandler]:
    """Watch folders recursively, except for what is below `ignored`."""
    handler = SaveHandler(sorted(set(folders)), ignored)
    outer = [f for f in handler.folders if not any(f != o and f.is_relative_to(o) for o in handler.folders)]
    parts = dict(part for folder in outer for part in _list_watched(folder, ignored))
    observer = _start_observer(Observer(), handler, parts) or _start_observer(PollingObserver(), handler, parts)
    try:
        yield handler
    finally:
        if observer is not None:
            observer.stop()
            observer.join()


def _list_watched(folder: Path, ignored: Path | None) -> Iterator[tuple[Path, bool]]:
    """Yield the parts of a folder to watch, and whether recursively: not those that other programs write."""
    others = {ignored, folder / "node_modules"}
    inside = [path for path in folder.iterdir() if path.is_dir()]
    is_whole = others.isdisjoint(inside)
    yield folder, is_whole
    yield from ((path, True) for path in inside if not is_whole and path not in others and path.name[0] != ".")


def _start_observer(observer: BaseObserver, handler: SaveHandler, parts: Mapping[Path, bool]) -> BaseObserver | None:
    """Start the observer; return None if the system cannot watch that many folders."""
    try:
        for folder, is_whole in parts.items():
            observer.schedule(handler, str(folder), recursive=is_whole, **_ONLY)
        observer.start()
    except OSError:
        return None
    return observer
