"""Find the owners of files, from the repository's CODEOWNERS."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tutorial_tool.fs import files

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
"""Where GitHub and GitLab look for it, in their order."""


def read_owners(start: Path) -> Callable[[str], Sequence[str]] | None:
    """Return a function from paths relative to `start` to their owners; None without a CODEOWNERS file."""
    start = start.resolve()
    root = next((folder for folder in (start, *start.parents) if (folder / ".git").exists()), start)
    file = next((root / place for place in PLACES if (root / place).is_file()), None)
    if file is None:
        return None
    prefix = "" if start == root else f"{start.relative_to(root).as_posix()}/"
    rules = _parse_rules(file.read_text(encoding="utf-8", errors="replace"))

    @cache
    def find_owners(path: str) -> Sequence[str]:
        full = f"{prefix}{path}"
        return next((names for spec, names in reversed(rules) if spec.match_file(full)), ())

    return find_owners


def _parse_rules(text: str) -> list[tuple[GitIgnoreSpec, Sequence[str]]]:
    """Return the patterns with their owners, in the file's order: the last match counts."""
    from pathspec import GitIgnoreSpec

    rules: list[tuple[GitIgnoreSpec, Sequence[str]]] = []
    section: Sequence[str] = ()
    for line in text.splitlines():
        words = line.partition(" #")[0].split()
        if not words or words[0].startswith("#"):
            continue
        if words[0].startswith(("[", "^[")):  # a GitLab section, perhaps with the owners of what follows
            section = line.rpartition("]")[2].split()
        elif not files.explain_bad_pattern(words[0]):
            rules.append((GitIgnoreSpec.from_lines([words[0]]), words[1:] or section))
    return rules
