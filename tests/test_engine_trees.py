"""Small sites as the manuals of site generators write them: nothing is found in them, and each planted mistake once.

Each file in `engines/` is a tree: `=== path` begins a file. Lines and files behind `!!` stand in a second tree only.
Something of rules about links is found on each of these lines, unless a `~` follows, and nowhere else.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tutorial_tool.linter import targets
from tutorial_tool.linter.config_lookup import LookupOptions

TREES = sorted((Path(__file__).parent / "engines").glob("*.txt"))
RULES = frozenset(
    """broken-link broken-anchor broken-redirect missing-image unused-image orphan-page absolute-path base-path-drift
    front-matter duplicate-id unparsed-markup renderer-mismatch link-title-mismatch repeated-navigation unsafe-url
    removed-url prev-next-mismatch malformed-table""".split()
)
FILE = re.compile(r"^=== (?!\")(.+)\n", re.MULTILINE)
PICTURE = b"\x89PNG"


def planted(text: str, folder: Path, *, wrong: bool) -> Counter[tuple[str, int]]:
    """Write a tree, and tell where something is to be found."""
    out = Counter[tuple[str, int]]()
    parts = iter(FILE.split(text)[1:])
    for name, body in zip(parts, parts, strict=True):
        if name.startswith("!!") and not wrong:
            continue
        path, lines = name.removeprefix("!!"), []
        for line in body.splitlines():
            if line.startswith("!!") and not wrong:
                continue
            lines.append(line.removeprefix("!!").removeprefix("~") if line.startswith("!!") else line)
            if line.startswith("!!") and not line.startswith("!!~"):
                out[path, len(lines)] += 1
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(PICTURE if file.suffix == ".png" else "".join(f"{line}\n" for line in lines).encode())
    (folder / ".git").mkdir()
    return out


def found(folder: Path) -> dict[tuple[str, int], list[str]]:
    out: dict[tuple[str, int], list[str]] = {}
    for target in targets.find([folder], LookupOptions(folder)):
        for one in target.lint().findings:
            if one.rule in RULES:
                out.setdefault((one.span.path, one.span.position.line), []).append(f"{one.rule}: {one.message}")
    return out


@pytest.mark.parametrize("file", TREES, ids=[tree.stem for tree in TREES])
def test_a_right_tree_is_silent(file: Path, tmp_path: Path) -> None:
    planted(file.read_text(encoding="utf-8"), tmp_path, wrong=False)
    assert found(tmp_path) == {}


@pytest.mark.parametrize("file", TREES, ids=[tree.stem for tree in TREES])
def test_each_planted_mistake_is_found_once(file: Path, tmp_path: Path) -> None:
    wanted = planted(file.read_text(encoding="utf-8"), tmp_path, wrong=True)
    told = found(tmp_path)
    assert {place: len(each) for place, each in told.items()} == dict(wanted), told
