"""Search entries of pages, and the index file, in which only those of some pages are rewritten."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

FILE = "search/search_index.json"


@dataclass
class SearchFile:
    """The index file in pieces: the text around the entries, and the entries of each page."""

    path: Path
    before: str
    pieces: list[str]
    after: str
    label_entries: Callable[[list[Any]], list[Any]]

    @classmethod
    def read(
        cls, site_dir: str, entries: Sequence[Sequence[Any]], published: Callable[[list[Any]], list[Any]]
    ) -> SearchFile | None:
        """Return the file with each page's entries, in order. None if this code could not rewrite it."""
        path = Path(site_dir) / FILE
        try:
            text = path.read_text(encoding="utf-8")
            docs = json.loads(text)["docs"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        mark = '"docs":['
        if not isinstance(docs, list) or mark not in text:
            return None
        pieces = [_format_entries(published(list(page))) for page in entries]
        file = cls(path, text[: text.index(mark) + len(mark)], pieces, "]}", published)
        return file if file.render_text() == text else None

    def render_text(self) -> str:
        return self.before + ",".join(piece for piece in self.pieces if piece) + self.after

    def write_entries(self, changed: Mapping[int, Sequence[Any]]) -> None:
        """Write the file with new entries for some pages, by index."""
        for number, entries in changed.items():
            self.pieces[number] = _format_entries(self.label_entries(list(entries)))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(self.render_text().encode())


def get_entries(config: MkDocsConfig) -> list[Any]:
    """Return the entries that the search plugin has collected so far."""
    for plugin in config.plugins.values():
        index = getattr(plugin, "search_index", None)
        for name in ("entries", "_entries"):
            if isinstance(result := getattr(index, name, None), list):
                return result
    return []


def _format_entries(entries: list[Any]) -> str:
    return json.dumps(entries, separators=(",", ":"), default=str)[1:-1]
