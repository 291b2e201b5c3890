"""Find the projects and trees of an editor's folders and texts, and errors in their configuration."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tutorial_tool.config import settings
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files
from tutorial_tool.linter import baseline, targets
from tutorial_tool.linter.targets import SUFFIXES, Settings, Target
from tutorial_tool.site import DATA

_PLACE = lazy_re.compile(r"(?P<path>.+?):(?P<line>\d+):(?P<column>\d+): (?P<message>.*)", re.DOTALL)
CONFIGURATION = "configuration"  # Used as the rule's name for configuration errors


@dataclass(frozen=True)
class FoundTargets:
    """Projects and trees, and the findings in their configuration files."""

    targets: tuple[Target, ...]
    problems: tuple[tuple[Path, Finding], ...]


def find_targets(folders: Iterable[Path], texts: Iterable[Path]) -> FoundTargets:
    """Find the targets of the folders, and of the open texts outside any folder."""
    matches: list[Target] = []
    problems: dict[tuple[Path, str], tuple[Path, Finding]] = {}
    texts = tuple(texts)
    unsaved = [path for path in texts if not path.is_file()]

    def look(start: Path, *named: Path) -> None:
        try:
            around = targets.find(named, Settings(start), [path for path in unsaved if path.is_relative_to(start)])
            matches.extend(replace(target, accepted=baseline.get_configured(target.config)) for target in around)
        except targets.NothingToLint:
            pass
        except settings.ConfigError as wrong:
            for path, finding in (parse_problem(line, start) for line in wrong.problems):
                problems[path, finding.message] = path, finding

    for folder in folders:
        look(folder)
    for path in texts:
        root = next((folder for folder in path.parents if (folder / DATA).is_file()), None)
        if root is not None and not any(target.layout is not None and target.root == root for target in matches):
            look(root)
        if path.name.lower().endswith(SUFFIXES) and not any(_contains_path(target, path) for target in matches):
            look(path.parent, path)
    return FoundTargets(tuple(_deduplicate_targets(matches)), tuple(problems.values()))


def _contains_path(target: Target, path: Path) -> bool:
    if target.layout is None:
        return path in target.paths or path in target.old_version_paths
    folders = (target.layout.templates, target.layout.docs)
    return any(path.is_relative_to(target.root / folder) for folder in folders)


def _deduplicate_targets(matches: Iterable[Target]) -> Iterator[Target]:
    """Yield each project once: two folders of an editor may belong to one."""
    seen = set()
    for target in matches:
        if get_key(target) not in seen:
            seen.add(get_key(target))
            yield target


def get_key(target: Target) -> tuple[object, ...]:
    """Return the key that identifies a project or tree."""
    return target.root, target.layout is not None, target.paths if target.layout is not None else target.config


def parse_problem(line: str, start: Path) -> tuple[Path, Finding]:
    """Convert a configuration error to a finding of the file it names, or of the folder's configuration."""
    match = _PLACE.fullmatch(line)
    named = Path(os.path.normpath(Path(match["path"]).absolute())) if match else None
    path = named if named is not None and named.is_file() else _find_configuration(start)
    message = match["message"] if match and path == named else line
    read = files.read(path, root=path.parent)
    source = read if isinstance(read, Source) else Source(path.name, "")
    first = source.get_offset(int(match["line"]), int(match["column"])) if match and path == named else 0
    last = source.get_line_end(source.get_position(first).line)
    return path, Finding(CONFIGURATION, Severity.ERROR, message, source.span(first, last))


def _find_configuration(folder: Path) -> Path:
    """Return the settings file that applies in a folder, or its default path if there is none."""
    names = (
        folder / name for folder in (folder, *folder.parents) for name in (settings.OWN_FILE, settings.SHARED_FILE)
    )
    return next((path for path in names if path.is_file()), folder / settings.OWN_FILE)
