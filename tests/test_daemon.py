"""A resident process answers as the program itself does, and is gone when it is not wanted."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.test_any_edit import Author, copied
from tutorial_tool import daemon
from tutorial_tool.daemon import client

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not daemon.is_available(), reason="there is none on Windows")]

PAGE = "# Menu\n\nOpen the the menu. See [that](other.md) and ![](menu.png).\n"
PATIENCE = 120
"""Seconds after which a test gives up, on a machine that is busy."""


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    (folder / "page.md").write_text(PAGE)
    return folder


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    sockets = Path("/tmp") / f"tt-{os.getpid()}-{tmp_path_factory.getbasetemp().name}"
    sockets.mkdir(exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if name not in ("CI", daemon.VARIABLE)}
    return kept | {"XDG_RUNTIME_DIR": str(sockets), "NO_COLOR": "1"}


@pytest.fixture(scope="module")
def server(docs: Path, environment: dict[str, str]) -> Iterator[int]:
    """A resident process for the folder; its number."""
    started = run(["lint", "--daemon", "--no-cache"], docs, environment)
    assert started.returncode == 1
    number = wait_for(lambda: listening(environment))
    yield number
    os.kill(number, signal.SIGTERM)
    for file in Path(environment["XDG_RUNTIME_DIR"]).rglob("*"):
        file.unlink(missing_ok=True) if not file.is_dir() else None


def run(
    arguments: list[str], folder: Path, environment: dict[str, str], text: str = ""
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "tutorial_tool", *arguments],
        cwd=folder, env=environment, input=text.encode(), capture_output=True, check=False, timeout=PATIENCE,
    )  # fmt: skip


def listening(environment: dict[str, str]) -> int | None:
    """The number of the process that listens."""
    for path in Path(environment["XDG_RUNTIME_DIR"]).glob("*/*"):
        with socket.socket(socket.AF_UNIX) as asking:
            try:
                asking.connect(str(path))
            except OSError:
                continue
            return int(struct.unpack("3i", asking.getsockopt(socket.SOL_SOCKET, 17, 12))[0])  # SO_PEERCRED
    return None


def wait_for(ask: Callable[[], int | None]) -> int:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if (answer := ask()) is not None:
            return answer
        time.sleep(0.05)
    raise AssertionError("nothing happened")


def children(process: int) -> list[int]:
    return [int(number) for number in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


@pytest.mark.parametrize(
    "arguments",
    [
        ["lint"],
        ["lint", "page.md", "--output-format", "json"],
        ["lint", "--why", "--statistics"],
        ["lint", "--select", "no-rule"],
        ["lint", "nowhere.md"],
        ["lint", "--help"],
        ["lint", "--diff"],
        ["lint", "--exit-zero", "--select", "tables"],
        ["lint", "--stdin-filename", "other.md"],
    ],
)
def test_it_answers_as_the_program_does(
    arguments: list[str], docs: Path, environment: dict[str, str], server: int
) -> None:
    text = "# Other\n\nA a text."
    alone = run([*arguments, "--no-cache", "--no-daemon"], docs, environment, text)
    asked = run([*arguments, "--no-cache"], docs, environment, text)

    assert (asked.returncode, asked.stdout, asked.stderr) == (alone.returncode, alone.stdout, alone.stderr)
    assert listening(environment) == server


@pytest.fixture
def own(environment: dict[str, str], tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of a test with a resident process and a cache of its own."""
    with tempfile.TemporaryDirectory(prefix="tt-", dir="/tmp") as sockets:
        yield environment | {"XDG_CACHE_HOME": str(tmp_path / "cache"), "XDG_RUNTIME_DIR": sockets}


EDITS = [2, pytest.param(100, marks=[pytest.mark.soak, pytest.mark.timeout(7200)])]


@pytest.mark.parametrize("edits", EDITS)
def test_after_any_edit_each_way_to_run_prints_the_same_bytes(edits: int, tmp_path: Path, own: dict[str, str]) -> None:
    """Without the store, by two processes at once, by the one that answered last, and with the store."""
    root = copied("bare-files")(tmp_path)
    author = Author(root, edits)
    arguments = ["lint", "--output-format", "json"]
    run([*arguments, "--daemon"], root, own)
    number = wait_for(lambda: listening(own))
    with ThreadPoolExecutor(2) as threads:
        for edit in range(edits):
            author.edit()
            alone = run([*arguments, "--no-cache", "--no-daemon"], root, own)
            at_once = list(threads.map(lambda _: run(arguments, root, own), range(2)))
            author.edit()
            then = run([*arguments, "--no-cache", "--no-daemon"], root, own)
            again = [run(arguments, root, own), run([*arguments, "--no-daemon"], root, own)]
            assert [item.stdout for item in at_once] == [alone.stdout] * 2, f"edit {edit}"
            assert [item.stdout for item in again] == [then.stdout] * 2, f"edit {edit} and another"
            assert alone.stdout.startswith(b"[") or alone.returncode == 2
    assert listening(own) == number
    os.kill(number, signal.SIGTERM)


