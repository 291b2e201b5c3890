"""Missing parts and code files: the most similar name, and what to write."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass

from tutorial_tool.core.diagnostics import CLEAR_TYPO, find_nearest
from tutorial_tool.templating.functions.samples import get_language
from tutorial_tool.templating.places import Library, PageLocation


@dataclass(frozen=True)
class FileFinder:
    """Finds the parts and code files of a project for a page."""

    library: Library
    place: PageLocation

    def is_code(self, path: str, stem: str) -> bool:
        """Return whether the text after the stem is a suffix, and not (nearly) a platform's or group's id.

        An id that also names a language (`go`) is a suffix.
        """
        first, dot, _ = path[len(stem) + 1 :].partition(".")
        if not dot:
            is_id = first in self.library.ids and stem.rpartition(".")[2] not in self.library.ids
            return not is_id or get_language(path) != (first, first)
        return not find_nearest(first, self.library.ids, CLEAR_TYPO)

    def find_similar(self, kind: str, name: str) -> str | None:
        """Return the file of this step with a similar name, for this platform or for all."""
        place, stems = self.place, dict[str, str]()
        folders = (f"steps/{place.tutorial.id}/{place.step.id}", f"steps/{place.step.id}")
        for path in self.library.names:
            stem, _, suffix = posixpath.basename(path).rpartition(".")
            target = stem.partition(".")[2]
            is_ours = target not in self.library.ids or any(target in level for level in place.platform.levels)
            is_kind = suffix == "md" if kind == "part" else suffix not in ("md", "j2")
            if is_ours and is_kind and posixpath.dirname(path) in folders:
                stems[stem] = path
        expected = (*(f"{name}.{id_}" for level in place.platform.levels for id_ in level), name)
        near = next((similar for text in expected if (similar := find_nearest(text, sorted(stems)))), None)
        return f"{self.library.templates}/{stems[near]}" if near else None

    def describe_wanted_file(self, kind: str, name: str) -> str:
        """Describe the file to write, relative to the project."""
        suffix = "md" if kind == "part" else "<extension>"
        folder = f"{self.library.templates}/steps/{self.place.step.id}"
        return f"`{folder}/{name}.{self.place.platform.id}.{suffix}`, or `{name}.{suffix}` for all platforms"
