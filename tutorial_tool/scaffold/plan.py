"""Plans the files of a new project before any is written."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tutorial_tool import scaffold
from tutorial_tool.adopt.existing_site import SiteConfiguration
from tutorial_tool.core.errors import FilesExist
from tutorial_tool.fs import files
from tutorial_tool.scaffold import Answers


@dataclass(frozen=True)
class Plan:
    """Missing files to write below a folder. `start_page` is the first page, relative to the docs folder."""

    folder: Path
    files: Mapping[str, bytes]
    start_page: str

    def write_files(self) -> None:
        """Write all files or none.

        Raises: InvalidInput if a path points outside the folder, and OSError.
        """
        targets = {self.folder / path: content for path, content in self.files.items()}
        files.write_all(targets, root=self.folder)


def plan_files(folder: Path, answers: Answers, site: SiteConfiguration | None, *, keep: bool, force: bool) -> Plan:
    """Plan the files of a project, or of a tutorial in the existing `site` of the folder.

    With `keep`, the files around a tutorial are kept.

    Raises: FilesExist if files would be overwritten, without `force`.
    """
    expected = _encode_texts(scaffold.build_schema() | scaffold.build_ci(answers) | scaffold.build_tutorial(answers))
    around: dict[str, bytes] = {}
    if site is None:
        expected |= _encode_texts(scaffold.build_site(answers))
        around = _encode_texts(scaffold.build_extras(answers))
    both = {**expected, **around}
    taken = [
        path for path in both if os.path.lexists(folder / path) and not files.has_content(folder / path, both[path])
    ]
    if keep:
        around = {path: content for path, content in around.items() if path not in taken}
        taken = [path for path in taken if path in expected]
    if taken and not force:
        raise FilesExist(taken)
    if site is not None and site.edited is not None:
        expected[site.name] = site.edited.encode()
    planned = {
        path: text for path, text in {**expected, **around}.items() if not files.has_content(folder / path, text)
    }
    if site is None and "mkdocs.yml" in planned:  # last: if it is missing, the next run knows that this one was killed
        planned["mkdocs.yml"] = planned.pop("mkdocs.yml")
    return Plan(folder, planned, answers.start_page)


def _encode_texts(texts: Mapping[str, str]) -> dict[str, bytes]:
    return {path: text.encode() for path, text in texts.items()}
