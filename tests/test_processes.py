"""Several processes judge the pages of a large tree, and say what one would."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from tests.test_any_edit import COPIES
from tests.test_kept import told
from tutorial_tool.cache import workers
from tutorial_tool.core.diagnostics import Severity
from tutorial_tool.fs import limited_process
from tutorial_tool.linter import scheduler, serialization
from tutorial_tool.linter.config_lookup import LookupOptions
from tutorial_tool.linter.targets import find
from tutorial_tool.site import Memory

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="one process does all where programs are not copied"),
    # The threads are pytest's own, of the run that shares its tests: a program that has some is not copied.
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning"),
]
PAGES = 30


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(scheduler, "MIN_PAGES_TO_RELEASE", 2)
    monkeypatch.setattr(scheduler, "CHARACTERS_PER_PROCESS", 1)
    monkeypatch.setattr(scheduler, "SUBJECTS_BEFORE_FORK", 0)
    for number in range(PAGES):
        text = f"# Otter {number}\n\nOpen the the menu.\n\nSee [the next](page-{number + 1}.md#food).\n\n## Food\n\n![](o.png)\n"
        (tmp_path / f"page-{number}.md").write_text(text)
    return tmp_path


def lint(folder: Path, most: int) -> object:
    """What a run with so many processes finds."""
    [target] = find([folder], LookupOptions(folder))
    return told(target.lint(memory=Memory(), processes=most).findings)


def lent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that another process has judged, from here on."""
    seen: list[str] = []
    lend = serialization.restore_page

    def counted(*given: object) -> None:
        seen.append(given[1].path)  # type: ignore[attr-defined]
        lend(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(serialization, "restore_page", counted)
    return seen


@pytest.mark.parametrize("most", [2, 3])
def test_pages_are_judged_by_others_as_by_one(docs: Path, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    alone = lint(docs, 1)
    seen = lent(monkeypatch)

    assert lint(docs, most) == alone
    assert sorted(seen) == sorted(path.name for path in docs.iterdir())
    assert all(rule in str(alone) for rule in ("repeated-word", "missing-alt", "broken-link"))


def compared(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The steps that another process has judged, from here on."""
    seen: list[str] = []
    lend = serialization.restore_step

    def counted(*given: object) -> object:
        seen.append(given[0].subject.pattern)  # type: ignore[attr-defined]
        return lend(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(serialization, "restore_step", counted)
    return seen


@pytest.mark.parametrize("most", [2, 3])
@pytest.mark.parametrize("tree", sorted(path.name for path in COPIES.iterdir() if path.is_dir()))
def test_copies_are_compared_by_others_as_by_one(
    docs: Path, monkeypatch: pytest.MonkeyPatch, tree: str, most: int
) -> None:
    shutil.copytree(COPIES / tree, docs, dirs_exist_ok=True)
    alone = lint(docs, 1)
    seen, steps = lent(monkeypatch), compared(monkeypatch)

    assert lint(docs, most) == alone
    assert len(seen) == len([*docs.rglob("*.md"), *docs.rglob("*.mdx")])
    assert len(steps) == len(set(steps))
    assert steps or "drift" not in str(alone)


def test_a_step_that_another_could_not_compare_is_compared_here(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(COPIES, docs / "copies")
    alone = lint(docs, 1)
    steps = compared(monkeypatch)
    written = serialization.serialize_step
    ours, done = os.getpid(), []

    def ended(*given: object) -> bytes:
        done.append(given)
        if os.getpid() != ours and len(done) > 1:
            os._exit(1)
        return written(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(serialization, "serialize_step", ended)

    assert lint(docs, 2) == alone
    assert len(steps) == 2  # the first of each process


def test_what_another_could_not_do_is_done_here(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = lint(docs, 1)
    seen = lent(monkeypatch)
    ours, written = os.getpid(), serialization.serialize_page

    def ended(page: object, *settings: object) -> bytes:
        if os.getpid() != ours and page.path == "page-10.md":  # type: ignore[attr-defined]
            os._exit(1)
        return written(page, *settings)  # type: ignore[arg-type]

    monkeypatch.setattr(serialization, "serialize_page", ended)

    assert lint(docs, 2) == alone
    assert 0 < len(seen) < PAGES


def test_a_mistake_of_a_rule_is_met_by_the_one_that_asked(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (docs / "page-7.md").write_text("# Badger\n")

    def taken(page: object) -> None:
        if page.path == "page-7.md":  # type: ignore[attr-defined]
            raise RuntimeError("no badgers")

    monkeypatch.setattr("tutorial_tool.site.page_facts.compute_all", taken)

    with pytest.raises(RuntimeError, match="no badgers"):
        lint(docs, 2)


# The processes themselves


def given(most: int, work: Callable[[int], bytes] = lambda number: b"%d" % number) -> dict[int, bytes]:
    return dict(workers.map_parallel(work, [range(first, 9, most) for first in range(most)]))


def test_each_number_is_done_once() -> None:
    assert given(3) == {number: b"%d" % number for number in range(9)}


def test_long_answers_arrive_whole() -> None:
    assert given(2, lambda number: bytes([number]) * 300_000)[5] == b"\x05" * 300_000


def test_work_is_done_elsewhere() -> None:
    pids = set(given(2, lambda _: str(os.getpid()).encode()).values())

    assert len(pids) == 2
    assert str(os.getpid()).encode() not in pids


def test_one_process_does_its_work_itself() -> None:
    assert given(1) == {}


def test_beside_threads_no_program_is_copied() -> None:
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    try:
        assert given(2) == {}
    finally:
        end.set()
        thread.join()


def test_who_stops_listening_ends_the_others() -> None:
    others = set(multiprocessing.active_children())
    answers: Iterator[tuple[int, bytes]] = workers.map_parallel(lambda _: b"x" * 300_000, [range(50), range(50, 100)])
    next(answers)
    begun = set(multiprocessing.active_children()) - others
    assert len(begun) == 2

    answers.close()  # type: ignore[attr-defined]

    assert not any(_runs(str(one.pid)) for one in begun)
    assert set(multiprocessing.active_children()) <= others


_KILLED = """
import os, signal
from tutorial_tool.cache import workers
from tutorial_tool.core.diagnostics import Severity
answers = workers.map_parallel(lambda _: b"%d " % os.getpid() + b"x" * 300_000, [range(50), range(50, 100)])
seen = set()
while len(seen) < 2:
    seen.add(next(answers)[1].split()[0].decode())
print(*seen, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_who_is_killed_takes_the_others_along() -> None:
    """They meet a pipe that nobody reads; in the test they are this process's orphans, and seen in /proc."""
    done = subprocess.run([sys.executable, "-c", _KILLED], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    pids = done.stdout.split()
    assert len(pids) == 2
    assert _end(pids)


_BUSY = """
import os, signal, time
from tutorial_tool.cache import workers
from tutorial_tool.core.diagnostics import Severity
ahead = workers.PrefetchWorkers(lambda _: (os.write(1, b"%d" % os.getpid()), time.sleep(60))[0] or b"", 2, 2)
while True:
    time.sleep(1)
"""


def test_who_is_ended_takes_along_what_works_in_silence() -> None:
    with subprocess.Popen([sys.executable, "-c", _BUSY], stdout=subprocess.PIPE) as asking:
        assert asking.stdout is not None
        pid = os.read(asking.stdout.fileno(), 20).decode()
        asking.terminate()
        assert asking.stdout.read() == b""  # nobody holds it any more
        assert asking.wait() == -signal.SIGTERM
    assert _end([pid])


def _end(pids: Sequence[str]) -> bool:
    """Whether processes come to their end: a machine with much to do takes its time."""
    end = time.monotonic() + 20
    while any(map(_runs, pids)) and time.monotonic() < end:
        time.sleep(0.05)
    return not any(map(_runs, pids))


def _runs(pid: str) -> bool:
    """Whether a process is there, and is not one that has ended and that nobody has asked about."""
    try:
        state = Path("/proc", pid, "stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_untrusted_files_get_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 1 <= workers.count_available() <= workers.MAX_PROCESSES
    monkeypatch.setattr(limited_process, "is_limited", lambda: True)

    assert workers.count_available() == 1


class Named:
    """Is written as `getattr(of, name)`."""

    def __init__(self, of: object, name: str) -> None:
        self.arguments = of, name

    def __reduce__(self) -> tuple[object, ...]:
        return getattr, self.arguments


def test_a_member_of_an_enum_is_read_as_python_3_11_2_writes_it() -> None:
    assert serialization.load_pickle(pickle.dumps(Named(Severity, "ERROR")), {}) is Severity.ERROR
    with pytest.raises(pickle.UnpicklingError, match="has no members"):
        serialization.load_pickle(pickle.dumps(Named(LookupOptions, "config")), {})
