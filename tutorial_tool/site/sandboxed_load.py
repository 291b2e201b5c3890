"""Load and render a project in a process with limits before the current process does."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tutorial_tool.core.diagnostics import Finding, build_error
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files, limited_process
from tutorial_tool.site import Layout, loading

_PROGRAM = "import sys\nfrom tutorial_tool.site import sandboxed_load\nsys.exit(sandboxed_load.main(sys.argv[1:]))\n"
_STOPPED = 3  # Exit code of a trial that found something that must not be rendered without limits


def run(layout: Layout) -> Finding | None:
    """Render a project with limits and discard the pages; return a finding if that failed, or None."""
    arguments = [str(layout.root), layout.data, layout.templates, layout.docs]
    here = Source(layout.data, "").span(0)
    try:
        command = limited_process.build_command(_PROGRAM, arguments)
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        code = limited_process.check_exit_code(done.returncode)
    except limited_process.LimitedProcessError as ended:
        return build_error("invalid-template", str(ended), here)
    if code == 0:
        return None
    splitlines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    lost = build_error(
        "invalid-template",
        f"the templates could not be tried out: {splitlines[-1][:500] if splitlines else code}",
        here,
    )
    return read_report(layout.root, done.stdout) or lost if code == _STOPPED else lost


def main(arguments: Sequence[str]) -> int:
    """Load a project, in the process with limits, print what exceeded a limit, and return the exit code."""
    root, data, templates, docs = arguments
    late = loading.load(Layout(Path(root), data, templates, docs)).overdue
    if late is None:
        return 0
    sys.stdout.write(json.dumps([late.span.path, late.span.start, late.span.end, late.message]))
    return _STOPPED


def read_report(root: Path, data: bytes) -> Finding | None:
    """Read the report of the limited process.

    The process may be compromised, so only a span and a message are read.
    """
    try:
        path, start, end, message = json.loads(data[:10_000])
        place = files.resolve_inside(root, path) if isinstance(path, str) else None
        read = files.read(place, root=root) if place else None
        if not isinstance(read, Source) or not isinstance(message, str) or not message.isprintable():
            return None
        first = min(max(int(start), 0), len(read.text))
        return build_error("invalid-template", message, read.span(first, min(max(int(end), first), len(read.text))))
    except (TypeError, ValueError, OverflowError, RecursionError):
        return None
