"""What the long attacks find, as a table: `python -m benchmarks.soak [--part 0.01] [WHAT…]`.

`--part` is the share of the full figures: 100,000 inputs for the readers, 1,000 kills. All that is random has a seed in
the module that makes it, so that a run is the same each time.
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

from tests import started, test_crashes, test_trust_caches, test_trust_templates
from tests.fuzz.parsers import PARSERS
from tests.fuzz.test_fuzz import fuzzed

KILLS = 1000


def fuzz(part: float, _: Path) -> Iterator[int]:
    """Spoilt texts for each reader: nothing is raised, and no input takes 2 s."""
    for name, parser in PARSERS.items():
        yield fuzzed(name, max(1, round(parser.share * part)))


def kills(part: float, folder: Path) -> Iterator[int]:
    """Commands that are killed at their steps on the disk: nothing is torn or lost, and the next run is right."""
    left = round(KILLS * part)  # of all commands, so that fewer kills are further apart
    for name, case in (test_crashes.CASES | test_crashes.RARE).items():
        (folder / name).mkdir()
        for _ in test_crashes.kills(case, folder / name, case.every if part < 1 else 1):
            yield 1
            left -= 1
            if left <= 0:
                return


def sandbox(_part: float, _: Path) -> Iterator[int]:
    """Ways from an object to a text, and calls that cost much: no representation, 1 GB and 10 s never passed."""
    for door in test_trust_templates.DOORS:
        test_trust_templates.test_no_object_becomes_text(door)
        yield len(test_trust_templates.OBJECTS)
    for expression in test_trust_templates.COSTLY:
        begun = time.process_time()
        test_trust_templates.test_a_call_that_costs_much_is_refused_before_it_works(expression)
        assert time.process_time() - begun < 10, expression
        yield 1


def caches(part: float, folder: Path) -> Iterator[int]:
    """Files of the cache that are broken in five ways: the next run prints the same."""
    for kind in ("tree", "project"):
        (folder / kind).mkdir()
        yield test_trust_caches.check(folder / kind, kind, max(1, round(40 * part)))


ATTACKS: dict[str, Callable[[float, Path], Iterator[int]]] = {
    "fuzz": fuzz, "kills": kills, "sandbox": sandbox, "caches": caches,
}  # fmt: skip


def row(name: str, part: float) -> str:
    """Run one attack, and return its line of the table."""
    begun, runs, found = os.times(), 0, "nothing"
    with tempfile.TemporaryDirectory() as folder:
        try:
            for count in ATTACKS[name](part, Path(folder)):
                runs += count
        except BaseException as problem:  # a failed assertion, `pytest.fail`, or what an attack broke
            if isinstance(problem, KeyboardInterrupt):
                raise
            found = f"{type(problem).__name__}: {str(problem)[:300]}"
    ended = os.times()
    seconds = sum(ended[:4]) - sum(begun[:4])
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    day = datetime.now(tz=UTC).date()
    return f"| {name} | {runs:,} | {found} | {seconds:.0f} | {kilobytes // 1024} | {day} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", type=float, default=0.01, help="the share of the full figures")
    parser.add_argument("what", nargs="*", help=f"of {', '.join(ATTACKS)}; all of them without")
    asked = parser.parse_args()
    started.begin()
    try:
        print("| Attack | Runs | Found | CPU s | MB | Day |\n| --- | --- | --- | --- | --- | --- |", flush=True)
        rows = []
        for name in asked.what or ATTACKS:
            rows.append(row(name, asked.part))
            print(rows[-1], flush=True)
    finally:
        started.end()
    return 0 if all("| nothing |" in line for line in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
