"""What the tool keeps between runs is no truth: broken, from another day or changed meanwhile, a run is as without it."""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import sqlite3
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests import project, started
from tutorial_tool.cache import store as results
from tutorial_tool.links import external
from tutorial_tool.links.external import checker
from tutorial_tool.spelling import store

pytestmark = pytest.mark.slow

SEED = 37
PAGES = {
    f"page{number}.md": f"# Page {number}\n\nOpen the the menu {number}, see [it](page{number + 1}.md).\n"
    for number in range(6)
}


def empty(_: bytes, __: random.Random) -> bytes:
    return b""


def cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def noise(data: bytes, chance: random.Random) -> bytes:
    return chance.randbytes(len(data))


def flipped(data: bytes, chance: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(min(len(out), 40)):
        out[chance.randrange(len(out))] ^= 1 << chance.randrange(8)
    return bytes(out)


def swapped(data: bytes, _: random.Random) -> bytes:
    return data[len(data) // 2 :] + data[: len(data) // 2]


def zeroed(data: bytes, chance: random.Random) -> bytes:
    """As a disk leaves a file whose last blocks were not written."""
    kept = chance.randrange(len(data) + 1)
    return data[:kept] + bytes(len(data) - kept)


def filled(data: bytes, chance: random.Random) -> bytes:
    kept = chance.randrange(len(data) + 1)
    return data[:kept] + b"\xff" * (len(data) - kept)


KINDS = ("tree", "project")
WAYS: list[Callable[[bytes, random.Random], bytes]] = [empty, cut, noise, flipped, swapped, zeroed, filled]


def lint(root: Path, cache: Path, *options: str) -> tuple[int, str, str]:
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "TUTORIAL_TOOL_DAEMON": "0"}
    done = started.run("tutorial_tool", "lint", "--output-format", "concise", *options, cwd=root, env=environment)
    return done.returncode, done.stdout, done.stderr


def written(root: Path, kind: str) -> Path:
    if kind == "project":
        return project.write(root)
    root.mkdir()
    for name, text in PAGES.items():
        (root / name).write_text(text)
    return root


def check(tmp_path: Path, kind: str, rounds: int, seed: int = SEED) -> int:
    """Break what is kept in each way, so many times over; returns how many files were broken."""
    root, cache, chance, broken = written(tmp_path / "work", kind), tmp_path / "cache", random.Random(seed), 0
    expected = lint(root, tmp_path / "none", "--no-cache")
    for _ in range(rounds):
        for way in WAYS:
            assert lint(root, cache) == expected
            for file in sorted(path for path in cache.rglob("*") if path.is_file()):
                file.write_bytes(way(file.read_bytes(), chance))
                broken += 1
            assert lint(root, cache) == expected, way.__name__
    return broken


@pytest.mark.parametrize("kind", KINDS)
def test_a_broken_cache_is_no_cache(tmp_path: Path, kind: str) -> None:
    assert check(tmp_path, kind, 1) >= len(WAYS)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", KINDS)
def test_a_cache_that_is_broken_again_and_again_is_no_cache(tmp_path: Path, kind: str) -> None:
    assert check(tmp_path, kind, 40) >= 40 * len(WAYS)


@pytest.mark.parametrize("days", [-20_000, -1, 1, 20_000])
def test_a_clock_that_was_wrong_hides_no_change(tmp_path: Path, days: int) -> None:
    """A file that changes and keeps its size, its time set by a clock that went back or ahead."""
    root, cache = written(tmp_path / "work", "tree"), tmp_path / "cache"
    lint(root, cache)
    page = root / "page0.md"
    page.write_text(page.read_text().replace("the the", "the one"))
    wrong = time.time() + days * 86_400
    os.utime(page, (max(wrong, 1), max(wrong, 1)))
    assert lint(root, cache) == lint(root, cache, "--no-cache")
    assert "page0.md:3" not in lint(root, cache)[1]


def test_a_file_that_changes_while_it_is_read_is_one_or_the_other(tmp_path: Path) -> None:
    """Another program saves two texts of one size by turns; what is kept of a run is never the wrong one's."""
    root, cache = written(tmp_path / "work", "tree"), tmp_path / "cache"
    page, texts = root / "page0.md", (PAGES["page0.md"], PAGES["page0.md"].replace("the the", "the one"))
    answers = []
    for text in texts:
        page.write_text(text)
        answers.append(lint(root, tmp_path / "none", "--no-cache"))
    assert answers[0] != answers[1]
    ended = threading.Event()

    def save() -> None:
        for text in itertools.cycle(texts):
            aside = root / "page0.tmp"
            aside.write_text(text)
            aside.replace(page)
            if ended.wait(0.01):
                return

    saving = threading.Thread(target=save)
    saving.start()
    try:
        assert {lint(root, cache) for _ in range(12)} <= set(answers)
    finally:
        ended.set()
        saving.join()
    assert lint(root, cache) == answers[page.read_text() == texts[1]]


@pytest.mark.parametrize("change", ["unlink", "grow", "folder"])
def test_a_file_that_changes_between_two_runs_is_seen(tmp_path: Path, change: str) -> None:
    root, cache = written(tmp_path / "work", "tree"), tmp_path / "cache"
    lint(root, cache)
    page = root / "page1.md"
    if change == "grow":
        page.write_text(f"{page.read_text()}\nOne more more.\n")
    else:
        page.unlink()
    if change == "folder":
        page.mkdir()
    assert lint(root, cache) == lint(root, cache, "--no-cache")


def test_no_byte_of_the_word_lists_can_change_unnoticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    words = {f"word{number}": number / 7 for number in range(40)}, {"two words": 1.0}
    read = partial(store.load, "key", lambda: words)
    expected = {word: read().words.look_up(word) for word in (*words[0], "nowhere")}
    (file,) = tmp_path.glob("*/words-*.bin")
    whole, chance = file.read_bytes(), random.Random(SEED)
    broken = [whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :] for at in range(len(whole))]
    broken += [way(whole, chance) for way in WAYS for _ in range(20)]
    for data in broken:
        file.write_bytes(data)
        assert {word: read().words.look_up(word) for word in expected} == expected
        assert file.read_bytes() == whole


def test_no_answer_of_a_host_that_was_kept_is_believed_blindly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    url, good = "http://a.example/b", checker.Answer("there", "", "", frozenset({"c"}))
    external._save_answers({url: good})
    assert external._load_answers([url]) == {url: good}
    file = results.get_path()
    assert file is not None
    with contextlib.closing(sqlite3.connect(file)) as connection:
        ((value,),) = connection.execute("SELECT value FROM items").fetchall()
        for at in range(len(value)):
            changed = value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :]
            connection.execute("UPDATE items SET value = ?", (changed,))
            connection.commit()
            assert external._load_answers([url]) == {}
