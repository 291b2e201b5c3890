"""The same input gives the same bytes: whatever the hash seed, the folder, the time zone and the day."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_crashes import copies, here
from tests.test_plugin import change, made
from tutorial_tool.config.settings import FORMATS

EPOCH = "1700000000"


def project(folder: Path) -> None:
    """A project with findings of several kinds, and copies beside it."""
    folder.mkdir(parents=True)
    made(folder)
    change(folder / "site_templates/steps/finish.md.j2", "Done.", "It doesnâ€™t stop stop. Go to [that](gone.md).\n")
    copies(folder)


def digests(folder: Path, seed: int, zone: str, formats: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """What each command makes in a folder: a name and a digest of all bytes."""
    environment = {
        **os.environ,
        "PYTHONHASHSEED": str(seed),
        "TZ": zone,
        "SOURCE_DATE_EPOCH": EPOCH,
        "NO_MKDOCS_2_WARNING": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    tool = [sys.executable, "-m", "tutorial_tool"]
    for name, command in {
        **{f"lint {format_}": [*tool, "lint", "--exit-zero", "--output-format", format_] for format_ in formats},
        "baseline": [*tool, "lint", "docs", "--write-baseline", "out/known.json"],
        "render": [*tool, "render", "out"],
        "adopt": [*tool, "adopt", "docs", "--into", "out"],
        "inventory": [*tool, "inventory", "-o", "out/inventory.json"],
        "build": [sys.executable, "-m", "mkdocs", "build", "-q", "-d", "out"],
    }.items():
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=120, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        made_ = hashlib.sha256(done.stdout)
        for path, data in sorted(here(folder / "out").items()) if (folder / "out").exists() else ():
            made_.update(path.encode() + b"\0" + data)
        shutil.rmtree(folder / "out", ignore_errors=True)
        yield name, made_.hexdigest()


def check(folder: Path, seeds: int, formats: tuple[str, ...]) -> None:
    first: dict[str, str] = {}
    for seed in range(seeds):
        place = folder / ("here" if seed % 2 else "over there/deeper")
        project(place)
        found = dict(digests(place, seed, "UTC" if seed % 3 else "Asia/Tokyo", formats))
        shutil.rmtree(place)
        first = first or found
        assert found == first, seed


@pytest.mark.slow
def test_two_seeds_folders_and_time_zones(tmp_path: Path) -> None:
    check(tmp_path, 2, ("full", "sarif"))


@pytest.mark.soak
def test_ten_seeds(tmp_path: Path) -> None:
    check(tmp_path, 10, FORMATS)
