"""Stop work that takes too long: a clock of CPU time that raises `TimeBudgetExceeded` during it.

In the main thread, the system's timer fires, which also interrupts a regular expression; in other threads, such as an
editor's, and where there is no such timer, another thread watches. Both count ticks, so that a limit costs two
assignments.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from math import inf
from types import FrameType, TracebackType
from typing import Self, TypeVar

from tutorial_tool.core.errors import LimitExceeded

_MAX_WAIT_ITERATIONS = 1000  # Iterations of a loop in which an exception raised by another thread can arrive
TASK_SECONDS = 5.0
"""CPU time of a small task: to compile a template, to render it once, or to run a rule on a short page.

102 renderings of our own projects took 0.1 s at most, rules on the 40 longest pages of 39 public trees 0.9 s (2026-11).
"""
PART_SECONDS = 30.0  # CPU time of a step in `adopt`, `compare`, `sync` and `diff`, and of a page to convert
SECONDS_PER_MEGABYTE = 20.0  # Added for the text of a whole site; 36 public trees, 2026-11: 3.4 s at most
TICK = 0.25  # Seconds of CPU time between two clock checks
Part = TypeVar("Part", bound=Hashable)
Result = TypeVar("Result")


class TimeBudgetExceeded(LimitExceeded):
    """The time of a `Limit` is over. It is raised again at each tick, in case the work catches it."""

    def __init__(self, message: str = "this takes too long; are there nested loops?") -> None:
        super().__init__(message)


class _Clock(threading.local):
    """The ticks of one thread since it was first limited, and the tick at which its work has to end."""

    ticks = 0
    deadline = inf
    running = False
    subject: tuple[str, str] = ("", "")

    def count_tick(self) -> None:
        """Count a tick, and stop work that is over its time."""
        self.ticks += 1
        if self.ticks >= self.deadline:
            raise TimeBudgetExceeded


_clock = _Clock()


class Limit:
    """A block that may use some seconds of CPU time, else `TimeBudgetExceeded` is raised. May be nested.

    `work` and `subject` describe the work, in case the whole process is stopped meanwhile.
    """

    __slots__ = ("_deadline", "_outer", "_own_clock", "_seconds", "_started", "_subject")

    def __init__(self, seconds: float, work: str = "", subject: str = "") -> None:
        self._seconds, self._subject = seconds, (work, subject)
        self._own_clock: AbstractContextManager[None] | None = None

    def __enter__(self) -> Self:
        if not _clock.running:
            self._own_clock = run_clock()
            self._own_clock.__enter__()
        self._outer = _clock.deadline, _clock.subject
        self._started = _clock.ticks
        self._deadline = self._started + self._seconds / TICK
        if self._subject[0]:
            _clock.subject = self._subject
        _clock.deadline = min(self._deadline, _clock.deadline)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: BaseException | TracebackType | None) -> None:
        _clock.deadline, _clock.subject = self._outer
        if self._own_clock is not None:
            self._own_clock.__exit__(None, None, None)

    @property
    def used_seconds(self) -> float:
        """Seconds of CPU time since the block began, to the tick."""
        return (_clock.ticks - self._started) * TICK

    @property
    def is_over(self) -> bool:
        """Whether this limit stopped the work, not one around it."""
        return _clock.ticks >= self._deadline


@contextmanager
def limit_time(work: str, characters: int = 0) -> Iterator[None]:
    """Limit a part of a command to `PART_SECONDS`, and more for the text of a site.

    What takes longer ends with a `TimeBudgetExceeded` that names it.
    """
    seconds = PART_SECONDS + SECONDS_PER_MEGABYTE * characters / 1_000_000
    limit = Limit(seconds)
    try:
        with limit:
            yield
    except TimeBudgetExceeded as error:
        if not limit.is_over:
            raise
        raise TimeBudgetExceeded(f"{work} was stopped after {seconds:.0f} s of CPU time") from error


def run_within_limit(
    parts: Iterable[Part], run: Callable[[Part], Result]
) -> tuple[dict[Part, Result], dict[Part, str]]:
    """Return the results of `run` on each part within `PART_SECONDS`, and why other parts were stopped."""
    results, stopped = dict[Part, Result](), dict[Part, str]()
    for part in parts:
        try:
            with limit_time(f"comparing `{part}`"):
                results[part] = run(part)
        except TimeBudgetExceeded as error:
            stopped[part] = str(error)
    return results, stopped


def describe_current_work() -> str:
    """Return the work under a limit, such as "`misspelling` on `a.md`"; "" if there is none."""
    work, subject = _clock.subject
    return f"{work} on {subject}" if work and subject else ""


@contextmanager
def run_clock() -> Iterator[None]:
    """Run the clock of this thread during the block, so that a limit within it need not start it."""
    if _clock.running:
        yield
        return
    has_timer = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    stop = _start_timer() if has_timer else _start_watching()
    _clock.running = True
    try:
        yield
    finally:
        _clock.running = False
        stop()


def _start_timer() -> Callable[[], None]:
    def count_tick(_signal: int, _frame: FrameType | None) -> None:
        _clock.count_tick()

    before = signal.signal(signal.SIGVTALRM, count_tick)
    signal.setitimer(signal.ITIMER_VIRTUAL, TICK, TICK)

    def stop() -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        if callable(before):  # another clock's; the default would end the process on a late signal
            signal.signal(signal.SIGVTALRM, before)

    return stop


def _start_watching() -> Callable[[], None]:
    import ctypes

    ended, thread, clock = threading.Event(), threading.get_ident(), vars(_clock)
    read_clock = _get_cpu_clock(thread)
    end_work = ctypes.pythonapi.PyThreadState_SetAsyncExc

    was_raised = False

    def watch() -> None:
        nonlocal was_raised
        before = read_clock()
        while not ended.wait(TICK):
            with suppress(OSError):  # the thread has ended
                if (now := read_clock()) - before >= TICK:
                    before = now
                    clock["ticks"] = clock.get("ticks", 0) + 1
                    if clock["ticks"] >= clock.get("deadline", inf):
                        was_raised = True
                        end_work(ctypes.c_ulong(thread), ctypes.py_object(TimeBudgetExceeded))

    def stop() -> None:
        ended.set()
        watching.join()
        if was_raised:  # the last exception may be pending; canceling it would leave CPython 3.11 looking for it
            with suppress(TimeBudgetExceeded):
                for _ in range(_MAX_WAIT_ITERATIONS):
                    pass

    watching = threading.Thread(target=watch, name="time budget", daemon=True)
    watching.start()
    return stop


def _get_cpu_clock(thread: int) -> Callable[[], float]:
    """Return a clock of a thread's CPU time, in seconds; the monotonic clock on systems other than Linux."""
    if sys.platform != "linux":
        return time.monotonic
    number = time.pthread_getcpuclockid(thread)
    return lambda: time.clock_gettime(number)


def _reset_clock() -> None:
    _clock.running, _clock.deadline = False, inf


if hasattr(os, "register_at_fork"):  # a forked process has neither the timer nor the threads
    os.register_at_fork(after_in_child=_reset_clock)
