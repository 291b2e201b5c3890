"""Keep one tutorial true on every platform. The names of `tutorial_tool.api` are here, too."""

from __future__ import annotations

from tutorial_tool.core.version import __version__ as __version__

TYPE_CHECKING = False  # `typing` takes longer to load than an unchanged run takes to print its findings again
if TYPE_CHECKING:
    from tutorial_tool.api import Edit as Edit
    from tutorial_tool.api import Finding as Finding
    from tutorial_tool.api import Fix as Fix
    from tutorial_tool.api import InvalidInput as InvalidInput
    from tutorial_tool.api import PathNotFound as PathNotFound
    from tutorial_tool.api import Position as Position
    from tutorial_tool.api import Related as Related
    from tutorial_tool.api import Severity as Severity
    from tutorial_tool.api import Source as Source
    from tutorial_tool.api import Span as Span
    from tutorial_tool.api import TutorialToolError as TutorialToolError
    from tutorial_tool.api import lint as lint
    from tutorial_tool.api import render as render

__all__ = [
    "Edit",
    "Finding",
    "Fix",
    "InvalidInput",
    "PathNotFound",
    "Position",
    "Related",
    "Severity",
    "Source",
    "Span",
    "TutorialToolError",
    "__version__",
    "lint",
    "render",
]


def __getattr__(name: str) -> object:
    """Load the API when one of its names is first used (PEP 562), so that the program starts without it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from tutorial_tool import api

    return getattr(api, name)
