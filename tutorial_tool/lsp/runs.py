"""Run the linter while the author types: one run at a time, in its own thread; the newest text wins."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from tutorial_tool.lsp import garbage, quick_check
from tutorial_tool.lsp.workspace import Snapshot, StaleTexts, Workspace

T = TypeVar("T")

MAX_WAIT_SECONDS = 0.6  # Maximum time that a slow run waits for a pause in typing
IDLE_SECONDS = 2.0  # Time without changes before garbage is collected


class Runs:
    """The linter runs of a workspace: it is linted after each change, and results go to `publish`.

    `publish` is called on the event loop. A text that changes during a run makes it obsolete: it stops at the next
    checkpoint without being published, and the next one begins. So there is at most one run active and one pending.
    """

    def __init__(
        self, workspace: Workspace, publish: Callable[[Snapshot], None], on_error: Callable[[Exception], None]
    ) -> None:
        self.workspace, self.publish, self.on_error = workspace, publish, on_error
        self.last_snapshot = Snapshot()  # Result of the last run
        self.published = Snapshot()  # What was published last: that, or with a quick check of one page applied
        self.count = 0  # Number of runs started
        self._last_run_seconds = 0.0
        self._last_seen_version = -1
        self._last_change_time = 0.0
        self._typing_pause = 0.0
        self._task: asyncio.Task[None] | None = None
        self._quick_task: asyncio.Task[None] | None = None
        self._finished = asyncio.Condition()
        self._garbage = garbage.GarbageCollector()
        self._idle_timer: asyncio.TimerHandle | None = None
        self._thread = ThreadPoolExecutor(1, "lint")

    def schedule_run(self) -> None:
        """Schedule a run because the workspace has changed. Call it on the event loop."""
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        if self.workspace.version != self._last_seen_version:
            now, self._last_seen_version = time.monotonic(), self.workspace.version
            self._typing_pause, self._last_change_time = now - self._last_change_time, now
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run_pending())
        if self._quick_task is None or self._quick_task.done():
            self._quick_task = asyncio.get_running_loop().create_task(self._lint_changed_page())

    async def get_current(self) -> Snapshot:
        """Return the findings of the current texts once they exist; after a failure, the earlier ones."""
        self.schedule_run()
        async with self._finished:
            await self._finished.wait_for(lambda: self.published.version >= self.workspace.version or self._is_idle())
        return self.published

    async def run_in_thread(self, work: Callable[[], T]) -> T:
        """Return the result of `work`, run in the linter's thread, so that its caches have one user."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def stop(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _is_idle(self) -> bool:
        return self._task is None or self._task.done() or self._task is asyncio.current_task()

    async def _run_pending(self) -> None:
        while self.last_snapshot.version != self.workspace.version:
            version = self.workspace.version
            if await self._is_still_typing(version):
                continue
            started = time.monotonic()
            self.count += 1
            try:
                snapshot = await asyncio.get_running_loop().run_in_executor(self._thread, self._lint, version)
            except StaleTexts:
                continue
            except Exception as error:  # noqa: BLE001 - a mistake of ours must not end the server
                self.on_error(error)
                snapshot = Snapshot(version, self.last_snapshot.checked, self.last_snapshot.problems)
            self._last_run_seconds = time.monotonic() - started
            if version == self.workspace.version:
                self.last_snapshot = snapshot
                await self._publish_snapshot(snapshot)
            self._collect_garbage(garbage.BUSY_GROWTH)
        loop = asyncio.get_running_loop()
        self._idle_timer = loop.call_later(IDLE_SECONDS, self._collect_garbage, garbage.IDLE_GROWTH)

    def _collect_garbage(self, growth: float) -> None:
        with suppress(RuntimeError):  # the loop was stopped
            self._thread.submit(self._garbage.collect, growth)

    async def _lint_changed_page(self) -> None:
        """Lint the page that was changed, in trees that take long."""
        while self.published.version != self.workspace.version:
            version, path, published = self.workspace.version, self.workspace.last_edited, self.published
            text = self.workspace.texts.get(path) if path else None
            checked = published.find_checked(path) if path else None
            if path is None or text is None or checked is None or not quick_check.is_worthwhile(checked):
                return
            try:
                result = await asyncio.to_thread(quick_check.lint_page, checked, path, text)
            except Exception as error:  # noqa: BLE001 - as a run
                self.on_error(error)
                return
            if version == self.workspace.version > self.published.version:
                merged = [result if other is checked else other for other in published.checked]
                await self._publish_snapshot(Snapshot(version, tuple(merged), published.problems))

    async def _is_still_typing(self, version: int) -> bool:
        """Wait for a pause in typing of at most the time of the last run; return whether more was typed meanwhile."""
        wait = min(self._last_run_seconds, MAX_WAIT_SECONDS)
        if self._typing_pause > wait:
            return False
        await asyncio.sleep(wait)
        return version != self.workspace.version

    def _lint(self, version: int) -> Snapshot:
        return self.workspace.lint(lambda: version != self.workspace.version)

    async def _publish_snapshot(self, snapshot: Snapshot) -> None:
        self.published = snapshot
        try:
            self.publish(snapshot)
        except Exception as error:  # noqa: BLE001 - whoever waits for the run must not wait for ever
            self.on_error(error)
        async with self._finished:
            self._finished.notify_all()