def test_the_same_command_is_answered_by_the_process_that_has_the_pages(own: dict[str, str], tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "page.md").write_text(PAGE)
    run(["lint", "--daemon"], docs, own)
    number = wait_for(lambda: listening(own))

    def answer(*options: str) -> list[int]:
        """The resident processes behind the one that listens, after a run on an edited page."""
        (docs / "page.md").write_text(PAGE + "and and " * (docs / "page.md").read_text().count("and"))
        assert run(["lint", *options], docs, own).stdout.count(b"repeated-word") > 0
        return children(number)

    first = answer()
    assert len(first) == 1
    assert answer() == answer() == first
    answer("--statistics", "--no-cache")  # without the cache, nothing is kept
    wait_for(lambda: 1 if children(number) == first else None)
    (docs / "page.md").write_text(PAGE)
    assert run(["lint", "page.md"], docs, own).returncode == 1
    (other,) = set(children(number)) - set(first)
    wait_for(lambda: 1 if children(number) == [other] else None)
    os.kill(other, signal.SIGKILL)
    assert run(["lint", "page.md", "--diff"], docs, own).returncode == 1
    last = children(number)
    os.kill(number, signal.SIGTERM)
    wait_for(lambda: None if Path(f"/proc/{last[0]}").exists() else 1)


def test_each_request_brings_its_files_and_its_environment(
    docs: Path, environment: dict[str, str], server: int
) -> None:
    assert b"repeated word `the`" in run(["lint", "--no-cache"], docs, environment).stdout
    (docs / "page.md").write_text(PAGE.replace("the the", "the"))
    assert b"repeated word" not in run(["lint", "--no-cache"], docs, environment).stdout
    (docs / "page.md").write_text(PAGE)
    github = {
        **environment,
        "GITHUB_ACTIONS": "true",
        "GITHUB_REPOSITORY": "a/b",
        "GITHUB_SERVER_URL": "https://x.test",
    }
    arguments = ["lint", "--no-cache", "--output-format", "markdown"]

    assert b"https://x.test" in run(arguments, docs, github).stdout
    assert b"https://x.test" not in run(arguments, docs, environment).stdout
    assert listening(environment) == server


def test_a_terminal_gets_colors(docs: Path, environment: dict[str, str], server: int) -> None:
    colored = {**environment, "TERM": "xterm", "COLUMNS": "80"}
    del colored["NO_COLOR"]

    def shown(*options: str) -> bytes:
        own, other = os.openpty()
        command = [sys.executable, "-m", "tutorial_tool", "lint", "--no-cache", *options]
        with subprocess.Popen(command, cwd=docs, env=colored, stdin=other, stdout=other, stderr=other) as program:
            os.close(other)
            out = b""
            while True:
                try:
                    part = os.read(own, 4096)
                except OSError:
                    break
                if not part:
                    break
                out += part
        os.close(own)
        return out + b"%d" % program.returncode

    assert b"\x1b[" in shown()
    assert shown() == shown("--no-daemon")
    assert listening(environment) == server


def waiting(docs: Path, environment: dict[str, str], server: int) -> tuple[subprocess.Popen[bytes], int]:
    """A client whose run waits for standard input, and the process of that run."""
    command = [sys.executable, "-m", "tutorial_tool", "lint", "--no-cache", "--stdin-filename", "other.md"]
    idle = children(server)
    program = subprocess.Popen(command, cwd=docs, env=environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    process = wait_for(lambda: next((child for child in children(server) if child not in idle), None))

    def asleep() -> int | None:
        """Whether the process sleeps, and has for a while."""
        before = Path(f"/proc/{process}/stat").read_text()
        time.sleep(0.3)
        return 1 if " S " in before and before == Path(f"/proc/{process}/stat").read_text() else None

    wait_for(asleep)
    return program, process


def test_an_interrupt_reaches_the_run(docs: Path, environment: dict[str, str], server: int) -> None:
    program, process = waiting(docs, environment, server)
    program.send_signal(signal.SIGINT)
    program.communicate(timeout=PATIENCE)

    assert program.returncode == 130
    wait_for(lambda: None if Path(f"/proc/{process}").exists() else 1)


def test_a_run_ends_with_its_client(docs: Path, environment: dict[str, str], server: int) -> None:
    program, process = waiting(docs, environment, server)
    program.kill()
    program.communicate(timeout=PATIENCE)
    wait_for(lambda: None if Path(f"/proc/{process}").exists() else 1)

    assert listening(environment) == server


def test_there_is_one_for_a_folder(docs: Path, environment: dict[str, str], server: int) -> None:
    (socket_,) = (path for path in Path(environment["XDG_RUNTIME_DIR"]).glob("*/*") if path.suffix != ".lock")
    again = subprocess.run(
        [sys.executable, "-m", "tutorial_tool.daemon.server", str(socket_)],
        cwd=docs, env=environment, check=False, timeout=PATIENCE,
    )  # fmt: skip

    assert again.returncode == 0
    assert listening(environment) == server


def test_it_ends_when_nobody_asks(docs: Path, environment: dict[str, str], tmp_path: Path) -> None:
    program = (
        "import sys; from tutorial_tool import daemon; from tutorial_tool.daemon import server\n"
        "server.IDLE_SECONDS = 0.1; sys.argv = ['', daemon.get_address(make=True)]; server.main()"
    )
    run_folder = {**environment, "TMPDIR": str(tmp_path)}
    ended = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=run_folder, check=False, timeout=PATIENCE)

    assert ended.returncode == 0


