"""Real texts, spoilt: whatever comes in, nothing is raised and nothing takes long. What failed once stays mended."""

from __future__ import annotations

import time
from functools import partial
from itertools import islice
from pathlib import Path

import pytest

from tests.fuzz import parsers, shapes
from tests.fuzz.parsers import PARSERS
from tests.work import seconds, soon

SECONDS = 2
"""CPU time of one input at most."""
ALL = 100_000
IN_CI = 100
"""The part of the full figure that CI runs: one of so many."""
CRASHES = sorted((Path(__file__).parent / "crashes").iterdir())


def fuzzed(name: str, count: int, seed: int = shapes.SEED) -> int:
    """Runs so many inputs, some at once where that is faster, and returns how many ran. The slow and the raising fail."""
    parser, ran = PARSERS[name], 0
    texts = shapes.many(parser.shape, count, seed=seed)
    while batch := list(islice(texts, parser.at_once)):
        started = time.process_time()
        try:
            parser.read(batch)
        except Exception as problem:  # noqa: BLE001 - whatever is raised is what is looked for
            pytest.fail(f"{type(problem).__name__}: {problem}: one of {batch!r}")
        if time.process_time() - started >= SECONDS:
            _check_each(name, batch)
        ran += len(batch)
    return ran


def _check_each(name: str, batch: list[str]) -> None:
    """Whether it was one input that took so long."""
    for text in batch:
        assert seconds(partial(PARSERS[name].read, [text] * min(PARSERS[name].at_once, 2)), SECONDS) < SECONDS, text


@pytest.mark.slow
@pytest.mark.parametrize("name", PARSERS)
def test_a_part_of_the_inputs(name: str) -> None:
    count = PARSERS[name].share // IN_CI
    assert fuzzed(name, count) == count


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", PARSERS)
def test_all_inputs(name: str) -> None:
    assert fuzzed(name, PARSERS[name].share) == PARSERS[name].share


def test_the_shares_are_all_inputs() -> None:
    assert sum(parser.share for parser in PARSERS.values()) >= ALL


@pytest.mark.parametrize("path", CRASHES, ids=lambda path: path.name)
def test_what_failed_once(path: Path) -> None:
    name = path.name.partition("-")[0]
    parser = PARSERS[name]
    parser.read(["A page.\n"] * 2)  # what is read only once
    soon(partial(parser.read, [path.read_bytes().decode("utf-8", "replace")]))


def test_inputs_are_the_same_each_time() -> None:
    assert list(shapes.many(shapes.markdown, 5)) == list(shapes.many(shapes.markdown, 5))
    assert len(set(shapes.many(shapes.markdown, 500))) > 450
    assert parsers.PARSERS.keys() >= {"markdown", "yaml", "template", "front-matter", "configuration", "baseline"}
