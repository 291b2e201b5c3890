"""Control of Python's garbage collector, which would scan a loaded project again and again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

COLLECTION_THRESHOLDS = (20_000, 20, 20)
"""Arguments of `gc.set_threshold`. With Python's default of 700, a build collects some 400 times, which takes a
twentieth of its time; these take a megabyte more."""


@contextmanager
def pause_collection(*, for_good: bool) -> Iterator[None]:
    """Pause garbage collection while a project is loaded.

    `for_good`: objects created then are never scanned, and later ones rarely, as the process ends soon.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if for_good:
            gc.freeze()
            gc.set_threshold(*COLLECTION_THRESHOLDS)
        if was_enabled:
            gc.enable()
