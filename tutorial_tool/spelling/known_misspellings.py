"""Look up known misspellings in the program `typos`, with all words in one call."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from tutorial_tool.core import lazy_re
from tutorial_tool.fs.git import PROGRAM_SECONDS

_SETTINGS = ("--isolated", "--no-check-filenames", "--color", "never", "--locale", "en")


@cache
def find_program() -> str | None:
    """Return the path of `typos`; None if it is not installed.

    The one installed for this Python takes precedence over others on the search path.
    """
    program = Path(sys.executable).with_name("typos")
    if sys.prefix != sys.base_prefix and os.access(program, os.X_OK):
        return str(program)  # in a virtual environment, the folder of scripts; `sysconfig` is slow to load
    import shutil
    import sysconfig

    folders = [sysconfig.get_path("scripts"), str(Path(sys.executable).parent)]
    for folder in folders:
        if path := shutil.which("typos", path=folder):
            return path
    return shutil.which("typos")


_WORD = lazy_re.compile(r"[a-z]+")
_known: dict[str, tuple[str, ...]] = {}
"""Cached answers of the program: an editor asks about the same words on each keystroke."""


def find_corrections(words: Iterable[str]) -> Mapping[str, tuple[str, ...]] | None:
    """Return the misspelled words, each with its corrections; None if `typos` cannot be run.

    Words are of ASCII letters in lower case; others have no result. British and American spellings are accepted alike.
    """
    expected = list(filter(_WORD.fullmatch, dict.fromkeys(words)))
    if find_program() is None:
        return None
    requested = [word for word in expected if word not in _known]
    reported = _run_program(requested) if requested else {}
    if reported is None:
        return None
    _known.update((word, reported.get(word, ())) for word in requested)
    return {word: pair for word in expected if (pair := _known.get(word))}


def _run_program(requested: list[str]) -> dict[str, tuple[str, ...]] | None:
    """Return the program's answer; None if there is none."""
    import subprocess

    path = find_program()
    assert path is not None
    try:
        ran = subprocess.run(
            [path, *_SETTINGS, "--format", "json", "-"],
            input="\n".join(requested) + "\n",
            capture_output=True,
            encoding="utf-8",
            timeout=PROGRAM_SECONDS,
            check=False,
        )
        # 2: misspellings found
        return dict(_parse_answers(ran.stdout, requested)) if ran.returncode in (0, 2) else None
    except (OSError, subprocess.TimeoutExpired, ValueError, KeyError):
        return None


def _parse_answers(out: str, requested: list[str]) -> Iterable[tuple[str, tuple[str, ...]]]:
    import json

    for line in out.splitlines():
        answer = json.loads(line)
        if answer["type"] == "typo" and requested[answer["line_num"] - 1] == answer["typo"]:
            yield answer["typo"], tuple(answer.get("corrections", ()))
