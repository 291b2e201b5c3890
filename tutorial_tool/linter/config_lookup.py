"""Find the configuration of a folder, and apply options of the command line on top of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tutorial_tool.config import settings
from tutorial_tool.config.settings import Config, find_in_folder
from tutorial_tool.rules import get_rules


@dataclass(frozen=True)
class LookupOptions:
    """How to look for targets: whether to use projects and configurations, and which options apply.

    `isolated` ignores projects and configurations, `file` is a given configuration, and `overrides` are options on top
    of it. With `whole_project`, named files of a tree are read together with all others of the folder. With `drafts`,
    unpublished pages are included.
    """

    start: Path
    isolated: bool = False
    file: Path | None = None
    overrides: tuple[tuple[str, object], ...] = ()
    whole_project: bool = False
    drafts: bool = False

    def load_config(self, folder: Path) -> Config:
        """Load the configuration in effect for a folder. Raises config.ConfigError."""
        return self.read(self.find_file(folder))

    def find_file(self, folder: Path, find_here: Callable[[Path], Path | None] = find_in_folder) -> Path | None:
        """Return the configuration file in effect for a folder; `find_here` finds the one in a single folder."""
        return self.file or (None if self.isolated else settings.find_file(folder, find_here))

    def read(self, file: Path | None) -> Config:
        """Read a configuration file, or return the defaults if there is none. Raises config.ConfigError."""
        groups = {rule.name: rule.group for rule in get_rules().values()}
        root = self.start if self.file else None
        config = settings.load(file, groups, root=root) if file else Config(self.start)
        return config.merge_command_line(**dict(self.overrides))
