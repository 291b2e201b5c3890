"""What the search knows of pages, and its file, of which only the entries of some pages are written anew."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice, pairwise
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

FILE = "search/search_index.json"


@dataclass
class SearchFile:
    """The text of the file in pieces: what stands around the entries, and the entries of each page."""

    path: Path
    before: str
    pieces: list[str]
    after: str
    published: Callable[[list[Any]], list[Any]]

    @classmethod
    def read(
        cls, site_dir: str, entries: Sequence[Sequence[Any]], published: Callable[[list[Any]], list[Any]]
    ) -> SearchFile | None:
        """The file with the entries of each page, in their order. None where it is none that we could write."""
        path = Path(site_dir) / FILE
        try:
            text = path.read_text(encoding="utf-8")
            docs = json.loads(text)["docs"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        ends = [0, *accumulate(map(len, entries))]
        mark = '"docs":['
        if not isinstance(docs, list) or len(docs) != ends[-1] or text.count(mark) < 1:
            return None
        pieces = [_text(docs[start:end]) for start, end in pairwise(ends)]
        before = text[: text.index(mark) + len(mark)]
        made = cls(path, before, pieces, "]}", published)
        own = published([entry for page in entries for entry in page])
        return made if made.text() == text and own == docs else None

    def text(self) -> str:
        return self.before + ",".join(piece for piece in self.pieces if piece) + self.after

    def write(self, changed: Mapping[int, Sequence[Any]]) -> None:
        """Write the file with the entries of some pages, by number, anew."""
        published = iter(self.published([entry for entries in changed.values() for entry in entries]))
        for number, entries in changed.items():
            self.pieces[number] = _text(list(islice(published, len(entries))))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(self.text().encode())


def entries(config: MkDocsConfig) -> list[Any]:
    """What the search plugin has noted so far."""
    for plugin in config.plugins.values():
        index = getattr(plugin, "search_index", None)
        for name in ("entries", "_entries"):
            if isinstance(found := getattr(index, name, None), list):
                return found
    return []


def _text(entries: list[Any]) -> str:
    return json.dumps(entries, separators=(",", ":"), default=str)[1:-1]
