"""The exceptions that callers of the package may get: all are a `TutorialToolError`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

TRACEBACK = "TUTORIAL_TOOL_TRACEBACK"  # Environment variable that shows the traceback of an internal error


class TutorialToolError(Exception):
    """An error that the caller can act on: `str(error)` is one message for users."""


class LimitExceeded(TutorialToolError):
    """A template exceeds the limit of text, steps or time."""


class FilesExist(TutorialToolError):
    """Files exist where others would be written, at these `paths`."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = tuple(paths)
        super().__init__(", ".join(self.paths))


class PathNotFound(TutorialToolError, FileNotFoundError):
    """A file or folder that the caller named does not exist."""


def is_internal(error: Exception) -> bool:
    """Return whether an error is a bug of this package, and tracebacks are not requested."""
    lacks_package = isinstance(error, ModuleNotFoundError) and str(error.name).partition(".")[0] != "tutorial_tool"
    return not (isinstance(error, TutorialToolError) or lacks_package or os.environ.get(TRACEBACK))


def describe_error(error: Exception) -> str:
    """Describe in a line what went wrong, where, and what to do about it."""
    import traceback

    last = traceback.extract_tb(error.__traceback__)[-1]
    what = f"{type(error).__name__}: {error}".replace("\n", " ").rstrip(": ")
    report = f"Please report it where you got tutorial-tool, with what {TRACEBACK}=1 prints."
    return f"{what} ({Path(last.filename).name}:{last.lineno}). {report}"
