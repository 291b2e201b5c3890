"""The tools that are measured: how each is installed and called, and how it shows that it did the work."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
Command = list[str]
FILES = "{files}"
"""Stands for all pages, in the command of a tool that looks for none itself."""


@dataclass(frozen=True)
class Tool:
    """A tool. `found` counts the findings in what it printed; `warm`: it keeps what it found for the next run."""

    name: str
    package: str
    command: tuple[str, ...]
    found: Callable[[str], int]
    warm: bool

    def called(self, folder: Path) -> Command:
        """The command for a folder of pages."""
        files = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.md"))
        return [part for word in self.command for part in (files if word == FILES else [word])]


class Installed:
    """A folder with a virtual environment and `node_modules`, in which the tools are installed once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / ("Scripts" if os.name == "nt" else "bin")
        self.node = folder / "node_modules/.bin"

    def python(self, *packages: str) -> None:
        if not self.bin.exists():
            venv.create(self.folder, with_pip=True, symlinks=os.name != "nt")
        self._call([str(self.bin / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages])

    def npm(self, *packages: str) -> None:
        if shutil.which("npm"):
            self._call(
                ["npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", str(self.folder), *packages]
            )

    def has(self, name: str) -> str | None:
        return next((str(path) for path in (self.bin / name, self.node / name) if path.exists()), None)

    def _call(self, command: Command) -> None:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"not installed: {' '.join(command[-3:])}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)

    def version(self, package: str) -> str:
        """The version of an installed package; empty where it is not there."""
        for path in self.folder.glob(f"lib/python*/site-packages/{package.replace('-', '_')}-*.dist-info"):
            return path.name.removesuffix(".dist-info").rpartition("-")[2]
        read = self.folder / "node_modules" / package / "package.json"
        return str(json.loads(read.read_text(encoding="utf-8"))["version"]) if read.exists() else ""


PYTHON_PEERS = ("rumdl", "typos", "codespell", "pymarkdownlnt", "proselint")
NODE_PEERS = (
    "markdownlint-cli2",
    "cspell",
    "remark-cli",
    "remark-preset-lint-recommended",
    "textlint",
    "textlint-rule-terminology",
)
SITE_PEERS = ("mkdocs-macros-plugin", "zensical", "hugo")


def lines(pattern: str) -> Callable[[str], int]:
    return lambda out: len(re.findall(pattern, out, re.MULTILINE))


def linters(installed: Installed) -> list[Tool]:
    """All linters that could be installed, ours first."""
    place, line = lines(r":\d+:\d+"), lines(r":\d+")
    calls: list[tuple[str, str, Command, Callable[[str], int], bool]] = [
        ("tutorial-tool", "tutorial-tool", ["lint", ".", "--output-format", "concise", "--exit-zero"], place, True),
        ("rumdl", "rumdl", ["check", "."], place, True),
        ("typos", "typos", ["--format", "brief", "."], place, False),
        ("codespell", "codespell", ["."], line, False),
        ("pymarkdown", "pymarkdownlnt", ["scan", "-r", "."], place, False),
        ("proselint", "proselint", ["check", FILES], place, False),
        ("markdownlint-cli2", "markdownlint-cli2", ["**/*.md"], line, False),
        ("cspell", "cspell", ["--no-progress", "--cache", "**/*.md"], place, True),
        ("remark", "remark-cli", [".", "--no-stdout", "--use", "remark-preset-lint-recommended"], line, False),
        ("textlint", "textlint", ["--rule", "terminology", "."], lines(r"^\s+\d+:\d+"), False),
    ]
    return [
        Tool(name, package, (path, *arguments), found, warm)
        for name, package, arguments, found, warm in calls
        if (path := installed.has(name))
    ]
