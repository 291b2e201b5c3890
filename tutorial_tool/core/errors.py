"""The exceptions that callers of the package may meet: all of them are a `TutorialToolError`."""

from __future__ import annotations


class TutorialToolError(Exception):
    """Something that the caller can act on: `str(error)` is one message for people."""


class LimitExceeded(TutorialToolError):
    """A template asks for more text, steps or time than it may have."""


class PathNotFound(TutorialToolError, FileNotFoundError):
    """A file or folder that the caller named does not exist."""
