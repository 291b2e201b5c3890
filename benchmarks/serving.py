"""How long a reader of a development server waits: from the moment a file is saved to the page that shows it."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measuring import Cost

WAIT = 300.0
"""Seconds until a change that does not show counts as lost."""
POLL = 0.004


def changes(program: str, root: Path, source: Path, address: str, runs: int) -> Iterator[Cost]:
    """Saves a change `runs` times, and gives what each took on the clock."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [program, "serve", "-a", f"127.0.0.1:{port}"]
    process = subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    text = source.read_text(encoding="utf-8")
    url = f"http://127.0.0.1:{port}/{address}"
    try:
        _shown(url, "<title>")
        for number in range(runs + 1):
            time.sleep(1.5)
            marker = f"Marker{number}x{time.time_ns()}"
            started = time.perf_counter()
            source.write_text(f"{text}\n{marker}\n", encoding="utf-8")
            shown = _shown(url, marker)
            if number:  # the first change finds nothing prepared
                wall = time.perf_counter() - started
                yield Cost(wall, wall, 0, 0, "page is served" if shown else "")
    finally:
        source.write_text(text, encoding="utf-8")
        process.kill()
        process.wait()


def _shown(url: str, text: str) -> bool:
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        with contextlib.suppress(urllib.error.URLError, ConnectionError, TimeoutError):
            answer = urllib.request.urlopen(url, timeout=60)
            if text in answer.read().decode("utf-8", "replace"):
                return True
        time.sleep(POLL)
    return False
