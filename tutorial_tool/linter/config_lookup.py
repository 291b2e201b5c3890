"""Where the configuration of a folder is looked for, and what is said on top of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tutorial_tool.config import settings
from tutorial_tool.config.settings import Config, find_in_folder
from tutorial_tool.rules import get_rules


@dataclass(frozen=True)
class Settings:
    """How to look for targets: `isolated` from projects and configurations, with a stated file, with options on top.

    With `whole_project`, files of a tree that are named are read together with all others of the folder. With
    `drafts`, what is not published yet is looked at, too.
    """

    start: Path
    isolated: bool = False
    file: Path | None = None
    given: tuple[tuple[str, object], ...] = ()
    whole_project: bool = False
    drafts: bool = False

    def load_config(self, folder: Path) -> Config:
        """The configuration that holds in a folder. Raises config.ConfigError."""
        return self.read(self.find_file(folder))

    def find_file(self, folder: Path, look: Callable[[Path], Path | None] = find_in_folder) -> Path | None:
        """The file with the configuration that holds in a folder; `look` finds that of one folder."""
        return self.file or (None if self.isolated else settings.find_file(folder, look))

    def read(self, file: Path | None) -> Config:
        """The configuration of a file; without one, what holds everywhere. Raises config.ConfigError."""
        groups = {rule.name: rule.group for rule in get_rules().values()}
        root = self.start if self.file else None
        config = settings.load(file, groups, root=root) if file else Config(self.start)
        return config.merge_command_line(**dict(self.given))
