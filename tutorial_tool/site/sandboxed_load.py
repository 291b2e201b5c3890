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
    span = Source(layout.data, "").span(0)
    try:
        command = limited_process.build_command(_PROGRAM, arguments)
        process = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        code = limited_process.check_exit_code(process.returncode)
    except limited_process.LimitedProcessError as error:
        return build_error("invalid-template", str(error), span)
    if code == 0:
        return None
    stderr_lines = process.stderr.decode("utf-8", "replace").strip().splitlines()
    reason = stderr_lines[-1][:500] if stderr_lines else code
    failure = build_error("invalid-template", f"the templates could not be tried out: {reason}", span)
    return read_report(layout.root, process.stdout) or failure if code == _STOPPED else failure


def main(arguments: Sequence[str]) -> int:
    """Load a project, in the process with limits, print what exceeded a limit, and return the exit code."""
    root, data, templates, docs = arguments
    overdue = loading.load(Layout(Path(root), data, templates, docs)).overdue
    if overdue is None:
        return 0
    sys.stdout.write(json.dumps([overdue.span.path, overdue.span.start, overdue.span.end, overdue.message]))
    return _STOPPED


def read_report(root: Path, data: bytes) -> Finding | None:
    """Read the report of the limited process.

    The process may be compromised, so only a span and a message are read.
    """
    try:
        path, start, end, message = json.loads(data[:10_000])
        resolved = files.resolve_inside(root, path) if isinstance(path, str) else None
        read = files.read(resolved, root=root) if resolved else None
        if not isinstance(read, Source) or not isinstance(message, str) or not message.isprintable():
            return None
        begin = min(max(int(start), 0), len(read.text))
        return build_error("invalid-template", message, read.span(begin, min(max(int(end), begin), len(read.text))))
    except (TypeError, ValueError, OverflowError, RecursionError):
        return None
