"""The Python API: what this module names, and nothing else, stays stable between minor versions.

Every name can be imported from `tutorial_tool`, too. Every error that a caller can act on is a `TutorialToolError`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from tutorial_tool.core.diagnostics import Finding, Fix, InvalidInput, Related, Severity
from tutorial_tool.core.errors import PathNotFound, TutorialToolError
from tutorial_tool.core.source import Edit, Position, Source, Span

if TYPE_CHECKING:
    from tutorial_tool.site import Layout

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
    "lint",
    "render",
]


def lint(paths: str | Path | Iterable[str | Path] = (), *, isolated: bool = False) -> list[Finding]:
    """Return the findings of files and folders as `tutorial-tool lint` reports them, in a stable order.

    A path below a `platforms.yaml` is linted as a part of that project, and the nearest configuration applies. Hints
    are included. Paths in findings are relative to the current folder. Nothing is written.

    Args:
        paths: Markdown files, and folders that are searched for them. Without any, the project or the Markdown files in
            the current folder.
        isolated: Lint files as they are, without configuration and project.

    Raises:
        PathNotFound: A path does not exist. It is a `FileNotFoundError`, too.
        TutorialToolError: No file matches, the configuration is invalid, or another linter that it names cannot run.
            What is wrong with the files themselves is a finding.
    """
    from tutorial_tool.linter import session
    from tutorial_tool.linter.config_lookup import LookupOptions

    requested = [Path(path) for path in ([paths] if isinstance(paths, str | Path) else paths)]
    if missing := next((path for path in requested if not path.exists()), None):
        raise PathNotFound(f"there is no file or folder `{missing}`")
    outcome = session.run(session.Request(LookupOptions(Path.cwd(), isolated), tuple(requested)))
    if outcome.failures:
        raise session.LintError(outcome.failures[0])
    return list(outcome.findings)


def render(
    project: str | Path = ".",
    *,
    front_matter: bool = True,
    index: Literal["index.md", "_index.md"] = "index.md",
    links: Literal["md", "url"] = "md",
    heading_ids: Literal["attr-list", "hugo", "none"] | None = None,
) -> dict[str, bytes]:
    """Return the files that `tutorial-tool render` writes: every page as plain Markdown, images, and the navigation.

    Args:
        project: The folder of `platforms.yaml`; for `.`, the nearest one above it, too.
        front_matter: Keep front matter. Without it, the title becomes a heading.
        index: The name of index pages.
        links: Link to files (`md`), or to URLs (`url`).
        heading_ids: Write ids of headings as `{: #id }`, `{#id}`, or not. `None`: as the generator reads them whose
            configuration is in the project.

    Returns:
        The content of each file, as it is written to disk, by its path in the target folder, with `/` between folders.

    Raises:
        PathNotFound: There is no such folder.
        InvalidInput: The project cannot be rendered. Its attribute `findings` says why, and where.
        TutorialToolError: The configuration is invalid.
    """
    from tutorial_tool.publishing import export
    from tutorial_tool.publishing.export import live

    layout = _find_layout(Path(project))
    engine = export.detect_engine(layout)
    options = export.Options(front_matter, index, links, heading_ids or engine.heading_ids, engine)
    return live.Rendering(Path(), layout, options, lambda _site: None).build_files()[1]


def _find_layout(project: Path) -> Layout:
    from tutorial_tool.linter import targets

    if not project.is_dir():
        raise PathNotFound(f"there is no folder `{project}`")
    return targets.find_layout(project.resolve(), is_named=project != Path())
