"""Good answers of earlier runs, in a file of the user's cache folder: what was there an hour ago is not asked again."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tutorial_tool import cache
from tutorial_tool.core.diagnostics import InvalidInput
from tutorial_tool.fs import files
from tutorial_tool.links.external.asking import Answer

HOURS = 24.0  # How long an answer holds. Only good ones are kept: what was broken may be mended by now.
_FORM = 1
_NAME = "external-links.json"


def load() -> dict[str, Answer]:
    """The answers that still hold, by address. Nothing is raised where there are none, or they cannot be read."""
    answers = {}
    for url, (_, moved, ids) in _entries().items():
        answers[url] = Answer("there", moved=moved, ids=None if ids is None else frozenset(ids))
    return answers


def keep(answers: Mapping[str, Answer]) -> None:
    """Add good answers to the file; a run at the same time may have written meanwhile. Nothing is raised."""
    path, now = _path(), time.time()
    good = {url: answer for url, answer in answers.items() if answer.kind == "there"}
    if path is None or not good:
        return
    new = {url: [now, answer.moved, None if answer.ids is None else sorted(answer.ids)] for url, answer in good.items()}
    text = json.dumps({"form": _FORM, "links": {**_entries(), **new}}, ensure_ascii=False)
    with contextlib.suppress(OSError, InvalidInput):
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write(path, text.encode(), root=path.parent)


def _path() -> Path | None:
    base = cache.folder()
    return Path(base, _NAME) if base else None


def _entries() -> dict[str, tuple[float, str, list[str] | None]]:
    """What stands in the file and is not too old: when it was asked, where it has moved, and the anchors asked for."""
    path = _path()
    try:
        read: Any = json.loads(path.read_text(encoding="utf-8")) if path else {}
        links = read["links"] if read.get("form") == _FORM else {}
        now = time.time()
        return {
            url: (at, moved, ids)
            for url, (at, moved, ids) in links.items()
            if now - HOURS * 3600 < at <= now + 1 and all(isinstance(text, str) for text in (moved, *(ids or ())))
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}
