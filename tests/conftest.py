"""What all tests share."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from tests import started

# CI looks at the same examples each time, so that a change is to blame for a failure, not chance.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("default", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "default")

for size in ("COLUMNS", "LINES"):  # who shares the tests between processes tells each the width of a terminal
    os.environ.pop(size, None)


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # the process that shares the tests with others, or the only one
        started.begin()
    gc.disable()  # until thousands of tests, which are no garbage, are collected


def pytest_collection_finish() -> None:
    """What is loaded stays: looking through it for garbage again and again takes a tenth of the run."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        started.end()


@pytest.fixture
def golden() -> Callable[[Path, str], None]:
    """Compare a text with a whole file: `UPDATE=1 pytest` rewrites the file, and the diff is to be read."""

    def compare(path: Path, text: str) -> None:
        if os.environ.get("UPDATE"):
            path.write_bytes(text.encode())
        assert text == path.read_bytes().decode()

    return compare
