"""Keep one tutorial true on every platform."""

from __future__ import annotations

from tutorial_tool.core.version import __version__ as __version__

TYPE_CHECKING = False  # `typing` and `pathlib` take longer to load than an unchanged run takes to be told again
if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tutorial_tool.core.diagnostics import Finding

__all__ = ["lint"]


def lint(paths: str | Path | Iterable[str | Path] = (), *, isolated: bool = False) -> list[Finding]:
    """The findings of files and folders, or of the project in this folder where none are named, in a stable order.

    It does what `tutorial-tool lint` does: a path below a `platforms.yaml` belongs to that project, the nearest
    configuration holds, hints are included, and paths in findings are relative to the current folder. `isolated` lints
    files as they are, without configuration and project.

    Raises FileNotFoundError for a path that does not exist, `targets.NothingToLint` where no file matches, and
    `config.ConfigError` for a configuration that cannot be used, `run.Trouble` where another tool that it names did not
    run. What is wrong with the files is a finding.
    """
    from pathlib import Path

    from tutorial_tool.linter import session
    from tutorial_tool.linter.targets import Settings

    named = [Path(path) for path in ([paths] if isinstance(paths, str | Path) else paths)]
    if missing := next((path for path in named if not path.exists()), None):
        raise FileNotFoundError(f"there is no file or folder '{missing}'")
    outcome = session.run(session.Request(Settings(Path.cwd(), isolated), tuple(named)))
    if outcome.failures:
        raise session.LintError(outcome.failures[0])
    return list(outcome.findings)
