"""Runs a command and says what it cost: seconds of CPU and of the clock, and the most memory at once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

STARTER = Path(__file__).parent / "starter.py"
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},  # as users have it
    "NO_MKDOCS_2_WARNING": "1",
    "NO_COLOR": "1",
}
LIMIT = 1_800.0
"""Seconds that a run may take."""


@dataclass(frozen=True)
class Cost:
    """What one run cost. `cpu` and `wall` in seconds, `memory` in MiB (that of the largest process).

    CPU is that of the process and of all those that it waited for.
    """

    cpu: float
    wall: float
    memory: float
    code: int
    out: str


def run(command: Sequence[str | Path], folder: Path, environment: Mapping[str, str] | None = None) -> Cost:
    """Runs to the end."""
    done = subprocess.run(
        [sys.executable, "-S", "-E", STARTER, *command],
        cwd=folder,
        env={**ENVIRONMENT, **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=LIMIT,
        check=False,
    )
    out, _, told = done.stdout.decode("utf-8", "replace").rpartition("\n")
    cpu, wall, memory, code = told.split()
    return Cost(float(cpu), float(wall), float(memory), int(code), out)


def cheapest(costs: Sequence[Cost]) -> Cost:
    """The run that others on the machine disturbed least."""
    return min(costs, key=lambda cost: cost.cpu)
