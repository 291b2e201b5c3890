"""The same input gives the same bytes: whatever the hash seed, the folder, the locale, the time zone and the day."""

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
LOCALES = ("C", "de_DE", "tr_TR", "ja_JP", "ar_EG")
"""With other signs in numbers, another small letter of `I`, and other names of months. Made for the test where that can be."""


def project(folder: Path) -> None:
    """A project with findings of several kinds, and copies beside it."""
    folder.mkdir(parents=True)
    made(folder)
    change(folder / "site_templates/steps/finish.md.j2", "Done.", "It doesnâ€™t stop stop. Go to [that](gone.md).\n")
    copies(folder)


def make_locales(folder: Path) -> None:
    if shutil.which("localedef"):
        folder.mkdir()
        for name in LOCALES[1:]:
            made = folder / f"{name}.UTF-8"
            subprocess.run(["localedef", "-i", name, "-f", "UTF-8", made], capture_output=True, check=False)


def digests(folder: Path, seed: int, zone: str, formats: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """What each command makes in a folder: a name and a digest of all bytes."""
    environment = {
        **os.environ,
        "PYTHONHASHSEED": str(seed),
        "TZ": zone,
        "LC_ALL": f"{LOCALES[seed % len(LOCALES)]}.UTF-8",
        "SOURCE_DATE_EPOCH": EPOCH,
        "NO_MKDOCS_2_WARNING": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    tool = [sys.executable, "-m", "tutorial_tool"]
    for name, command in {
        "lint": [*tool, "lint", "--exit-zero", *(f"--report={format_}=out/{format_}" for format_ in formats)],
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


def check(folder: Path, seeds: int, formats: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    first: dict[str, str] = {}
    make_locales(folder / "locales")
    monkeypatch.setenv("LOCPATH", str(folder / "locales"))
    for seed in range(seeds):
        place = folder / ("here" if seed % 2 else "over there/deeper")
        project(place)
        found = dict(digests(place, seed, "UTC" if seed % 3 else "Asia/Tokyo", formats))
        shutil.rmtree(place)
        first = first or found
        assert found == first, seed


@pytest.mark.slow
def test_two_seeds_folders_and_time_zones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check(tmp_path, 2, ("full", "sarif"), monkeypatch)


@pytest.mark.soak
def test_ten_seeds_and_five_locales(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check(tmp_path, 10, FORMATS, monkeypatch)