PATCHED = """
import sys
from tutorial_tool.core import time_budget
from tutorial_tool.daemon import server
from tutorial_tool.linter import budgets
from tutorial_tool.rules import get_rules
def check(page, **_):
    while "wait" in page.path:
        sum(range(1000))
    yield from ()
budgets.TASK_SECONDS, time_budget.TICK = 0.2, 0.01
object.__setattr__(get_rules()["duplicate-id"], "check", check)
server.main()
"""


def test_it_keeps_the_budget_of_each_rule_on_each_page(environment: dict[str, str], tmp_path: Path) -> None:
    for name in ("a", "wait"):
        (tmp_path / f"{name}.md").write_text(PAGE)
    start = "import sys; from tutorial_tool import daemon; sys.argv = ['', daemon.get_address(make=True)]"
    with subprocess.Popen([sys.executable, "-c", start + PATCHED], cwd=tmp_path, env=environment) as server:
        address = subprocess.check_output(
            [sys.executable, "-c", "from tutorial_tool import daemon; print(daemon.get_address())"],
            cwd=tmp_path,
            env=environment,
        )
        try:
            wait_for(lambda: Path(address.decode().strip()).exists() or None)
            found = [run(["lint", "--no-cache"], tmp_path, environment).stdout.decode() for _ in range(2)]
            assert server.poll() is None
        finally:
            server.terminate()
    assert found[0] == found[1]
    assert "warning[unfinished-check]: `duplicate-id` was stopped after 0 s of CPU time on `wait.md`" in found[0]
    assert found[0].count("repeated word `the`") == 2


def test_it_leaves_when_the_program_has_changed(tmp_path: Path) -> None:
    from tutorial_tool.daemon.server import Server

    file = tmp_path / "module.py"
    file.write_text("1")
    server = Server("address")
    server._program = {str(file): (file.stat().st_ino, 1, file.stat().st_mtime_ns)}
    assert server._is_current()
    file.write_text("22")
    assert not server._is_current()


def test_a_run_may_be_over_before_the_client_has_read_that_it_started(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with socket.socket(socket.AF_UNIX) as listening, ThreadPoolExecutor(1) as thread:
        address = str(tmp_path / "socket")
        listening.bind(address)
        listening.listen()
        monkeypatch.setattr(daemon, "get_address", lambda **_: address)

        def answer() -> None:
            asking, _ = listening.accept()
            with asking:
                asking.sendall(b"started 1\nended 7\n")
                while asking.recv(4096):
                    pass

        answered = thread.submit(answer)
        assert client.run(["lint"]) == 7
        answered.result(PATIENCE)


def test_it_is_never_started_in_ci_by_a_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    started: list[str] = []
    monkeypatch.setattr(client, "_start", started.append)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv(daemon.VARIABLE, "1")
    monkeypatch.setenv("CI", "true")
    assert client.run(["lint"]) is None
    assert not started
    monkeypatch.delenv("CI")
    assert client.run(["lint"]) is None
    assert client.run(["lint", "--no-daemon"]) is None
    assert client.run(["lint", "--watch"]) is None
    assert client.run(["compare"]) is None
    assert len(started) == 1


def test_a_folder_that_others_can_enter_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert daemon.get_folder() is None
    path = daemon.get_folder(make=True)
    assert path is not None
    Path(path).chmod(0o755)
    assert daemon.get_folder() is None
    assert daemon.get_address() is None


def test_windows_has_none(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(daemon, "is_available", lambda: False)
    assert client.run(["lint", "--daemon"]) is None
    assert "no resident process on Windows" in capsys.readouterr().err
    assert client.run(["lint"]) is None
    assert capsys.readouterr().err == ""


def test_the_client_loads_next_to_nothing() -> None:
    program = "import sys; import tutorial_tool.__main__; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True).stdout.split()
    assert not {"click", "socket", "subprocess", "pathlib", "re"}.intersection(set(loaded) - set(BARE))


BARE = subprocess.run(
    [sys.executable, "-c", "import sys; print(*sys.modules)"], capture_output=True, check=True, text=True
).stdout.split()
"""What Python itself has loaded when it starts, with what the environment adds."""
