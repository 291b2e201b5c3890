"""Lets other processes do a part of some work at the same time, where that pays.

Only Linux copies a running program safely and at once; elsewhere, and where this machine has one processor, all is
done by the process that asks.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from tutorial_tool import untrusted

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

MOST = 8
"""Processes of one run: what one of them alone must do is then most of the work."""


def available() -> int:
    """How many processes may work at the same time: one for each processor that this program may use."""
    if sys.platform != "linux" or untrusted.limited():
        return 1
    return min(len(os.sched_getaffinity(0)), MOST)


def share(work: Callable[[int], bytes], count: int, processes: int) -> Iterator[tuple[int, bytes]]:
    """What `work` gives for the numbers below `count`, in the order in which so many other processes come to an end.

    What one of them could not do is left out, and the caller does it: so the caller meets what went wrong. Nothing is
    given where there are threads: a copy of the program would not have them.
    """
    if sys.platform != "linux" or processes < 2 or threading.active_count() > 1:
        return
    from multiprocessing import connection, get_context  # slow to load

    context = get_context("fork")
    open_: list[Connection] = []
    begun = []
    try:
        for first in range(processes):
            mine, theirs = context.Pipe(duplex=False)
            numbers = range(first, count, processes)
            open_.append(mine)
            each = context.Process(target=_do, args=(work, numbers, theirs, open_), daemon=True)
            each.start()
            theirs.close()
            begun.append(each)
        while open_:
            for ready in connection.wait(open_):
                assert isinstance(ready, connection.Connection)
                try:
                    yield int.from_bytes(ready.recv_bytes(), "little"), ready.recv_bytes()
                except EOFError:
                    open_.remove(ready)
    finally:
        for one in open_:
            one.close()
        for each in begun:
            each.terminate()
            each.join()


def _do(work: Callable[[int], bytes], numbers: Sequence[int], told: Connection, heard: Sequence[Connection]) -> None:
    """The part of one process. It ends without a word: the caller does what is missing, and tells what is wrong.

    `heard` are the caller's ends: as long as a copy of them is open, nobody knows that the caller is gone.
    """
    gc.disable()  # it would copy all that it looks at
    with suppress(BaseException):
        for one in heard:
            one.close()
        for number in numbers:
            done = work(number)
            told.send_bytes(number.to_bytes(8, "little"))
            told.send_bytes(done)
    told.close()
    os._exit(0)  # what the copied program would do at its end is for the program itself
