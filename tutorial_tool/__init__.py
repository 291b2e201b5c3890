"""Keep one tutorial true on every platform."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tutorial_tool.finding import Finding

__version__ = "0.1.0"


def lint(paths: Iterable[str | PathLike[str]] = (), *, isolated: bool = False) -> list[Finding]:
    """All findings of files and folders, or of the project in this folder where none is named.

    They are those that `tutorial-tool lint` prints, with the configuration that holds there unless `isolated`. Raises
    `targets.NothingToLint` where no file matches and `config.ConfigError` for a wrong configuration.
    """
    from tutorial_tool import targets

    start = Path.cwd()
    found = targets.find(map(Path, paths), targets.Settings(start, isolated))
    return [finding for target in found for finding in target.shown(target.lint().findings, start)]
