"""Python's garbage collector, which looks while nobody waits.

A run leaves a site in circles where it makes a new one. To look for those takes as long as a run of a small change, for
it goes through all that is kept; so it is done once there is much more than was kept last.
"""

from __future__ import annotations

import gc
import sys

SELDOM = (50_000, 20, 100)
"""Objects that are made before Python itself looks at the new ones, and how often it does before the older ones."""
MORE = 1.25  # How much more than was kept is worth a look while nothing else is to be done
MOST = 2.0  # How much more is worth a look at once


class GarbageCollector:
    """Knows how much was kept when it looked last."""

    def __init__(self) -> None:
        self._kept = 0

    def collect(self, growth: float) -> bool:
        """Look, if there is more by so much; returns whether it did. At first, all that is there is kept."""
        is_wanted = sys.getallocatedblocks() > self._kept * growth > 0
        if is_wanted:
            gc.collect()
        if is_wanted or not self._kept:
            self._kept = sys.getallocatedblocks()
        return is_wanted
