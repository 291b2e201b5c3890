"""Writes redirects to the project's own configuration file."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from tutorial_tool.config.settings import OWN_FILE, SHARED_FILE
from tutorial_tool.core.lazy_re import compile as pattern
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files
from tutorial_tool.scaffold.data_edits import ScaffoldError

_TABLE = pattern(r"^\[redirects\][ \t]*(?:#.*)?\n?", re.MULTILINE)
_LINE = pattern(r'^[ \t]*"(?P<old>/[^"\n]*)"[ \t]*=[ \t]*"(?P<new>/[^"\n]*)"[^\n]*\n?', re.MULTILINE)


def add_redirects(root: Path, redirects: Mapping[str, str]) -> str:
    """Return the configuration with new redirects; old ones get the new targets.

    No redirect starts at a new URL.

    Raises: ScaffoldError if the redirects are elsewhere, or in braces.
    """
    source = files.read(root / OWN_FILE, root=root)
    text = source.text if isinstance(source, Source) else ""
    shared = files.read(root / SHARED_FILE, root=root)
    if not text and isinstance(shared, Source) and "[tool.tutorial-tool" in shared.text:
        raise ScaffoldError(f"redirects go to {OWN_FILE}; move `[tool.tutorial-tool]` of {SHARED_FILE} there first")
    if re.search(r"^redirects\b", text, re.MULTILINE):
        raise ScaffoldError(f"{OWN_FILE}: write the redirects as a table, `[redirects]`, first")
    lines = "".join(f"{json.dumps(old)} = {json.dumps(new)}\n" for old, new in redirects.items())
    if (table := _TABLE.search(text)) is None:
        return f"{text.rstrip()}\n\n[redirects]\n{lines}".lstrip()
    taken = {*redirects, *redirects.values()}

    def update_line(line: re.Match[str]) -> str:
        if line["old"] in taken:
            return ""
        new = redirects.get(line["new"], line["new"])
        return f"{line[0][: line.start('new') - line.start()]}{new}{line[0][line.end('new') - line.start() :]}"

    return text[: table.end()] + lines + _LINE.sub(update_line, text[table.end() :])
