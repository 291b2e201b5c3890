"""How much work a call makes: counted, what a busy machine cannot change, or timed where C does it uncounted."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import CodeType, FrameType

Work = Callable[[], object]


def calls(work: Work) -> int:
    """The number of calls, of functions in Python and in C, that `work` makes."""
    return _counted(lambda _frame, event: event in ("call", "c_call"), work)


def calls_of(code: CodeType, work: Work) -> int:
    """The number of calls of one function in Python, told by its code, that `work` makes."""
    return _counted(lambda frame, event: event == "call" and frame.f_code is code, work)


def seconds(work: Work, enough: float = 0.0) -> float:
    """CPU time of `work`: the least of three, for a machine does other things, too. Not asked again below `enough`."""
    times = [_seconds(work)]
    while len(times) < 3 and times[-1] >= enough:
        times.append(_seconds(work))
    return min(times)


def soon(work: Work, within: float = 10.0) -> None:
    """Whether `work` ends: a limit in seconds far above what it takes, and far below what takes minutes or has no end."""
    assert seconds(work, within) < within


def _seconds(work: Work) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def _counted(is_one: Callable[[FrameType, str], bool], work: Work) -> int:
    count = 0

    def note(frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += is_one(frame, event)

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count
