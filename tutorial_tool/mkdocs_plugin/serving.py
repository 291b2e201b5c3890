"""Watched files while serving."""

from __future__ import annotations

import posixpath
import re
import socket
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.livereload import LiveReloadServer

from tutorial_tool import data
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files
from tutorial_tool.site import Site

CONFIGURATION = ("tutorial-tool.toml", "pyproject.toml")


def check_port(config: MkDocsConfig) -> None:
    """Abort if another program listens on the server's port, which would end in a traceback."""
    host, port = config.dev_addr
    with suppress(OSError), socket.create_connection((host, port), timeout=1):
        example = f"`dev_addr: {host}:{port + 1}` in mkdocs.yml"
        raise Abort(f"Port {port} is in use. Stop the program that uses it, or set another port: {example}")


class SourceWatcher:
    """Watches all sources before anything can fail: those of the first build, and later ones."""

    def __init__(self) -> None:
        self._server: LiveReloadServer | None = None
        self._watched: set[Path] = set()
        self.watches_missing = False  # Whether the server uses the system's events, which tell of new files
        self._awaited: str | None = None  # The project's folder, watched until it has data

    def watch_site(self, site: Site, config: MkDocsConfig) -> None:
        """Watch the sources of a site."""
        layout = site.layout
        folder, docs = layout.root / layout.templates, Path(config.docs_dir)  # MkDocs itself watches the docs folder
        paths = [layout.root / path for path in (layout.data, *CONFIGURATION, *site.sources)]
        paths += _find_include_folders(site)
        loose = [path for path in paths if not path.is_relative_to(folder) and not path.is_relative_to(docs)]
        self.watch_files((folder, *loose), config)
        if self._awaited and self._server is not None and (layout.root / layout.data).exists():
            self._server.unwatch(self._awaited)
            self._awaited = None

    def watch_files(self, paths: Iterable[Path], config: MkDocsConfig) -> None:
        """Watch files and folders that are not watched yet."""
        for path in sorted({path for path in paths if self.watches_missing or path.exists()} - self._watched):
            self._watched.add(path)
            if self._server is not None:
                self._server.watch(str(path))
                self._server._want_rebuild |= path.exists()  # It may have changed between reading and watching
            else:
                config.watch.append(str(path))

    def start_watching(self, site: Site, server: LiveReloadServer) -> None:
        """Remember the server when it starts, and watch the project's root until it has data."""
        self._server = server
        root = site.layout.root
        if not (root / site.layout.data).exists():
            self._awaited = str(root)
            server.watch(self._awaited, recursive=False)


def _find_include_folders(site: Site) -> Iterator[Path]:
    """Yield the folders that `include` in the data reads: a new file there becomes part of the data."""
    for path in site.data_files:
        folders = site.sources[path].get_cached(_parse_include_folders)
        yield from (site.layout.root / posixpath.dirname(path) / folder for folder in folders)


def _parse_include_folders(source: Source) -> list[str]:
    node = data.load_yaml(source).node
    patterns = data.iter_named(node, "include") if isinstance(node, data.Mapping) else ()
    names = (re.split(r"[*?\[]", text, maxsplit=1) for text, _ in patterns if files.explain_unsafe(text) is None)
    return [fixed for before, *after in names if after and (fixed := before.rpartition("/")[0])]
