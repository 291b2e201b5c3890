"""Run Python's garbage collector while nobody waits.

A run that builds a new site leaves the old one in reference cycles. Collecting those takes as long as a run after a
small change, because it traverses all live objects, so it is done once there are many more than were live after the
last collection.
"""

from __future__ import annotations

import gc
import sys

COLLECTION_THRESHOLDS = (50_000, 20, 100)
"""Python's collection thresholds: new objects before a collection, and how often before older objects are checked."""
IDLE_GROWTH = 1.25  # Growth factor from which to collect when idle
BUSY_GROWTH = 2.0  # Growth factor from which to collect immediately


class GarbageCollector:
    """A garbage collector that remembers how much was live after its last collection."""

    def __init__(self) -> None:
        self._live_blocks = 0

    def collect(self, growth: float) -> bool:
        """Collect if live objects have grown by the factor `growth`; return whether it did.

        The first call takes everything as live.
        """
        is_wanted = sys.getallocatedblocks() > self._live_blocks * growth > 0
        if is_wanted:
            gc.collect()
        if is_wanted or not self._live_blocks:
            self._live_blocks = sys.getallocatedblocks()
        return is_wanted
