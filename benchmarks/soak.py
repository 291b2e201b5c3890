"""What the long attacks find, as a table: `python -m benchmarks.soak [--part 0.01] [--seed 1] [WHAT…]`.

`--part` is the share of the full figures: 100,000 inputs for the readers, 10,000 projects, 1,000 kills. A run with the
same seed is the same each time.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from tests import project, started, test_crashes, test_trust_caches, test_trust_templates
from tests.fuzz import shapes
from tests.fuzz.parsers import PARSERS
from tests.fuzz.test_fuzz import fuzzed
from tutorial_tool import site
from tutorial_tool.config.settings import Config
from tutorial_tool.linter import engine
from tutorial_tool.publishing import export
from tutorial_tool.publishing.export.engines import ENGINES
from tutorial_tool.site import loading

KILLS = 1000
PROJECTS = 10_000
SECONDS = 10  # CPU time of one project at most


class Asked(NamedTuple):
    """The share of the full figures, and what is random."""

    part: float
    seed: int


def fuzz(asked: Asked, _: Path) -> Iterator[int]:
    """Spoilt texts for each reader: nothing is raised, and no input takes 2 s."""
    slow = []
    for name, parser in PARSERS.items():
        try:
            yield fuzzed(name, max(1, round(parser.share * asked.part)), asked.seed)
        except AssertionError as problem:
            slow.append(f"{name}: {problem}")
    assert not slow, slow


def kills(asked: Asked, folder: Path) -> Iterator[int]:
    """Commands that are killed at their steps on the disk: nothing is torn or lost, and the next run is right.

    Each round kills all commands at steps that those before it left out.
    """
    left = round(KILLS * asked.part)
    cases = test_crashes.CASES | test_crashes.RARE
    for start in range(1, 1 + max(case.every for case in cases.values())):
        for name, case in cases.items():
            try:
                steps = test_crashes.kills(case, folder / f"{name} from {start}", case.every, start)
                for _ in steps if start <= case.every else ():
                    yield 1
                    left -= 1
                    if left <= 0:
                        return
            except AssertionError as problem:
                raise AssertionError(f"{name} from {start}: {problem}") from problem


def projects(asked: Asked, folder: Path) -> Iterator[int]:
    """Projects whose data, templates, or both are spoilt: they are linted, and rendered for three generators."""
    project.write(folder)
    before = test_crashes.here(folder)
    count = max(1, round(PROJECTS * asked.part))
    spoilt = (shapes.many(kind, count, seed=asked.seed) for kind in (shapes.yaml, shapes.template))
    for number, (data, template) in enumerate(zip(*spoilt, strict=True)):
        changed = {"platforms.yaml": data} if number % 3 else {}
        changed |= {"site_templates/steps/prepare.md.j2": template} if number % 3 != 1 else {}
        begun = time.process_time()
        loaded = loading.load(site.Layout.find(folder), changed)
        engine.run(loaded, Config(folder, select=("ALL",)))
        for target in () if loaded.errors else (export.PLAIN, ENGINES["hugo"], ENGINES["docusaurus"]):
            export.build_files(
                loaded, export.Options(engine=target, heading_ids=target.heading_ids, reader_features=True)
            )
        assert time.process_time() - begun < SECONDS, changed
        yield 1
    assert test_crashes.here(folder) == before, "a file was changed"


def sandbox(_asked: Asked, _: Path) -> Iterator[int]:
    """Ways from an object to a text, and calls that cost much: no representation, 1 GB and 10 s never passed."""
    for door in test_trust_templates.DOORS:
        test_trust_templates.test_no_object_becomes_text(door)
        yield len(test_trust_templates.OBJECTS)
    for expression in test_trust_templates.COSTLY:
        begun = time.process_time()
        test_trust_templates.test_a_call_that_costs_much_is_refused_before_it_works(expression)
        assert time.process_time() - begun < 10, expression
        yield 1


def caches(asked: Asked, folder: Path) -> Iterator[int]:
    """Files of the cache that are broken in seven ways: the next run prints the same."""
    for kind in test_trust_caches.KINDS:
        (folder / kind).mkdir()
        yield test_trust_caches.check(folder / kind, kind, max(1, round(40 * asked.part)), asked.seed)


ATTACKS: dict[str, Callable[[Asked, Path], Iterator[int]]] = {
    "fuzz": fuzz, "projects": projects, "kills": kills, "sandbox": sandbox, "caches": caches,
}  # fmt: skip


def row(name: str, asked: Asked) -> str:
    """Run one attack, and return its line of the table."""
    begun, runs, found = os.times(), 0, "nothing"
    with tempfile.TemporaryDirectory() as folder:
        try:
            for count in ATTACKS[name](asked, Path(folder)):
                runs += count
        except BaseException as problem:  # a failed assertion, `pytest.fail`, or what an attack broke
            if isinstance(problem, KeyboardInterrupt):
                raise
            found = f"{type(problem).__name__}: {str(problem)[:300]}"
    ended = os.times()
    seconds = sum(ended[:4]) - sum(begun[:4])
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    day = datetime.now(tz=UTC).date()
    return f"| {name} | {runs:,} | {asked.seed} | {found} | {seconds:.0f} | {kilobytes // 1024} | {day} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", type=float, default=0.01, help="the share of the full figures")
    parser.add_argument("--seed", type=int, default=shapes.SEED)
    parser.add_argument("what", nargs="*", help=f"of {', '.join(ATTACKS)}; all of them without")
    asked = parser.parse_args()
    started.begin()
    try:
        print(
            "| Attack | Runs | Seed | Found | CPU s | MB | Day |\n| --- | --- | --- | --- | --- | --- | --- |",
            flush=True,
        )
        rows = []
        for name in asked.what or ATTACKS:
            rows.append(row(name, Asked(asked.part, asked.seed)))
            print(rows[-1], flush=True)
    finally:
        started.end()
    return 0 if all("| nothing |" in line for line in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
