"""Parts and code files that are not where a page looks for them: what the author meant, and what to write."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tutorial_tool.core.diagnostics import nearest
from tutorial_tool.templating.functions.given import Library, Place
from tutorial_tool.templating.functions.samples import language_of

_NEARLY = 0.75  # How like the name of a file is that is meant by another
_CLEARLY = 0.8  # How like a platform's id is what stands for it in the name of a file


@dataclass(frozen=True)
class Files:
    """The parts and code files of a project, as a page looks for them."""

    library: Library
    place: Place

    def is_code(self, path: str, stem: str) -> bool:
        """Whether what follows the stem is a suffix, and not a platform's or group's id, or nearly one before a suffix.

        An id that names a language, too (`go`), is a suffix.
        """
        first, dot, _ = path[len(stem) + 1 :].partition(".")
        if not dot:
            return not self.lacks_suffix(path)
        return not nearest(first, self.library.ids, _CLEARLY)

    def lacks_suffix(self, path: str) -> bool:
        """Whether a code file ends in the id of a platform or group, and in no suffix of a language."""
        before, _, last = posixpath.basename(path).rpartition(".")
        is_named = last in self.library.ids and before.rpartition(".")[2] not in self.library.ids
        return is_named and language_of(path) == (last, last)

    def without_suffix(self, kind: str, name: str) -> str:
        """What a call means that says the name of a file: its name without the suffix, and a platform's before it."""
        place = self.place
        folders = (f"steps/{place.tutorial.id}/{place.step.id}", f"steps/{place.step.id}")
        if not name.endswith(".md") and not any(f"{folder}/{name}" in self.library.names for folder in folders):
            return ""
        stem = name.removesuffix(".md") if kind == "part" else name.rpartition(".")[0]
        before, _, target = stem.rpartition(".")
        return before if before and target in self.library.ids else stem

    def nearly(self, kind: str, name: str) -> str | None:
        """The file of this step that has nearly the name that is asked for; else one in a folder of nearly its name."""
        place, folder = self.place, self.library.templates
        wanted = (*(f"{name}.{id_}" for level in place.platform.levels for id_ in level), name)
        stems = self._beside(kind, (f"steps/{place.tutorial.id}/{place.step.id}", f"steps/{place.step.id}"), wanted)
        near = next((value for text in wanted if (value := nearest(text, sorted(stems), _NEARLY))), None)
        if near:
            return f"{folder}/{stems[near]}"
        strays = {posixpath.basename(stray): stray for stray in self.library.stray_folders}
        stray = nearest(place.step.id, strays, _NEARLY)
        value = self._in_stray(kind, (strays[stray],), wanted) if stray else None
        if not value and not any(name.startswith(f"steps/{place.step.id}/") for name in self.library.names):
            value = self._in_stray(kind, self.library.stray_folders, wanted)  # the step was renamed, and it not
        value = value or self._elsewhere(kind, wanted)
        return f"{folder}/{value}" if value else None

    def _in_stray(self, kind: str, folders: Iterable[str], wanted: Sequence[str]) -> str | None:
        """The file of one of the wanted names in a folder of no step, where one folder alone has it."""
        known = [self._beside(kind, (folder,), ()) for folder in folders]
        matches = [next((stems[text] for text in wanted if text in stems), None) for stems in known]
        files = [file for file in matches if file]
        return files[0] if len(files) == 1 else None

    def _elsewhere(self, kind: str, wanted: Sequence[str]) -> str | None:
        """A file of one of the wanted names that stands beside the steps' folders, or has the suffix of a template."""
        folders = {"steps", f"steps/{self.place.tutorial.id}", f"steps/{self.place.step.id}"}
        own = sorted(path for path in self.library.names if posixpath.dirname(path) in folders)
        for path in own if kind == "part" else ():
            if path.endswith((".md", ".md.j2")) and path.removesuffix(".j2")[:-3].rpartition("/")[2] in wanted[:-1]:
                return path
        return None

    def _beside(self, kind: str, folders: Iterable[str], wanted: Sequence[str]) -> dict[str, str]:
        """The parts or code files of some folders that may be meant for this platform, by name without suffix."""
        levels, known, stems = self.place.platform.levels, self.library.ids, dict[str, str]()
        for path in (path for folder in folders for path in self.library.names if posixpath.dirname(path) == folder):
            stem, _, suffix = posixpath.basename(path).rpartition(".")
            if self.lacks_suffix(path):
                stems |= {f"{stem}.{suffix}": path} if any(suffix in level for level in levels) else {}
                continue
            target = stem.partition(".")[2]
            is_ours = target not in known or (stem not in wanted and any(target in level for level in levels))
            if (suffix == "md") is (kind == "part") and suffix != "j2" and is_ours:
                stems[stem] = path
        return stems

    def wanted(self, kind: str, name: str) -> str:
        """The file to write, in words for readers: relative to the project."""
        suffix, default = ("md", f", or {name}.md for all platforms") if kind == "part" else ("…", "")
        folder = f"{self.library.templates}/steps/{self.place.step.id}"
        return f"{folder}/{name}.{self.place.platform.id}.{suffix}{default}"
