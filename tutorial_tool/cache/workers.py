"""Run work in parallel in other processes, where that is worth it.

Only Linux can fork a running program safely and quickly; on other systems, and with a single processor, the calling
process does all the work.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from tutorial_tool.fs import limited_process

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

MAX_PROCESSES = 8  # Maximum processes of a run: with more, most of the work is what one process must do alone
_PIPE_BYTES = 1 << 20  # Bytes of results that may wait in the pipe: the limit for an ordinary user on Linux


def count_available() -> int:
    """Return how many processes may run in parallel: one for each processor available to this program.

    The result is 1 on systems other than Linux, in a process with limits, and in a worker, which may start no others.
    """
    if sys.platform != "linux" or limited_process.is_limited() or _is_worker():
        return 1
    return min(len(os.sched_getaffinity(0)), MAX_PROCESSES)


def _is_worker() -> bool:
    multiprocessing = sys.modules.get("multiprocessing.process")
    return multiprocessing is not None and multiprocessing.current_process().daemon


def map_parallel(work: Callable[[int], bytes], parts: Sequence[Sequence[int]]) -> Iterator[tuple[int, bytes]]:
    """Yield the index and result of `work` for the indices of each part, a process each, in the order of completion.

    An index at which a process failed is left out; the caller then does that work, and meets the error. Nothing is
    yielded if there are threads: a forked process would not have them.
    """
    if len(parts) < 2:
        return
    from multiprocessing import connection  # slow to load

    workers = _start_workers(work, parts)
    open_pipes = [worker.pipe for worker in workers]
    try:
        while open_pipes:
            for ready in connection.wait(open_pipes):
                assert isinstance(ready, connection.Connection)
                try:
                    yield int.from_bytes(ready.recv_bytes(), "little"), ready.recv_bytes()
                except EOFError:
                    open_pipes.remove(ready)
    finally:
        _end_workers(workers)


class PrefetchWorkers:
    """Worker processes that do parts of some work ahead of this process, in the order of their indices.

    Of each `processes` indices below `count`, the first is left to this process, and each of the others belongs to a
    worker, which calls `work` and sends the result. There are no workers if there are threads.
    """

    def __init__(self, work: Callable[[int], bytes], count: int, processes: int) -> None:
        self._processes = processes
        self._workers = _start_workers(work, [range(first, count, processes) for first in range(1, processes)])
        for worker in self._workers:
            _widen_pipe(worker.pipe)

    def get(self, number: int) -> bytes | None:
        """Wait for a worker's result for an index; return None if this process has to do that part itself.

        Each index is requested once, in ascending order.
        """
        index = number % self._processes - 1
        if index < 0 or not self._workers:
            return None
        try:
            pipe = self._workers[index].pipe
            while int.from_bytes(pipe.recv_bytes(), "little") != number:
                pipe.recv_bytes()
            return pipe.recv_bytes()
        except (EOFError, OSError):
            return None

    def end(self) -> None:
        """End the workers, whether they are done or not."""
        _end_workers(self._workers)
        self._workers = []


class _Worker(NamedTuple):
    """A worker process, and the pipe that it writes to."""

    process: BaseProcess
    pipe: Connection


def _start_workers(work: Callable[[int], bytes], parts: Iterable[Sequence[int]]) -> list[_Worker]:
    """Start a process for each part; return none if the system has too few, or forking is unsafe."""
    if sys.platform != "linux" or threading.active_count() > 1 or _is_worker():
        return []
    from multiprocessing import get_context  # slow to load

    context = get_context("fork")
    workers: list[_Worker] = []
    try:
        for numbers in parts:
            reading_end, writing_end = context.Pipe(duplex=False)
            inherited = [*(other.pipe for other in workers), reading_end]
            arguments = (work, numbers, writing_end, inherited, os.getpid())
            process = context.Process(target=_run_worker, args=arguments, daemon=True)
            workers.append(_Worker(process, reading_end))
            try:
                process.start()
            finally:
                writing_end.close()
    except BaseException as error:
        _end_workers(workers)
        if isinstance(error, OSError):
            return []
        raise
    return workers


def _end_workers(workers: Iterable[_Worker]) -> None:
    for worker in workers:
        worker.pipe.close()
    for worker in workers:
        if worker.process.pid is not None:
            worker.process.terminate()
            worker.process.join()


def _widen_pipe(connection: Connection) -> None:
    """Extend the pipe's buffer, so that results can wait: the default size holds a page or two."""
    import fcntl

    if sys.platform == "linux":
        with suppress(OSError):  # above the system's limit
            fcntl.fcntl(connection.fileno(), fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _run_worker(
    work: Callable[[int], bytes],
    numbers: Sequence[int],
    connection: Connection,
    connections: Sequence[Connection],
    caller: int,
) -> None:
    """Run the part of one worker. It exits silently: the caller does what is missing, and reports errors.

    `caller` is the process ID of the caller. `connections` are the caller's ends: while a copy of them is open, nobody
    notices that the caller is gone.
    """
    gc.disable()  # it would copy all memory that it visits
    with suppress(BaseException):
        _end_with_parent(caller)
        for inherited in connections:
            inherited.close()
        for number in numbers:
            result = work(number)
            connection.send_bytes(number.to_bytes(8, "little"))
            connection.send_bytes(result)
    connection.close()
    os._exit(0)  # skip the exit handlers of the forked program


def _end_with_parent(caller: int) -> None:
    """End this process when its parent ends for any reason."""
    import ctypes

    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG of Linux `prctl(2)`
    if os.getppid() != caller:  # the parent has already ended
        os._exit(0)
