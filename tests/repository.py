"""A git repository that a test makes, as people make theirs."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path


class Repository:
    """A repository in a folder: files are written, and committed under a name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str, when: str = "") -> str:
        # The settings of whoever runs the tests stay out of it.
        environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
        environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        environment |= {"GIT_COMMITTER_DATE": when} if when else {}
        person = ("-c", "user.name=A Writer", "-c", "user.email=writer@example.com", "-c", "protocol.file.allow=always")
        run = subprocess.run(
            ["git", *person, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True, check=True
        )
        return run.stdout.strip()

    def write(self, tree: dict[str, str]) -> None:
        for name, text in tree.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def edit(self, path: str, old: str, new: str) -> None:
        """Replace a text that stands in a file once."""
        text = (self.folder / path).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path}"
        (self.folder / path).write_text(text.replace(old, new), encoding="utf-8")

    def commit(self, message: str = "A change", tree: dict[str, str] | None = None, when: str = "") -> str:
        self.write(tree or {})
        self.git("add", "--all")
        self.git("commit", "-q", "--no-verify", "-m", message, when=when)
        return self.git("rev-parse", "HEAD")
