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
from tutorial_tool.linter.config_lookup import LookupOptions
from tutorial_tool.linter.targets import SUFFIXES, Target
from tutorial_tool.site import DATA

_LOCATED_MESSAGE = lazy_re.compile(r"(?P<path>.+?):(?P<line>\d+):(?P<column>\d+): (?P<message>.*)", re.DOTALL)
CONFIGURATION = "configuration"  # Used as the rule's name for configuration errors


@dataclass(frozen=True)
class FoundTargets:
    """Projects and trees, and the findings in their configuration files."""

    targets: tuple[Target, ...]
    problems: tuple[tuple[Path, Finding], ...]


def find_targets(folders: Iterable[Path], texts: Iterable[Path]) -> FoundTargets:
    """Find the targets of the folders, and of the open texts outside any folder."""
    found_targets: list[Target] = []
    problems: dict[tuple[Path, str], tuple[Path, Finding]] = {}
    texts = tuple(texts)
    unsaved = [path for path in texts if not path.is_file()]

    def search(start: Path, *named: Path) -> None:
        try:
            matching = targets.find(
                named, LookupOptions(start), [path for path in unsaved if path.is_relative_to(start)]
            )
            found_targets.extend(
                replace(target, baseline=baseline.get_configured(target.config)) for target in matching
            )
        except targets.NothingToLint:
            pass
        except settings.ConfigError as error:
            for path, finding in (parse_problem(line, start) for line in error.problems):
                problems[path, finding.message] = path, finding

    for folder in folders:
        search(folder)
    for path in texts:
        root = next((folder for folder in path.parents if (folder / DATA).is_file()), None)
        if root is not None and not any(target.layout is not None and target.root == root for target in found_targets):
            search(root)
        if path.name.lower().endswith(SUFFIXES) and not any(_contains_path(target, path) for target in found_targets):
            search(path.parent, path)
    return FoundTargets(tuple(_deduplicate_targets(found_targets)), tuple(problems.values()))


def _contains_path(target: Target, path: Path) -> bool:
    if target.layout is None:
        return path in target.paths or path in target.old_version_paths
    folders = (target.layout.templates, target.layout.docs)
    return any(path.is_relative_to(target.root / folder) for folder in folders)


def _deduplicate_targets(targets_: Iterable[Target]) -> Iterator[Target]:
    """Yield each project once: two folders of an editor may belong to one."""
    seen_keys = set()
    for target in targets_:
        if get_key(target) not in seen_keys:
            seen_keys.add(get_key(target))
            yield target


def get_key(target: Target) -> tuple[object, ...]:
    """Return the key that identifies a project or tree."""
    return target.root, target.layout is not None, target.paths if target.layout is not None else target.config


def parse_problem(line: str, start: Path) -> tuple[Path, Finding]:
    """Convert a configuration error to a finding of the file it names, or of the folder's configuration."""
    path, message, position = _find_configuration(start), line, (1, 1)
    if match := _LOCATED_MESSAGE.fullmatch(line):
        named_file = Path(os.path.normpath(Path(match["path"]).absolute()))
        if named_file.is_file():
            path, message, position = named_file, match["message"], (int(match["line"]), int(match["column"]))
    read = files.read(path, root=path.parent)
    source = read if isinstance(read, Source) else Source(path.name, "")
    start_offset = source.get_offset(*position)
    end_offset = source.get_line_end(source.get_position(start_offset).line)
    return path, Finding(CONFIGURATION, Severity.ERROR, message, source.span(start_offset, end_offset))


def _find_configuration(folder: Path) -> Path:
    """Return the settings file that applies in a folder, or its default path if there is none."""
    names = (settings.OWN_FILE, settings.SHARED_FILE)
    paths = (parent / name for parent in (folder, *folder.parents) for name in names)
    return next((path for path in paths if path.is_file()), folder / settings.OWN_FILE)
