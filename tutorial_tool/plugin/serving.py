"""While serving: which files are watched."""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.livereload import LiveReloadServer

from tutorial_tool.site import Site

CONFIGURATION = ("tutorial-tool.toml", "pyproject.toml")


class Watching:
    """All sources are watched, before anything can fail: those of the first build, and those that come later."""

    def __init__(self) -> None:
        self._server: LiveReloadServer | None = None
        self._watched: set[str] = set()
        self._awaited: str | None = None
        """The project's folder, watched as long as it has no data."""

    def look(self, site: Site, config: MkDocsConfig) -> None:
        """Watch what a site was made of."""
        layout = site.layout
        folder, docs = layout.root / layout.templates, Path(config.docs_dir)  # MkDocs watches the docs folder itself
        files = [layout.root / path for path in (layout.data, *CONFIGURATION, *site.sources)]
        loose = [path for path in files if not path.is_relative_to(folder) and not path.is_relative_to(docs)]
        for path in sorted({str(path) for path in (folder, *loose) if path.exists()} - self._watched):
            self._watched.add(path)
            if self._server is not None:
                self._server.watch(path)
            else:
                config.watch.append(path)
        if self._awaited and self._server is not None and (layout.root / layout.data).exists():
            self._server.unwatch(self._awaited)
            self._awaited = None

    def begin(self, site: Site, server: LiveReloadServer) -> None:
        """A server starts."""
        self._server = server
        root = site.layout.root
        if not (root / site.layout.data).exists():
            self._awaited = str(root)
            server.watch(self._awaited, recursive=False)
