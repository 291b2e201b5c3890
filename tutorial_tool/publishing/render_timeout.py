"""A time limit for each page that a site generator converts: a slow page ends the build and is named."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType

from tutorial_tool.core.time_budget import PART_SECONDS

SECONDS = PART_SECONDS


class Clock:
    """A timer of CPU time in the main thread, on systems that have one; it does nothing elsewhere.

    `late` is called with the name of what takes too long, interrupting it, and again each second until `stop`: it
    raises the error that ends the work, repeatedly in case that is swallowed.
    """

    def __init__(self, late: Callable[[str], None]) -> None:
        self.late, self.name = late, ""

    def start(self, name: str) -> None:
        if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
            self.name = name
            signal.signal(signal.SIGVTALRM, self._report_timeout)
            signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS, 1.0)

    def stop(self) -> None:
        if self.name:
            self.name = ""
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def _report_timeout(self, _signal: int, _frame: FrameType | None) -> None:
        if self.name:
            self.late(self.name)
