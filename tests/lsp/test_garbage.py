"""What the runs of a long day leave behind is collected."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import project
from tutorial_tool.lsp import runs
from tutorial_tool.lsp.garbage import GarbageCollector
from tutorial_tool.lsp.runs import Runs
from tutorial_tool.lsp.workspace import Workspace


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    """Python itself does not look."""
    gc.disable()
    yield
    gc.enable()


def circles(count: int) -> None:
    for _ in range(count):
        one: list[object] = []
        one.append(one)


def test_it_looks_where_there_is_much_more_than_was_kept() -> None:
    gc.collect()
    looks, there = GarbageCollector(), sys.getallocatedblocks()
    assert not looks.collect(1.25)
    circles(there // 10)
    assert not looks.collect(1.25)
    circles(there // 3)
    assert looks.collect(1.25)
    assert sys.getallocatedblocks() < there * 1.1
    assert not looks.collect(1.25)


def raises(error: Exception) -> None:
    raise error


@pytest.mark.asyncio
async def test_it_looks_once_nobody_types(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "IDLE_SECONDS", 0.01)
    workspace = Workspace([project.write(tmp_path)])
    typing = Runs(workspace, lambda found: None, raises)
    workspace.record_change()
    await typing.get_current()
    gc.collect()
    before = sys.getallocatedblocks()
    circles(before // 2)
    workspace.record_change()
    await typing.get_current()
    for _ in range(1000):
        if sys.getallocatedblocks() < before * 1.2:
            break
        await asyncio.sleep(0.01)
    assert sys.getallocatedblocks() < before * 1.2
    typing.stop()
