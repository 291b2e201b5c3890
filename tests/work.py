"""How much work a call makes, counted and not timed: what a busy machine cannot change."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType, FrameType

Work = Callable[[], object]


def calls(work: Work) -> int:
    """The number of calls, of functions in Python and in C, that `work` makes."""
    return _counted(lambda _frame, event: event in ("call", "c_call"), work)


def calls_of(code: CodeType, work: Work) -> int:
    """The number of calls of one function in Python, told by its code, that `work` makes."""
    return _counted(lambda frame, event: event == "call" and frame.f_code is code, work)


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
